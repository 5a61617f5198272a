import { describe, expect, test } from 'vitest'
import { clockOf, flowByDay, periodStart } from './soc-clock.ts'

const HOUR = 3_600_000

describe('a promise of an hour', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'runs at its beginning',                               from: '2026-01-31T23:30:00.000Z', to: '2026-01-31T23:30:00.000Z', left: HOUR,      breached: false },
    { title: 'is kept a second before its end, across a month',     from: '2026-01-31T23:30:00.000Z', to: '2026-02-01T00:29:59.000Z', left: 1000,      breached: false },
    { title: 'is kept at its very end',                             from: '2026-01-31T23:30:00.000Z', to: '2026-02-01T00:30:00.000Z', left: 0,         breached: false },
    { title: 'is broken a millisecond later',                       from: '2026-01-31T23:30:00.000Z', to: '2026-02-01T00:30:00.001Z', left: -1,        breached: true },
    { title: 'is broken a second later, across a leap day',         from: '2028-02-28T23:59:59.000Z', to: '2028-02-29T01:00:00.000Z', left: -1000,     breached: true },
    { title: 'knows no summer time',                                from: '2026-03-29T00:30:00.000Z', to: '2026-03-29T01:30:00.000Z', left: 0,         breached: false },
    { title: 'is whole when the clock was set back meanwhile',      from: '2026-05-01T10:00:00.000Z', to: '2026-05-01T09:00:00.000Z', left: HOUR,      breached: false },
  ])('$title', ({ from, to, left, breached }) => {
    expect(clockOf({ startedAt: new Date(from), targetMs: HOUR }, new Date(to))).toEqual({ elapsed_ms: HOUR - left, remaining_ms: left, breached })
  })
})

// biome-ignore format: one case per line
test.each([
  { title: 'one day is today',                    asOf: '2026-11-21T00:00:00.000Z', days: 1,  want: '2026-11-21T00:00:00.000Z' },
  { title: 'the last millisecond belongs to it',  asOf: '2026-11-21T23:59:59.999Z', days: 1,  want: '2026-11-21T00:00:00.000Z' },
  { title: 'a period begins in the month before', asOf: '2026-03-01T12:00:00.000Z', days: 30, want: '2026-01-31T00:00:00.000Z' },
  { title: 'a leap day counts',                   asOf: '2028-03-01T12:00:00.000Z', days: 2,  want: '2028-02-29T00:00:00.000Z' },
  { title: 'a period begins in the year before',  asOf: '2027-01-01T00:00:00.000Z', days: 2,  want: '2026-12-31T00:00:00.000Z' },
])('$title', ({ asOf, days, want }) => {
  expect(periodStart(new Date(asOf), days).toISOString()).toBe(want)
})

test('every day of a period is there, and the backlog is counted back from what is open now', () => {
  const happened = [
    { day: '2026-02-28', opened: 3, closed: 1, reopened: 0 },
    { day: '2026-03-02', opened: 1, closed: 2, reopened: 1 },
  ]
  expect(flowByDay({ since: new Date('2026-02-27T00:00:00.000Z'), days: 4 }, happened, 5)).toEqual([
    { day: '2026-02-27', opened: 0, closed: 0, reopened: 0, backlog: 3 },
    { day: '2026-02-28', opened: 3, closed: 1, reopened: 0, backlog: 5 },
    { day: '2026-03-01', opened: 0, closed: 0, reopened: 0, backlog: 5 },
    { day: '2026-03-02', opened: 1, closed: 2, reopened: 1, backlog: 5 },
  ])
})
