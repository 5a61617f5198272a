import { expect, test } from 'vitest'
import { INDICATOR_TYPES } from '#domains/indicators/indicators.model.ts'
import { toPatterns } from './to-patterns.ts'

test('values, names and ranges become exclusions, each once; the rest is counted with its reason', () => {
  const { patterns, skipped } = toPatterns(
    [
      { kind: 'EXACT', entry: '198.51.100.7' },
      { kind: 'HOST', entry: 'cdn.example.com' },
      { kind: 'HOST', entry: 'cdn.example.com' },
      { kind: 'NETWORK', entry: '198.51.100.0/24' },
      { kind: 'HOST', entry: 'co.uk' },
      { kind: 'BELOW', entry: 'dyn.example.net' },
      { kind: 'SUBSTRING', entry: 'part' },
      { kind: 'PATTERN', entry: '^ns' },
    ],
    INDICATOR_TYPES,
  )
  expect(patterns).toEqual([
    { kind: 'VALUE', type: 'IPV4', value: '198.51.100.7' },
    { kind: 'DOMAIN', type: null, value: 'cdn.example.com' },
    { kind: 'NETWORK', type: null, value: '198.51.100.0/24' },
  ])
  expect(skipped.map(({ count, example }) => `${count} ${example}`)).toEqual(['1 co.uk', '1 dyn.example.net', '2 part'])
})

test('a list excludes only the kinds of IOCs that it speaks of', () => {
  const { patterns, skipped } = toPatterns(
    [
      { kind: 'EXACT', entry: '198.51.100.7' },
      { kind: 'HOST', entry: 'cdn.example.com' },
      { kind: 'NETWORK', entry: '198.51.100.0/24' },
    ],
    ['URL'],
  )
  expect(patterns).toEqual([])
  expect(skipped).toHaveLength(3)
})
