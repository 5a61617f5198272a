import { expect, test } from 'vitest'
import { afterFailure, type NvdFailure, PAGE_ATTEMPTS } from './nvd-retry.ts'

const status = (code: number, retryAfterMs?: number): NvdFailure => ({ status: code, code: 'http_status', retryAfterMs })
const network = (code: string): NvdFailure => ({ status: undefined, code, retryAfterMs: undefined })
const AT = { attempt: 1, notFounds: 0, pageSize: 2000 }

// biome-ignore format: one case per line
test.each([
  { title: 'a 403 waits for the window of 30 s to pass',    failure: status(403), at: AT,                            want: { waitMs: 30_000, pageSize: 2000 } },
  { title: 'a 404 is tried once more with a smaller page',  failure: status(404), at: { ...AT, notFounds: 1 },       want: { waitMs: 6000, pageSize: 1000 } },
  { title: 'a second 404 is believed',                      failure: status(404), at: { ...AT, notFounds: 2 },       want: 'give_up' },
  { title: 'a 408 waits',                                   failure: status(408), at: AT,                            want: { waitMs: 6000, pageSize: 2000 } },
  { title: 'a 503 is asked for less',                       failure: status(503), at: { ...AT, pageSize: 1000 },     want: { waitMs: 6000, pageSize: 500 } },
  { title: 'no page is smaller than 500',                   failure: status(524), at: { ...AT, pageSize: 500 },      want: { waitMs: 6000, pageSize: 500 } },
  { title: 'a 502 is no word about the size',               failure: status(502), at: AT,                            want: { waitMs: 6000, pageSize: 2000 } },
  { title: 'waits double',                                  failure: status(500), at: { ...AT, attempt: 3 },         want: { waitMs: 24_000, pageSize: 2000 } },
  { title: 'up to two minutes',                             failure: status(500), at: { ...AT, attempt: 9 },         want: { waitMs: 120_000, pageSize: 2000 } },
  { title: 'a longer wait that is asked for is kept',       failure: status(429, 90_000), at: AT,                    want: { waitMs: 90_000, pageSize: 2000 } },
  { title: 'a shorter one is not',                          failure: status(429, 10), at: AT,                        want: { waitMs: 6000, pageSize: 2000 } },
  { title: 'one of a day is cut to ten minutes',            failure: status(429, 86_400_000), at: AT,                want: { waitMs: 600_000, pageSize: 2000 } },
  { title: 'a stall is asked for less',                     failure: network('timeout'), at: AT,                     want: { waitMs: 6000, pageSize: 1000 } },
  { title: 'a server that is not there is waited for',      failure: network('connect_failed'), at: AT,              want: { waitMs: 6000, pageSize: 2000 } },
  { title: 'but not for long',                              failure: network('dns_failed'), at: { ...AT, attempt: 4 }, want: 'give_up' },
  { title: 'a 400 is nobody\'s whim',                       failure: status(400), at: AT,                            want: 'give_up' },
  { title: 'an address that may not be asked is not',       failure: network('address_forbidden'), at: AT,           want: 'give_up' },
  { title: 'the last attempt is the last',                  failure: status(503), at: { ...AT, attempt: PAGE_ATTEMPTS }, want: 'give_up' },
])('$title', ({ failure, at, want }) => expect(afterFailure(failure, at)).toEqual(want))
