import type { DayFlow } from '../../api/soc.ts'

/** Some days as one bar. `backlog`: open at the end of the last. */
export type FlowBar = Omit<DayFlow, 'day'> & { from: string; to: string }

/** Bars that can still be told from one another. Assumption: at 1000 px each has more than ten. */
const BARS_MAX = 92
const DAYS_PER_WEEK = 7

/** The days as bars, or their weeks where there would be too many; the weeks end with the last day. */
export function foldDays(days: readonly DayFlow[]): FlowBar[] {
  const perBar = days.length > BARS_MAX ? DAYS_PER_WEEK : 1
  const bars: FlowBar[] = []
  for (let end = days.length; end > 0; end -= perBar) {
    const part = days.slice(Math.max(0, end - perBar), end)
    const [first, last] = [part[0], part.at(-1)]
    if (first === undefined || last === undefined) continue
    const sum = (of: 'opened' | 'closed' | 'reopened') => part.reduce((total, day) => total + day[of], 0)
    bars.push({
      from: first.day,
      to: last.day,
      opened: sum('opened'),
      closed: sum('closed'),
      reopened: sum('reopened'),
      backlog: last.backlog,
    })
  }
  return bars.reverse()
}
