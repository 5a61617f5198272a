import { expect, test } from 'vitest'
import { MS_PER_HOUR } from '#kernel/clock.ts'
import { isQualityDue } from './quality-due.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

// biome-ignore format: one case per line
test.each([
  { title: 'never worked out, and nothing listed',              hours: undefined, before: 0,    now: 0,    changed: false, due: false },
  { title: 'never worked out',                                  hours: undefined, before: 0,    now: 1,    changed: false, due: true },
  { title: 'a day old',                                         hours: 24,        before: 1000, now: 1000, changed: false, due: true },
  { title: 'almost a day old',                                  hours: 23.9,      before: 1000, now: 1000, changed: false, due: false },
  { title: 'an hour old, a tenth more listed',                  hours: 1,         before: 1000, now: 1100, changed: false, due: false },
  { title: 'an hour old, more than a tenth more listed',        hours: 1,         before: 1000, now: 1101, changed: false, due: true },
  { title: 'an hour old, more than a tenth less listed',        hours: 1,         before: 1000, now: 899,  changed: false, due: true },
  { title: 'an hour old, nothing listed before',                hours: 1,         before: 0,    now: 1,    changed: false, due: true },
  { title: 'an hour old, and another feed or warning list',     hours: 1,         before: 1000, now: 1000, changed: true,  due: true },
  { title: 'younger than an hour, whatever has changed',        hours: 0.9,       before: 1000, now: 5000, changed: true,  due: false },
])('$title: due is $due', ({ hours, before, now, changed, due }) => {
  const computedAt = hours === undefined ? undefined : new Date(NOW.getTime() - hours * MS_PER_HOUR)
  expect(isQualityDue({ computedAt, listed: before, inputs: 'a' }, { at: NOW, listed: now, inputs: changed ? 'b' : 'a' })).toBe(due)
})
