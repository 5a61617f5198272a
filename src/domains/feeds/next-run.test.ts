import { expect, test } from 'vitest'
import { nextRunAt } from './next-run.ts'

const noon = (offsetSeconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, offsetSeconds))

// biome-ignore format: one case per line
test.each([
  { title: 'a feed never tried is due at once',                       last: undefined, failures: 0,  postponed: undefined,                want: undefined },
  { title: 'a healthy feed runs after its interval',                  last: noon(0),   failures: 0,  postponed: undefined,                want: noon(3600) },
  { title: 'one failure: a minute later',                             last: noon(0),   failures: 1,  postponed: undefined,                want: noon(60) },
  { title: 'twelve failures: the interval',                           last: noon(0),   failures: 12, postponed: undefined,                want: noon(3600) },
  { title: 'a provider that asks for ten minutes gets them',          last: noon(0),   failures: 1,  postponed: noon(600),                want: noon(600) },
  { title: 'a request in the past does not shorten the wait',         last: noon(0),   failures: 1,  postponed: noon(-600),               want: noon(60) },
  { title: 'a request for years is cut to one interval',              last: noon(0),   failures: 1,  postponed: noon(1e9),                want: noon(3600) },
  { title: 'an unreadable request counts as none',                    last: noon(0),   failures: 2,  postponed: new Date(Number.NaN),     want: noon(120) },
])('$title', ({ last, failures, postponed, want }) =>
  expect(nextRunAt({ lastAttemptAt: last, failures, frequencySeconds: 3600, postponedUntil: postponed })).toEqual(want))
