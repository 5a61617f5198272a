import { describe, expect, test } from 'vitest'
import { justBefore, laterOf, tryParseTimestamp } from './taxii-timestamp.ts'

describe('a TAXII timestamp', () => {
  test.each([
    ['1970-01-01T00:00:01Z', 1_000_000_000n],
    ['1970-01-01T00:00:00.5Z', 500_000_000n],
    ['1970-01-01T00:00:00.000001Z', 1000n],
    [' 1970-01-01T00:00:00.000000001Z ', 1n],
    ['2026-11-01T08:00:00.123456Z', 1_793_520_000_123_456_000n],
  ])('%s is read in nanoseconds', (text, want) => expect(tryParseTimestamp(text)).toBe(want))

  test.each([
    undefined,
    '',
    'yesterday',
    '2026-11-01',
    '2026-11-01T08:00:00+00:00',
    '2026-13-01T08:00:00Z',
    '2026-11-01T08:00:00.1234567890Z',
  ])('%j is none', (text) => expect(tryParseTimestamp(text)).toBeUndefined())

  test.each([
    ['2026-11-01T08:00:00.123456Z', '2026-11-01T08:00:00.123455Z'],
    ['2026-11-01T08:00:00.000Z', '2026-11-01T07:59:59.999Z'],
    ['2026-11-01T00:00:00Z', '2026-10-31T23:59:59Z'],
    ['2026-11-01T08:00:00.1Z', '2026-11-01T08:00:00.0Z'],
  ])('just before %s is %s', (text, want) => expect(justBefore(text)).toBe(want))

  test.each([
    { first: undefined, second: undefined, want: undefined },
    { first: 'rubbish', second: '2026-11-01T08:00:00Z', want: '2026-11-01T08:00:00Z' },
    { first: '2026-11-01T08:00:00Z', second: 'rubbish', want: '2026-11-01T08:00:00Z' },
    { first: '2026-11-01T08:00:00.9Z', second: '2026-11-01T08:00:00.10Z', want: '2026-11-01T08:00:00.9Z' },
    { first: '2026-11-01T08:00:00Z', second: '2026-11-01T08:00:00.000001Z', want: '2026-11-01T08:00:00.000001Z' },
  ])('the later of $first and $second is $want', ({ first, second, want }) => expect(laterOf(first, second)).toBe(want))
})
