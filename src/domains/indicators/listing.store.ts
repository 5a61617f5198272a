import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { openCopy, type Staging } from '#platform/database/copy.ts'
import type { Database } from '#platform/database/schema.ts'
import { COMMIT_WITHOUT_WAITING, STAGING_SETTINGS } from '#platform/database/staging-settings.ts'
import type { Severity } from './indicators.model.ts'
import { keepPurgesOut } from './orphans.store.ts'
import { orderedIds } from './staging.store.ts'
import { FOLDED_STATEMENT, partsOf, STATEMENT_COLUMNS, STATEMENT_OF_FOLDED, severitySaid } from './statement.store.ts'

type Db = Kysely<Database>
type Sql = RawBuilder<unknown>

/** Rows of one committed chunk. Large enough that the commit does not show, small enough that a kill costs little. */
export const CHUNK_ROWS = 20_000

/**
 * What a comparison found: rows to write, by kind. Of the fresh ones, `known` have been brought by other sources, and `ranges` are ranges.
 * The rows of values that were listed before (`moved`) come first, then the fresh ones.
 */
export type ListingChanges = {
  moved: number
  returned: number
  altered: number
  gone: number
  fresh: number
  known: number
  ranges: number
}

/**
 * Makes the temporary tables of one collection and opens the stream into them. They die with the session, so a kill leaves nothing. The chunks
 * count when the run is closed, and that commit waits for all of them.
 * No merge joins: without statistics of the temporary tables the planner would sort two whole lists, which takes twice as long as hashing one.
 */
export async function openStaging(client: PoolClient): Promise<Staging> {
  await client.query(`${STAGING_SETTINGS}
    ${COMMIT_WITHOUT_WAITING}
    create temp table if not exists staged_list (type text collate "C" not null, value text collate "C" not null, said text,
      hash_a bigint generated always as (hashtextextended(value, 0)) stored,
      hash_b bigint generated always as (hashtextextended(value, 1)) stored);
    create temp table if not exists list_changes (n bigint not null, kind text not null, known_id uuid, new_id uuid not null,
      type text collate "C", value text collate "C", said text, hash_a bigint, hash_b bigint)`)
  return openCopy(client, 'copy staged_list (type, value, said) from stdin')
}

/**
 * Folds what a list says twice about one value into one row, in a fixed order so that the same list always folds to the same text.
 * Needed only when rows say something; values alone may stay double until they turn out to be new.
 */
export async function foldStaged(db: Db): Promise<void> {
  await sql`create temp table doubled as select hash_a, hash_b from staged_list group by hash_a, hash_b having count(*) > 1`.execute(db)
  await sql`
    with several as (
      delete from staged_list staged using doubled where staged.hash_a = doubled.hash_a and staged.hash_b = doubled.hash_b
      returning staged.type, staged.value, staged.said
    )
    insert into staged_list (type, value, said)
    select type, value, ${STATEMENT_OF_FOLDED}
    from (select type, value, ${FOLDED_STATEMENT} from several cross join ${partsOf(sql`said`)} group by type, value) folded`.execute(db)
}

/**
 * The difference between the staged list and what the source listed before, in the order in which it is written: one pass over both.
 *
 * Values that were listed before are numbered by their ids, which is the order of the tables, so that a chunk touches few pages; after them the
 * fresh ones, by type and value, with the ids that they have or will get, so that the indexes grow at their edges. Both are the same in every
 * collection, so that two of them cannot lock each other out.
 * @param list `withGone`: false for a partial list, which may add but never removes
 */
export async function compareListing(
  db: Db,
  { sourceId, at, withGone }: { sourceId: string; at: Date; withGone: boolean },
): Promise<ListingChanges> {
  await sql`
    insert into list_changes (n, kind, known_id, new_id, type, value, said, hash_a, hash_b)
    select numbered.n, numbered.kind, coalesce(numbered.listed_id, known.id) as known_id, ${orderedIds(at, sql`numbered.n`)} as new_id,
      numbered.type, numbered.value, numbered.said, numbered.hash_a, numbered.hash_b
    from (
      select row_number() over (order by listed_id, type, value) as n, once.*
      from (
        select distinct on (held.indicator_id, staged.type, staged.value)
          case when held.indicator_id is null then 'fresh' when staged.value is null then 'gone' when held.listed_from is null then 'returned' else 'altered' end as kind,
          held.indicator_id as listed_id,
          staged.type,
          staged.value,
          staged.said,
          staged.hash_a,
          staged.hash_b
        from (select indicator_id, listed_from, digest, hash_a, hash_b from indicator_sources where source_id = ${sourceId}) held
        full join staged_list staged on staged.hash_a = held.hash_a and staged.hash_b = held.hash_b
        where held.indicator_id is null
          or (staged.value is null and held.listed_from is not null and ${withGone})
          or (staged.value is not null and (held.listed_from is null or held.digest is distinct from hashtextextended(staged.said, 0)))
        order by held.indicator_id, staged.type, staged.value
      ) once
    ) numbered
    left join lateral (
      -- One probe of the unique index each, so that a few new values cost little however large the base is.
      select id from indicators where numbered.listed_id is null and type = numbered.type and indicator_key(value) = indicator_key(numbered.value) limit 1
    ) known on true`.execute(db)
  const { rows } = await sql<ListingChanges>`
    select
      (count(*) filter (where kind <> 'fresh'))::int as moved,
      (count(*) filter (where kind = 'returned'))::int as returned,
      (count(*) filter (where kind = 'altered'))::int as altered,
      (count(*) filter (where kind = 'gone'))::int as gone,
      (count(*) filter (where kind = 'fresh'))::int as fresh,
      (count(known_id) filter (where kind = 'fresh'))::int as known,
      (count(*) filter (where kind = 'fresh' and type = 'NETWORK'))::int as ranges
    from list_changes`.execute(db)
  return rows[0] ?? { moved: 0, returned: 0, altered: 0, gone: 0, fresh: 0, known: 0, ranges: 0 }
}

