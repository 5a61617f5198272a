import { describe, expect, it } from 'vitest'
import { nextRowIndex } from './row-move.ts'

describe('nextRowIndex', () => {
  it.each([
    { key: 'j', from: 0, letters: true, to: 1, why: 'j goes down' },
    { key: 'k', from: 0, letters: true, to: 0, why: 'k stays at the first row' },
    { key: 'ArrowDown', from: 49, letters: true, to: 49, why: 'the last row is the end' },
    { key: 'j', from: 0, letters: false, to: undefined, why: 'letters do nothing when they are switched off' },
    { key: 'ArrowDown', from: 0, letters: false, to: 1, why: 'arrows work without letters' },
    { key: 'PageUp', from: 5, letters: true, to: 0, why: 'a page up ends at the first row' },
    { key: 'End', from: 5, letters: true, to: 49, why: 'End goes to the last row' },
    { key: 'q', from: 5, letters: true, to: undefined, why: 'other keys do not move' },
    { key: 'toString', from: 5, letters: true, to: undefined, why: 'a name of every object is not a key' },
  ])('$why', ({ key, from, letters, to }) => {
    expect(nextRowIndex(key, from, 50, letters)).toBe(to)
  })
  it('does not move in an empty list', () => {
    expect(nextRowIndex('j', 0, 0, true)).toBeUndefined()
  })
})
