import { describe, expect, it } from 'vitest'
import { keepPlaces } from './row-places.ts'

const place = (before: string, fresh: string, existing = before + fresh) => keepPlaces([...before], [...fresh], new Set(existing)).join('')

describe('keepPlaces', () => {
  it.each([
    { before: 'abc', fresh: 'abc', after: 'abc', says: 'leaves what is in order' },
    { before: 'abc', fresh: 'cba', after: 'abc', says: 'keeps rows that would sort elsewhere' },
    { before: 'abc', fresh: 'ac', after: 'abc', says: 'keeps a row that no longer passes the filter' },
    { before: 'abc', fresh: 'abxc', after: 'abxc', says: 'puts a new row behind the one that it follows' },
    { before: 'abc', fresh: 'xyabc', after: 'xyabc', says: 'puts new rows first when they sort first' },
    { before: 'abc', fresh: 'cxba', after: 'abcx', says: 'finds the row that it follows where that stands' },
    { before: '', fresh: 'ab', after: 'ab', says: 'begins with the fresh order' },
  ])('$says', ({ before, fresh, after }) => {
    expect(place(before, fresh)).toBe(after)
  })

  it('drops a row that is gone', () => {
    expect(place('abc', 'ac', 'ac')).toBe('ac')
  })
})
