import { expect, it } from 'vitest'
import type { Alert } from '../../../api/alerts.ts'
import { byUrgency, nextAfter, toAlertQuery } from './triage.search.ts'

const alert = (id: string, priority: Alert['priority'], created: number, acknowledged?: number): Alert => ({
  id,
  cve_id: 'CVE-2026-10001',
  state: acknowledged === undefined ? 'OPEN' : 'ACKNOWLEDGED',
  priority,
  score: 80,
  title: '',
  kev: false,
  ransomware: false,
  kev_due_date: null,
  exploit: false,
  epss: null,
  epss_percentile: null,
  created_at: `2026-11-${created}T00:00:00.000Z`,
  notification: 'NONE',
  attempts: 0,
  next_attempt_at: null,
  acknowledged_at: acknowledged === undefined ? null : `2026-11-${acknowledged}T00:00:00.000Z`,
  acknowledged_by: acknowledged === undefined ? null : 'ana',
})

it('puts the open ones first, by priority and then by age, and the rest by when they were acknowledged', () => {
  const alerts = [
    alert('done-long-ago', 'P0', 10, 12),
    alert('new-p0', 'P0', 20),
    alert('old-p1', 'P1', 11),
    alert('old-p0', 'P0', 12),
    alert('done-lately', 'P1', 10, 19),
  ]
  expect(alerts.toSorted(byUrgency).map(({ id }) => id)).toEqual(['old-p0', 'new-p0', 'old-p1', 'done-lately', 'done-long-ago'])
})

it.each([
  { leaving: ['b'], from: 'b', next: 'c', why: 'the next one is taken up' },
  { leaving: ['b', 'c'], from: 'b', next: 'd', why: 'over all that leave' },
  { leaving: ['d'], from: 'd', next: 'c', why: 'at the end, the one before' },
  { leaving: ['a', 'b', 'c', 'd'], from: 'b', next: undefined, why: 'nothing is left' },
  { leaving: ['c'], from: 'a', next: 'a', why: 'a reader elsewhere stays' },
  { leaving: ['a'], from: undefined, next: 'b', why: 'without a place, the first that stays' },
])('$why', ({ leaving, from, next }) => expect(nextAfter(['a', 'b', 'c', 'd'], new Set(leaving), from)).toBe(next))

it.each([
  { search: {}, query: { state: 'OPEN', sort: 'urgency' }, why: 'what waits is shown unless something else is asked for' },
  { search: { state: 'all' as const }, query: {}, why: 'all is a word of its own' },
  {
    search: { state: 'acknowledged' as const, priority: ['P0' as const, 'P1' as const] },
    query: { state: 'ACKNOWLEDGED', priority: 'P0,P1' },
    why: 'filters add up',
  },
  {
    search: { kev: 'no' as const, age: '3days' as const },
    query: { state: 'OPEN', sort: 'urgency', kev: false, min_age_hours: 72 },
    why: 'words of the address become figures of the API',
  },
])('$why', ({ search, query }) => expect(toAlertQuery(search)).toEqual(query))
