import { expect, it } from 'vitest'
import { readQuery } from './palette-query.ts'

it.each([
  ['nothing typed is an empty filter', '  ', { kind: 'words', words: '' }],
  ['an identifier of a CVE leads to it', ' cve-2021-44228 ', { kind: 'cve', id: 'CVE-2021-44228' }],
  ['a word filters places and actions', 'sourc', { kind: 'words', words: 'sourc' }],
  ['two words stay words', 'log out', { kind: 'words', words: 'log out' }],
  ['a defanged value is looked up as it was pasted', ' evil[.]example ', { kind: 'value', value: 'evil[.]example', type: 'DOMAIN' }],
  ['blanks inside defanging do not part a value', 'evil [.] example', { kind: 'value', value: 'evil [.] example', type: 'DOMAIN' }],
  ['lines are values, each once', 'a.example\nb.example\r\na.example\n', { kind: 'values', values: ['a.example', 'b.example'] }],
  ['a line that is not recognised is looked up too', 'a.example\nnonsense', { kind: 'values', values: ['a.example', 'nonsense'] }],
  [
    'values with blanks or commas between them',
    'a.example, 198.51.100.7 b.example',
    { kind: 'values', values: ['a.example', '198.51.100.7', 'b.example'] },
  ],
])('%s', (_case, text, expected) => {
  expect(readQuery(text)).toEqual(expected)
})
