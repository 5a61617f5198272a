import type { TimeZoneChoice } from './display.tsx'

const LOCALE = 'en-GB'
const DATE_TIME: Intl.DateTimeFormatOptions = {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
}
const SHORT: Intl.DateTimeFormatOptions = {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' })

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `5 min ago`, `in 2 hr`, or `now` within a minute. */
export function relativeTime(timeMs: number, nowMs: number): string {
  const difference = timeMs - nowMs
  for (const [unit, lengthMs] of STEPS) {
    if (Math.abs(difference) >= lengthMs) return RELATIVE.format(Math.trunc(difference / lengthMs), unit)
  }
  return 'now'
}

/** `20 Nov 2026, 22:00 UTC`, or the same in the reader's own zone with its name. */
export function absoluteTime(timeMs: number, zone: TimeZoneChoice): string {
  return `${new Intl.DateTimeFormat(LOCALE, { ...SHORT, ...zoneOptions(zone) }).format(timeMs)} ${zoneName(timeMs, zone)}`
}

/** `22:00 UTC`, for a moment of today. */
export function clockTime(timeMs: number, zone: TimeZoneChoice): string {
  const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...zoneOptions(zone) })
  return `${clock.format(timeMs)} ${zoneName(timeMs, zone)}`
}

/** The same with seconds, where moments are compared. */
export function preciseTime(timeMs: number, zone: TimeZoneChoice): string {
  return `${new Intl.DateTimeFormat(LOCALE, { ...DATE_TIME, ...zoneOptions(zone) }).format(timeMs)} ${zoneName(timeMs, zone)}`
}

/** Both readings with seconds, for a tooltip. */
export function fullTime(timeMs: number): string {
  const utc = `${new Intl.DateTimeFormat(LOCALE, { ...DATE_TIME, timeZone: 'UTC' }).format(timeMs)} UTC`
  const local = `${new Intl.DateTimeFormat(LOCALE, DATE_TIME).format(timeMs)} ${zoneName(timeMs, 'LOCAL')}`
  return `${utc}\n${local}`
}

function zoneOptions(zone: TimeZoneChoice): Intl.DateTimeFormatOptions {
  return zone === 'UTC' ? { timeZone: 'UTC' } : {}
}

function zoneName(timeMs: number, zone: TimeZoneChoice): string {
  if (zone === 'UTC') return 'UTC'
  const parts = new Intl.DateTimeFormat(LOCALE, { timeZoneName: 'short' }).formatToParts(timeMs)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
}
