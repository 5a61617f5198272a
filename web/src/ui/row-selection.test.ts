import { expect, it } from 'vitest'
import { rangeOf, toggled } from './row-selection.ts'

const IDS = ['a', 'b', 'c', 'd']

it('takes a range in list order, whichever end was first', () => {
  expect(rangeOf(IDS, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(IDS, 'b', 'd')).toEqual(['b', 'c', 'd'])
})
it('takes only the row when the range began on another page', () => {
  expect(rangeOf(IDS, 'z', 'b')).toEqual(['b'])
  expect(rangeOf(IDS, undefined, 'b')).toEqual(['b'])
})
it('puts a row in and takes it out, and leaves the given set alone', () => {
  const before = new Set(['a'])
  expect([...toggled(before, 'b')]).toEqual(['a', 'b'])
  expect([...toggled(before, 'a')]).toEqual([])
  expect([...before]).toEqual(['a'])
})
