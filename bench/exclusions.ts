import { BENCH_ACTOR, type BenchBase, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { domainList } from './support/lists.ts'

// An exclusion of a domain with 10 000 of a million names, beside the bare UPDATE that does the same; then the list of active indicators with
// 50 000 exclusions present, beside the same list without any; and a collection of new values with them and without.
const VALUES = 1_000_000
const COVERED = 10_000
const EXCLUSIONS = 50_000
const NEW_VALUES = 100_000
const ROUNDS = 7
const LIST_ROUNDS = 300
const PATTERN = 'excluded.example.net'
const GOAL = 1.5
const LIST_GOAL = 1.1
/** No goal of its own: what the marks cost a first collection. */
const COLLECTION_GOAL = 2

const base = await openBenchBase()
const { collect, exclusions, warningLists } = base.services

async function forgetExclusions(): Promise<void> {
  await base.bare.query('truncate exclusions, exclusion_lengths')
  await base.bare.query('update indicators set excluded_until = null where excluded_until is not null')
  await base.bare.query('vacuum analyze indicators')
  await base.bare.query('analyze exclusions')
}

async function fill(filled: BenchBase, names: readonly string[]): Promise<void> {
  filled.lists.publish('list', names.join('\n'))
  await filled.services.collect.collect(BENCH_ACTOR, await filled.addFeed('list'))
  await filled.bare.query('vacuum analyze indicator_sources')
  await filled.bare.query('vacuum analyze indicators')
}

try {
  const names = [...domainList(VALUES - COVERED), ...Array.from({ length: COVERED }, (_, n) => `host-${n}.${PATTERN}`)].sort()
  await fill(base, names)
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await forgetExclusions()
    floor.push(
      await secondsOf(
        async () =>
          await base.bare.query(
            `update indicators set excluded_until = 'infinity' where type = 'DOMAIN' and (value = '${PATTERN}' or value like '%.${PATTERN}')`,
          ),
      ),
    )
    await forgetExclusions()
    ours.push(
      await secondsOf(
        async () => await exclusions.exclude(BENCH_ACTOR, { value: PATTERN, kind: 'DOMAIN', reason: 'benchmark', confirm_count: COVERED }),
      ),
    )
  }
  report(`Exclusion of ${COVERED} of ${VALUES} indicators`, { ours, floor, goal: GOAL })

  await forgetExclusions()
  const { list } = await warningLists.import(BENCH_ACTOR, {
    name: 'harmless',
    type: 'string',
    list: names.filter((_, n) => n % (VALUES / EXCLUSIONS) === 0),
  })
  const importSeconds = await secondsOf(
    async () => await exclusions.excludeList(BENCH_ACTOR, list.id, { reason: 'benchmark', confirm_count: VALUES }),
  )
  console.log(`  ${EXCLUSIONS} exclusions imported from a warning list in ${importSeconds.toFixed(1)} s`)
  await base.bare.query('vacuum analyze indicators')
  await base.bare.query('analyze exclusions')
  // The same base without exclusions beside it, read in turns: the machine is never equally busy for long.
  const other = await openBenchBase()
  try {
    await fill(other, names)
    const listed: Record<'ours' | 'floor', number[]> = { ours: [], floor: [] }
    for (let round = 0; round < LIST_ROUNDS; round++)
      for (const [side, { services }] of [['ours', base] as const, ['floor', other] as const])
        listed[side].push(1000 * (await secondsOf(async () => await services.indicators.page({ active: true }))))
    report(`First page of active indicators with ${EXCLUSIONS} exclusions`, { ...listed, goal: LIST_GOAL, unit: 'ms' })
  } finally {
    await other.close()
  }

  const collections: Record<'with' | 'without', number[]> = { with: [], without: [] }
  for (const side of ['with', 'without'] as const) {
    if (side === 'without') await forgetExclusions()
    for (let round = 0; round < 3; round++) {
      base.lists.publish(
        `${side}-${round}`,
        domainList(NEW_VALUES, 10 + round)
          .map((name) => `${side}.${name}`)
          .join('\n'),
      )
      const feedId = await base.addFeed(`${side}-${round}`)
      collections[side].push(await secondsOf(async () => await collect.collect(BENCH_ACTOR, feedId)))
    }
  }
  report(`First collection of ${NEW_VALUES} values with ${EXCLUSIONS} exclusions, beside the same without`, {
    ours: collections.with,
    floor: collections.without,
    goal: COLLECTION_GOAL,
  })
} finally {
  await base.close()
}
