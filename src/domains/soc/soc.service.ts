import type { IncidentSeverity, Resolution, SocLevel } from '#domains/incidents/incidents.model.ts'
import { INCIDENT_SEVERITIES, SOC_LEVELS } from '#domains/incidents/incidents.model.ts'
import { TARGET_DELAYS_MS } from '#domains/incidents/target-delays.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#platform/database/database.ts'
import type { AnalystLoad, DayFlow, Delays, RunningClock, SeverityDelays } from './soc.model.ts'
import { type ClockRow, type DelayRow, readSocFigures, type Target } from './soc.store.ts'
import { clockOf, flowByDay, periodStart } from './soc-clock.ts'

export type DelayFigures = Delays & { by_severity: SeverityDelays[] }
export type SocMetrics = {
  as_of: Date
  since: Date
  days: number
  /** MTTA: from the opening to the first assignment or move, of incidents opened in the period. */
  take_in: DelayFigures
  /** MTTR: from the opening to the last close, of incidents closed in the period; false positives and duplicates apart. */
  resolution: DelayFigures
  apart: { resolution: Resolution; count: number }[]
  open: { total: number; by_level: { level: SocLevel; count: number }[]; by_severity: { severity: IncidentSeverity; count: number }[] }
  /** Incidents that are open now and have broken a promise: how many, and the longest overdue. */
  breaches: { take_in: number; resolution: number; items: RunningClock[] }
  /** What breaks next. */
  next: RunningClock[]
  escalations: { level: SocLevel; count: number }[]
  /** Open incidents by analyst, the heaviest load first; without an analyst those that nobody has. */
  load: AnalystLoad[]
  per_day: DayFlow[]
}

export type SocService = {
  /** Times, promises, load and flow of the last days, by the UTC calendar. One statement. */
  metrics(days: number): Promise<SocMetrics>
}

/** Worst first. */
const SEVERITIES = [...INCIDENT_SEVERITIES].reverse()
const TARGETS: readonly Target[] = SEVERITIES.map((severity) => ({
  severity,
  take_in_ms: TARGET_DELAYS_MS[severity].takeIn,
  resolution_ms: TARGET_DELAYS_MS[severity].resolution,
}))
const NO_DELAYS: Delays = { n: 0, mean_ms: null, median_ms: null, p90_ms: null }

export function createSocService({ db, clock }: { db: Db; clock: Clock }): SocService {
  return {
    async metrics(days) {
      const as_of = clock()
      const since = periodStart(as_of, days)
      const row = await readSocFigures(db, { since, asOf: as_of, targets: TARGETS })
      const open = row.open ?? []
      const count = (parts: readonly { count: number }[]) => parts.reduce((sum, part) => sum + part.count, 0)
      const overdue = (clockName: string) => row.overdue?.find((part) => part.clock === clockName)?.count ?? 0
      const toClock = (clockRow: ClockRow) => toRunningClock(clockRow, as_of)
      return {
        as_of,
        since,
        days,
        take_in: toFigures(row.take_in ?? [], (target) => target.take_in_ms),
        resolution: toFigures(row.resolution ?? [], (target) => target.resolution_ms),
        apart: row.apart ?? [],
        open: {
          total: count(open),
          by_level: SOC_LEVELS.map((level) => ({ level, count: count(open.filter((part) => part.level === level)) })),
          by_severity: SEVERITIES.map((severity) => ({ severity, count: count(open.filter((part) => part.severity === severity)) })),
        },
        breaches: { take_in: overdue('TAKE_IN'), resolution: overdue('RESOLUTION'), items: (row.breaches ?? []).map(toClock) },
        next: (row.next ?? []).map(toClock),
        escalations: SOC_LEVELS.slice(1).map((level) => ({
          level,
          count: row.escalations?.find((part) => part.level === level)?.count ?? 0,
        })),
        load: row.load ?? [],
        per_day: flowByDay({ since, days }, row.days ?? [], count(open)),
      }
    },
  }
}

function toFigures(rows: readonly DelayRow[], targetOf: (target: Target) => number): DelayFigures {
  const of = (severity: IncidentSeverity | null) => rows.find((row) => row.severity === severity)
  return {
    ...toDelays(of(null)),
    by_severity: TARGETS.map((target) => {
      const row = of(target.severity)
      const { severity } = target
      return { severity, ...toDelays(row), target_ms: targetOf(target), breached: row?.breached ?? 0, total: row?.total ?? 0 }
    }),
  }
}

function toDelays(row: DelayRow | undefined): Delays {
  if (row === undefined) return NO_DELAYS
  const whole = (ms: number | null) => (ms === null ? null : Math.round(ms))
  return { n: row.n, mean_ms: whole(row.mean_ms), median_ms: whole(row.median_ms), p90_ms: whole(row.p90_ms) }
}

function toRunningClock({ id, created_at, ...row }: ClockRow, asOf: Date): RunningClock {
  const startedAt = new Date(created_at)
  const target = TARGET_DELAYS_MS[row.severity]
  const targetMs = row.clock === 'TAKE_IN' ? target.takeIn : target.resolution
  const { remaining_ms } = clockOf({ startedAt, targetMs }, asOf)
  return { incident_id: id, ...row, due_at: new Date(startedAt.getTime() + targetMs), remaining_ms }
}
