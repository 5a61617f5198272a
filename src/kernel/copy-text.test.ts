import { expect, test } from 'vitest'
import { escapeCopyText } from './copy-text.ts'

// biome-ignore format: one case per line
test.each([
  { text: 'plain',          want: 'plain' },
  { text: 'a\\b',           want: 'a\\\\b' },
  { text: 'a\tb\nc\rd',     want: 'a\\tb\\nc\\rd' },
  { text: '\\n',            want: '\\\\n' },
  { text: '\\\n',           want: '\\\\\\n' },
  { text: '\\.',            want: '\\\\.' },
])('$text becomes $want', ({ text, want }) => expect(escapeCopyText(text)).toBe(want))
