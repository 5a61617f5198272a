import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { isDue, jitterMs, nextRunAt } from './next-run.ts'

const HOUR_MS = 3_600_000
/** Ends in zeros, so that nothing is added to its interval. */
const UNSPREAD = '00000000-0000-7000-8000-000000000000'
/** Half of the random digits' range: half of the largest jitter. */
const HALF_SPREAD = '00000000-0000-7000-8000-000080000000'
const noon = (offsetSeconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, offsetSeconds))

// biome-ignore format: one case per line
test.each([
  { title: 'a feed never tried is due at once',                         last: null,    failures: 0,  postponed: null,                     want: undefined },
  { title: 'a healthy feed runs after its interval',                    last: noon(0), failures: 0,  postponed: null,                     want: noon(3600) },
  { title: 'a healthy feed runs a little later, always by the same',    last: noon(0), failures: 0,  postponed: null, id: HALF_SPREAD,    want: noon(3630) },
  { title: 'one failure: a minute later',                               last: noon(0), failures: 1,  postponed: null,                     want: noon(60) },
  { title: 'the wait after a failure is exact for every feed',          last: noon(0), failures: 1,  postponed: null, id: HALF_SPREAD,    want: noon(60) },
  { title: 'twelve failures: the interval',                             last: noon(0), failures: 12, postponed: null,                     want: noon(3600) },
  { title: 'a provider that asks for ten minutes gets them',            last: noon(0), failures: 1,  postponed: noon(600),                want: noon(600) },
  { title: 'a request in the past does not shorten the wait',           last: noon(0), failures: 1,  postponed: noon(-600),               want: noon(60) },
  { title: 'a request for years is cut to one interval',                last: noon(0), failures: 1,  postponed: noon(1e9),                want: noon(3600) },
  { title: 'an unreadable request counts as none',                      last: noon(0), failures: 2,  postponed: new Date(Number.NaN),     want: noon(120) },
])('$title', ({ last, failures, postponed, want, id = UNSPREAD }) =>
  expect(nextRunAt({ feed_id: id, created_at: noon(-60), last_attempt: last, consecutive_failures: failures, frequency: 3600, postponed_until: postponed })).toEqual(want))

// biome-ignore format: one case per line
test.each([
  { title: 'at the second it is due',              at: noon(3600), active: true,  last: noon(0), want: true },
  { title: 'not a second earlier',                 at: noon(3599), active: true,  last: noon(0), want: false },
  { title: 'at once when it was never tried',      at: noon(0),    active: true,  last: null,    want: true },
  { title: 'never while it is switched off',       at: noon(9999), active: false, last: null,    want: false },
])('a feed is due $title', ({ at, active, last, want }) =>
  expect(isDue({ feed_id: UNSPREAD, created_at: noon(-60), is_active: active, last_attempt: last, consecutive_failures: 0, frequency: 3600, postponed_until: null }, at)).toBe(want))

describe('the jitter', () => {
  test.each([
    { title: 'below a minute on an hourly feed', intervalMs: HOUR_MS, below: 60_000 },
    { title: 'below a minute on a weekly feed', intervalMs: 168 * HOUR_MS, below: 60_000 },
    { title: 'below a twentieth of five minutes', intervalMs: 300_000, below: 15_000 },
  ])('stays $title', ({ intervalMs, below }) => {
    for (const id of [UNSPREAD, 'ffffffff-ffff-7fff-bfff-ffffffffffff']) {
      expect(jitterMs(id, intervalMs)).toBeGreaterThanOrEqual(0)
      expect(jitterMs(id, intervalMs)).toBeLessThan(below)
    }
  })

  test('spreads a thousand hourly feeds over the minute: none of its seconds gets more than a twentieth of them', () => {
    const perSecond = new Map<number, number>()
    for (let made = 0; made < 1000; made++) {
      const second = Math.floor(jitterMs(newId(), HOUR_MS) / 1000)
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
    }
    expect(perSecond.size).toBeGreaterThan(50)
    expect(Math.max(...perSecond.values())).toBeLessThan(50)
  })
})
