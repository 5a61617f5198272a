import { MS_PER_HOUR } from '#kernel/clock.ts'

/** Scores older than this are told of. Source: spec, "Limits", EPSS staleness warning. */
export const EPSS_STALE_HOURS = 48

/** Whether EPSS scores are out of date. @param day the day that they are of, `YYYY-MM-DD`; null while there are none */
export function isEpssStale(day: string | null, now: Date): boolean {
  return day === null || now.getTime() - Date.parse(`${day}T00:00:00Z`) > EPSS_STALE_HOURS * MS_PER_HOUR
}

/** Share of scores that must move, and by how much, before a day is taken for another model's. Source: docs/decisions/0021. */
const OTHER_MODEL_SHARE = 0.2
/** Fewer scores say nothing about the model. Assumption. */
const MIN_COMPARED = 100

/** Whether scores that come without the name of their model are those of another one. @param moved scores that changed by more than half */
export function looksLikeOtherModel({ compared, moved }: { compared: number; moved: number }): boolean {
  return compared >= MIN_COMPARED && moved / compared > OTHER_MODEL_SHARE
}
