import { MS_PER_SECOND } from '#kernel/clock.ts'

/** How a request failed, as far as it decides what comes next. */
export type NvdFailure = { status: number | undefined; code: string; retryAfterMs: number | undefined }
export type NvdStep = { waitMs: number; pageSize: number } | 'give_up'

/** Largest page first; a server that cannot bear it is asked for less. Source: NVD CVE API 2.0, "resultsPerPage"; docs/decisions/0021. */
export const PAGE_SIZES = [2000, 1000, 500] as const
/** Requests for one page. Assumption: with the waits below about ten minutes, which outlasts a restart of the server. */
export const PAGE_ATTEMPTS = 10
/** Requests to a host that cannot be reached at all: without a network the other sources need not wait for long. Assumption. */
export const UNREACHABLE_ATTEMPTS = 4
/** First wait and longest wait between two requests for the same page, milliseconds. Assumption: the rolling window of NVD is 30 s. */
const FIRST_WAIT_MS = 6 * MS_PER_SECOND
const LONGEST_WAIT_MS = 120 * MS_PER_SECOND
/** NVD's firewall answers 403 to who asks too often within 30 s. Source: NVD, "Start here", rate limits. */
const FORBIDDEN_WAIT_MS = 30 * MS_PER_SECOND
/** No publisher may hold a round up for longer. Assumption. */
const LONGEST_RETRY_AFTER_MS = 600 * MS_PER_SECOND

const UNREACHABLE: ReadonlySet<string> = new Set(['dns_failed', 'connect_failed'])
const STALLED: ReadonlySet<string> = new Set(['timeout', 'truncated', 'reset'])
const NETWORK: ReadonlySet<string> = new Set([
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'timeout',
  'reset',
  'truncated',
  'bad_response',
])

/**
 * What follows a failed request for a page: 403, 408, 429, 5xx and faults of the network are tried again, 404 once. A 404, a 503, a 524 and an
 * answer that stalls are also what NVD says to pages that are too large, so the next one is smaller.
 *
 * @param attempt from 1 @param notFounds how many 404s this page has got, this one included
 */
export function afterFailure(
  failure: NvdFailure,
  { attempt, notFounds, pageSize }: { attempt: number; notFounds: number; pageSize: number },
): NvdStep {
  const { status, code, retryAfterMs } = failure
  const most = UNREACHABLE.has(code) ? UNREACHABLE_ATTEMPTS : PAGE_ATTEMPTS
  if (attempt >= most || !isRetried(failure) || notFounds > 1) return 'give_up'
  const growing = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1))
  const own = status === 403 ? Math.max(growing, FORBIDDEN_WAIT_MS) : growing
  const waitMs = Math.max(own, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS))
  const isTooLarge = status === undefined ? STALLED.has(code) : status === 404 || status === 503 || status === 524
  return { waitMs, pageSize: isTooLarge ? smallerThan(pageSize) : pageSize }
}

function isRetried({ status, code }: NvdFailure): boolean {
  if (status === undefined) return NETWORK.has(code)
  return status === 403 || status === 404 || status === 408 || status === 429 || status >= 500
}

function smallerThan(pageSize: number): number {
  return PAGE_SIZES.find((size) => size < pageSize) ?? pageSize
}
