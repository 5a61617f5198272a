import { describe, expect, it } from 'vitest'
import { foldDays } from './fold-days.ts'

const days = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    day: new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
    ...{ opened: 2, closed: 1, reopened: n === 0 ? 1 : 0, backlog: n },
  }))

describe('foldDays', () => {
  it('shows a quarter day by day', () => {
    const bars = foldDays(days(92))
    expect(bars).toHaveLength(92)
    expect(bars[0]).toEqual({ from: '2026-01-01', to: '2026-01-01', opened: 2, closed: 1, reopened: 1, backlog: 0 })
  })

  it('shows more as weeks that end with the last day, and loses nothing', () => {
    const bars = foldDays(days(93))
    expect(bars).toHaveLength(14)
    expect(bars[0]).toEqual({ from: '2026-01-01', to: '2026-01-02', opened: 4, closed: 2, reopened: 1, backlog: 1 })
    expect(bars.at(-1)).toEqual({ from: '2026-03-28', to: '2026-04-03', opened: 14, closed: 7, reopened: 0, backlog: 92 })
    expect(bars.reduce((sum, { opened }) => sum + opened, 0)).toBe(186)
  })

  it('shows nothing of no days', () => expect(foldDays([])).toEqual([]))
})
