import { expect, test } from 'vitest'
import { searchWords } from './search-words.ts'

// biome-ignore format: one case per line
test.each([
  { text: 'Remote code execution (RCE).',   want: ['remote', 'code', 'execution', 'rce'] },
  { text: 'snake_case, 100% and back\\slash', want: ['snake', 'case', '100', 'and', 'back', 'slash'] },
  { text: 'Größe naïve 版本',                want: ['größe', 'naïve', '版本'] },
  { text: `a ${'x'.repeat(300)} b`,         want: ['a', 'b'] },
  { text: ' %_\\ ',                         want: [] },
])('the words of "$text"', ({ text, want }) => expect(searchWords(text)).toEqual(want))
