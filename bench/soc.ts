import { openBenchBase, report, secondsOf } from './support/bench-base.ts'

// The figures of the SOC over 100 000 incidents with 2 million rows of timeline, beside the bare statements of the same figures, one each.
const INCIDENTS = 100_000
const ROWS_EACH = 20
const ROUNDS = 15
const GOAL = 1.3

const SINCE = "date_trunc('day', now()) - interval '29 days'"
const TARGETS = `(values ('CRITICAL', interval '1 hour', interval '24 hours'), ('HIGH', interval '4 hours', interval '72 hours'),
  ('MEDIUM', interval '24 hours', interval '168 hours'), ('LOW', interval '72 hours', interval '720 hours')) target (severity, take_in, resolution)`
const FLOOR = [
  `select severity, count(acknowledged_at), avg(acknowledged_at - created_at), percentile_cont(array[0.5, 0.9]) within group (order by date_part('epoch', acknowledged_at - created_at)),
    count(*) filter (where created_at + take_in < coalesce(acknowledged_at, now())), count(*)
   from incidents join ${TARGETS} using (severity) where created_at >= ${SINCE} group by grouping sets ((severity), ())`,
  `select severity, count(*), avg(closed_at - created_at), percentile_cont(array[0.5, 0.9]) within group (order by date_part('epoch', closed_at - created_at)),
    count(*) filter (where created_at + resolution < closed_at)
   from (select severity, created_at, closed_at, incidents.resolution as outcome, target.resolution from incidents join ${TARGETS} using (severity) where closed_at >= ${SINCE}) closed
   where outcome not in ('FALSE_POSITIVE', 'DUPLICATE') group by grouping sets ((severity), ())`,
  `select resolution, count(*) from incidents where closed_at >= ${SINCE} and resolution in ('FALSE_POSITIVE', 'DUPLICATE') group by 1`,
  `select severity, level, count(*) from incidents where status <> 'CLOSED' group by 1, 2`,
  `select count(*) filter (where acknowledged_at is null and created_at + take_in < now()), count(*) filter (where created_at + target.resolution < now())
   from incidents join ${TARGETS} using (severity) where status <> 'CLOSED'`,
  ...['<', '>='].map(
    (which) => `select * from (
      select id, title, severity, level, status, assignee_id, 'TAKE_IN', created_at + take_in as due from incidents join ${TARGETS} using (severity) where status <> 'CLOSED' and acknowledged_at is null
      union all
      select id, title, severity, level, status, assignee_id, 'RESOLUTION', created_at + target.resolution from incidents join ${TARGETS} using (severity) where status <> 'CLOSED'
    ) clocks where due ${which} now() order by due, id limit 100`,
  ),
  `select to_value, count(*) from incident_events where kind = 'ESCALATED' and at >= ${SINCE} group by 1`,
  `select assignee_id, level, count(*) from incidents where status <> 'CLOSED' group by 1, 2`,
  `select date_trunc('day', created_at at time zone 'UTC'), count(*) from incidents where created_at >= ${SINCE} group by 1`,
  `select date_trunc('day', at at time zone 'UTC'), kind, count(*) from incident_events where kind in ('CLOSED', 'REOPENED') and at >= ${SINCE} group by 1, 2`,
]

const base = await openBenchBase()
try {
  // Two years of incidents: one in twenty is open, a tenth of the closed ones are false positives or duplicates.
  await base.bare.query(`
    insert into incidents (id, title, status, severity, level, resolution, summary, event_count, opened_by, created_at, acknowledged_at, closed_at, updated_at)
    select gen_random_uuid(), 'Incident ' || n, case when n % 20 = 0 then 'ANALYSIS' else 'CLOSED' end, (array['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[1 + n % 4],
      (array['L1', 'L1', 'L2', 'L3'])[1 + n % 4], case when n % 20 = 0 then null when n % 10 = 1 then 'DUPLICATE' else 'TRUE_POSITIVE_IMPACT' end,
      case when n % 20 = 0 then null else 'done' end, ${ROWS_EACH}, 'bench', opened, case when n % 40 = 0 then null else opened + n % 90 * interval '1 minute' end,
      case when n % 20 = 0 then null else opened + n % 100 * interval '1 hour' end, opened
    from (select n, now() - n * interval '${(730 * 24 * 60) / INCIDENTS} minutes' as opened from generate_series(1, ${INCIDENTS}) n) numbered`)
  await base.bare.query(`
    insert into incident_events (incident_id, seq, version, at, kind, actor_name, to_value)
    select id, seq, 1, created_at + seq * interval '1 hour', case when seq = 1 then 'CREATED' when seq = 5 and level <> 'L1' then 'ESCALATED' when seq = 20 and status = 'CLOSED' then 'CLOSED' else 'COMMENT' end,
      'bench', case when seq = 5 then level end
    from incidents cross join generate_series(1, ${ROWS_EACH}) seq`)
  await base.bare.query('vacuum analyze incidents')
  await base.bare.query('vacuum analyze incident_events')
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(
      1000 *
        (await secondsOf(async () => {
          for (const text of FLOOR) await base.bare.query(text)
        })),
    )
    ours.push(1000 * (await secondsOf(async () => await base.services.soc.metrics(30))))
  }
  report(`SOC figures of 30 days over ${INCIDENTS} incidents and ${INCIDENTS * ROWS_EACH} rows of timeline`, {
    ours,
    floor,
    goal: GOAL,
    unit: 'ms',
  })
} finally {
  await base.close()
}
