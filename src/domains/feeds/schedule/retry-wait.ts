const MS_PER_MINUTE = 60_000

/**
 * Wait before the next attempt after `failures` consecutive failed runs: 1, 2, 4, 8... minutes, never more than the feed's own interval.
 *
 * Source: spec, "Feed status" and "Limits". @param failures whole number, 0 after a success. @returns milliseconds
 */
export function retryWaitMs(failures: number, intervalMs: number): number {
  if (failures <= 0) return intervalMs
  return Math.min(intervalMs, MS_PER_MINUTE * 2 ** (failures - 1))
}
