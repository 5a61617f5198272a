import { expect, test } from 'vitest'
import { toConfigurations, vulnerableProducts } from './configurations.ts'

const MAIL = 'cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*'
const WINDOWS = 'cpe:2.3:o:microsoft:windows:-:*:*:*:*:*:*:*'

test('keeps operators, negations and bounds, and drops everything else', () => {
  const raw = [
    {
      operator: 'AND',
      negate: false,
      note: 'dropped',
      nodes: [
        {
          operator: 'OR',
          negate: true,
          cpeMatch: [{ vulnerable: true, criteria: MAIL, versionEndExcluding: '2.0', matchCriteriaId: 'dropped' }],
        },
        { cpeMatch: [{ vulnerable: false, criteria: WINDOWS }] },
      ],
    },
  ]
  expect(toConfigurations(raw)).toEqual([
    {
      operator: 'AND',
      nodes: [
        { operator: 'OR', negate: true, cpeMatch: [{ vulnerable: true, criteria: MAIL, versionEndExcluding: '2.0' }] },
        { operator: 'OR', cpeMatch: [{ vulnerable: false, criteria: WINDOWS }] },
      ],
    },
  ])
})

test('what is not of the shape is left out', () => {
  const match = { vulnerable: 'yes', criteria: MAIL, versionEndExcluding: 7, versionStartIncluding: '' }
  const nodes = [null, 'x', { cpeMatch: [match, { criteria: 'nonsense' }, { vulnerable: true }] }, { cpeMatch: 'x' }]
  expect(toConfigurations([{ operator: 'XOR', nodes }, { nodes: [] }, [], 7])).toEqual([
    { operator: 'OR', nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: false, criteria: MAIL }] }] },
  ])
  expect([undefined, null, 'x', {}].map(toConfigurations)).toEqual([[], [], [], []])
})

test('names each vulnerable product once, and none that it runs on', () => {
  const cpeMatch = [
    { vulnerable: true, criteria: MAIL, versionEndExcluding: '1' },
    { vulnerable: true, criteria: MAIL, versionEndExcluding: '2' },
    { vulnerable: false, criteria: WINDOWS },
  ]
  expect([...vulnerableProducts(toConfigurations([{ nodes: [{ cpeMatch }] }]))]).toEqual(['acme:mail'])
})
