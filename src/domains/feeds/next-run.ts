import { retryWaitMs } from './retry-wait.ts'

const MS_PER_SECOND = 1000

/** What decides when a feed is collected next. `postponedUntil` is what a 429 asked for with Retry-After. */
export type RunHistory = {
  lastAttemptAt: Date | undefined
  /** Failed runs since the last success, 0 after a success. */
  failures: number
  frequencySeconds: number
  postponedUntil?: Date | undefined
}

/**
 * When the feed is due; undefined for one that was never tried, which is due at once.
 *
 * A provider that asks for patience gets it, but never more than one interval after the attempt: a hostile or broken Retry-After must not
 * silence a feed for years. Source: spec, "Feed status" and "Limits"; computed from the runs alone, so a restart changes nothing.
 */
export function nextRunAt({ lastAttemptAt, failures, frequencySeconds, postponedUntil }: RunHistory): Date | undefined {
  if (lastAttemptAt === undefined) return undefined
  const intervalMs = frequencySeconds * MS_PER_SECOND
  const earliestMs = lastAttemptAt.getTime() + retryWaitMs(failures, intervalMs)
  const latestMs = lastAttemptAt.getTime() + intervalMs
  const askedMs = postponedUntil?.getTime() ?? Number.NaN
  if (Number.isNaN(askedMs)) return new Date(earliestMs)
  return new Date(Math.max(earliestMs, Math.min(askedMs, latestMs)))
}
