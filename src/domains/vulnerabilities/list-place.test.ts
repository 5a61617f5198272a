import { expect, test } from 'vitest'
import { parseCvePlace, toCveCursor } from './list-place.ts'

test('a place comes back from its token', () => {
  const place = { score: 79, id: 'CVE-2031-0001' }
  expect(parseCvePlace(toCveCursor(place))).toEqual(place)
})

test.each(['', 'x', toCveCursor({ score: 1000, id: 'CVE-2031-0001' }), toCveCursor({ score: 7, id: "CVE-2031-0001'" })])(
  'the token "%s" is refused',
  (cursor) => {
    expect(() => parseCvePlace(cursor)).toThrow('not one that this list gave out')
  },
)
