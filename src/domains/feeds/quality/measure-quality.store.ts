import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { STAGING_SETTINGS } from '#platform/database/staging-settings.ts'
import type { FeedFormat } from '../feeds.model.ts'

/** Examples that are kept of one feed and warning list. */
const EXAMPLES = 5

/** How far back figures look, days. */
export type Windows = { runDays: number; eventDays: number }

/** The session's limits for work on whole tables; the lease takes them back. */
export async function prepareSession(db: Db): Promise<void> {
  await sql.raw(STAGING_SETTINGS).execute(db)
}

/**
 * Who is measured: every feed, and the analysts, whose submissions make a value known elsewhere. `settled_at` is the end of a source's first day: of
 * what it brought until then nobody saw when it appeared.
 */
export async function numberSources(
  db: Db,
  at: Date,
  { windows, cursorFormats }: { windows: Windows; cursorFormats: readonly FeedFormat[] },
): Promise<void> {
  await sql`
    create temp table weighed as
    select source.id as source_id, (row_number() over (order by source.id))::int as n, feed.id is not null as is_feed,
      coalesce(feed.format = any(${[...cursorFormats]}::text[]), true) as delivers_events,
      least(runs.complete, greatest(source.run_no - 1, 0)) as run_count, coalesce(runs.gone, 0) as gone, coalesce(runs.rows, 0) as row_count, coalesce(runs.rejected, 0) as rejected_count,
      greatest(source.run_no - least(runs.complete, greatest(source.run_no - 1, 0)), 1) as changed_after
    from sources source
    left join threat_feeds feed on feed.id = source.id
    left join lateral (
      select (count(*) filter (where outcome in ('SUCCEEDED', 'UNCHANGED')))::int as complete, sum(gone_count) as gone,
        sum(row_count) filter (where outcome in ('SUCCEEDED', 'PARTIAL')) as rows, sum(rejected_count) filter (where outcome in ('SUCCEEDED', 'PARTIAL')) as rejected
      from collection_runs where feed_id = source.id and started_at >= ${at}::timestamptz - make_interval(days => ${windows.runDays})
    ) runs on true
    where feed.id is not null or source.kind = 'ANALYST'`.execute(db)
  await sql`analyze weighed`.execute(db)
}

/** The indicators that count nowhere. */
export async function stageExcluded(db: Db, at: Date): Promise<void> {
  await sql`create temp table excluded_values as select id from indicators where is_excluded(excluded_until, ${at}::timestamptz)`.execute(
    db,
  )
}

/** One pass over all links: how many values each source holds, how many came lately, and when it began. */
export async function countHeld(db: Db, at: Date, windows: Windows): Promise<void> {
  await sql`
    create temp table measured as
    select weighed.source_id, (count(*) filter (where ${isHeld(at, windows)}))::int as held,
      count(*) filter (where link.listed_from > weighed.changed_after) as arrived, min(link.first_seen) + interval '1 day' as settled_at
    from indicator_sources link join weighed on weighed.source_id = link.source_id
    group by weighed.source_id`.execute(db)
}

/** The links of every value that two sources or more hold: what all comparisons go by. */
export async function gatherShared(db: Db, at: Date, windows: Windows): Promise<void> {
  await sql`
    create temp table shared as
    select held.indicator_id, held.n, held.first_seen, held.is_observed
    from (
      select link.indicator_id, weighed.n, link.first_seen, link.first_seen > measured.settled_at as is_observed,
        count(*) over (partition by link.indicator_id) as holders
      from indicator_sources link join weighed on weighed.source_id = link.source_id join measured on measured.source_id = link.source_id
      where ${isHeld(at, windows)}
    ) held
    where held.holders > 1`.execute(db)
  await sql`analyze shared`.execute(db)
}

/** Holds feeds and warning lists against deletion until the transaction ends: what is written refers to them. */
export async function holdReferred(db: Db): Promise<void> {
  await sql`select id from threat_feeds order by id for key share`.execute(db)
  await sql`select id from warning_lists order by id for key share`.execute(db)
}

/**
 * Puts the figures of every feed in the place of the last ones. Collections go on while it is gathered, so parts are kept from exceeding their whole.
 */
