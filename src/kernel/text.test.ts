import { describe, expect, it } from 'vitest'
import { hasBlankOrControl, isAscii, stripInvisible, trimEndOf, trimOf } from './text.ts'

describe('stripInvisible', () => {
  it.each([
    ['takes blanks from both ends', '  a b \t\n', 'a b'],
    ['takes a no-break space from the end', 'a\u00a0', 'a'],
    ['removes a zero-width space inside', 'ev\u200bil', 'evil'],
    ['removes the byte order mark', '\ufeffevil', 'evil'],
    ['removes direction overrides', 'a\u202eb\u202c', 'ab'],
    ['removes soft hyphens and grapheme joiners', 'a\u00adb\u034fc', 'abc'],
    ['trims what stood behind an invisible character', '\u200b evil \u200b', 'evil'],
    ['keeps letters of other scripts', 'é常', 'é常'],
  ])('%s', (_case, text, expected) => {
    expect(stripInvisible(text)).toBe(expected)
  })
})

describe('hasBlankOrControl', () => {
  it.each([
    ['a blank', 'a b', true],
    ['a tab', 'a\tb', true],
    ['a line separator', 'a\u2028b', true],
    ['an ideographic space', 'a\u3000b', true],
    ['a NUL', 'a\u0000', true],
    ['DEL', 'a\u007f', true],
    ['a C1 control', 'a\u0085b', true],
    ['plain text', 'a/b?c=d%20', false],
    ['other scripts', 'é常', false],
  ])('%s', (_case, text, expected) => {
    expect(hasBlankOrControl(text)).toBe(expected)
  })
})

describe('isAscii', () => {
  it('is true up to 0x7f and false from 0x80', () => {
    expect([isAscii('a~\u007f'), isAscii('a\u0080'), isAscii('')]).toEqual([true, false, true])
  })
})

describe('trimOf and trimEndOf', () => {
  // biome-ignore format: one case per line
  it.each([
    { text: '..a.b..',    characters: '.',   ends: '..a.b',  both: 'a.b' },
    { text: ' \t a b\t ', characters: ' \t', ends: ' \t a b', both: 'a b' },
    { text: '\u00a0a',    characters: ' ',   ends: '\u00a0a', both: '\u00a0a' },
    { text: '...',        characters: '.',   ends: '',       both: '' },
    { text: '',           characters: '.',   ends: '',       both: '' },
  ])('"$text" without "$characters"', ({ text, characters, ends, both }) => {
    expect(trimEndOf(text, characters)).toBe(ends)
    expect(trimOf(text, characters)).toBe(both)
  })
})
