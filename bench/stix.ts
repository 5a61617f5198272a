import { fork } from 'node:child_process'
import { once } from 'node:events'
import { BENCH_ACTOR, openBenchBase, PRODUCT_FLAGS, report, secondsOf } from './support/bench-base.ts'
import { bareCopy, bareMerge, emptyBase } from './support/floors.ts'
import { bundleOf, domainList } from './support/lists.ts'

// First collection of a STIX bundle of 200 000 indicators, end to end over HTTP, beside JSON.parse of the whole text, one COPY of its values
// and one sorted INSERT per table. The floor holds the bundle in memory and stores nothing of what it says beside the values.
const INDICATORS = 200_000
const ROUNDS = 3
const GOAL = 1.5
/** Goal for the collecting process, MB. */
const RSS_GOAL_MB = 300

const base = await openBenchBase()
try {
  const names = domainList(INDICATORS)
  const body = bundleOf(names)
  base.lists.publish('bundle', body)
  const feedId = await base.addFeed('bundle', 'STIX')
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await emptyBase(base.bare)
    floor.push(
      await secondsOf(async () => {
        const { objects } = JSON.parse(body) as { objects: { pattern: string }[] }
        await bareCopy(
          base.bare,
          objects.map(({ pattern }) => pattern.slice("[domain-name:value = '".length, -"']".length)),
        )
        await bareMerge(base.bare)
      }),
    )
    await emptyBase(base.bare)
    ours.push(await secondsOf(async () => await base.services.collect.collect(BENCH_ACTOR, feedId)))
  }
  const size = Math.round(body.length / 1_048_576)
  report(`First collection of a bundle of ${names.length} indicators (${size} MB)`, { ours, floor, goal: GOAL })

  await emptyBase(base.bare)
  const worker = fork(new URL('./support/collect-once.ts', import.meta.url), {
    execArgv: PRODUCT_FLAGS,
    env: { ...process.env, DATABASE_URL: base.appUrl, OUTBOUND_ALLOW_HOSTS: base.lists.host, BENCH_FEED: feedId },
  })
  const [figures] = await once(worker, 'message')
  await once(worker, 'exit')
  const { rssMb, rows } = figures as { rssMb: number; rows: number }
  console.log(
    `Peak memory of a worker that collects ${rows} objects: ${rssMb} MB (goal ${RSS_GOAL_MB}, ${rssMb <= RSS_GOAL_MB ? 'held' : 'MISSED'})`,
  )
} finally {
  await base.close()
}
