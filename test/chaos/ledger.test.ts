import { expect, test } from 'vitest'
import { countRun, differences, type Ledger } from './ledger.ts'

const ledger: Ledger = new Map()
countRun(ledger, ['a', 'b'], 100)
countRun(ledger, ['a', 'c'], 200)
const a = { value: 'a', hits: 2, listed: true, firstSeen: 90, lastSeen: 200 }
const b = { value: 'b', hits: 1, listed: false, firstSeen: 90, lastSeen: 100 }
const c = { value: 'c', hits: 1, listed: true, firstSeen: 190, lastSeen: 200 }
const right = [a, b, c]

test.each([
  { title: 'what agrees has no difference', stored: right, want: [] },
  { title: 'a value that only a cut-off run saw counts one', stored: [...right, { ...b, value: 'x' }], want: [] },
  {
    title: 'a value that only a cut-off run saw is listed no longer',
    stored: [...right, { ...a, value: 'x', hits: 1 }],
    want: ['x was on no complete list, and counts 1 (listed)'],
  },
  { title: 'a cut-off run may have seen a value later', stored: [a, { ...b, lastSeen: 150 }, c], want: [] },
  { title: 'a lost value is named', stored: [b, c], want: ['a is lost'] },
  { title: 'a doubled value is named', stored: [...right, c], want: ['c is stored twice'] },
  { title: 'a wrong count is named', stored: [{ ...a, hits: 3 }, b, c], want: ['a counts 3 (listed) instead of 2 (listed)'] },
  {
    title: 'a first sighting after the run that listed the value is named',
    stored: [a, b, { ...c, firstSeen: 201 }],
    want: ['c was first seen 1 ms after the first run that listed it'],
  },
  {
    title: 'a last sighting before the last run that listed the value is named',
    stored: [a, { ...b, lastSeen: 99 }, c],
    want: ['b was last seen -1 ms after the last run that listed it'],
  },
  {
    title: 'a listed value that was not seen by the last run is named',
    stored: [a, b, { ...c, lastSeen: 201 }],
    want: ['c was last seen 1 ms after the last run that listed it'],
  },
])('$title', ({ stored, want }) => expect(differences(ledger, stored)).toEqual(want))
