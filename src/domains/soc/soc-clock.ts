import { MS_PER_DAY } from '#kernel/clock.ts'
import type { DayFlow } from './soc.model.ts'

/**
 * How a promise of time stands: it is kept up to and including the last millisecond, and broken after it. A clock that was set back between two
 * moments never gives a negative time.
 */
export function clockOf(
  clock: { startedAt: Date; targetMs: number },
  stoppedAt: Date,
): { elapsed_ms: number; remaining_ms: number; breached: boolean } {
  const elapsed_ms = Math.max(0, stoppedAt.getTime() - clock.startedAt.getTime())
  const remaining_ms = clock.targetMs - elapsed_ms
  return { elapsed_ms, remaining_ms, breached: remaining_ms < 0 }
}

/** Midnight, UTC, of the first of so many days that end with the day of `asOf`. */
export function periodStart(asOf: Date, days: number): Date {
  const today = Date.UTC(asOf.getUTCFullYear(), asOf.getUTCMonth(), asOf.getUTCDate())
  return new Date(today - (days - 1) * MS_PER_DAY)
}

/** Every day of a period with what happened on it, and how many incidents were open at its end, counted back from those that are open now. */
export function flowByDay(
  period: { since: Date; days: number },
  happened: readonly { day: string; opened: number; closed: number; reopened: number }[],
  openNow: number,
): DayFlow[] {
  const byDay = new Map(happened.map((row) => [row.day, row]))
  const flow: DayFlow[] = []
  let backlog = openNow
  for (let n = period.days - 1; n >= 0; n--) {
    const day = new Date(period.since.getTime() + n * MS_PER_DAY).toISOString().slice(0, 10)
    const { opened, closed, reopened } = byDay.get(day) ?? { opened: 0, closed: 0, reopened: 0 }
    flow.push({ day, opened, closed, reopened, backlog })
    backlog = Math.max(0, backlog - opened - reopened + closed)
  }
  return flow.reverse()
}
