import { expect, it } from 'vitest'
import type { CveDetail } from '../../../api/cves.ts'
import { MOST_POINTS, scoreSentence, scoreSteps, scoreTotal } from './score-steps.ts'

const LOG4SHELL: CveDetail = {
  id: 'CVE-2021-44228',
  status: 'Analyzed',
  description: '',
  published: '2021-12-10T10:15:09.143Z',
  last_modified: '2026-01-01T00:00:00.000Z',
  cvss: 10,
  cvss_version: '3.1',
  cvss_vector: null,
  cvss_source: 'nvd@nist.gov',
  exploit: true,
  score: 100,
  priority: 'P0',
  epss: 0.99999,
  epss_percentile: 1,
  kev: true,
  ransomware: true,
  kev_due_date: '2021-12-24',
  kev_name: null,
  kev_date_added: '2021-12-10',
  kev_required_action: null,
  epss_day: '2026-08-16',
  epss_model: 'v5',
  tags: [],
  cwes: [],
  ssvc: null,
  references: [],
  configurations: [],
  affected: [],
  breakdown: { cvss: 40, epss_prob: 20, epss_rank: 10, kev: 20, ransomware: 5, exploit: 10, raw: 105, cap: 100, kev_floor: false },
  priority_history: [],
  alerts: [],
  incidents: [],
}
const OLD_KEV: CveDetail = {
  ...LOG4SHELL,
  cvss: null,
  epss: null,
  epss_percentile: null,
  ransomware: false,
  exploit: false,
  score: 20,
  priority: 'P1',
  breakdown: { cvss: 0, epss_prob: 0, epss_rank: 0, kev: 20, ransomware: 0, exploit: 0, raw: 20, cap: 75, kev_floor: true },
}

it('begins each part where the one before ends, and ends at the sum', () => {
  const steps = scoreSteps(LOG4SHELL)
  expect(steps.map(({ from, points }) => [from, points])).toEqual([
    [0, 40],
    [40, 20],
    [60, 10],
    [70, 20],
    [90, 5],
    [95, 10],
  ])
  expect(MOST_POINTS).toBe(105)
  expect(steps.every(({ from, room }) => from + room <= MOST_POINTS)).toBe(true)
})

it('draws what a cap cuts off, and says so', () => {
  const { points, cutFrom, liftedTo, why } = scoreTotal(LOG4SHELL)
  expect({ points, cutFrom, liftedTo }).toEqual({ points: 100, cutFrom: 105, liftedTo: undefined })
  expect(why).toContain('come to 105')
  expect(scoreSentence(LOG4SHELL)).toBe('100, held below 105 = 40 + 20 + 10 + 20 + 5 + 10')
})

it('draws how far the floor lifts the priority, which leaves the points as they are', () => {
  const { points, liftedTo, cutFrom, why } = scoreTotal(OLD_KEV)
  expect({ points, liftedTo, cutFrom }).toEqual({ points: 20, liftedTo: 60, cutFrom: undefined })
  expect(why).toContain('lifts it to P1')
  expect(why).toContain('ends at 75')
  expect(scoreSentence(OLD_KEV)).toBe('20 = 20')
})

it('says of each part what it was given, or that nothing is known', () => {
  expect(scoreSteps(LOG4SHELL).map(({ why }) => why)).toEqual([
    'base score 10.0 of CVSS 3.1, given by nvd@nist.gov; 4 points for each',
    '>99.9% likely to be exploited within 30 days; 20 × its square root',
    'percentile 100.0% among all CVEs; points begin at 80%',
    'known to be exploited since 10 Dec 2021',
    'used by ransomware',
    'a reference shows a public exploit',
  ])
  expect(scoreSteps({ ...OLD_KEV, kev: false }).map(({ why }) => why)).toEqual([
    'nobody has published a CVSS score',
    'no EPSS score is known',
    'no EPSS score is known',
    'not known to be exploited',
    'not known to be exploited',
    'no reference shows a public exploit',
  ])
})

it('a score of nothing is a sum of nothing', () => {
  const breakdown = { ...OLD_KEV.breakdown, kev: 0, raw: 0 }
  expect(scoreSentence({ score: 0, breakdown })).toBe('0 = 0')
})
