import type { IncidentSeverity, IncidentStep, SocLevel } from '#domains/incidents/incidents.model.ts'

/** Days of a period. Assumption: a month when not said, and two years at most. */
export const DAYS_DEFAULT = 30
export const DAYS_MAX = 730
/** Breaches that are listed, the longest overdue first, and clocks that run out next. Assumption. */
export const BREACHES_SHOWN = 100
export const NEXT_SHOWN = 50
/** Analysts whose load is listed, the heaviest first. Assumption. */
export const ANALYSTS_SHOWN = 200

/** The two promises of time. */
export const CLOCKS = ['TAKE_IN', 'RESOLUTION'] as const
export type ClockName = (typeof CLOCKS)[number]

/** How long something took, milliseconds; null over nothing. */
export type Delays = { n: number; mean_ms: number | null; median_ms: number | null; p90_ms: number | null }
export type SeverityDelays = Delays & {
  severity: IncidentSeverity
  target_ms: number
  /** Incidents of the period whose clock ran, or has run, longer than the target. */
  breached: number
  /** Incidents of the period that the promise was made for. */
  total: number
}

/** One clock of an incident that is not closed. */
export type RunningClock = {
  incident_id: string
  title: string
  severity: IncidentSeverity
  level: SocLevel
  status: IncidentStep
  assignee: string | null
  clock: ClockName
  due_at: Date
  /** Until it is due; negative once it is overdue. */
  remaining_ms: number
}

export type AnalystLoad = { analyst: string | null; l1: number; l2: number; l3: number; total: number }
/** One day, UTC. `backlog`: open at its end. */
export type DayFlow = { day: string; opened: number; closed: number; reopened: number; backlog: number }
