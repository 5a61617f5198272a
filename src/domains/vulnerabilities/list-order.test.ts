import { describe, expect, test } from 'vitest'
import { parseCvePlace, parseSort, SORT_KEYS, type SortFacts, toCveCursor } from './list-order.ts'

const CVE: SortFacts = {
  id: 'CVE-2031-0001',
  score: 79,
  priority: 'P1',
  cvss: 9.8,
  epss: 0.97224,
  kev: true,
  ransomware: false,
  exploit: true,
  kev_due_date: '2031-02-03',
  published: new Date('2031-01-02T03:04:05.678Z'),
  last_modified: new Date('2031-01-02T03:04:05.679Z'),
}
const NOTHING_KNOWN: SortFacts = { ...CVE, cvss: null, epss: null, kev: false, exploit: false, kev_due_date: null }

const token = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const named = (sort?: string) => parseSort(sort).map(({ key, descending }) => (descending ? `-${key}` : key))

// biome-ignore format: one case per line
test.each([
  { title: 'nothing asked for is the highest score first', sort: undefined,             want: ['-score', '-id'] },
  { title: 'an empty wish is the same',                    sort: ' , ',                 want: ['-score', '-id'] },
  { title: 'several columns each have their direction',    sort: '-kev, due,-score',    want: ['-kev', 'due', '-score', '-id'] },
  { title: 'case does not matter',                         sort: '-EPSS',               want: ['-epss', '-id'] },
  { title: 'nothing decides behind the identifier',        sort: 'priority,id,-score',  want: ['priority', 'id'] },
])('$title', ({ sort, want }) => expect(named(sort)).toEqual(want))

test.each([
  ['a column that is none', 'severity', 'severity'],
  ['two minuses', '--score', '--score'],
  ['a column twice', 'score,-score', 'twice'],
  ['five columns', 'score,cvss,epss,kev,due', 'at most 4'],
  ['a part of SQL', 'score desc; drop table cves', 'score desc'],
])('%s is refused', (_title, sort, text) => expect(() => parseSort(sort)).toThrow(text))

describe('a place', () => {
  test.each(SORT_KEYS.flatMap((key) => [`-${key}`, key]))('in the order %s comes back from its token', (sort) => {
    const order = parseSort(sort)
    for (const cve of [CVE, NOTHING_KNOWN]) {
      const place = parseCvePlace(order, toCveCursor(order, cve))
      expect(place).toHaveLength(order.length)
      expect(place.at(-1)).toBe(cve.id)
    }
  })

  test('of another order is refused', () => {
    expect(() => parseCvePlace(parseSort('score'), toCveCursor(parseSort('-score'), CVE))).toThrow('in this order')
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'nothing',                     sort: '-score',     cursor: '' },
    { title: 'no JSON',                     sort: '-score',     cursor: token('x') },
    { title: 'no list',                     sort: '-score',     cursor: token({ 0: '-score,-id' }) },
    { title: 'too few values',              sort: '-score',     cursor: token(['-score,-id', 79]) },
    { title: 'too many values',             sort: '-score',     cursor: token(['-score,-id', 79, CVE.id, 1]) },
    { title: 'a score out of range',        sort: '-score',     cursor: token(['-score,-id', 1000, CVE.id]) },
    { title: 'a score that is no number',   sort: '-score',     cursor: token(['-score,-id', '79', CVE.id]) },
    { title: 'an identifier with a quote',  sort: '-score',     cursor: token(['-score,-id', 79, "CVE-2031-0001'"]) },
    { title: 'a moment beyond time',        sort: '-published', cursor: token(['-published,-id', 1e300, CVE.id]) },
    { title: 'a probability above 1',       sort: '-epss',      cursor: token(['-epss,-id', 1.5, CVE.id]) },
    { title: 'a day that is an object',     sort: 'due',        cursor: token(['due,-id', {}, CVE.id]) },
  ])('of $title is refused', ({ sort, cursor }) => {
    expect(() => parseCvePlace(parseSort(sort), cursor)).toThrow('not one that this list gave out')
  })
})
