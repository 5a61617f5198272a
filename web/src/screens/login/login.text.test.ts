import { describe, expect, it } from 'vitest'
import { waitWords } from './login.text.ts'

describe('waitWords', () => {
  it.each([
    { seconds: 1, words: '1 s', why: 'less than a minute needs no minutes' },
    { seconds: 60, words: '1 min 00 s', why: 'a whole minute' },
    { seconds: 845, words: '14 min 05 s', why: 'seconds keep two digits, so that the line does not jump' },
  ])('$why', ({ seconds, words }) => {
    expect(waitWords(seconds)).toBe(words)
  })
})
