import { type RawBuilder, sql } from 'kysely'
import type { IncidentSeverity, IncidentStep, Resolution, SocLevel } from '#domains/incidents/incidents.model.ts'
import type { Db } from '#platform/database/database.ts'
import { ANALYSTS_SHOWN, type AnalystLoad, BREACHES_SHOWN, type ClockName, type Delays, NEXT_SHOWN } from './soc.model.ts'

/** How long each severity may take, milliseconds. */
export type Target = { severity: IncidentSeverity; take_in_ms: number; resolution_ms: number }
/** Over one severity or, with null, over all. */
export type DelayRow = Delays & { severity: IncidentSeverity | null; breached: number; total: number }
export type ClockRow = {
  id: string
  title: string
  severity: IncidentSeverity
  level: SocLevel
  status: IncidentStep
  assignee: string | null
  clock: ClockName
  created_at: string
}
export type SocRow = {
  take_in: DelayRow[] | null
  resolution: DelayRow[] | null
  apart: { resolution: Resolution; count: number }[] | null
  open: { severity: IncidentSeverity; level: SocLevel; count: number }[] | null
  overdue: { clock: ClockName; count: number }[] | null
  breaches: ClockRow[] | null
  next: ClockRow[] | null
  escalations: { level: SocLevel; count: number }[] | null
  load: AnalystLoad[] | null
  days: { day: string; opened: number; closed: number; reopened: number }[] | null
}

/**
 * Everything that the steering of a SOC shows, in one statement: incidents opened since a moment for the take-in, incidents closed since then for
 * the resolution, and all that are open now. Closed as false positive or duplicate is counted apart.
 */
