import { expect, test } from 'vitest'
import { countRun, differences, type Ledger } from './ledger.ts'

const ledger: Ledger = new Map()
countRun(ledger, ['a', 'b'])
countRun(ledger, ['a', 'c'])
const right = [
  { value: 'a', hits: 2, listed: true },
  { value: 'b', hits: 1, listed: false },
  { value: 'c', hits: 1, listed: true },
]

test.each([
  { title: 'what agrees has no difference', stored: right, want: [] },
  { title: 'a value that only a cut-off run saw counts one', stored: [...right, { value: 'x', hits: 1, listed: false }], want: [] },
  { title: 'a lost value is named', stored: right.slice(1), want: ['a is lost'] },
  { title: 'a doubled value is named', stored: [...right, { value: 'c', hits: 1, listed: true }], want: ['c is stored twice'] },
  {
    title: 'a wrong count is named',
    stored: [{ value: 'a', hits: 3, listed: true }, ...right.slice(1)],
    want: ['a counts 3, listed, instead of 2, listed'],
  },
])('$title', ({ stored, want }) => expect(differences(ledger, stored)).toEqual(want))
