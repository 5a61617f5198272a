import { expect, it } from 'vitest'
import { reasonWords } from './reason-words.ts'

it.each([
  { reason: 'epss', words: 'Its EPSS score changed', why: 'one reason is one sentence' },
  {
    reason: 'epss,kev_added',
    words: 'Its EPSS score changed; it came into the catalogue of exploited vulnerabilities',
    why: 'several reasons stand beside each other',
  },
  {
    reason: 'kev_added+floor_kev',
    words: 'It came into the catalogue of exploited vulnerabilities; being exploited lifts it to P1, though the points do not',
    why: 'the floor is named last',
  },
  { reason: 'epss_model:v2026.06.15', words: 'EPSS changed its model (v2026.06.15)', why: 'a model is named' },
  { reason: 'moon_phase', words: 'Moon_phase', why: 'an unknown word stays' },
  { reason: 'constructor', words: 'Constructor', why: 'the name of a built-in is an unknown word' },
  { reason: '', words: '', why: 'nothing is said about nothing' },
])('$why', ({ reason, words }) => expect(reasonWords(reason)).toBe(words))
