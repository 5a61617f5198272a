import { describe, expect, test } from 'vitest'
import {
  type CvesSearch,
  countFurther,
  isFiltered,
  NO_FILTERS,
  parseCvesSearch,
  sortsOf,
  toCveQuery,
  VIEWS,
  withoutSort,
  withSort,
} from './cves.search.ts'

const NOON_MS = Date.UTC(2031, 0, 10, 12)

// biome-ignore format: one case per line
test.each<{ title: string; search: CvesSearch; want: object }>([
  { title: 'nothing set asks for nothing',             search: {},                          want: {} },
  { title: 'shares become probabilities',              search: { epss: '10' },              want: { min_epss: 0.1 } },
  { title: 'ransomware is a condition of its own',     search: { kev: 'ransomware' },       want: { ransomware: true } },
  { title: 'days count back from today, in UTC',       search: { modified: '7' },           want: { modified_since: '2031-01-03' } },
  { title: 'a due day within a week begins today',     search: { due: '7' },                want: { due_from: '2031-01-10', due_to: '2031-01-17' } },
  { title: 'overdue ends yesterday',                   search: { due: 'over' },             want: { due_to: '2031-01-09' } },
  { title: 'words are joined',                         search: { status: ['Analyzed', 'Deferred'], sort: ['-kev', 'due'] }, want: { status: 'Analyzed,Deferred', sort: '-kev,due' } },
])('$title', ({ search, want }) => expect(toCveQuery(search, NOON_MS)).toEqual(want))

test('every view is read back from its address as it is', () => {
  for (const { search } of VIEWS) expect(parseCvesSearch(search)).toEqual(search)
})

test('clearing the filters leaves none, and keeps the order', () => {
  const search = parseCvesSearch({ q: 'x', priority: 'P0', kev: 'no', product: 'mail', due: 'over', alert: 'any', sort: 'cvss' })
  expect(isFiltered(search)).toBe(true)
  expect(countFurther(search)).toBe(3)
  const cleared = { ...search, ...NO_FILTERS }
  expect(isFiltered(cleared)).toBe(false)
  expect(cleared.sort).toEqual(['cvss'])
})

describe('the order', () => {
  test('of an address loses what is no column, what is there twice, and what is too much', () => {
    expect(parseCvesSearch({ sort: '-kev,x,kev,due,constructor,-epss,cvss,id' }).sort).toEqual(['-kev', 'due', '-epss', 'cvss'])
    expect(parseCvesSearch({ sort: 'x' }).sort).toBeUndefined()
  })

  test('is the highest score first, which is not written', () => {
    expect(sortsOf({})).toEqual([{ column: 'score', direction: 'desc' }])
    expect(withSort({ sort: ['cvss'] }, { column: 'score', direction: 'desc' }, false)).toBeUndefined()
  })

  test('changes by one column, alone or beside the others', () => {
    const search: CvesSearch = { sort: ['-kev', 'due'] }
    expect(withSort(search, { column: 'epss', direction: 'desc' }, false)).toEqual(['-epss'])
    expect(withSort(search, { column: 'epss', direction: 'desc' }, true)).toEqual(['-kev', 'due', '-epss'])
    expect(withSort(search, { column: 'kev', direction: 'asc' }, true)).toEqual(['kev', 'due'])
    expect(withoutSort(search, 'kev')).toEqual(['due'])
    expect(withoutSort({ sort: ['due'] }, 'due')).toBeUndefined()
  })
})
