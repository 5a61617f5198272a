const SHAPE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/
const NANOS_PER_SECOND = 1_000_000_000n
const FRACTION_DIGITS = 9

/** Nanoseconds since 1970 of a TAXII timestamp (RFC 3339 in UTC, 0 to 9 digits of a second), or undefined. Source: TAXII 2.1, 2. */
export function tryParseTimestamp(text: string | undefined): bigint | undefined {
  const [, whole = '', fraction = ''] = SHAPE.exec(text?.trim() ?? '') ?? []
  const ms = whole === '' ? Number.NaN : Date.parse(`${whole}Z`)
  if (Number.isNaN(ms)) return undefined
  return (BigInt(ms) / 1000n) * NANOS_PER_SECOND + BigInt(fraction.padEnd(FRACTION_DIGITS, '0'))
}

/** The later of two timestamps, in the digits in which it was given. */
export function laterOf(first: string | undefined, second: string | undefined): string | undefined {
  const a = tryParseTimestamp(first)
  const b = tryParseTimestamp(second)
  if (a === undefined) return b === undefined ? undefined : second
  return b === undefined || a >= b ? first : second
}

/**
 * The timestamp one unit of its last digit earlier: as an `added_after` it gives what was added at that very moment once more.
 *
 * @param text a valid timestamp
 */
export function justBefore(text: string): string {
  const [, whole = '', fraction = ''] = SHAPE.exec(text.trim()) ?? []
  const unit = 10n ** BigInt(FRACTION_DIGITS - fraction.length)
  const nanos = (tryParseTimestamp(text) ?? 0n) - unit
  const seconds = nanos / NANOS_PER_SECOND
  const digits = (nanos % NANOS_PER_SECOND).toString().padStart(FRACTION_DIGITS, '0').slice(0, fraction.length)
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, whole.length)
  return fraction === '' ? `${date}Z` : `${date}.${digits}Z`
}
