import { setTimeout as sleep } from 'node:timers/promises'
import { MS_PER_SECOND } from '#kernel/clock.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import type { Scheduled } from './schedule.ts'

/** A running worker. */
export type Worker = {
  /** Begins nothing more, tells running work to end, and waits for it at most `STOP_LIMIT_MS`. */
  stop(): Promise<void>
}

/** How long running work may take to end in order, milliseconds: with the 3 s of the API it stays below the 10 s that a stop may take. Source: spec, "Limits". */
const STOP_LIMIT_MS = 6000

/** Runs every job of the schedule by its interval until stopped. A job that fails is logged and comes again; it ends nothing. */
export function runSchedule(schedule: readonly Scheduled[], { locks, log }: { locks: Locks; log: Log }): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  const loops = schedule.map(async (entry) => await repeat(entry))

  async function repeat(entry: Scheduled): Promise<void> {
    await pause(entry.firstAfterSeconds)
    while (!signal.aborted) {
      await runRound(entry, { locks, log, signal })
      await pause(entry.job.everySeconds)
    }
    await entry.job.settle?.()
  }

  async function pause(seconds: number): Promise<void> {
    await sleep(seconds * MS_PER_SECOND, undefined, { signal }).catch(() => {})
  }

  return {
    async stop() {
      stopping.abort(new Error('The worker is stopping.'))
      const late = new AbortController()
      const ended = await Promise.race([
        Promise.allSettled(loops).then(() => true),
        sleep(STOP_LIMIT_MS, false, { signal: late.signal }).catch(() => false),
      ])
      late.abort()
      if (!ended) log.warn('worker.stop_cut_short', { after_ms: STOP_LIMIT_MS })
    },
  }
}

/** One round of one job, under its lock when it has one. Never throws. */
export async function runRound(
  { job, locked, logEvent }: Scheduled,
  { locks, log, signal }: { locks: Locks; log: Log; signal: AbortSignal },
): Promise<void> {
  try {
    if (!locked) return report(await job.run(signal))
    const outcome = await locks.withLock(`job:${job.name}`, async (lost) => await job.run(AbortSignal.any([signal, lost])))
    if (!outcome.held) report(outcome.result)
  } catch (error) {
    if (!signal.aborted) log.error('worker.job_failed', { job: job.name, reason: reasonOf(error) })
  }

  function report(counts: Record<string, number>): void {
    const worked = Object.values(counts).some((count) => count > 0)
    if (worked || logEvent === 'worker.housekeeping') log.info(logEvent, { job: job.name, ...counts })
  }
}
