import { describe, expect, it } from 'vitest'
import { durationWords, intervalWords } from './interval-words.ts'

describe('intervalWords', () => {
  it.each([
    [3600, 'every hour'],
    [86_400, 'every day'],
    [604_800, 'every week'],
    [300, 'every 5 min'],
    [5400, 'every 90 min'],
    [21_600, 'every 6 hours'],
    [172_800, 'every 2 days'],
    [301, 'every 301 s'],
  ])('says %i seconds as "%s"', (seconds, words) => {
    expect(intervalWords(seconds)).toBe(words)
  })
})

describe('durationWords', () => {
  it.each([
    [340, '340 ms'],
    [4210, '4.2 s'],
    [185_000, '3 min 5 s'],
  ])('says %i ms as "%s"', (durationMs, words) => {
    expect(durationWords(durationMs)).toBe(words)
  })
})
