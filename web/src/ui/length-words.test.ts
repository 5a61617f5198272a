import { describe, expect, it } from 'vitest'
import { dueWords, lengthWords } from './length-words.ts'

describe('lengthWords', () => {
  it.each([
    [0, '0 min'],
    [59_999, '0 min'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [3_660_000, '1 h 1 min'],
    [86_400_000, '1 d'],
    [97_200_000, '1 d 3 h'],
  ])('%d ms is %s', (ms, words) => expect(lengthWords(ms)).toBe(words))
})

describe('dueWords', () => {
  const due = 3_600_000
  it.each([
    ['runs', 1_800_000, { state: 'running', text: '30 min left' }],
    ['is in time at the moment itself', due, { state: 'running', text: '0 min left' }],
    ['is late right after it', due + 1, { state: 'late', text: 'late by 0 min' }],
    ['is late for long', due + 97_200_000, { state: 'late', text: 'late by 1 d 3 h' }],
  ])('%s', (_title, now, words) => expect(dueWords(due, now)).toEqual(words))
})
