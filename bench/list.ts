import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { domainList } from './support/lists.ts'

// First page and page 200 of a million indicators through the service, beside the same statement through the bare driver.
const VALUES = 1_000_000
const ROUNDS = 200
const PAGE = 200
const GOAL = 1.3

const base = await openBenchBase()
try {
  base.lists.publish('list', domainList(VALUES).join('\n'))
  await base.services.collect.collect(BENCH_ACTOR, await base.addFeed('list'))
  await base.bare.query('analyze indicators')
  await base.bare.query('analyze indicator_sources')
  let deep: string | null = null
  for (let page = 1; page < PAGE; page++) deep = (await base.services.indicators.page(deep === null ? {} : { cursor: deep })).next
  for (const [title, cursor] of [['first page', null] as const, [`page ${PAGE}`, deep] as const]) {
    const after = cursor === null ? undefined : Buffer.from(cursor, 'base64url').toString()
    // The statement as docs/sql/indicators.sql shows it, and the exact part of the total.
    const text = `
      select known.id, known.type, known.value, known.severity, known.first_seen, standing.confidence, standing.expires_at > now() as active, standing.hit_count,
        standing.source_count, standing.last_seen, standing.expires_at,
        coalesce((select array_agg(distinct tag order by tag) from indicator_sources said, unnest(said.tags) tag where said.indicator_id = known.id), '{}') as tags
      from (select id, type, value, severity, first_seen from indicators known where ${after === undefined ? 'true' : `known.id < '${after}'`} order by known.id desc limit 20000) known
      cross join lateral indicator_standing(known.id, known.type, now()) standing where true order by known.id desc limit 51`
    const total = 'select count(*) from (select 1 from indicators limit 10001) walked'
    const ours: number[] = []
    const floor: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      floor.push(
        1000 *
          (await secondsOf(async () => {
            await base.bare.query(text)
            await base.bare.query(total)
          })),
      )
      ours.push(1000 * (await secondsOf(async () => await base.services.indicators.page(cursor === null ? {} : { cursor }))))
    }
    report(`List of ${VALUES} indicators, ${title}`, { ours, floor, goal: GOAL, unit: 'ms' })
  }
} finally {
  await base.close()
}
