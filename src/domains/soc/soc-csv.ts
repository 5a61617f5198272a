import type { RunningClock } from './soc.model.ts'
import type { SocMetrics } from './soc.service.ts'

type Cell = string | number | null
/** What a spreadsheet would run as a formula. Source: OWASP, "CSV injection". */
const FORMULA = /^[=+\-@\t\r]/

/** The metrics as CSV (RFC 4180), one figure a line: section, name, measure, value. Times in milliseconds, moments in UTC. */
export function toSocCsv(metrics: SocMetrics): string {
  return `${linesOf(metrics)
    .map((cells) => cells.map(toField).join(','))
    .join('\r\n')}\r\n`
}

function linesOf(metrics: SocMetrics): Cell[][] {
  const { since, as_of, take_in, resolution, apart, open, breaches, next, escalations, load, per_day } = metrics
  return [
    ['section', 'name', 'measure', 'value'],
    ['period', '', 'since', since.toISOString()],
    ['period', '', 'as_of', as_of.toISOString()],
    ...delayLines('take_in', take_in),
    ...delayLines('resolution', resolution),
    ...apart.map(({ resolution: name, count }) => ['apart', name, 'count', count]),
    ...open.by_level.map(({ level, count }) => ['open', level, 'count', count]),
    ...escalations.map(({ level, count }) => ['escalations', level, 'count', count]),
    ...breaches.items.flatMap((clock) => clockLines('breaches', clock)),
    ...next.flatMap((clock) => clockLines('next', clock)),
    ...load.flatMap(({ analyst, ...measures }) => measureLines('load', analyst ?? 'unassigned', measures)),
    ...per_day.flatMap(({ day, ...measures }) => measureLines('per_day', day, measures)),
  ]
}

function delayLines(section: string, { by_severity, ...all }: SocMetrics['take_in']): Cell[][] {
  return [
    ...measureLines(section, 'ALL', all),
    ...by_severity.flatMap(({ severity, ...measures }) => measureLines(section, severity, measures)),
  ]
}

function clockLines(section: string, { incident_id, due_at, ...facts }: RunningClock): Cell[][] {
  return measureLines(section, `${incident_id} ${facts.clock}`, { ...facts, due_at: due_at.toISOString() })
}

function measureLines(section: string, name: string, measures: Record<string, Cell>): Cell[][] {
  return Object.entries(measures).map(([measure, value]) => [section, name, measure, value])
}

function toField(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
