import { describe, expect, test } from 'vitest'
import type { Job } from '#platform/jobs/job.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import type { Log } from '#platform/logging/logger.ts'
import { runRound, runSchedule } from './run-schedule.ts'
import { housekeeping, type Scheduled } from './schedule.ts'

const FREE: Locks = {
  withLock: async (_name, work) => ({ held: false, result: await work(new AbortController().signal) }),
  close: async () => {},
}
const TAKEN: Locks = { withLock: async () => ({ held: true }), close: async () => {} }

function openLog(): { log: Log; lines: [string, Record<string, unknown>][] } {
  const lines: [string, Record<string, unknown>][] = []
  const write = (event: string, fields = {}): void => void lines.push([event, fields])
  return { log: { debug: write, info: write, warn: write, error: write }, lines }
}

function entry(run: Job['run'], more: Partial<Scheduled> = {}): Scheduled {
  return { job: { name: 'area.what', everySeconds: 3600, run }, firstAfterSeconds: 0, locked: false, logEvent: 'worker.cycle', ...more }
}
const round = async (scheduled: Scheduled, locks = FREE) => {
  const { log, lines } = openLog()
  await runRound(scheduled, { locks, log, signal: new AbortController().signal })
  return lines
}

describe('a round', () => {
  test('logs what it did', async () =>
    expect(await round(entry(async () => ({ started: 2 })))).toEqual([['worker.cycle', { job: 'area.what', started: 2 }]]))

  test('without work says nothing', async () => expect(await round(entry(async () => ({ started: 0 })))).toEqual([]))

  test('of housekeeping says so even when there was nothing to do', async () =>
    expect(await round(entry(async () => ({ runs_purged: 0 }), { logEvent: 'worker.housekeeping' }))).toEqual([
      ['worker.housekeeping', { job: 'area.what', runs_purged: 0 }],
    ]))

  test('that fails is logged and does not throw', async () =>
    expect(
      await round(
        entry(async () => {
          throw new Error('no database')
        }),
      ),
    ).toEqual([['worker.job_failed', { job: 'area.what', reason: 'no database' }]]))

  test('whose lock is held elsewhere is left to its holder', async () =>
    expect(
      await round(
        entry(async () => expect.fail('ran without its lock'), { locked: true }),
        TAKEN,
      ),
    ).toEqual([]))
})

test('housekeeping tells all counts in one line, and a part that fails keeps no other from its work', async () => {
  const { log, lines } = openLog()
  const part = (name: string, run: Job['run']): Job => ({ name, everySeconds: 1, run })
  const job = housekeeping(
    [
      part('a.purge', async () => ({ purged: 2 })),
      part('b.broken', async () => await Promise.reject(new Error('no database'))),
      part('c.purge', async () => ({ runs_purged: 3 })),
    ],
    log,
  )
  expect(await job.run(new AbortController().signal)).toEqual({ purged: 2, runs_purged: 3 })
  expect(lines).toEqual([['worker.job_failed', { job: 'b.broken', reason: 'no database' }]])
})

test('a job that fails comes again, and a stop ends the schedule', async () => {
  const rounds: number[] = []
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const failing = entry(async () => {
    rounds.push(rounds.length)
    if (rounds.length === 3) resolve()
    throw new Error('again')
  })
  const worker = runSchedule([{ ...failing, job: { ...failing.job, everySeconds: 0.001 } }], { locks: FREE, log: openLog().log })
  await enough
  await worker.stop()
  const afterStop = rounds.length
  await new Promise((next) => setTimeout(next, 20))
  expect(rounds).toHaveLength(afterStop)
})

test('a stop tells a running job, and waits for what it has left running', async () => {
  const seen: string[] = []
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const job: Job = {
    name: 'area.what',
    everySeconds: 3600,
    async run(signal) {
      signal.addEventListener('abort', () => seen.push('told'))
      resolve()
      return {}
    },
    async settle() {
      seen.push('settled')
    },
  }
  const worker = runSchedule([{ ...entry(job.run), job }], { locks: FREE, log: openLog().log })
  await begun
  await worker.stop()
  expect(seen).toEqual(['told', 'settled'])
})
