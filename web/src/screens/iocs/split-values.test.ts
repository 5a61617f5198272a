import { expect, it } from 'vitest'
import { splitValues } from './split-values.ts'

it.each([
  ['nothing but blanks holds no value', ' \n\t\r\n', []],
  ['one value a line, with the number of its line', 'a.example\n\n b.example \r\nc.example', ['1 a.example', '3 b.example', '4 c.example']],
  ['commas and semicolons part the values of a line', 'a.example, b.example;c.example,', ['1 a.example', '1 b.example', '1 c.example']],
  ['a bad piece does not hide its neighbours', 'a.example, nonsense', ['1 a.example', '1 nonsense']],
  ['a comma inside a URL stays', 'hxxps://a.example/x,y?z=1,2', ['1 hxxps://a.example/x,y?z=1,2']],
  [
    'URLs with a comma between them are two values',
    'https://a.example/x, https://b.example/y',
    ['1 https://a.example/x', '1 https://b.example/y'],
  ],
])('%s', (_case, text, expected) => {
  expect(splitValues(text).map(({ value, line }) => `${line} ${value}`)).toEqual(expected)
})
