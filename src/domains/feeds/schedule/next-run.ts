import { retryWaitMs } from './retry-wait.ts'

const MS_PER_SECOND = 1000

/** A feed's regular collections come later than its interval by less than this share of it, and by less than this many milliseconds. Source: docs/decisions/0010. */
const JITTER_SHARE = 0.05
const JITTER_BELOW_MS = 60_000
/** The last digits of an id are random. Source: RFC 9562, 5.7 (`rand_b`). */
const RANDOM_DIGITS = 8

/** What decides when a feed is collected next, as the database tells it. `postponed_until` is what a 429 asked for with Retry-After. */
export type FeedPast = {
  feed_id: string
  created_at: Date
  last_attempt: Date | null
  /** Failed runs since the last success, 0 after a success. */
  consecutive_failures: number
  /** Seconds. */
  frequency: number
  postponed_until: Date | null
}

/**
 * When the feed is due; undefined for one that was never tried, which is due at once.
 *
 * A provider that asks for patience gets it, but never more than one interval after the attempt: a hostile or broken Retry-After must not
 * silence a feed for years. Source: spec, "Feed status" and "Limits"; computed from the runs alone, so a restart changes nothing.
 */
export function nextRunAt({ feed_id, last_attempt, consecutive_failures, frequency, postponed_until }: FeedPast): Date | undefined {
  if (last_attempt === null) return undefined
  const intervalMs = frequency * MS_PER_SECOND
  const latestMs = last_attempt.getTime() + intervalMs
  // The waits after failures are promised to the minute; only regular collections are spread.
  const spreadMs = consecutive_failures === 0 ? jitterMs(feed_id, intervalMs) : 0
  const earliestMs = last_attempt.getTime() + retryWaitMs(consecutive_failures, intervalMs) + spreadMs
  const askedMs = postponed_until?.getTime() ?? Number.NaN
  if (Number.isNaN(askedMs)) return new Date(earliestMs)
  return new Date(Math.max(earliestMs, Math.min(askedMs, latestMs)))
}

/** Whether an active feed is due at a moment. */
export function isDue(past: FeedPast & { is_active: boolean }, at: Date): boolean {
  return past.is_active && (nextRunAt(past) ?? at) <= at
}

/** Since when a feed that is due has been waiting. */
export function dueSince(past: FeedPast): Date {
  return nextRunAt(past) ?? past.created_at
}

/**
 * How much later than its interval a feed's regular collections come, always the same for one feed: feeds that once started together, as after
 * an outage, drift apart instead of starting in the same second for ever. @returns milliseconds, below 5 % of the interval and below a minute
 */
export function jitterMs(feedId: string, intervalMs: number): number {
  const fraction = Number.parseInt(feedId.slice(-RANDOM_DIGITS), 16) / 16 ** RANDOM_DIGITS
  return Math.floor(fraction * Math.min(intervalMs * JITTER_SHARE, JITTER_BELOW_MS))
}
