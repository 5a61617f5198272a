import { describe, expect, it } from 'vitest'
import type { FeedQuality } from '../../api/quality.ts'
import { parseQualitySearch, qualitySortOf, qualitySortParam, sortQuality } from './quality.search.ts'
import { percent, qualityText } from './quality.text.ts'

function row(name: string, change: Partial<FeedQuality> = {}): FeedQuality {
  return {
    feed_id: name,
    name,
    held: 10,
    unique_count: 5,
    unique_share: 0.5,
    compared_count: 0,
    first_count: 0,
    first_share: null,
    lead_seconds: null,
    row_count: 10,
    rejected_count: 0,
    reject_share: 0,
    run_count: 1,
    churn_share: null,
    warned_count: 0,
    warned_share: 0,
    ...change,
  }
}

const ROWS = [row('c', { held: 5, lead_seconds: -60 }), row('b', { held: 30 }), row('A', { held: 30, lead_seconds: 600 })]
const order = (sort: string | undefined) =>
  sortQuality(ROWS, qualitySortOf(parseQualitySearch({ sort })))
    .map(({ name }) => name)
    .join('')

describe('the order of the report', () => {
  it.each<[string | undefined, string, string]>([
    [undefined, 'Abc', 'has the largest first, equal ones by name'],
    ['held', 'cAb', 'turns round'],
    ['name', 'Abc', 'goes by name, ignoring case'],
    ['-lead', 'Acb', 'puts what could not be measured last'],
    ['lead', 'cAb', 'puts it last the other way round as well'],
    ['size', 'Abc', 'drops a word that nobody knows'],
  ])('%s: %s, so it %s', (sort, names, _says) => {
    expect(order(sort)).toBe(names)
  })
  it('is not written while it is the usual one', () => {
    expect(qualitySortParam({ column: 'held', direction: 'desc' })).toBeUndefined()
    expect(qualitySortParam({ column: 'held', direction: 'asc' })).toBe('held')
    expect(qualitySortParam({ column: 'nothing', direction: 'asc' })).toBeUndefined()
  })
})

describe('percent', () => {
  it.each([
    [0, '0%'],
    [0.0001, '<0.1%'],
    [0.001, '0.1%'],
    [0.1234, '12.3%'],
    [1, '100%'],
  ])('writes %d as %s', (share, words) => {
    expect(percent(share)).toBe(words)
  })
})

describe('the lead in words', () => {
  it.each([
    [0, 'at the same time'],
    [90, '2 min earlier'],
    [-7200, '2 h later'],
    [200_000, '2 days earlier'],
    [20, '20 s earlier'],
  ])('writes %d s as "%s"', (seconds, words) => {
    expect(qualityText.lead(seconds)).toBe(words)
  })
})
