const NUMBER = new Intl.NumberFormat('en')
const SHARE = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
const FINE_SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 })
const CVSS = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' })
const MS_PER_DAY = 86_400_000
/** Shares above this that are not whole would be rounded to 100 %. */
const ALMOST_ONE = 0.9995

/** `12,345`. */
export function count(value: number): string {
  return NUMBER.format(value)
}

/** `97.4%`, `0.21%`: small ones with two digits that say something, and nothing but 1 as `100.0%`. */
export function share(value: number): string {
  if (value > 0 && value < 0.01) return FINE_SHARE.format(value)
  return value >= ALMOST_ONE && value < 1 ? `>${SHARE.format(0.999)}` : SHARE.format(value)
}

/** `9.8`. */
export function cvssScore(value: number): string {
  return CVSS.format(value)
}

/** A date without a time, `2021-12-10`, as `10 Dec 2021`; what is no date stays as it is. */
export function day(value: string): string {
  const ms = Date.parse(`${value}T00:00:00Z`)
  return Number.isNaN(ms) ? value : DAY.format(ms)
}

/** Days from today until a date, both in UTC; negative when it has passed. */
export function daysUntil(value: string, nowMs: number): number {
  return Date.parse(`${value}T00:00:00Z`) / MS_PER_DAY - Math.floor(nowMs / MS_PER_DAY)
}
