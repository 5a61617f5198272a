import { describe, expect, it } from 'vitest'
import { reachOf, shareOf } from './bullet-scale.ts'

const bullet = (median_ms: number | null, p90_ms: number | null, target_ms = 100) => ({ median_ms, p90_ms, target_ms })

describe('reachOf', () => {
  it.each([
    ['nothing', [], 1.5],
    ['no figures', [bullet(null, null)], 1.5],
    ['all in time', [bullet(10, 90)], 1.5],
    ['twice as long', [bullet(10, 200), bullet(1, 2)], 2.1],
    ['a month late', [bullet(10, 100_000)], 3],
  ])('%s', (_title, bullets, reach) => expect(reachOf(bullets)).toBeCloseTo(reach))
})

describe('shareOf', () => {
  it.each([
    ['the target itself', 100, { share: 0.5, isCut: false }],
    ['the whole width', 200, { share: 1, isCut: false }],
    ['more than the width', 201, { share: 1, isCut: true }],
    ['nothing', 0, { share: 0, isCut: false }],
  ])('%s', (_title, ms, expected) => expect(shareOf(ms, { target_ms: 100 }, 2)).toEqual(expected))
})
