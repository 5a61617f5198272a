import { lookupProbes } from '#domains/indicators/lookup-probes.ts'
import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { domainList, rangeList } from './support/lists.ts'

// Looking up 10 000 values against a million values and 50 000 ranges, beside the bare join of the same probes without any figures; without and
// with warning lists, of which the floor knows nothing.
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
  // Every probe that answers the question, prepared: the values, the names above them, and the addresses cut to each length in use.
  const probes: { type: string; value: string }[] = []
  const addresses: string[] = []
  for (const value of asked) {
    const verdict = normalizeIndicator(value)
    if (!verdict.ok) throw new Error(`${value} is no indicator.`)
    const { parents, address } = lookupProbes(verdict.type, verdict.value)
    probes.push({ type: verdict.type, value: verdict.value }, ...parents.map((parent) => ({ type: 'DOMAIN', value: parent })))
    if (address !== undefined) addresses.push(address)
  }
  const measure = async (title: string) => {
    const ours: number[] = []
    const floor: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      floor.push(
        await secondsOf(
          async () =>
            await base.bare.query(
              `select known.* from (
                 select type, value from unnest($1::text[], $2::text[]) as asked (type, value)
                 union all
                 select 'NETWORK', network(set_masklen(address, length))::text from unnest($3::inet[]) address join network_lengths on network_lengths.family = family(address)
               ) asked
               join indicators known on known.type = asked.type collate "C" and indicator_key(known.value) = indicator_key(asked.value)`,
              [probes.map(({ type }) => type), probes.map(({ value }) => value), addresses],
            ),
        ),
      )
      ours.push(await secondsOf(async () => await base.services.indicators.lookup(asked)))
    }
    report(`Lookup of ${ASKED} values against ${VALUES + RANGES}, ${title}`, { ours, floor, goal: GOAL })
  }
  await measure('no warning list')
  const answers = await base.services.indicators.lookup(asked)
  const tally = Object.entries(Object.groupBy(answers, ({ relation, status }) => relation ?? status)).map(
    ([name, items]) => `${items?.length} ${name}`,
  )
  console.log(`  answers: ${tally.join(', ')}`)
  // As large as the largest public ones, and of every kind that is found by equality.
  for (const list of [
    { name: 'ranges', type: 'cidr', list: rangeList(60_000, 9), matching_attributes: ['ip-src', 'ip-dst'] },
    { name: 'hosts', type: 'hostname', list: domainList(100_000, 8), matching_attributes: ['domain', 'hostname', 'url'] },
    { name: 'values', type: 'string', list: domains.filter((_, n) => n % 700 === 0) },
  ])
    await base.services.warningLists.import(BENCH_ACTOR, list)
  await measure('160 000 entries of warning lists')
} finally {
  await base.close()
}
