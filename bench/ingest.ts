import { fork } from 'node:child_process'
import { once } from 'node:events'
import { BENCH_ACTOR, openBenchBase, PRODUCT_FLAGS, report, secondsOf } from './support/bench-base.ts'
import { bareCopy, bareMerge, emptyBase } from './support/floors.ts'
import { listToMeasure } from './support/lists.ts'

// First collection of a list of 1.1 million values, end to end over HTTP, beside one COPY and one sorted INSERT per table.
const ROWS = 1_100_000
const ROUNDS = 3
const GOAL = 1.5
/** Goal for the collecting process, MB, whatever the size of the list. */
const RSS_GOAL_MB = 300

const base = await openBenchBase()
try {
  const list = listToMeasure(ROWS)
  base.lists.publish('list', list.join('\n'))
  const feedId = await base.addFeed('list')
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await emptyBase(base.bare)
    floor.push(
      await secondsOf(async () => {
        await bareCopy(base.bare, list)
        await bareMerge(base.bare)
      }),
    )
    await emptyBase(base.bare)
    ours.push(await secondsOf(async () => await base.services.collect.collect(BENCH_ACTOR, feedId)))
  }
  report(`First collection of ${list.length} values`, { ours, floor, goal: GOAL })

  for (const times of [1, 2]) {
    await emptyBase(base.bare)
    base.lists.publish(
      'list',
      Array.from({ length: times }, (_, n) => list.map((value) => (n === 0 ? value : `x${value}`)).join('\n')).join('\n'),
    )
    const worker = fork(new URL('./support/collect-once.ts', import.meta.url), {
      execArgv: PRODUCT_FLAGS,
      env: { ...process.env, DATABASE_URL: base.appUrl, OUTBOUND_ALLOW_HOSTS: base.lists.host, BENCH_FEED: feedId },
    })
    const [figures] = await once(worker, 'message')
    await once(worker, 'exit')
    const { rssMb, rows } = figures as { rssMb: number; rows: number }
    console.log(
      `Peak memory of a worker that collects ${rows} rows: ${rssMb} MB (goal ${RSS_GOAL_MB}, ${rssMb <= RSS_GOAL_MB ? 'held' : 'MISSED'})`,
    )
  }
} finally {
  await base.close()
}
