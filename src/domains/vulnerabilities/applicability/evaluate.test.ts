import { expect, test } from 'vitest'
import type { VerdictWord } from '../vulnerabilities.model.ts'
import { toConfigurations } from './configurations.ts'
import { type EvaluationCase, evaluate, parseCases } from './evaluate.ts'
import { FROZEN_CASES, FROZEN_CVES } from './frozen-cases.ts'

const cpeMatch = [{ vulnerable: true, criteria: 'cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*', versionEndExcluding: '2.0' }]
const cves = new Map([['CVE-2031-0001', { configurations: toConfigurations([{ nodes: [{ cpeMatch }] }]), affected: [], description: '' }]])
const ask = (id: string, version: string, expected: VerdictWord): EvaluationCase => ({
  id,
  cve: 'CVE-2031-0001',
  asset: { product: 'Mail', version },
  expected,
  why: '',
})

test('counts what is right, wrongly given and wrongly left out', () => {
  const cases = [
    ask('a', '1.0', 'VULNERABLE'),
    ask('b', '1.1', 'CONDITIONAL'),
    ask('c', '1.2', 'NONE'),
    ask('d', '3.0', 'VULNERABLE'),
    ask('e', '3.0', 'NONE'),
  ]
  const { misses, ...figures } = evaluate(cases, cves)
  expect(figures).toEqual({ cases: 5, exact: 2, precision: 2 / 3, recall: 2 / 3 })
  expect(misses.map(({ id, expected, given }) => [id, expected, given])).toEqual([
    ['b', 'CONDITIONAL', 'VULNERABLE'],
    ['c', 'NONE', 'VULNERABLE'],
    ['d', 'VULNERABLE', 'NONE'],
  ])
})

test('nothing asked is nothing wrong', () =>
  expect(evaluate([], cves)).toEqual({ cases: 0, exact: 0, precision: 1, recall: 1, misses: [] }))

test('a case about an absent CVE is an error', () =>
  expect(() => evaluate([{ ...ask('a', '1', 'NONE'), cve: 'CVE-2031-9999' }], cves)).toThrow('Case a'))

test('every frozen case is answered rightly', () => {
  expect(evaluate(FROZEN_CASES, FROZEN_CVES)).toMatchObject({ cases: 23, exact: 23, precision: 1, recall: 1, misses: [] })
})

test('cases are read from a file as people write them', () => {
  const asset = { product: 'Mail', vendor: null, version: '1.0', platform: '' }
  expect(parseCases([{ id: 'x', cve: 'CVE-2031-0001', asset, expected: 'outside_platform', why: 'y' }])).toEqual([
    {
      id: 'x',
      cve: 'CVE-2031-0001',
      asset: { product: 'Mail', vendor: undefined, version: '1.0', platform: undefined },
      expected: 'OUTSIDE_PLATFORM',
      why: 'y',
    },
  ])
  expect(() => parseCases({})).toThrow('no list')
  expect(() => parseCases([{ cve: 'CVE-2031-0001', asset, expected: 'perhaps' }])).toThrow('Case 1 needs')
})
