import type { Incident } from '../../api/incidents.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** How an incident stands against its two delays. */
export type Clock = { kind: 'take-in' | 'resolution'; state: 'done' | 'running' | 'late'; text: string }

/** A length of time in its two largest units, such as `3 d 4 h`. */
export function lengthWords(ms: number): string {
  const [days, hours, minutes] = [Math.floor(ms / DAY_MS), Math.floor((ms % DAY_MS) / HOUR_MS), Math.floor((ms % HOUR_MS) / MINUTE_MS)]
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  return `${Math.max(0, minutes)} min`
}

/** The clock that runs now: until it is taken in the first, then the second. */
export function clockOf(
  incident: Pick<Incident, 'acknowledged_at' | 'closed_at' | 'take_in_due_at' | 'resolution_due_at'>,
  nowMs: number,
): Clock {
  const { acknowledged_at, closed_at, take_in_due_at, resolution_due_at } = incident
  if (closed_at !== null) return ended('resolution', Date.parse(closed_at), Date.parse(resolution_due_at))
  return acknowledged_at === null
    ? running('take-in', Date.parse(take_in_due_at), nowMs)
    : running('resolution', Date.parse(resolution_due_at), nowMs)
}

function running(kind: Clock['kind'], dueMs: number, nowMs: number): Clock {
  // The moment itself is in time.
  return nowMs > dueMs
    ? { kind, state: 'late', text: `late by ${lengthWords(nowMs - dueMs)}` }
    : { kind, state: 'running', text: `${lengthWords(dueMs - nowMs)} left` }
}

function ended(kind: Clock['kind'], endMs: number, dueMs: number): Clock {
  return endMs > dueMs ? { kind, state: 'late', text: `late by ${lengthWords(endMs - dueMs)}` } : { kind, state: 'done', text: 'in time' }
}
