import { expect, test } from 'vitest'
import { DomainError } from '#kernel/errors.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import type { Collection } from './collecting/settle-collection.service.ts'
import { collectDueFeedsJob } from './feeds.jobs.ts'
import type { RunOutcome } from './feeds.model.ts'

const NEVER = new AbortController().signal
const START_MS = Date.UTC(2026, 0, 1)

/** The job over feeds that are always due and end with the outcome that their name says; `busy` hosts are held by somebody else. */
function openJob(names: readonly string[], { busy = [] as readonly string[] } = {}) {
  let nowMs = START_MS
  const collected: string[] = []
  const locks: Pick<Locks, 'withLock'> = {
    withLock: async (name, work) => (busy.includes(name) ? { held: true } : { held: false, result: await work(NEVER) }),
  }
  const job = collectDueFeedsJob({
    feeds: {
      listDue: async () => names.map((name) => ({ id: name, name, url: `https://${name}.example.org/list`, dueSince: new Date(nowMs) })),
    },
    collect: {
      atOnce: 4,
      async collect(_actor, id, options) {
        expect(options?.onlyIfDue).toBe(true)
        if (id === 'taken') throw new DomainError('already_collecting', 'Somebody else.')
        if (id === 'broken') throw new Error('no database')
        collected.push(id)
        // The job looks at the outcome alone.
        return { outcome: id.split('-')[0]?.toUpperCase() as RunOutcome } as Collection
      },
    },
    locks,
    log: SILENT_LOGGING.for('svc.collector'),
    clock: () => new Date(nowMs),
  })
  return {
    job,
    collected,
    pass(ms: number) {
      nowMs += ms
    },
  }
}

test('one round counts what was begun, what ended well and what failed, and leaves out what others collect', async () => {
  const { job } = openJob(['succeeded', 'unchanged', 'postponed', 'failed', 'partial', 'interrupted', 'taken', 'broken'])
  expect(await job.collectOnce(NEVER)).toEqual({ started: 6, collected: 3, failed: 4 })
  expect(await job.collectOnce(NEVER)).toEqual({ started: 0, collected: 0, failed: 1 })
})

test('a host that another worker is asking is left alone', async () => {
  const { job, collected } = openJob(['succeeded-a', 'succeeded-b'], { busy: ['host:succeeded-a.example.org'] })
  expect(await job.collectOnce(NEVER)).toEqual({ started: 1, collected: 1, failed: 0 })
  expect(collected).toEqual(['succeeded-b'])
})

test('a feed whose runs cannot be written down stays due, and is asked once a minute at most', async () => {
  const { job, collected, pass } = openJob(['succeeded'])
  for (let look = 0; look < 13; look++) {
    await job.run(NEVER)
    await job.settle?.()
    pass(5000)
  }
  expect(collected).toHaveLength(2)
})
