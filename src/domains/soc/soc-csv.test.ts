import { expect, test } from 'vitest'
import type { SocMetrics } from './soc.service.ts'
import { toSocCsv } from './soc-csv.ts'

const AT = new Date('2026-11-21T12:00:00.000Z')
const NOTHING = { n: 0, mean_ms: null, median_ms: null, p90_ms: null, by_severity: [] }
const METRICS: SocMetrics = {
  as_of: AT,
  since: AT,
  days: 1,
  take_in: { ...NOTHING, n: 2, mean_ms: 1500 },
  resolution: NOTHING,
  apart: [{ resolution: 'DUPLICATE', count: 3 }],
  open: { total: 0, by_level: [], by_severity: [] },
  breaches: {
    take_in: 1,
    resolution: 0,
    items: [
      {
        ...{ incident_id: 'an-id', title: '=cmd("x"),\nnext', severity: 'HIGH', level: 'L1', status: 'OPEN' },
        ...{ assignee: null, clock: 'TAKE_IN', due_at: AT, remaining_ms: -60_000 },
      },
    ],
  },
  next: [],
  escalations: [],
  load: [{ analyst: null, l1: 1, l2: 0, l3: 0, total: 1 }],
  per_day: [],
}

test('each figure has a line, nothing is left empty but what is missing, and no text can become a formula', () => {
  const csv = toSocCsv(METRICS)
  expect(csv.split('\r\n')[0]).toBe('section,name,measure,value')
  for (const line of [
    'take_in,ALL,n,2',
    'take_in,ALL,mean_ms,1500',
    'take_in,ALL,p90_ms,',
    'apart,DUPLICATE,count,3',
    'breaches,an-id TAKE_IN,remaining_ms,-60000',
    'breaches,an-id TAKE_IN,due_at,2026-11-21T12:00:00.000Z',
    'load,unassigned,total,1',
  ])
    expect(csv).toContain(`${line}\r\n`)
  expect(csv).toContain(`breaches,an-id TAKE_IN,title,"'=cmd(""x""),\nnext"\r\n`)
})
