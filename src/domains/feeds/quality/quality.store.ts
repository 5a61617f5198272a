import { sql } from 'kysely'
import type { IndicatorType } from '#domains/indicators/indicators.model.ts'
import type { Db } from '#platform/database/database.ts'

/** What is kept of one feed. Migration 0011 explains each figure. */
export type QualityRow = {
  feed_id: string
  name: string
  held: number
  unique_count: number
  compared_count: number
  first_count: number
  lead_seconds: number | null
  row_count: number
  rejected_count: number
  run_count: number
  changed_count: number
  warned_count: number
}
export type QualityState = { started_at: Date | null; computed_at: Date | null; duration_ms: number | null; listed: number; inputs: string }
export type OverlapRow = { feed_id: string; other_id: string; shared_count: number }
export type FeedWarningRow = {
  list_id: string
  name: string
  hit_count: number
  examples: { indicator_id: string; type: IndicatorType; value: string }[]
}

export async function getQualityState(db: Db): Promise<QualityState> {
  return await db
    .selectFrom('quality_reports')
    .select(['started_at', 'computed_at', 'duration_ms', 'listed', 'inputs'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
}

/** What a computation would go by now: values on the lists of all feeds, and a fingerprint of the feeds, warning lists and exclusions. */
export async function getQualityInputs(db: Db): Promise<{ listed: number; inputs: string }> {
  const { rows } = await sql<{ listed: number; inputs: string }>`
    select
      (select coalesce(sum(source.listed), 0) from sources source join threat_feeds feed on feed.id = source.id) as listed,
      md5(coalesce((select string_agg(id::text, ',' order by id) from threat_feeds), '') || '|' ||
        coalesce((select string_agg(id || ':' || revision, ',' order by id) from warning_lists), '') || '|' ||
        (select count(*) || ':' || coalesce(max(id::text), '') from exclusions)) as inputs`.execute(db)
  return rows[0] ?? { listed: 0, inputs: '' }
}

/** Notes that a computation has begun, or, without a moment, that none is under way. */
export async function markComputing(db: Db, startedAt: Date | null): Promise<void> {
  await db.updateTable('quality_reports').set({ started_at: startedAt }).where('id', '=', 1).execute()
}

/** Every feed that was measured, those that hold most first. */
export async function listQuality(db: Db): Promise<QualityRow[]> {
  const { rows } = await sql<QualityRow>`
    select quality.*, source.name from feed_quality quality join sources source on source.id = quality.feed_id
    order by quality.held desc, lower(source.name)`.execute(db)
  return rows
}

export async function findQuality(db: Db, feedId: string): Promise<QualityRow | undefined> {
  const { rows } = await sql<QualityRow>`
    select quality.*, source.name from feed_quality quality join sources source on source.id = quality.feed_id
    where quality.feed_id = ${feedId}`.execute(db)
  return rows[0]
}

/** What the given feeds share with each other. */
export async function listOverlapsAmong(db: Db, feedIds: readonly string[]): Promise<OverlapRow[]> {
  const { rows } = await sql<OverlapRow>`
    select feed_id, other_id, shared_count from feed_overlaps where feed_id = any(${feedIds}::uuid[]) and other_id = any(${feedIds}::uuid[])`.execute(
    db,
  )
  return rows
}

/** The feeds that share most with one. */
export async function listOverlapsOf(
  db: Db,
  feedId: string,
  limit: number,
): Promise<{ feed_id: string; name: string; shared_count: number }[]> {
  const { rows } = await sql<{ feed_id: string; name: string; shared_count: number }>`
    select overlap.other_id as feed_id, source.name, overlap.shared_count
    from feed_overlaps overlap join sources source on source.id = overlap.other_id
    where overlap.feed_id = ${feedId} order by overlap.shared_count desc, lower(source.name) limit ${limit}`.execute(db)
  return rows
}

/** The warning lists that a feed's values stand on, the most hits first; an example that was excluded since is not shown. */
export async function listFeedWarnings(db: Db, feedId: string, asOf: Date): Promise<FeedWarningRow[]> {
  const { rows } = await sql<FeedWarningRow>`
    select warned.list_id, list.name, warned.hit_count,
      array(
        select example from jsonb_array_elements(warned.examples) example join indicators known on known.id = (example ->> 'indicator_id')::uuid
        where not is_excluded(known.excluded_until, ${asOf})
      ) as examples
    from feed_warnings warned join warning_lists list on list.id = warned.list_id
    where warned.feed_id = ${feedId} order by warned.hit_count desc, lower(list.name)`.execute(db)
  return rows
}
