const MS_HEX_DIGITS = 12

/**
 * The lowest UUIDv7 of a moment: ids made at it or later are not below.
 *
 * Source: RFC 9562, 5.7: the first 48 bits are the milliseconds since the epoch.
 */
export function firstIdOf(at: Date): string {
  const ms = Math.max(0, at.getTime()).toString(16).padStart(MS_HEX_DIGITS, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
