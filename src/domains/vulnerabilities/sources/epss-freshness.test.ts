import { expect, test } from 'vitest'
import { isEpssStale, looksLikeOtherModel } from './epss-freshness.ts'

// biome-ignore format: one case per line
test.each([
  { title: 'scores of today are fresh',               day: '2026-11-21', want: false },
  { title: 'of two days ago to the hour too',         day: '2026-11-19', want: false },
  { title: 'of three days ago they are stale',        day: '2026-11-18', want: true },
  { title: 'none at all are stale',                   day: null,         want: true },
])('$title', ({ day, want }) => expect(isEpssStale(day, new Date('2026-11-21T00:00:00Z'))).toBe(want))

// biome-ignore format: one case per line
test.each([
  { title: 'a fifth that has moved is a day like another', compared: 100, moved: 20, want: false },
  { title: 'more is another model',                        compared: 100, moved: 21, want: true },
  { title: 'a few scores say nothing',                     compared: 99,  moved: 99, want: false },
])('$title', ({ compared, moved, want }) => expect(looksLikeOtherModel({ compared, moved })).toBe(want))
