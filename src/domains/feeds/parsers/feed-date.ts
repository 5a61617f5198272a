// Every part is of bounded length, so there is nothing to backtrack into.
const WRITTEN = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i
const EPOCH = /^\d{9,10}(?:\.\d{1,9})?$|^\d{12,13}$/
const MAX_CHARS = 40
const MS_PER_SECOND = 1000
const MS_PER_MINUTE = 60_000
/** Dates outside are a mistake of the feed (0000-00-00, seconds read as milliseconds). Assumption. */
const EARLIEST_MS = Date.UTC(1990, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

/** A date as feeds write it: `2026-01-31`, `2026-01-31 12:00:00`, RFC 3339, epoch seconds or milliseconds. Without a zone it is UTC. */
export function tryParseFeedDate(text: string): Date | undefined {
  if (text.length > MAX_CHARS) return undefined
  const trimmed = text.trim()
  const ms = EPOCH.test(trimmed) ? epochMs(trimmed) : writtenMs(trimmed)
  if (ms === undefined || !(ms >= EARLIEST_MS && ms < LATEST_MS)) return undefined
  return new Date(ms)
}

function epochMs(text: string): number {
  const value = Number(text)
  return Math.round(text.includes('.') || text.length <= 10 ? value * MS_PER_SECOND : value)
}

function writtenMs(text: string): number | undefined {
  const parts = WRITTEN.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone] = parts
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined
  const dayMs = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // Date.UTC turns the 31st of April into the 1st of May.
  if (new Date(dayMs).getUTCDate() !== Number(day) || new Date(dayMs).getUTCMonth() !== Number(month) - 1) return undefined
  const clockMs =
    ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * MS_PER_SECOND + Math.floor(Number(`0.${fraction}`) * MS_PER_SECOND)
  return dayMs + clockMs - zoneMs(zone)
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || !(zone.startsWith('+') || zone.startsWith('-'))) return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * MS_PER_MINUTE
}
