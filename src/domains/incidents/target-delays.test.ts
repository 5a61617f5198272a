import { expect, test } from 'vitest'
import type { IncidentSeverity } from './incidents.model.ts'
import { dueMoments } from './target-delays.ts'

// biome-ignore format: one case per line
test.each<{ severity: IncidentSeverity; opened: string; takeIn: string; resolution: string }>([
  { severity: 'CRITICAL', opened: '2026-02-28T23:30:00.000Z', takeIn: '2026-03-01T00:30:00.000Z', resolution: '2026-03-01T23:30:00.000Z' },
  { severity: 'HIGH',     opened: '2026-12-31T22:00:00.000Z', takeIn: '2027-01-01T02:00:00.000Z', resolution: '2027-01-03T22:00:00.000Z' },
  { severity: 'MEDIUM',   opened: '2026-10-25T00:00:00.000Z', takeIn: '2026-10-26T00:00:00.000Z', resolution: '2026-11-01T00:00:00.000Z' },
  { severity: 'LOW',      opened: '2028-02-01T12:00:00.000Z', takeIn: '2028-02-04T12:00:00.000Z', resolution: '2028-03-02T12:00:00.000Z' },
])('$severity, opened $opened', ({ severity, opened, takeIn, resolution }) => {
  const due = dueMoments({ severity, created_at: new Date(opened) })
  expect(due.take_in_due_at.toISOString()).toBe(takeIn)
  expect(due.resolution_due_at.toISOString()).toBe(resolution)
})
