import { describe, expect, it } from 'vitest'
import { absoluteTime, fullTime, relativeTime } from './time-format.ts'

const NOON = Date.parse('2026-11-20T12:00:00.000Z')
const MINUTE = 60_000

describe('relativeTime', () => {
  it.each([
    { offsetMs: -20_000, text: 'now', why: 'seconds are not counted' },
    { offsetMs: 20_000, text: 'now', why: 'a clock that runs a little ahead gives no future' },
    { offsetMs: -5 * MINUTE, text: '5m ago', why: 'minutes' },
    { offsetMs: -119 * MINUTE, text: '1h ago', why: 'whole hours, not rounded up' },
    { offsetMs: 8 * MINUTE, text: 'in 8m', why: 'times to come' },
    { offsetMs: -40 * 24 * 60 * MINUTE, text: '1mo ago', why: 'months' },
  ])('$why', ({ offsetMs, text }) => {
    expect(relativeTime(NOON + offsetMs, NOON)).toBe(text)
  })
})

it('writes the zone after the time', () => {
  expect(absoluteTime(NOON, 'UTC')).toBe('20 Nov 2026, 12:00 UTC')
})
it('writes midnight as 00, not 24', () => {
  expect(absoluteTime(Date.parse('2026-11-20T00:00:00Z'), 'UTC')).toBe('20 Nov 2026, 00:00 UTC')
})
it('gives both readings with seconds', () => {
  expect(fullTime(NOON).split('\n')[0]).toBe('20 Nov 2026, 12:00:00 UTC')
  expect(fullTime(NOON).split('\n')).toHaveLength(2)
})