/**
 * Empties the temporary tables, which then serve the next list on this connection: making them anew costs several times what a small list costs.
 * For lists of one chunk: they have no index, and emptying costs by the row.
 */
export async function emptyStaging(db: Db): Promise<void> {
  await sql`delete from staged_list`.execute(db)
  await sql`delete from list_changes`.execute(db)
  // Temporary tables are nobody's to clean, and grow with every list that was in them.
  await sql`vacuum (process_toast false) staged_list, list_changes`.execute(db)
}

/** Lets several chunks of changes be found by their numbers. One alone is read as a whole. */
export async function indexChanges(db: Db): Promise<void> {
  await sql`create index on list_changes (n)`.execute(db)
  await sql`analyze list_changes (n, known_id)`.execute(db)
}

/**
 * From here on a statement writes one chunk at most, and finds its rows by index. Told to the planner, because a list that has just been loaded
 * has no statistics, and without them it would read the whole list for every chunk.
 */
export async function findByIndex(db: Db): Promise<void> {
  await sql`set enable_hashjoin = off`.execute(db)
}

/** Changes by number: after the one, up to and with the other. */
export type ChunkOfList = {
  sourceId: string
  after: number
  upTo: number
  at: Date
  runNo: number
  /** Of a value of which the list says none. */
  severity: Severity
  /** Whether any row of the list says more than its value. */
  saysSomething: boolean
}

/**
 * Writes one chunk of new values and their links.
 *
 * @param others `known`: how many values of the list other sources have brought before; `contested`: whether to watch for a collection that makes
 * some of the values at this moment
 * @returns indicators made, and values that the source now lists in addition
 * @throws a unique violation, where another collection made one and nobody watched
 */
export async function insertFreshChunk(
  db: Db,
  chunk: ChunkOfList,
  { known, contested }: { known: number; contested: boolean },
): Promise<{ made: number; listed: number }> {
  const { sourceId, after, upTo, at, runNo } = chunk
  await keepPurgesOut(db)
  if (known > 0) await forgetPurged(db, chunk)
  const made = await sql`
    insert into indicators (id, type, value, severity, first_seen)
    select new_id, type, value, ${severityOf(chunk)}, ${at}::timestamptz
    from list_changes where n > ${after} and n <= ${upTo} and known_id is null
    order by n
    ${contested ? sql`on conflict (type, indicator_key(value)) do nothing` : sql``}`.execute(db)
  const madeRows = Number(made.numAffectedRows ?? 0n)
  const adopted = contested ? await adoptForeignIds(db, chunk, madeRows) : 0
  const linked = await sql`
    insert into indicator_sources
      (source_id, indicator_id, first_seen, listed_from, last_listed_at, hash_a, hash_b, digest, severity, tags, description, reported_first_seen, reported_last_seen, valid_until)
    select ${sourceId}::uuid, coalesce(known_id, new_id), ${at}::timestamptz, ${runNo}::int, ${at}::timestamptz, hash_a, hash_b, hashtextextended(said, 0), ${whatItSays(chunk)}
    from list_changes ${takenApart(chunk, sql`said`)} where n > ${after} and n <= ${upTo}
    order by n`.execute(db)
  if (known + adopted > 0) {
    await refreshKnown(
      db,
      sql`select known_id as indicator_id, ${severityOf(chunk)} as severity from list_changes where n > ${after} and n <= ${upTo} and known_id is not null`,
    )
  }
  return { made: madeRows, listed: Number(linked.numAffectedRows ?? 0n) }
}

/** What was known when the list was numbered may have been purged since: it is made anew. */
async function forgetPurged(db: Db, { after, upTo }: ChunkOfList): Promise<void> {
  await sql`
    update list_changes set known_id = null
    where n > ${after} and n <= ${upTo} and known_id is not null and not exists (select from indicators where id = list_changes.known_id)`.execute(
    db,
  )
}

