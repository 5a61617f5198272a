import { once } from 'node:events'
import { type Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from '#platform/database/schema.ts'
import type { Severity } from './indicators.model.ts'

type Db = Kysely<Database>

/** Rows of one committed chunk. Large enough that the commit does not show, small enough that a kill costs little. */
export const CHUNK_ROWS = 20_000
/** Bytes of staging text that are sent in one piece. */
const COPY_PIECE_BYTES = 256 * 1024
/** Statements over a whole list take longer than a request may. Milliseconds. */
const LISTING_TIMEOUT_MS = 600_000

/** What a comparison found: rows to write, by kind. */
export type ListingChanges = { fresh: number; returned: number; altered: number; gone: number }

/** Where staged rows go. */
export type Staging = { write(line: string): Promise<void>; end(): Promise<void> }

/** Makes the temporary tables of one collection and opens the stream into them. They die with the session, so a kill leaves nothing. */
export async function openStaging(client: PoolClient): Promise<Staging> {
  await client.query(`
    set statement_timeout = ${LISTING_TIMEOUT_MS};
    set work_mem = '64MB';
    set temp_buffers = '16MB';
    create temp table staged (type text collate "C" not null, value text collate "C" not null, said text)`)
  const copy = client.query(copyFrom('copy staged (type, value, said) from stdin'))
  let failure: Error | undefined
  copy.on('error', (error: Error) => {
    failure = error
  })
  let pieces: string[] = []
  let size = 0
  async function flush(): Promise<void> {
    if (failure !== undefined) throw failure
    if (size === 0) return
    const text = pieces.join('')
    pieces = []
    size = 0
    if (!copy.write(text)) await Promise.race([once(copy, 'drain'), once(copy, 'error').then(([error]) => Promise.reject(error))])
  }
  return {
    async write(line) {
      pieces.push(line)
      size += line.length
      if (size >= COPY_PIECE_BYTES) await flush()
    },
    async end() {
      await flush()
      copy.end()
      await once(copy, 'finish')
    },
  }
}

/**
 * Folds what a list says twice about one value into one row, in a fixed order so that the same list always folds to the same text.
 * Needed only when rows say something; values alone may stay double until they turn out to be new.
 */
export async function foldStaged(db: Db): Promise<void> {
  await sql`
    create temp table folded as
    select type, value, string_agg(distinct said, ',' order by said) as said from staged group by type, value`.execute(db)
  await sql`drop table staged`.execute(db)
  await sql`alter table folded rename to staged`.execute(db)
}

/**
 * The difference between the staged list and what the source listed before: one pass over both.
 * @param withGone false for a partial list, which may add but never removes
 */
export async function compareListing(db: Db, sourceId: string, withGone: boolean): Promise<ListingChanges> {
  await sql`analyze staged`.execute(db)
  await sql`
    create temp table changes as
    select
      case when held.indicator_id is null then 'fresh' when staged.value is null then 'gone' when held.listed_from is null then 'returned' else 'altered' end as kind,
      held.indicator_id,
      staged.type,
      staged.value,
      staged.said,
      row_number() over () as n
    from (
      select link.indicator_id, link.listed_from, link.digest, known.type, known.value
      from indicator_sources link join indicators known on known.id = link.indicator_id
      where link.source_id = ${sourceId}
    ) held
    full join staged on staged.type = held.type and staged.value = held.value
    where held.indicator_id is null
      or (staged.value is null and held.listed_from is not null and ${withGone})
      or (staged.value is not null and (held.listed_from is null or held.digest is distinct from hashtextextended(staged.said, 0)))`.execute(
    db,
  )
  const { rows } = await sql<ListingChanges>`
    select
      count(*) filter (where kind = 'fresh')::int as fresh,
      count(*) filter (where kind = 'returned')::int as returned,
      count(*) filter (where kind = 'altered')::int as altered,
      count(*) filter (where kind = 'gone')::int as gone
    from changes`.execute(db)
  return rows[0] ?? { fresh: 0, returned: 0, altered: 0, gone: 0 }
}

/**
 * Numbers the values that are new to the source in order of type and value, with the ids that they have or will get.
 * In that order the unique index grows at its edges, and two feeds that bring the same values cannot lock each other out.
 * @returns how many there are
 */
export async function orderFresh(db: Db, at: Date): Promise<number> {
  await sql`
    create temp table fresh as
    select numbered.n, numbered.type, numbered.value, numbered.said, known.id as known_id, numbered_uuid(${at}, numbered.n) as new_id
    from (
      select row_number() over (order by once.type, once.value) as n, once.*
      from (select distinct on (type, value) type, value, said from changes where kind = 'fresh' order by type, value) once
    ) numbered
    left join indicators known on known.type = numbered.type and indicator_key(known.value) = indicator_key(numbered.value)`.execute(db)
  await sql`create index on fresh (n)`.execute(db)
  await sql`analyze fresh`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from fresh`.execute(db)
  return rows[0]?.count ?? 0
}

export type ChunkOfList = { sourceId: string; after: number; upTo: number; at: Date; runNo: number; severity: Severity }

/** Writes one chunk of new values and their links. @returns indicators made, and values that the source now lists in addition */
export async function insertFreshChunk(db: Db, chunk: ChunkOfList): Promise<{ made: number; listed: number }> {
  const { sourceId, after, upTo, at, runNo, severity } = chunk
  const made = await sql`
    insert into indicators (id, type, value, severity, first_seen)
    select new_id, type, value, coalesce(${worstSeverity(sql`said`)}, ${severity}), ${at}::timestamptz
    from fresh where n > ${after} and n <= ${upTo} and known_id is null
    order by n
    on conflict (type, indicator_key(value)) do nothing`.execute(db)
  const { rows } = await sql<{ expected: number }>`
    select count(*)::int as expected from fresh where n > ${after} and n <= ${upTo} and known_id is null`.execute(db)
  const madeRows = Number(made.numAffectedRows ?? 0n)
  if (madeRows < (rows[0]?.expected ?? 0)) await adoptForeignIds(db, after, upTo)
  const linked = await sql`
    insert into indicator_sources (source_id, indicator_id, first_seen, listed_from, last_listed_at, digest, severity, tags, description, reported_first_seen, reported_last_seen)
    select ${sourceId}::uuid, coalesce(known_id, new_id), ${at}::timestamptz, ${runNo}::int, ${at}::timestamptz, hashtextextended(said, 0), ${whatItSays(sql`said`)}
    from fresh where n > ${after} and n <= ${upTo}
    order by n
    on conflict (source_id, indicator_id) do nothing`.execute(db)
  await raiseSeverity(
    db,
    sql`select known_id as indicator_id, coalesce(${worstSeverity(sql`said`)}, ${severity}) as severity from fresh where n > ${after} and n <= ${upTo} and known_id is not null`,
  )
  return { made: madeRows, listed: Number(linked.numAffectedRows ?? 0n) }
}

/** Another collection made some of the same values a moment ago: take its ids. */
async function adoptForeignIds(db: Db, after: number, upTo: number): Promise<void> {
  await sql`
    update fresh set known_id = known.id from indicators known
    where fresh.n > ${after} and fresh.n <= ${upTo} and fresh.known_id is null
      and known.type = fresh.type and indicator_key(known.value) = indicator_key(fresh.value) and known.id <> fresh.new_id`.execute(db)
}

/** Lists a chunk of values again, and takes over what the source now says about them. @returns how many came back onto the list */
export async function updateChangedChunk(db: Db, chunk: ChunkOfList): Promise<number> {
  const { sourceId, after, upTo, at, runNo, severity } = chunk
  const rows = sql`select indicator_id, said, kind from changes where kind in ('returned', 'altered') and n > ${after} and n <= ${upTo}`
  await sql`
    update indicator_sources link set
      listed_from = coalesce(link.listed_from, ${runNo}::int),
      last_listed_at = case when link.listed_from is null then ${at}::timestamptz else link.last_listed_at end,
      digest = hashtextextended(changed.said, 0),
      (severity, tags, description, reported_first_seen, reported_last_seen) = (select ${whatItSays(sql`changed.said`)})
    from (${rows}) changed
    where link.source_id = ${sourceId} and link.indicator_id = changed.indicator_id`.execute(db)
  await raiseSeverity(db, sql`select indicator_id, coalesce(${worstSeverity(sql`said`)}, ${severity}) as severity from (${rows}) changed`)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from changes where kind = 'returned' and n > ${after} and n <= ${upTo}`.execute(db)
  return counted[0]?.count ?? 0
}

/** Ends the listing of a chunk of values that are on the list no longer; their sightings are added up. @returns how many left */
export async function closeGoneChunk(db: Db, { sourceId, after, upTo }: Pick<ChunkOfList, 'sourceId' | 'after' | 'upTo'>): Promise<number> {
  const closed = await sql`
    update indicator_sources link set
      hits = link.hits + source.run_no - link.listed_from + 1,
      last_listed_at = case when link.listed_from <= source.run_no then greatest(source.run_at, link.last_listed_at) else link.last_listed_at end,
      listed_from = null
    from changes, sources source
    where changes.kind = 'gone' and changes.n > ${after} and changes.n <= ${upTo}
      and source.id = ${sourceId} and link.source_id = source.id and link.indicator_id = changes.indicator_id and link.listed_from is not null`.execute(
    db,
  )
  return Number(closed.numAffectedRows ?? 0n)
}

/** How many different values were staged. */
export async function countStaged(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (select distinct type, value from staged) once`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** How many numbered changes there are, so that they can be walked in chunks. */
export async function countChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select coalesce(max(n), 0)::int as count from changes`.execute(db)
  return rows[0]?.count ?? 0
}

/** An index over the changes, worth its cost only when there are several chunks of them. */
export async function indexChanges(db: Db): Promise<void> {
  await sql`create index on changes (n)`.execute(db)
}

/** Keeps the prefix lengths in use. */
export async function recordNetworkLengths(db: Db): Promise<void> {
  await sql`
    insert into network_lengths (family, length)
    select distinct family(value::cidr), masklen(value::cidr) from fresh where type = 'NETWORK'
    on conflict do nothing`.execute(db)
}

/** The highest severity in what was said, or null. */
function worstSeverity(said: ReturnType<typeof sql>): ReturnType<typeof sql> {
  return sql`(select item ->> 'severity' from jsonb_array_elements(('[' || ${said} || ']')::jsonb) item where item ? 'severity' order by severity_rank(item ->> 'severity') desc limit 1)`
}

/** severity, tags, description, reported_first_seen, reported_last_seen: merged when the list says several things about one value. */
function whatItSays(said: ReturnType<typeof sql>): ReturnType<typeof sql> {
  const items = sql`jsonb_array_elements(('[' || ${said} || ']')::jsonb) item`
  return sql`
    ${worstSeverity(said)},
    case when ${said} is null then null else (select array_agg(distinct tag order by tag) from ${items}, jsonb_array_elements_text(item -> 'tags') tag) end,
    case when ${said} is null then null else (select item ->> 'description' from ${items} where item ? 'description' limit 1) end,
    case when ${said} is null then null else (select min((item ->> 'first_seen')::timestamptz) from ${items}) end,
    case when ${said} is null then null else (select max((item ->> 'last_seen')::timestamptz) from ${items}) end`
}

/** A re-sight keeps the highest severity. Rows are locked in id order, so that two collections cannot wait for each other. */
async function raiseSeverity(db: Db, claims: ReturnType<typeof sql>): Promise<void> {
  await sql`
    with claims as (${claims}),
    lower as (
      select known.id, claims.severity from indicators known join claims on claims.indicator_id = known.id
      where severity_rank(claims.severity) > severity_rank(known.severity)
      order by known.id for no key update of known
    )
    update indicators set severity = lower.severity from lower where indicators.id = lower.id`.execute(db)
}
