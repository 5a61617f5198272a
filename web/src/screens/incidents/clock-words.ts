import type { Incident } from '../../api/incidents.ts'
import { dueWords, lengthWords } from '../../ui/length-words.ts'

/** How an incident stands against its two delays. */
export type Clock = { kind: 'take-in' | 'resolution'; state: 'done' | 'running' | 'late'; text: string }

/** The clock that runs now: until it is taken in the first, then the second. */
export function clockOf(
  incident: Pick<Incident, 'acknowledged_at' | 'closed_at' | 'take_in_due_at' | 'resolution_due_at'>,
  nowMs: number,
): Clock {
  const { acknowledged_at, closed_at, take_in_due_at, resolution_due_at } = incident
  if (closed_at !== null) return ended(Date.parse(closed_at), Date.parse(resolution_due_at))
  return acknowledged_at === null
    ? { kind: 'take-in', ...dueWords(Date.parse(take_in_due_at), nowMs) }
    : { kind: 'resolution', ...dueWords(Date.parse(resolution_due_at), nowMs) }
}

function ended(endMs: number, dueMs: number): Clock {
  return endMs > dueMs
    ? { kind: 'resolution', state: 'late', text: `late by ${lengthWords(endMs - dueMs)}` }
    : { kind: 'resolution', state: 'done', text: 'in time' }
}