/** Another collection made some of the same values a moment ago: takes over its ids. @returns how many */
async function adoptForeignIds(db: Db, { after, upTo }: ChunkOfList, made: number): Promise<number> {
  const { rows } = await sql<{ expected: number }>`
    select count(*)::int as expected from list_changes where n > ${after} and n <= ${upTo} and known_id is null`.execute(db)
  if (made === (rows[0]?.expected ?? 0)) return 0
  const adopted = await sql`
    update list_changes changes set known_id = known.id from indicators known
    where changes.n > ${after} and changes.n <= ${upTo} and changes.known_id is null
      and known.type = changes.type and indicator_key(known.value) = indicator_key(changes.value) and known.id <> changes.new_id`.execute(
    db,
  )
  return Number(adopted.numAffectedRows ?? 0n)
}

/** Lists a chunk of values again, and takes over what the source now says about them. @returns how many came back onto the list */
export async function updateChangedChunk(db: Db, chunk: ChunkOfList): Promise<number> {
  const { sourceId, after, upTo, at, runNo } = chunk
  const rows = sql`select known_id as indicator_id, said from list_changes where kind in ('returned', 'altered') and n > ${after} and n <= ${upTo}`
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count
    from list_changes came
    cross join lateral (
      select listed_from from indicator_sources where source_id = ${sourceId} and indicator_id = came.known_id limit 1
    ) link
    where came.kind = 'returned' and came.n > ${after} and came.n <= ${upTo} and link.listed_from is null`.execute(db)
  await sql`
    update indicator_sources link set
      listed_from = coalesce(link.listed_from, ${runNo}::int),
      last_listed_at = case when link.listed_from is null then ${at}::timestamptz else link.last_listed_at end,
      digest = hashtextextended(changed.said, 0),
      (severity, tags, description, reported_first_seen, reported_last_seen, valid_until) = (select ${whatItSays(chunk)} from (select 1) once ${takenApart(chunk, sql`changed.said`)})
    from (${rows}) changed
    where link.source_id = ${sourceId} and link.indicator_id = changed.indicator_id`.execute(db)
  await refreshKnown(db, sql`select indicator_id, ${severityOf(chunk)} as severity from (${rows}) changed`)
  return counted[0]?.count ?? 0
}

/** Ends the listing of a chunk of values that are on the list no longer; their sightings are added up. @returns how many left */
export async function closeGoneChunk(db: Db, { sourceId, after, upTo }: Pick<ChunkOfList, 'sourceId' | 'after' | 'upTo'>): Promise<number> {
  const closed = await sql`
    update indicator_sources link set
      hits = link.hits + source.run_no - link.listed_from + 1,
      last_listed_at = case when link.listed_from <= source.run_no then greatest(source.run_at, link.last_listed_at) else link.last_listed_at end,
      listed_from = null
    from list_changes gone, sources source
    where gone.kind = 'gone' and gone.n > ${after} and gone.n <= ${upTo}
      and source.id = ${sourceId} and link.source_id = source.id and link.indicator_id = gone.known_id and link.listed_from is not null`.execute(
    db,
  )
  return Number(closed.numAffectedRows ?? 0n)
}

/** How many different values were staged. */
export async function countStaged(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from (select distinct type, value from staged_list) once`.execute(db)
  return rows[0]?.count ?? 0
}

/** Keeps the prefix lengths in use. */
export async function recordNetworkLengths(db: Db): Promise<void> {
  await sql`
    insert into network_lengths (family, length)
    select distinct family(value::cidr), masklen(value::cidr) from list_changes where kind = 'fresh' and type = 'NETWORK'
    on conflict do nothing`.execute(db)
}

/** The severity that the list says of a row's value, or the feed's default. */
function severityOf({ severity, saysSomething }: ChunkOfList): Sql {
  return saysSomething ? sql`coalesce(${severitySaid(sql`said`)}, ${severity}::text)` : sql`${severity}::text`
}

/** severity, tags, description, reported_first_seen, reported_last_seen, valid_until. */
function whatItSays({ saysSomething }: ChunkOfList): Sql {
  return saysSomething
    ? STATEMENT_COLUMNS
    : sql`null::text, null::text[], null::text, null::timestamptz, null::timestamptz, null::timestamptz`
}

/** What is said, taken apart once for all columns. */
function takenApart({ saysSomething }: ChunkOfList, said: Sql): Sql {
  return saysSomething ? sql`cross join ${partsOf(said)}` : sql``
}

/** A re-sight keeps the highest severity and ends an expiry. Rows are locked in id order, so that two collections cannot wait for each other. */
export async function refreshKnown(db: Db, claims: Sql): Promise<void> {
  await sql`
    with claims as (${claims}),
    stale as (
      select known.id, claims.severity from indicators known join claims on claims.indicator_id = known.id
      where known.expired_at is not null or severity_rank(claims.severity) > severity_rank(known.severity)
      order by known.id for no key update of known
    )
    update indicators set
      expired_at = null,
      severity = case when severity_rank(stale.severity) > severity_rank(indicators.severity) then stale.severity else indicators.severity end
    from stale where indicators.id = stale.id`.execute(db)
}
