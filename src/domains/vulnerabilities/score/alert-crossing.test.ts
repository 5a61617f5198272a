import { expect, test } from 'vitest'
import { type AlertState, crossThreshold } from './alert-crossing.ts'

const ARMED: AlertState = { armed: true, open: false }
const TOLD: AlertState = { armed: false, open: false }
const OPEN: AlertState = { armed: true, open: true }

// biome-ignore format: one case per line
test.each([
  { title: 'a crossing raises an alert, once',                      state: ARMED, before: 69,        after: 70, isBaseline: false, want: { raise: true,  armed: false } },
  { title: 'a new CVE above the threshold crosses it',              state: ARMED, before: undefined, after: 90, isBaseline: false, want: { raise: true,  armed: false } },
  { title: 'a new CVE below it does not',                           state: ARMED, before: undefined, after: 69, isBaseline: false, want: { raise: false, armed: true } },
  { title: 'a score that stays above crosses nothing',              state: TOLD,  before: 75,        after: 99, isBaseline: false, want: { raise: false, armed: false } },
  { title: 'a score that falls crosses nothing',                    state: TOLD,  before: 75,        after: 69, isBaseline: false, want: { raise: false, armed: false } },
  { title: 'crossing again after a small fall is not told again',   state: TOLD,  before: 69,        after: 71, isBaseline: false, want: { raise: false, armed: false } },
  { title: 'five points below is not far enough',                   state: TOLD,  before: 75,        after: 65, isBaseline: false, want: { raise: false, armed: false } },
  { title: 'six points below arms again',                           state: TOLD,  before: 75,        after: 64, isBaseline: false, want: { raise: false, armed: true } },
  { title: 'a base line tells nobody, and disarms',                 state: ARMED, before: 10,        after: 90, isBaseline: true,  want: { raise: false, armed: false } },
  { title: 'a base line arms what it finds far below',              state: TOLD,  before: 90,        after: 10, isBaseline: true,  want: { raise: false, armed: true } },
  { title: 'an open alert is not doubled',                          state: OPEN,  before: 10,        after: 90, isBaseline: false, want: { raise: false, armed: false } },
])('$title', ({ state, before, after, isBaseline, want }) => {
  expect(crossThreshold(state, { before, after, threshold: 70, isBaseline })).toEqual(want)
})

test('a score that rises, falls and rises again is told at its crossings after a real fall', () => {
  const scores = [50, 72, 68, 74, 66, 71, 60, 70, 69, 80]
  let state = ARMED
  let before: number | undefined
  const told: number[] = []
  for (const after of scores) {
    const { raise, armed } = crossThreshold(state, { before, after, threshold: 70, isBaseline: false })
    if (raise) told.push(after)
    state = { armed, open: false }
    before = after
  }
  expect(told).toEqual([72, 70])
})
