import { describe, expect, test } from 'vitest'
import { MS_PER_DAY } from '#kernel/clock.ts'
import { checkpointOf, nextIndex, nextWindow, roundBegin } from './nvd-window.ts'

const at = (text: string) => new Date(`2026-${text}Z`)
const NOW = at('11-21T08:00:00')

test('a year and 10 hours are four windows without a gap, none longer than 120 days, up to now', () => {
  let from = roundBegin(new Date(NOW.getTime() - 365 * MS_PER_DAY), NOW, 120)
  expect(NOW.getTime() - from.getTime()).toBe(365 * MS_PER_DAY + 36_000_000)
  const windows = []
  for (let window = nextWindow(from, NOW); window !== undefined; window = nextWindow(from, NOW)) {
    expect(window.from).toEqual(from)
    expect(window.to.getTime() - window.from.getTime()).toBeLessThanOrEqual(120 * MS_PER_DAY)
    windows.push(window)
    from = window.to
  }
  expect(windows).toHaveLength(4)
  expect(from).toEqual(NOW)
})

test('the first round looks back as far as it is told', () => {
  expect(roundBegin(null, NOW, 2)).toEqual(at('11-19T08:00:00'))
})

describe('the next page', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'follows the one before',                       page: { index: 0, count: 40, total: 100 },   before: undefined, want: 40 },
    { title: 'of a server that gives less than it was asked', page: { index: 40, count: 7, total: 100 },  before: 100,       want: 47 },
    { title: 'there is none at the end',                     page: { index: 80, count: 20, total: 100 },  before: 100,       want: undefined },
    { title: 'an empty page is the end',                     page: { index: 40, count: 0, total: 100 },   before: 100,       want: undefined },
    { title: 'goes back by as many as have left',            page: { index: 40, count: 40, total: 93 },   before: 100,       want: 33 },
    { title: 'goes back from the end too',                   page: { index: 80, count: 13, total: 93 },   before: 100,       want: 73 },
    { title: 'never before the first',                       page: { index: 40, count: 0, total: 20 },    before: 100,       want: 0 },
    { title: 'there is none when all have left',             page: { index: 40, count: 0, total: 0 },     before: 100,       want: undefined },
    { title: 'a total that grows is followed',               page: { index: 80, count: 20, total: 120 },  before: 100,       want: 100 },
  ])('$title', ({ page, before, want }) => expect(nextIndex(page, before)).toBe(want))
})

test('everything is stored up to the server clock of the first page, but not beyond the window', () => {
  const window = { from: at('11-01T00:00:00'), to: at('11-20T00:00:00') }
  expect(checkpointOf(window, at('11-19T23:59:00'))).toEqual(at('11-19T23:59:00'))
  expect(checkpointOf(window, at('11-21T00:00:00'))).toEqual(window.to)
  expect(checkpointOf(window, undefined)).toEqual(window.to)
})
