import { describe, expect, test } from 'vitest'
import { ATTEMPT_WAITS_MS, type AttemptEnd, nextStep } from './next-attempt.ts'

const answered = (status: number, retryAfterMs?: number): AttemptEnd => ({ status, retryAfterMs })

describe('what follows from an attempt', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'a 200 is a delivery',                           attempt: 1, end: answered(200), want: { notification: 'DELIVERED' } },
    { title: 'any other 2xx too',                             attempt: 5, end: answered(204), want: { notification: 'DELIVERED' } },
    { title: 'a 500 waits 5 s the first time',                attempt: 1, end: answered(500), want: { notification: 'PENDING', waitMs: 5000 } },
    { title: '30 s the second',                               attempt: 2, end: answered(500), want: { notification: 'PENDING', waitMs: 30_000 } },
    { title: '2 min the third',                               attempt: 3, end: answered(500), want: { notification: 'PENDING', waitMs: 120_000 } },
    { title: '10 min the fourth',                             attempt: 4, end: answered(500), want: { notification: 'PENDING', waitMs: 600_000 } },
    { title: 'the fifth failure is the last',                 attempt: 5, end: answered(500), want: { notification: 'FAILED' } },
    { title: 'a redirect is a failure like another',          attempt: 1, end: answered(302), want: { notification: 'PENDING', waitMs: 5000 } },
    { title: 'a 404 is tried again',                          attempt: 1, end: answered(404), want: { notification: 'PENDING', waitMs: 5000 } },
    { title: '410 ends it at once',                           attempt: 1, end: answered(410), want: { notification: 'FAILED' } },
    { title: 'a longer wait that is asked for is kept',       attempt: 1, end: answered(429, 45_000), want: { notification: 'PENDING', waitMs: 45_000 } },
    { title: 'a shorter one is not',                          attempt: 2, end: answered(429, 1000), want: { notification: 'PENDING', waitMs: 30_000 } },
    { title: 'one of a year is cut to an hour',               attempt: 1, end: answered(503, 31_536_000_000), want: { notification: 'PENDING', waitMs: 3_600_000 } },
    { title: 'no answer is tried again',                      attempt: 1, end: { reason: 'It took too long.' }, want: { notification: 'PENDING', waitMs: 5000, reason: 'It took too long.' } },
    { title: 'no answer to the fifth is the end',             attempt: 5, end: { reason: 'It took too long.' }, want: { notification: 'FAILED', reason: 'It took too long.' } },
  ])('$title', ({ attempt, end, want }) => {
    expect(nextStep(attempt, end, ATTEMPT_WAITS_MS, 0)).toMatchObject(want)
  })

  test('the jitter makes a wait longer by a fifth at most, never shorter', () => {
    expect(nextStep(1, answered(500), ATTEMPT_WAITS_MS, 1)).toMatchObject({ waitMs: 6000 })
  })
})
