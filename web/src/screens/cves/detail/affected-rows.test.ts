import { expect, it } from 'vitest'
import { affectedRows } from './affected-rows.ts'

const match = (criteria: string, bounds: Record<string, string> = {}, vulnerable = true) => ({ vulnerable, criteria, ...bounds })
const one = (...cpeMatch: ReturnType<typeof match>[]) => [{ operator: 'OR' as const, nodes: [{ operator: 'OR' as const, cpeMatch }] }]

it.each([
  {
    title: 'bounds are said as signs',
    matches: [match('cpe:2.3:a:apache:log4j:*:*:*:*:*:*:*:*', { versionStartIncluding: '2.0.1', versionEndExcluding: '2.3.1' })],
    versions: ['≥ 2.0.1, < 2.3.1'],
  },
  {
    title: 'an open start and an inclusive end',
    matches: [match('cpe:2.3:a:apache:log4j:*:*:*:*:*:*:*:*', { versionStartExcluding: '1', versionEndIncluding: '2' })],
    versions: ['> 1, ≤ 2'],
  },
  { title: 'an exact version has its update', matches: [match('cpe:2.3:a:apache:log4j:2.0:beta9:*:*:*:*:*:*')], versions: ['2.0 beta9'] },
  { title: 'no version means all', matches: [match('cpe:2.3:a:apache:log4j:-:*:*:*:*:*:*:*')], versions: ['all versions'] },
  {
    title: 'escapes are taken away',
    matches: [match('cpe:2.3:o:apache:log4j:7.3\\(3\\)n1\\(1\\):*:*:*:*:*:*:*')],
    versions: ['7.3(3)n1(1)'],
  },
  {
    title: 'the ranges of one product stand in one row, each once',
    matches: [
      match('cpe:2.3:a:apache:log4j:1:*:*:*:*:*:*:*'),
      match('cpe:2.3:a:apache:log4j:2:*:*:*:*:*:*:*'),
      match('cpe:2.3:a:apache:log4j:1:*:*:*:*:*:*:*'),
    ],
    versions: ['1', '2'],
  },
])('$title', ({ matches, versions }) => {
  expect(affectedRows({ configurations: one(...matches), affected: [] })).toEqual([
    { id: '1 apache log4j', configuration: 1, vendor: 'apache', product: 'log4j', versions, onlyWith: [] },
  ])
})

it('names what a product must run on, and the number of the configuration', () => {
  const go = match('cpe:2.3:a:golang:go:*:*:*:*:*:*:*:*', { versionEndExcluding: '1.20.11' })
  const windows = match('cpe:2.3:o:microsoft:windows:-:*:*:*:*:*:*:*', {}, false)
  const configurations = [
    ...one(match('cpe:2.3:a:x:some_thing:1:*:*:*:*:*:*:*')),
    {
      operator: 'AND' as const,
      nodes: [
        { operator: 'OR' as const, cpeMatch: [windows] },
        { operator: 'OR' as const, cpeMatch: [go] },
      ],
    },
  ]
  expect(affectedRows({ configurations, affected: [] })).toMatchObject([
    { configuration: 1, product: 'some thing', onlyWith: [] },
    { configuration: 2, vendor: 'golang', product: 'go', versions: ['< 1.20.11'], onlyWith: ['microsoft windows'] },
  ])
})

it.each([
  { title: 'from the start', version: { version: '0', lessThan: '5.6.2' }, words: '< 5.6.2' },
  { title: 'without an end', version: { version: '5.6.0', lessThan: '*' }, words: '≥ 5.6.0' },
  { title: 'with an inclusive end', version: { version: '5.6.0', lessThanOrEqual: '5.6.1' }, words: '≥ 5.6.0, ≤ 5.6.1' },
  { title: 'exactly one', version: { version: '5.6.0' }, words: '5.6.0' },
  { title: 'all', version: { version: '0', lessThan: '*' }, words: 'all versions' },
])('the author names versions $title', ({ version, words }) => {
  const affected = [
    { vendor: 'tukaani', product: 'xz', defaultStatus: 'unaffected' as const, versions: [{ ...version, status: 'affected' as const }] },
  ]
  expect(affectedRows({ configurations: [], affected })).toMatchObject([{ configuration: undefined, product: 'xz', versions: [words] }])
})

it('versions that are safe make no row, and a default that is not says so', () => {
  const safe = { version: '2', status: 'unaffected' as const }
  const affected = (defaultStatus: 'affected' | 'unaffected') => [{ product: 'p', defaultStatus, versions: [safe] }]
  expect(affectedRows({ configurations: [], affected: affected('unaffected') })).toEqual([])
  expect(affectedRows({ configurations: [], affected: affected('affected') })[0]?.versions).toEqual(['all versions'])
})
