import { openBenchBase, report, secondsOf } from './support/bench-base.ts'

// The list of 100 000 incidents with two million rows of timelines through the service, and one timeline, beside the same statements through the
// bare driver.
const INCIDENTS = 100_000
const ENTRIES_EACH = 20
const ROUNDS = 200
const GOAL = 1.3
/** Of statements this short, going through the pool is a good part. Assumption: nobody notices a tenth of a millisecond. */
const TIMELINE_GOAL = 1.5

const base = await openBenchBase()
try {
  const { bare, services } = base
  // A tenth is not closed. Ids in the order of time, as the service makes them.
  await bare.query(`
    insert into incidents (id, title, status, severity, level, version, event_count, opened_by, created_at, acknowledged_at, closed_at, summary, resolution, updated_at)
    select ('0199' || lpad(to_hex(n), 8, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, 'Incident ' || n,
      case when n % 10 = 0 then 'ANALYSIS' else 'CLOSED' end, (array['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[1 + n % 4], (array['L1', 'L2', 'L3'])[1 + n % 3],
      5, ${ENTRIES_EACH}, 'ana', at, at, case when n % 10 <> 0 then at end, case when n % 10 <> 0 then 'Done.' end, case when n % 10 <> 0 then 'DUPLICATE' end, at
    from generate_series(1, ${INCIDENTS}) n, lateral (select now() - (${INCIDENTS} - n) * interval '5 minutes' as at) moment`)
  await bare.query(`
    insert into incident_events (incident_id, seq, version, at, kind, actor_name, note)
    select id, seq, 1, created_at, case when seq = 1 then 'CREATED' else 'COMMENT' end, 'ana', repeat('A sentence of a comment. ', 4)
    from incidents, generate_series(1, ${ENTRIES_EACH}) seq`)
  await bare.query(`
    insert into incident_cves select id, 'CVE-2031-' || (10000 + link * 37 % 5000), created_at from incidents, generate_series(1, 2) link;
    insert into incident_indicators select id, gen_random_uuid(), created_at from incidents, generate_series(1, 3)`)
  for (const table of ['incidents', 'incident_events', 'incident_cves', 'incident_indicators']) await bare.query(`analyze ${table}`)

  // The statements as docs/sql/incidents.sql shows them, and the exact part of the total.
  const list = (where: string) => `
    select incidents.*, (select username from users where users.id = incidents.assignee_id) as assignee,
      (select count(*)::int from incident_cves link where link.incident_id = incidents.id) as cve_count,
      (select count(*)::int from incident_indicators link where link.incident_id = incidents.id) as indicator_count
    from incidents where ${where} order by incidents.id desc limit 51`
  const total = (where: string) => `select count(*) from (select 1 from incidents where ${where} limit 10001) found`
  for (const [title, query, where] of [
    ['all', {}, 'true'],
    ['those that are not closed', { open: true }, `status <> 'CLOSED'`],
    [
      'L2 and L3 of two severities',
      { level: 'L2,L3', severity: 'HIGH,CRITICAL' },
      `level in ('L2', 'L3') and severity in ('HIGH', 'CRITICAL')`,
    ],
  ] as const) {
    const ours: number[] = []
    const floor: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const bareSeconds = await secondsOf(async () => {
        await bare.query(list(where))
        await bare.query(total(where))
      })
      floor.push(1000 * bareSeconds)
      ours.push(1000 * (await secondsOf(async () => await services.incidentReading.page(query, undefined))))
    }
    report(`List of ${INCIDENTS} incidents, ${title}`, { ours, floor, goal: GOAL, unit: 'ms' })
  }

  const { items } = await services.incidentReading.page({}, undefined)
  const id = items[0]?.id ?? ''
  const timelines = { ours: [] as number[], floor: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const bareSeconds = await secondsOf(async () => {
      await bare.query('select event_count from incidents where id = $1', [id])
      await bare.query('select * from incident_events where incident_id = $1 and seq > 0 order by seq limit 201', [id])
    })
    timelines.floor.push(1000 * bareSeconds)
    timelines.ours.push(1000 * (await secondsOf(async () => await services.incidentReading.timeline(id, 0))))
  }
  report(`One timeline among ${INCIDENTS * ENTRIES_EACH} rows`, { ...timelines, goal: TIMELINE_GOAL, unit: 'ms' })
} finally {
  await base.close()
}
