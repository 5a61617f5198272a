import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { domainList, rangeList } from './support/lists.ts'

// Looking up 10 000 values against a million values and 50 000 ranges, beside a bare join of the 10 000 exact values.
const VALUES = 1_000_000
const RANGES = 50_000
const ASKED = 10_000
const ROUNDS = 7
const GOAL = 2

const base = await openBenchBase()
try {
  const domains = domainList(VALUES)
  const ranges = rangeList(RANGES)
  for (const [name, list] of [['domains', domains] as const, ['ranges', ranges] as const]) {
    base.lists.publish(name, list.join('\n'))
    await base.services.collect.collect(BENCH_ACTOR, await base.addFeed(name))
  }
  await base.bare.query('analyze indicators')
  await base.bare.query('analyze indicator_sources')
  // A third known, a third below a known name, a sixth addresses in ranges, a sixth unknown.
  const asked = Array.from({ length: ASKED }, (_, n) => {
    const known = domains[(n * 97) % domains.length] ?? ''
    if (n % 6 < 2) return known
    if (n % 6 < 4) return `a.b.${known}`
    return n % 6 === 4
      ? `${(ranges[n % ranges.length] ?? '').split('/')[0]?.replace(/\d+$/, (last) => String(Number(last) + 1))}`
      : `unknown-${n}.example.org`
  })
  const exact = asked.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'IPV4' : 'DOMAIN', value }))
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(
      await secondsOf(
        async () =>
          await base.bare.query(
            `select known.* from unnest($1::text[], $2::text[]) as asked (type, value)
             join indicators known on known.type = asked.type collate "C" and indicator_key(known.value) = indicator_key(asked.value)`,
            [exact.map(({ type }) => type), exact.map(({ value }) => value)],
          ),
      ),
    )
    ours.push(await secondsOf(async () => await base.services.indicators.lookup(asked)))
  }
  const answers = await base.services.indicators.lookup(asked)
  const tally = Object.entries(Object.groupBy(answers, ({ relation, status }) => relation ?? status)).map(
    ([name, items]) => `${items?.length} ${name}`,
  )
  report(`Lookup of ${ASKED} values against ${VALUES + RANGES}`, { ours, floor, goal: GOAL })
  console.log(`  answers: ${tally.join(', ')}`)
} finally {
  await base.close()
}
