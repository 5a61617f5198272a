import { type Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { openCopy, type Staging } from '#platform/database/copy.ts'
import type { Database } from '#platform/database/schema.ts'
import { COMMIT_WITHOUT_WAITING, STAGING_SETTINGS } from '#platform/database/staging-settings.ts'
import type { Severity } from './indicators.model.ts'
import { refreshKnown } from './listing.store.ts'
import { orderedIds } from './staging.store.ts'
import { FOLDED_STATEMENT, momentOf, partsOf, splitTags } from './statement.store.ts'

type Db = Kysely<Database>

/** Tags that one source can gather on one value. Assumption: beyond them a source says nothing that helps. */
const MAX_TAGS = 50

/** Whose sightings are written, and the moment that they count for. */
export type Sighting = {
  sourceId: string
  at: Date
  /** Of a value of which the source says none. */
  severity: Severity
}

/** Values to be written, those of them that are known, ranges, and values that the source takes back. */
export type Delivered = { count: number; known: number; ranges: number; ended: number }

/** Makes the temporary table of one delivery and opens the stream into it. It dies with the session, so a kill leaves nothing; what a crash loses is delivered again. */
export async function openDelivery(client: PoolClient): Promise<Staging> {
  // Rows are found by index: the temporary tables have no statistics, and without them the planner would read whole tables.
  await client.query(`${STAGING_SETTINGS}
    ${COMMIT_WITHOUT_WAITING}
    set enable_hashjoin = off;
    create temp table staged (type text collate "C" not null, value text collate "C" not null, said text, ended boolean not null, page int not null)`)
  return openCopy(client, 'copy staged (type, value, said, ended, page) from stdin')
}

/** Staged pages, both ends included. */
export type Pages = { first: number; last: number }

/** Whether two of the first pages speak of the same value. */
export async function isRepeatedAcrossPages(db: Db, pages: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from staged where page < ${pages} group by type, value having min(page) < max(page) limit 1`.execute(db)
  return rows.length > 0
}

/** Folds what pages say twice about one value into one row, numbered in the order in which rows are written everywhere. @returns how many, how many of them are known, and how many are ranges */
export async function orderDelivered(db: Db, at: Date, { first, last }: Pages): Promise<Delivered> {
  await sql`
    create temp table delivered as
    select folded.*, known.id as known_id, ${orderedIds(at, sql`folded.n`)} as new_id
    from (
      select row_number() over (order by type, value) as n, type, value, ${FOLDED_STATEMENT},
        -- Taken back only when nothing else in the delivery still says it.
        bool_and(ended) as ended
      from staged cross join ${partsOf(sql`said`)} where page between ${first} and ${last} group by type, value
    ) folded
    left join lateral (
      select id from indicators where type = folded.type and indicator_key(value) = indicator_key(folded.value) limit 1
    ) known on true`.execute(db)
  const { rows } = await sql<Delivered>`
    select (count(*) filter (where not ended))::int as count, (count(known_id) filter (where not ended))::int as known,
      (count(*) filter (where type = 'NETWORK' and not ended))::int as ranges, (count(*) filter (where ended))::int as ended
    from delivered`.execute(db)
  return rows[0] ?? { count: 0, known: 0, ranges: 0, ended: 0 }
}

/**
 * Writes what was delivered as one sighting each. A value that the source has delivered before for the same moment is not counted again.
 * Two to eight statements, whatever the size.
 * @param delivered `contested`: whether to watch for a collection that makes some of the values at this moment
 * @returns indicators made, and values that this moment had counted already
 * @throws a unique violation, where another collection made one and nobody watched
 */
export async function writeDelivered(
  db: Db,
  sighting: Sighting,
  delivered: Delivered & { contested: boolean },
): Promise<{ created: number; repeated: number }> {
  const { at, severity } = sighting
  if (delivered.ended > 0) await endDelivered(db, sighting)
  if (delivered.count === 0) return { created: 0, repeated: 0 }
  const made = await sql`
    insert into indicators (id, type, value, severity, first_seen)
    select new_id, type, value, coalesce(severity, ${severity}), ${at}::timestamptz from delivered where known_id is null and not ended order by n
    ${delivered.contested ? sql`on conflict (type, indicator_key(value)) do nothing` : sql``}`.execute(db)
  const created = Number(made.numAffectedRows ?? 0n)
  const isAnyKnown = delivered.known > 0 || created < delivered.count
  if (created < delivered.count - delivered.known) await adoptForeignIds(db)
  const repeated = isAnyKnown ? await countRepeated(db, sighting) : 0
  await linkDelivered(db, sighting, isAnyKnown)
  if (isAnyKnown)
    await refreshKnown(
      db,
      sql`select known_id as indicator_id, coalesce(severity, ${severity}) as severity from delivered where known_id is not null and not ended`,
    )
  if (delivered.ranges > 0) await recordRanges(db)
  return { created, repeated }
}

/** Makes room for the next pages. */
export async function dropDelivered(db: Db): Promise<void> {
  await sql`drop table delivered`.execute(db)
}

/** The source takes back what it has delivered before; its sightings stay, and a later delivery makes the value valid again. */
async function endDelivered(db: Db, { sourceId }: Sighting): Promise<void> {
  await sql`
    update indicator_sources link set valid_until = least(link.valid_until, ${momentOf(sql`delivered.valid_until`)})
    from delivered where delivered.ended and link.source_id = ${sourceId} and link.indicator_id = delivered.known_id`.execute(db)
}

async function countRepeated(db: Db, { sourceId, at }: Sighting): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from delivered cross join lateral (
      select last_listed_at from indicator_sources where source_id = ${sourceId} and indicator_id = delivered.known_id limit 1
    ) link
    where not delivered.ended and link.last_listed_at = ${at}::timestamptz`.execute(db)
  return rows[0]?.count ?? 0
}

/** What a sighting adds to a link that stands already. */
const ONE_SIGHTING_MORE = sql`
    on conflict (source_id, indicator_id) do update set
      hits = link.hits + case when link.last_listed_at = excluded.last_listed_at then 0 else 1 end,
      last_listed_at = greatest(link.last_listed_at, excluded.last_listed_at),
      severity = case when severity_rank(link.severity) > severity_rank(excluded.severity) then link.severity else coalesce(excluded.severity, link.severity) end,
      tags = case when excluded.tags is null or excluded.tags <@ link.tags then link.tags else ${asTags(sql`link.tags || excluded.tags`)} end,
      description = coalesce(excluded.description, link.description),
      reported_first_seen = least(link.reported_first_seen, excluded.reported_first_seen),
      reported_last_seen = greatest(link.reported_last_seen, excluded.reported_last_seen),
      valid_until = excluded.valid_until`

/** @param isAnyKnown without any the links are all new, and nobody has to look for old ones */
async function linkDelivered(db: Db, { sourceId, at }: Sighting, isAnyKnown: boolean): Promise<void> {
  await sql`
    insert into indicator_sources as link
      (source_id, indicator_id, first_seen, last_listed_at, hits, hash_a, hash_b, severity, tags, description, reported_first_seen, reported_last_seen, valid_until)
    select ${sourceId}::uuid, coalesce(known_id, new_id), ${at}::timestamptz, ${at}::timestamptz, 1, hashtextextended(value, 0), hashtextextended(value, 1),
      severity, ${asTags(splitTags(sql`tags`))}, description, ${momentOf(sql`first_seen`)}, ${momentOf(sql`last_seen`)}, ${momentOf(sql`valid_until`)}
    from delivered where not ended order by coalesce(known_id, new_id)
    ${isAnyKnown ? ONE_SIGHTING_MORE : sql``}`.execute(db)
}

async function recordRanges(db: Db): Promise<void> {
  await sql`
    insert into network_lengths (family, length)
    select distinct family(value::cidr), masklen(value::cidr) from delivered where type = 'NETWORK' and not ended order by 1, 2
    on conflict do nothing`.execute(db)
}

/** Another collection made some of the same values a moment ago: takes over its ids. */
async function adoptForeignIds(db: Db): Promise<void> {
  await sql`
    update delivered set known_id = known.id from indicators known
    where delivered.known_id is null and known.type = delivered.type and indicator_key(known.value) = indicator_key(delivered.value)
      and known.id <> delivered.new_id`.execute(db)
}

function asTags(list: ReturnType<typeof sql>): ReturnType<typeof sql> {
  return sql`nullif(array(select distinct tag from unnest(${list}) tag where tag is not null order by tag limit ${sql.lit(MAX_TAGS)}), '{}')`
}
