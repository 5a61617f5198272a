import { describe, expect, it } from 'vitest'
import { daysOf, parseSocSearch } from './soc.search.ts'

describe('parseSocSearch', () => {
  it.each([
    ['nothing is the month', {}, {}, 30],
    ['a month that is said leaves the address', { days: '30' }, {}, 30],
    ['a week', { days: '7' }, { days: 7 }, 7],
    ['too many days', { days: '731' }, {}, 30],
    ['no days', { days: '0' }, {}, 30],
    ['half a day', { days: '1.5' }, {}, 30],
    ['words', { days: 'all', clocks: 'some', flow: 'graph' }, {}, 30],
    ['everything', { days: '365', clocks: 'all', flow: 'table', page: '2' }, { days: 365, clocks: 'all', flow: 'table' }, 365],
  ])('%s', (_title, raw, search, days) => {
    expect(parseSocSearch(raw)).toEqual(search)
    expect(daysOf(parseSocSearch(raw))).toBe(days)
  })
})
