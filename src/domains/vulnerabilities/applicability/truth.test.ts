import { expect, test } from 'vitest'
import { allOf, anyOf, not, type Truth } from './truth.ts'

// biome-ignore format: one case per line
test.each([
  { a: 'T', b: 'T', both: 'T', either: 'T' },
  { a: 'T', b: 'U', both: 'U', either: 'T' },
  { a: 'T', b: 'F', both: 'F', either: 'T' },
  { a: 'U', b: 'U', both: 'U', either: 'U' },
  { a: 'U', b: 'F', both: 'F', either: 'U' },
  { a: 'F', b: 'F', both: 'F', either: 'F' },
] satisfies { a: Truth; b: Truth; both: Truth; either: Truth }[])('$a and $b is $both, $a or $b is $either', ({ a, b, both, either }) => {
  expect(allOf([a, b])).toBe(both)
  expect(allOf([b, a])).toBe(both)
  expect(anyOf([a, b])).toBe(either)
  expect(anyOf([b, a])).toBe(either)
})

test('a turned unknown is unknown', () => expect((['T', 'U', 'F'] as const).map(not)).toEqual(['F', 'U', 'T']))
test('all of nothing holds, any of nothing does not', () => expect([allOf([]), anyOf([])]).toEqual(['T', 'F']))