export async function writeQuality(db: Db): Promise<void> {
  await sql`delete from feed_quality`.execute(db)
  await sql`
    insert into feed_quality (feed_id, held, unique_count, compared_count, first_count, lead_seconds, row_count, rejected_count, run_count, changed_count, warned_count)
    select weighed.source_id, coalesce(measured.held, 0), greatest(coalesce(measured.held, 0) - coalesce(common.count, 0), 0),
      coalesce(leads.compared, 0), coalesce(leads.first, 0), leads.median,
      weighed.row_count, weighed.rejected_count,
      case when weighed.delivers_events then 0 else weighed.run_count end,
      case when weighed.delivers_events then 0 else coalesce(measured.arrived, 0) + weighed.gone end,
      0
    from weighed
    -- A feed may have been deleted since it was numbered.
    join threat_feeds feed on feed.id = weighed.source_id
    left join measured on measured.source_id = weighed.source_id
    left join (select n, count(*)::int as count from shared group by n) common on common.n = weighed.n
    left join (
      select n, count(*)::int as compared, (count(*) filter (where lead > 0))::int as first, percentile_cont(0.5) within group (order by lead) as median
      from (
        select n, extract(epoch from case when place = 1 then second else first end - first_seen)::float8 as lead
        from (
          select n, first_seen, row_number() over by_age as place, first_value(first_seen) over by_age as first, nth_value(first_seen, 2) over by_age as second
          from shared where is_observed
          window by_age as (partition by indicator_id order by first_seen rows between unbounded preceding and unbounded following)
        ) aged
        where second is not null
      ) compared
      group by n
    ) leads on leads.n = weighed.n`.execute(db)
}

/** Puts how many values each two feeds share in the place of the last counts. Values with the same holders are counted together first: there are few such sets. */
export async function writeOverlaps(db: Db): Promise<void> {
  await sql`delete from feed_overlaps`.execute(db)
  await sql`
    insert into feed_overlaps (feed_id, other_id, shared_count)
    select mine.source_id, other.source_id, sum(sets.count)::int
    from (
      select holders, count(*) as count from (select array_agg(n) as holders from shared group by indicator_id) by_value group by holders
    ) sets
    cross join lateral unnest(sets.holders) first (n)
    cross join lateral unnest(sets.holders) second (n)
    join weighed mine on mine.n = first.n and mine.is_feed
    join weighed other on other.n = second.n and other.is_feed and other.n <> mine.n
    where exists (select from threat_feeds where id = mine.source_id) and exists (select from threat_feeds where id = other.source_id)
    group by mine.source_id, other.source_id`.execute(db)
}

/** Puts what the feeds hold of the staged hits of warning lists in the place of the last counts. */
export async function writeWarnings(db: Db, at: Date, windows: Windows): Promise<void> {
  await sql`delete from feed_warnings`.execute(db)
  await sql`
    create temp table warned as
    select weighed.source_id, hit.list_id, hit.indicator_id
    from warning_hits hit
    join indicator_sources link on link.indicator_id = hit.indicator_id
    join weighed on weighed.source_id = link.source_id and weighed.is_feed
    where ${isHeld(at, windows)}`.execute(db)
  await sql`
    insert into feed_warnings (feed_id, list_id, hit_count, examples)
    select counted.source_id, counted.list_id, counted.count, coalesce(shown.examples, '[]')
    from (
      select source_id, list_id, count(*)::int as count, (array_agg(indicator_id))[1:${sql.lit(EXAMPLES)}] as ids from warned group by source_id, list_id
    ) counted
    join threat_feeds feed on feed.id = counted.source_id
    join warning_lists list on list.id = counted.list_id
    cross join lateral (
      select jsonb_agg(jsonb_build_object('indicator_id', known.id, 'type', known.type, 'value', known.value) order by known.id) as examples
      from indicators known where known.id = any(counted.ids)
    ) shown`.execute(db)
  await sql`
    update feed_quality set warned_count = least(counted.count, feed_quality.held)
    from (select source_id, count(distinct indicator_id)::int as count from warned group by source_id) counted
    where counted.source_id = feed_quality.feed_id`.execute(db)
}

/** Dates the report. */
export async function finishReport(
  db: Db,
  report: { computedAt: Date; durationMs: number; listed: number; inputs: string },
): Promise<void> {
  const { computedAt, durationMs, listed, inputs } = report
  await db
    .updateTable('quality_reports')
    .set({ started_at: null, computed_at: computedAt, duration_ms: durationMs, listed, inputs })
    .where('id', '=', 1)
    .execute()
}

/** A value is held while it stands on the list and is not excluded; what a source delivers as events counts for a while. `link` and `weighed` must be in scope. */
function isHeld(at: Date, { eventDays }: Windows): RawBuilder<unknown> {
  return sql`((link.listed_from is not null or (weighed.delivers_events and link.last_listed_at >= ${at}::timestamptz - make_interval(days => ${eventDays})))
    and link.indicator_id not in (select id from excluded_values))`
}
