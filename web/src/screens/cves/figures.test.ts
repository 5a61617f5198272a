import { expect, it } from 'vitest'
import { day, daysUntil, share } from './figures.ts'

it.each([
  { value: 0.97434, text: '97.4%', why: 'a share has one decimal' },
  { value: 0.00043, text: '0.043%', why: 'a small one keeps the digits that say something' },
  { value: 0, text: '0.0%', why: 'nothing is nothing' },
  { value: 0.99999, text: '>99.9%', why: 'almost certain is not certain' },
  { value: 1, text: '100.0%', why: 'certain is' },
])('$why', ({ value, text }) => expect(share(value)).toBe(text))

it.each([
  { value: '2021-12-10', text: '10 Dec 2021', why: 'a date is written out, whatever the zone of the reader' },
  { value: '<b>', text: '<b>', why: 'what is no date stays as it is' },
])('$why', ({ value, text }) => expect(day(value)).toBe(text))

it.each([
  { now: '2026-11-20T23:59:00Z', days: 1, why: 'the day before is one day' },
  { now: '2026-11-21T15:00:00Z', days: 0, why: 'a date is due on its whole day' },
  { now: '2026-11-22T00:00:01Z', days: -1, why: 'and late when it has ended' },
])('$why', ({ now, days }) => expect(daysUntil('2026-11-21', Date.parse(now))).toBe(days))
