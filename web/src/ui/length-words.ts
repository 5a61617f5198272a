const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** A length of time in its two largest units, such as `3 d 4 h`. */
export function lengthWords(ms: number): string {
  const [days, hours, minutes] = [Math.floor(ms / DAY_MS), Math.floor((ms % DAY_MS) / HOUR_MS), Math.floor((ms % HOUR_MS) / MINUTE_MS)]
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  return `${Math.max(0, minutes)} min`
}

/** How a promise of time stands that is not kept yet. */
export type Due = { state: 'running' | 'late'; text: string }

export function dueWords(dueMs: number, nowMs: number): Due {
  // The moment itself is in time.
  return nowMs > dueMs
    ? { state: 'late', text: `late by ${lengthWords(nowMs - dueMs)}` }
    : { state: 'running', text: `${lengthWords(dueMs - nowMs)} left` }
}
