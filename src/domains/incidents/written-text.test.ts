import { expect, test } from 'vitest'
import { cleanLine, cleanText } from './written-text.ts'

// biome-ignore format: one case per line
test.each([
  { title: 'blanks at both ends go',               given: '  a\nb  ',     want: 'a\nb' },
  { title: 'a NUL, which no database holds',       given: 'a\0b',         want: 'a\ufffdb' },
  { title: 'half of a character',                  given: 'a\ud83d',      want: 'a\ufffd' },
])('$title', ({ given, want }) => expect(cleanText('comment', given, { max: 10 })).toBe(want))

test('a line has no line breaks', () => expect(cleanLine('title', ' a \r\n\t b ', { max: 10 })).toBe('a b'))

// biome-ignore format: one case per line
test.each([
  { title: 'nothing but blanks', given: ' \n ',   limits: { min: 1, max: 5 } },
  { title: 'too short',          given: '1234',   limits: { min: 5, max: 9 } },
  { title: 'too long',           given: '123456', limits: { max: 5 } },
])('$title is refused at its field', ({ given, limits }) => {
  expect(() => cleanText('reason', given, limits)).toThrow(expect.objectContaining({ code: 'validation_failed', fields: [expect.objectContaining({ field: 'reason' })] }))
})
