const UNITS: readonly [string, number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['min', 60],
]

/** An interval as people say it: `every hour`, `every 6 hours`, `every 90 min`. @param seconds whole number above 0 */
export function intervalWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, candidate]) => seconds % candidate === 0) ?? ['s', 1]
  const count = seconds / length
  if (count === 1 && unit !== 'min' && unit !== 's') return `every ${unit}`
  return `every ${count} ${unit === 'min' || unit === 's' ? unit : `${unit}s`}`
}

/** A duration: `340 ms`, `4.2 s`, `3 min 5 s`. @param durationMs milliseconds */
export function durationWords(durationMs: number): string {
  if (durationMs < 1000) return `${durationMs} ms`
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`
  return `${Math.floor(durationMs / 60_000)} min ${Math.floor((durationMs % 60_000) / 1000)} s`
}

/** A length of time, rounded: `20 s`, `2 min`, `3 h`, `2 days`. @param seconds 0 or more */
export function relativeLength(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
