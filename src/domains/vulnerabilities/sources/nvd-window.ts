import { MS_PER_DAY, MS_PER_HOUR } from '#kernel/clock.ts'

/** A stretch of time in which records were changed. */
export type NvdWindow = { from: Date; to: Date }

/** Source: NVD CVE API 2.0, "lastModStartDate": 120 consecutive days at most; spec, "Limits". */
export const WINDOW_DAYS = 120
/** How far a round looks back behind the last one: changes become visible some time after their own time. Source: docs/decisions/0021. */
export const OVERLAP_HOURS = 10

/** The next window that is to be read; undefined when everything up to now has been. @param checkpoint everything up to here is stored */
export function nextWindow(from: Date, now: Date): NvdWindow | undefined {
  if (from.getTime() >= now.getTime()) return undefined
  const to = Math.min(from.getTime() + WINDOW_DAYS * MS_PER_DAY, now.getTime())
  return { from, to: new Date(to) }
}

/** Where a round begins: a little behind what is stored, or `initialDays` back at the first. */
export function roundBegin(checkpoint: Date | null, now: Date, initialDays: number): Date {
  if (checkpoint === null) return new Date(now.getTime() - initialDays * MS_PER_DAY)
  return new Date(checkpoint.getTime() - OVERLAP_HOURS * MS_PER_HOUR)
}

/** What a page said. */
export type PageFacts = { index: number; count: number; total: number }

/**
 * The record at which the next page begins; undefined at the end of the window.
 *
 * A record that is changed while the window is read leaves it, since the window ends in the past, and every record behind it moves up: the
 * total falls by as many as have left, and as many before this page may have been passed over. So they are read again, which costs nothing.
 *
 * @param totalBefore what the page before said
 */
export function nextIndex({ index, count, total }: PageFacts, totalBefore: number | undefined): number | undefined {
  const left = totalBefore === undefined ? 0 : Math.max(0, totalBefore - total)
  // It ends: each step back needs a total that has fallen.
  if (left > 0) return total === 0 ? undefined : Math.max(0, index - left)
  // An empty page is the end, whatever the total says.
  return count === 0 || index + count >= total ? undefined : index + count
}

/** Everything up to here is stored once a window was read: its end, or what the server's clock said when it was begun, whichever is earlier. */
export function checkpointOf(window: NvdWindow, readAt: Date | undefined): Date {
  return readAt === undefined || readAt.getTime() > window.to.getTime() ? window.to : readAt
}
