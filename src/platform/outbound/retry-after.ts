import { MS_PER_SECOND } from '#kernel/clock.ts'

/** No wait is longer than the longest feed interval (604 800 s). Source: docs/decisions/0005. */
const RETRY_AFTER_MAX_MS = 604_800_000
/** The three date forms of HTTP begin with the name of a day. Source: RFC 9110, 5.6.7. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/**
 * The wait that a `Retry-After` header asks for, in ms; 0 for a date that has passed; undefined when the header is absent, negative or no wait.
 *
 * Source: RFC 9110, 10.2.3 (delay in seconds or HTTP date).
 */
export function tryParseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^[0-9]+$/.test(text)) return Math.min(Number(text) * MS_PER_SECOND, RETRY_AFTER_MAX_MS)
  if (!HTTP_DATE.test(text)) return undefined
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(0, atMs - nowMs), RETRY_AFTER_MAX_MS)
}
