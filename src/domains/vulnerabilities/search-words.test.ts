import { expect, test } from 'vitest'
import { isKept, isKeptFrom, keptWords, searchWords } from './search-words.ts'

// biome-ignore format: one case per line
test.each([
  { text: 'Remote code execution (RCE).',   want: ['remote', 'code', 'execution', 'rce'] },
  { text: 'snake_case, 100% and back\\slash', want: ['snake', 'case', '100', 'and', 'back', 'slash'] },
  { text: 'Größe naïve 版本',                want: ['größe', 'naïve', '版本'] },
  { text: `a ${'x'.repeat(300)} b`,         want: ['a', 'b'] },
  { text: ' %_\\ ',                         want: [] },
])('the words of "$text"', ({ text, want }) => expect(searchWords(text)).toEqual(want))

test('a description is found by its words but the most frequent, each once', () => {
  expect(keptWords('A crafted file allows path traversal; the traversal is remote.')).toEqual(['path', 'traversal'])
})

// biome-ignore format: one case per line
test.each([
  { word: 'traversal',  kept: true,  keptFrom: true },
  { word: 'remote',     kept: false, keptFrom: false },
  { word: 'rem',        kept: true,  keptFrom: false },
  { word: 'remotely',   kept: true,  keptFrom: true },
  { word: 'a',          kept: false, keptFrom: false },
])('"$word" is looked up as a word: $kept, as the beginning of one: $keptFrom', ({ word, kept, keptFrom }) => {
  expect([isKept(word), isKeptFrom(word)]).toEqual([kept, keptFrom])
})
