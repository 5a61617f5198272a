import { countWritesSince, markWrites } from '#test/support/row-writes.ts'
import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { bareCopy, bareGone, bareNew } from './support/floors.ts'
import { listToMeasure, withChurn } from './support/lists.ts'

// The same list again: as it was, in another order of bytes, and with 1 % changed, beside COPY and the bare anti-joins: for what is
// new alone, and for what is gone as well, which a collection has to find too.
const ROWS = 1_100_000
const ROUNDS = 3
const GOAL = 1.5

const base = await openBenchBase()

/** Rows written to the two large tables, and bytes of write-ahead log, during the work. */
async function writesOf(work: () => Promise<unknown>): Promise<{ rows: number; walMb: number }> {
  const position = async () =>
    Number((await base.bare.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position")).rows[0].position)
  const mark = await markWrites(base.services.db)
  const before = await position()
  await work()
  const walMb = ((await position()) - before) / 1_048_576
  return { rows: await countWritesSince(base.services.db, mark), walMb }
}

try {
  const list = listToMeasure(ROWS)
  base.lists.publish('list', list.join('\n'))
  const feedId = await base.addFeed('list')
  const collect = async () => await base.services.collect.collect(BENCH_ACTOR, feedId)
  await collect()
  await base.bare.query('vacuum analyze indicators; ').catch(() => {})
  const variants = [
    { title: 'the same body', body: () => list },
    { title: 'the same values in another body', body: (round: number) => [`# list of round ${round}`, ...list] },
    { title: '1 % of the values changed', body: (round: number) => withChurn(list, round + 1) },
  ]
  for (const { title, body } of variants) {
    const ours: number[] = []
    const newOnly: number[] = []
    const bothWays: number[] = []
    const written: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const lines = body(round)
      base.lists.publish('list', lines.join('\n'))
      const copied = await secondsOf(async () => await bareCopy(base.bare, lines))
      const compared = await secondsOf(async () => await bareNew(base.bare))
      newOnly.push(copied + compared)
      bothWays.push(copied + compared + (await secondsOf(async () => await bareGone(base.bare, feedId))))
      const { rows, walMb } = await writesOf(async () => ours.push(await secondsOf(collect)))
      written.push(`${rows} rows, ${walMb.toFixed(1)} MB of log`)
    }
    report(`Collected again, ${title}, beside COPY and the anti-join for what is new`, { ours, floor: newOnly, goal: GOAL })
    report(`Collected again, ${title}, beside COPY and the anti-joins for what is new and what is gone`, {
      ours,
      floor: bothWays,
      goal: GOAL,
    })
    console.log(`  written: ${written.join('; ')}`)
  }
} finally {
  await base.close()
}
