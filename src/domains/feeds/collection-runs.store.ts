import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { FAILED_OUTCOMES, type FeedRejection, type RunOutcome, SUCCESSFUL_OUTCOMES } from './feeds.model.ts'

/** One collection of a feed. */
export type RunRow = {
  id: string
  started_at: Date
  duration_ms: number | null
  outcome: RunOutcome
  /** What came, as it was sent and unpacked; null when nothing did. `decoding`: how it became text, in order. */
  fetched_bytes: number | null
  decoded_bytes: number | null
  decoding: string[] | null
  row_count: number
  new_count: number
  updated_count: number
  gone_count: number
  rejected_count: number
  unsupported_count: number
  unsupported_by_kind: Record<string, number>
  rejected_by_code: Record<string, number>
  error: string | null
  warning: string | null
  rejections: FeedRejection[]
}

/** How a run ended. */
export type RunEnd = Omit<RunRow, 'id' | 'started_at'>

const RUN_COLUMNS = [
  'id',
  'started_at',
  'duration_ms',
  'outcome',
  'fetched_bytes',
  'decoded_bytes',
  'decoding',
  'row_count',
  'new_count',
  'updated_count',
  'gone_count',
  'rejected_count',
  'unsupported_count',
  'unsupported_by_kind',
  'rejected_by_code',
  'error',
  'warning',
  'rejections',
] as const

/** The newest runs of a feed first. */
export async function listRuns(db: Db, feedId: string, limit: number): Promise<RunRow[]> {
  const rows = await db
    .selectFrom('collection_runs')
    .select(RUN_COLUMNS)
    .where('feed_id', '=', feedId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  // The three JSON columns hold what `finishRun` wrote.
  return rows as RunRow[]
}

/** Opens a run; runs of the same feed that never ended were cut off and are marked so. */
export async function startRun(db: Db, run: { id: string; feedId: string; at: Date }): Promise<void> {
  await db
    .with('cut_off', (before) =>
      before
        .updateTable('collection_runs')
        .set({
          outcome: 'INTERRUPTED',
          error: 'The collector was stopped before the run could end; what it had written is kept, and the next run goes on from there.',
        })
        .where('feed_id', '=', run.feedId)
        .where('outcome', '=', 'RUNNING'),
    )
    .insertInto('collection_runs')
    .values({ id: run.id, feed_id: run.feedId, started_at: run.at, outcome: 'RUNNING' })
    .execute()
}

export async function finishRun(db: Db, id: string, { unsupported_by_kind, rejected_by_code, rejections, ...end }: RunEnd): Promise<void> {
  await db
    .updateTable('collection_runs')
    .set({
      ...end,
      unsupported_by_kind: JSON.stringify(unsupported_by_kind),
      rejected_by_code: JSON.stringify(rejected_by_code),
      rejections: JSON.stringify(rejections),
    })
    .where('id', '=', id)
    .execute()
}

/** What the schedule and the health view know of one feed's past. */
export type FeedHistory = {
  feed_id: string
  name: string
  url: string
  status: 'PENDING' | 'HEALTHY' | 'DEGRADED'
  is_active: boolean
  frequency: number
  created_at: Date
  postponed_until: Date | null
  last_success: Date | null
  last_attempt: Date | null
  consecutive_failures: number
}

/** Failures are counted up to here: a longer row of them waits no longer. */
const FAILURES_COUNTED = 20

/**
 * Every feed with its last attempt and its failures since the last success, by name: what the waiting times are worked out from.
 * A run that is still open counts as a failure: either its lock is held, or it was cut off.
 * @param feedId of this feed alone
 */
export async function listHistories(db: Db, feedId?: string): Promise<FeedHistory[]> {
  const { rows } = await sql<FeedHistory>`
    select feed.id as feed_id, source.name, feed.url, feed.status, feed.is_active, feed.frequency, feed.created_at, feed.postponed_until, feed.last_successful_run as last_success,
      newest.started_at as last_attempt, failed.count as consecutive_failures
    from threat_feeds feed
    join sources source on source.id = feed.id
    left join lateral (select started_at from collection_runs where feed_id = feed.id order by id desc limit 1) newest on true
    left join lateral (
      select count(*)::int as count from (
        select 1 from collection_runs run
        where run.feed_id = feed.id and run.outcome = any(${[...FAILED_OUTCOMES, 'RUNNING']})
          and run.id > coalesce((select good.id from collection_runs good where good.feed_id = feed.id and good.outcome = any(${[...SUCCESSFUL_OUTCOMES]}) order by good.id desc limit 1), '00000000-0000-0000-0000-000000000000')
        limit ${FAILURES_COUNTED}
      ) since
    ) failed on true
    ${feedId === undefined ? sql`` : sql`where feed.id = ${feedId}`}
    order by lower(source.name)`.execute(db)
  return rows
}

/** The newest run of each feed. */
export async function listNewestRuns(db: Db): Promise<(RunRow & { feed_id: string })[]> {
  const { rows } = await sql<RunRow & { feed_id: string }>`
    select feed.id as feed_id, newest.* from threat_feeds feed
    cross join lateral (
      select ${sql.join(RUN_COLUMNS.map((column) => sql.ref(column)))} from collection_runs where feed_id = feed.id order by id desc limit 1
    ) newest`.execute(db)
  return rows
}

/** Runs of the last `cells` stretches of `cellHours` hours, per feed and stretch (0 is the oldest). */
export type RunCell = { feed_id: string; cell: number; succeeded: number; failed: number }

export async function listRunCells(db: Db, window: { since: Date; cellHours: number }): Promise<RunCell[]> {
  const { rows } = await sql<RunCell>`
    select feed_id, floor(extract(epoch from started_at - ${window.since}::timestamptz) / 3600 / ${window.cellHours})::int as cell,
      count(*) filter (where outcome = any(${[...SUCCESSFUL_OUTCOMES]}))::int as succeeded,
      count(*) filter (where outcome = any(${[...FAILED_OUTCOMES]}))::int as failed
    from collection_runs where started_at >= ${window.since}
    group by 1, 2`.execute(db)
  return rows
}

/** Runs of one outcome, summed up. Durations are those of ended runs, milliseconds. */
export type RunTotals = {
  outcome: RunOutcome
  runs: number
  rows: number
  new_count: number
  updated_count: number
  gone_count: number
  rejected_count: number
  unsupported_count: number
  duration_ms: number
  longest_ms: number
}

/** All runs that began since the given moment, by outcome. */
export async function listRunTotals(db: Db, since: Date): Promise<RunTotals[]> {
  const { rows } = await sql<RunTotals>`
    select outcome, count(*)::int as runs, sum(row_count)::bigint as rows, sum(new_count)::bigint as new_count, sum(updated_count)::bigint as updated_count,
      sum(gone_count)::bigint as gone_count, sum(rejected_count)::bigint as rejected_count, sum(unsupported_count)::bigint as unsupported_count,
      coalesce(sum(duration_ms), 0)::bigint as duration_ms, coalesce(max(duration_ms), 0)::bigint as longest_ms
    from collection_runs where started_at >= ${since} group by outcome`.execute(db)
  return rows
}

/** Removes runs that began before the given moment. @returns how many */
export async function purgeRuns(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('collection_runs').where('started_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
