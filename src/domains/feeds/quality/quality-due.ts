import { MS_PER_DAY, MS_PER_HOUR } from '#kernel/clock.ts'

/** What a report went by. */
export type QualityBasis = { listed: number; inputs: string }

/** Values that have to come or go before a report is worked out early, as a share. Assumption: docs/decisions/0019. */
const LARGE_CHANGE = 0.1

/**
 * Whether the quality report has to be worked out: never yet, a day old, or an hour old when much has changed (a tenth of all listed values, or a
 * feed or a warning list came, went or was replaced). Source: docs/decisions/0019.
 */
export function isQualityDue(last: QualityBasis & { computedAt: Date | undefined }, now: QualityBasis & { at: Date }): boolean {
  if (last.computedAt === undefined) return now.listed > 0
  const ageMs = now.at.getTime() - last.computedAt.getTime()
  if (ageMs >= MS_PER_DAY) return true
  if (ageMs < MS_PER_HOUR) return false
  return now.inputs !== last.inputs || Math.abs(now.listed - last.listed) > last.listed * LARGE_CHANGE
}