export async function readSocFigures(db: Db, period: { since: Date; asOf: Date; targets: readonly Target[] }): Promise<SocRow> {
  const { since, asOf, targets } = period
  const { rows } = await sql<SocRow>`
    with targets as (
      select severity, make_interval(secs => take_in_ms / 1000.0) as take_in, make_interval(secs => resolution_ms / 1000.0) as resolution
      from unnest(${targets.map(({ severity }) => severity)}::text[], ${targets.map((target) => target.take_in_ms)}::float8[], ${targets.map((target) => target.resolution_ms)}::float8[])
        given (severity, take_in_ms, resolution_ms)
    ),
    opened as (
      select incidents.severity, ${elapsedMs(sql`incidents.acknowledged_at`)} as took,
        incidents.created_at + targets.take_in < coalesce(incidents.acknowledged_at, ${asOf}) as late
      from incidents join targets on targets.severity = incidents.severity where incidents.created_at >= ${since}
    ),
    closed as (
      select incidents.severity, incidents.resolution, ${elapsedMs(sql`incidents.closed_at`)} as took,
        incidents.created_at + targets.resolution < incidents.closed_at as late
      from incidents join targets on targets.severity = incidents.severity where incidents.closed_at >= ${since}
    ),
    running as (
      select incidents.id, incidents.title, incidents.severity, incidents.level, incidents.status, incidents.assignee_id, incidents.created_at,
        incidents.acknowledged_at is null as untaken, incidents.created_at + targets.take_in as take_in_due, incidents.created_at + targets.resolution as resolution_due
      from incidents join targets on targets.severity = incidents.severity where incidents.status <> 'CLOSED'
    ),
    clocks as (
      select id, 'TAKE_IN' as clock, take_in_due as due from running where untaken
      union all
      select id, 'RESOLUTION', resolution_due from running
    )
    select
      (${delays(sql`opened`)}) as take_in,
      (${delays(sql`(select * from closed where resolution not in ('FALSE_POSITIVE', 'DUPLICATE')) solved`)}) as resolution,
      (select jsonb_agg(jsonb_build_object('resolution', resolution, 'count', count)) from (
        select resolution, count(*)::int as count from closed where resolution in ('FALSE_POSITIVE', 'DUPLICATE') group by resolution) counted) as apart,
      (select jsonb_agg(jsonb_build_object('severity', severity, 'level', level, 'count', count)) from (
        select severity, level, count(*)::int as count from running group by severity, level) counted) as open,
      (select jsonb_agg(jsonb_build_object('clock', clock, 'count', count)) from (
        select clock, count(*)::int as count from clocks where due < ${asOf} group by clock) counted) as overdue,
      (${clockRows(sql`due < ${asOf}`, BREACHES_SHOWN)}) as breaches,
      (${clockRows(sql`due >= ${asOf}`, NEXT_SHOWN)}) as next,
      (select jsonb_agg(jsonb_build_object('level', to_value, 'count', count)) from (
        select to_value, count(*)::int as count from incident_events where kind = 'ESCALATED' and at >= ${since} group by to_value) counted) as escalations,
      (select jsonb_agg(jsonb_build_object('analyst', analyst, 'l1', l1, 'l2', l2, 'l3', l3, 'total', total) order by total desc, analyst) from (
        select users.username as analyst, counted.l1, counted.l2, counted.l3, counted.total
        from (
          select assignee_id, (count(*) filter (where level = 'L1'))::int as l1, (count(*) filter (where level = 'L2'))::int as l2,
            (count(*) filter (where level = 'L3'))::int as l3, count(*)::int as total
          from running group by assignee_id
        ) counted left join users on users.id = counted.assignee_id
        order by counted.total desc limit ${sql.lit(ANALYSTS_SHOWN)}) shown) as load,
      (select jsonb_agg(jsonb_build_object('day', day, 'opened', opened, 'closed', closed, 'reopened', reopened) order by day) from (
        select to_char(moment.day, 'YYYY-MM-DD') as day, sum(moment.opened)::int as opened, sum(moment.closed)::int as closed, sum(moment.reopened)::int as reopened
        from (
          select date_trunc('day', created_at at time zone 'UTC') as day, count(*) as opened, 0 as closed, 0 as reopened from incidents where created_at >= ${since} group by 1
          union all
          select date_trunc('day', at at time zone 'UTC'), 0, count(*) filter (where kind = 'CLOSED'), count(*) filter (where kind = 'REOPENED')
          from incident_events where kind in ('CLOSED', 'REOPENED') and at >= ${since} group by 1
        ) moment group by moment.day) counted) as days`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement without FROM gives one row')
  return row
}

/** Milliseconds from the opening; null before the end, and a clock that was set back gives none. */
function elapsedMs(end: RawBuilder<unknown>): RawBuilder<unknown> {
  // Not greatest alone, which takes a null for nothing.
  return sql`case when ${end} is not null then greatest(0, 1000 * date_part('epoch', ${end} - incidents.created_at)) end`
}

/** Mean, median and 90th percentile by severity and over all. `from` has severity, took and late. */
function delays(from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select jsonb_agg(jsonb_build_object('severity', severity, 'n', n, 'mean_ms', mean, 'median_ms', parts[1], 'p90_ms', parts[2], 'breached', breached, 'total', total))
    from (
      select severity, count(took)::int as n, avg(took) as mean, percentile_cont(array[0.5, 0.9]) within group (order by took) as parts,
        (count(*) filter (where late))::int as breached, count(*)::int as total
      from ${from} group by grouping sets ((severity), ())
    ) figures`
}

/** The clocks that are due first. */
function clockRows(which: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  return sql`
    select jsonb_agg(jsonb_build_object('id', running.id, 'title', running.title, 'severity', running.severity, 'level', running.level, 'status', running.status,
      'assignee', users.username, 'clock', first.clock, 'created_at', running.created_at) order by first.due, running.id)
    from (select id, clock, due from clocks where ${which} order by due, id limit ${sql.lit(limit)}) first
    join running on running.id = first.id left join users on users.id = running.assignee_id`
}
