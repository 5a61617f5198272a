import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { BULK_TIMEOUT_MS } from '#platform/database/staging-settings.ts'
import type { IndicatorType } from './indicators.model.ts'

/** An indicator that only one source has ever reported. */
export type Orphan = { indicator_id: string; type: IndicatorType; value: string }

/** Links that one transaction of a purge looks at. Assumption: about a tenth of a second. */
const PURGE_ROWS = 5000
/** What purges and writers of links agree on. Any number that no other advisory lock uses. */
const PURGE_LOCK = 7_310_002

/** How many of a source's indicators no other source has ever reported, and how many others know. */
export async function countOrphans(db: Db, sourceId: string): Promise<{ orphans: number; kept: number }> {
  const { rows } = await sql<{ orphans: number; kept: number }>`
    select orphans, reported - orphans as kept
    from (select count(*)::int as orphans from (${orphansOf(sourceId)}) orphan) alone,
      (select count(*)::int as reported from indicator_sources where source_id = ${sourceId}) links`.execute(db)
  return rows[0] ?? { orphans: 0, kept: 0 }
}

/** The newest indicators that only this source has ever reported. */
export async function listOrphans(db: Db, sourceId: string, limit: number): Promise<Orphan[]> {
  const { rows } = await sql<Orphan>`
    select known.id as indicator_id, known.type, known.value
    from (${orphansOf(sourceId)} order by mine.indicator_id desc limit ${limit}) orphan join indicators known on known.id = orphan.indicator_id
    order by known.id desc`.execute(db)
  return rows
}

/**
 * Keeps purges out until the transaction ends: whoever links a source to an indicator that is there already calls this before it looks for that
 * indicator, or looks again afterwards. Otherwise a purge could remove it in between, and the link would lead nowhere.
 */
export async function keepPurgesOut(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(PURGE_LOCK)})`.execute(db)
}

/**
 * Removes the orphans among the next links of a source, with their links, while nobody writes links.
 * @returns how many were removed, how many of them were listed, and the last link that was looked at, or undefined at the end
 */
export async function purgeStretch(
  db: Db,
  sourceId: string,
  after: string | undefined,
): Promise<{ removed: number; unlisted: number; last: string | undefined }> {
  await sql`select pg_advisory_xact_lock(${sql.lit(PURGE_LOCK)})`.execute(db)
  const { rows } = await sql<{ removed: number; unlisted: number; last: string | null }>`
    with stretch as (
      select indicator_id from indicator_sources
      where source_id = ${sourceId} and ${after === undefined ? sql`true` : sql`indicator_id > ${after}`}
      order by indicator_id limit ${sql.lit(PURGE_ROWS)}
    ), gone as (
      delete from indicators known using stretch
      where known.id = stretch.indicator_id and ${isUnknownElsewhere(sql`stretch.indicator_id`, sourceId)}
      returning known.id
    ), unlinked as (
      delete from indicator_sources link using gone where link.source_id = ${sourceId} and link.indicator_id = gone.id returning link.listed_from
    )
    select count(*)::int as removed, count(listed_from)::int as unlisted, (select max(indicator_id::text) from stretch) as last from unlinked`.execute(
    db,
  )
  const [done] = rows
  return { removed: done?.removed ?? 0, unlisted: done?.unlisted ?? 0, last: done?.last ?? undefined }
}

/** Lets the statements of this transaction take as long as work on a whole list may. */
export async function allowLongWork(db: Db): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(BULK_TIMEOUT_MS)}`.execute(db)
}

function orphansOf(sourceId: string): RawBuilder<unknown> {
  return sql`
    select mine.indicator_id from indicator_sources mine
    where mine.source_id = ${sourceId} and ${isUnknownElsewhere(sql`mine.indicator_id`, sourceId)}`
}

/**
 * What makes an orphan: no other source has ever reported it, neither a feed (deleted ones included) nor an analyst, and no incident is about it.
 * A table that refers to indicators from elsewhere adds its condition here.
 */
function isUnknownElsewhere(indicatorId: RawBuilder<unknown>, sourceId: string): RawBuilder<unknown> {
  return sql`not exists (select from indicator_sources other where other.indicator_id = ${indicatorId} and other.source_id <> ${sourceId})
      and not exists (select from incident_indicators link where link.indicator_id = ${indicatorId})`
}
