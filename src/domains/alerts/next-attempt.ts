/** Waits before the second attempt and those after it, milliseconds. Source: spec, "Webhook", 5 attempts; docs/decisions/0020. */
export const ATTEMPT_WAITS_MS: readonly number[] = [5000, 30_000, 120_000, 600_000]

/** How an attempt ended. */
export type AttemptEnd = { status: number; retryAfterMs: number | undefined } | { reason: string }

/** What follows from it. */
export type NextStep =
  | { notification: 'DELIVERED' }
  | { notification: 'FAILED'; reason: string }
  | { notification: 'PENDING'; reason: string; waitMs: number }

/** Part of a wait by which it may be longer, so that the messages of one evening do not all come again at once. */
const JITTER_SHARE = 0.2
/** A receiver may ask for a longer wait than ours, but not for ever. Assumption: an hour. */
const LONGEST_WAIT_MS = 3_600_000
/** The receiver wants nothing more. Source: Standard Webhooks 1.0, "Operational considerations". */
const STATUS_GONE = 410

/**
 * Decides after an attempt: any 2xx is a delivery, 410 ends it, and everything else, redirects among it, is tried again while attempts are left.
 *
 * Source: docs/decisions/0020; Standard Webhooks 1.0. @param attempt from 1 @param random 0 to 1
 */
export function nextStep(attempt: number, end: AttemptEnd, waitsMs: readonly number[], random: number): NextStep {
  if ('status' in end && end.status >= 200 && end.status < 300) return { notification: 'DELIVERED' }
  const reason = 'reason' in end ? end.reason : reasonOf(end.status)
  const plannedMs = waitsMs[attempt - 1]
  if (plannedMs === undefined || ('status' in end && end.status === STATUS_GONE)) return { notification: 'FAILED', reason }
  const askedMs = 'status' in end ? Math.min(end.retryAfterMs ?? 0, LONGEST_WAIT_MS) : 0
  return { notification: 'PENDING', reason, waitMs: Math.max(Math.round(plannedMs * (1 + JITTER_SHARE * random)), askedMs) }
}

function reasonOf(status: number): string {
  if (status === STATUS_GONE) return 'The receiver answered with status 410: it wants nothing more.'
  if (status >= 300 && status < 400)
    return `The receiver answered with a redirect (status ${status}), which is not followed. Use the final address.`
  if (status === 429) return 'The receiver says that it is told too much (status 429).'
  return `The receiver answered with status ${status}.`
}
