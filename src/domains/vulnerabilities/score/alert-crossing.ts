/** How far below the threshold a score must fall before its next crossing counts. Source: docs/decisions/0016. */
export const REARM_POINTS = 5

/** What is remembered of a CVE between two scores. */
export type AlertState = {
  /** The next crossing would raise an alert. */
  armed: boolean
  /** An alert waits for its acknowledgement. */
  open: boolean
}

/** One change of a score. */
export type ScoreChange = {
  /** Undefined for a CVE that was not stored before: missing is below. */
  before: number | undefined
  after: number
  /** RISK_ALERT_THRESHOLD. */
  threshold: number
  /** The first synchronisation, an import, a rescore, another threshold or another EPSS model: a new base line, told to nobody. */
  isBaseline: boolean
}

/**
 * Whether a score that has changed raises an alert, and whether the next crossing will.
 *
 * A crossing is old < threshold <= new. It disarms, whether it was told or not; falling more than 5 points below the threshold arms again.
 *
 * Source: spec, "Alert"; docs/decisions/0016.
 */
export function crossThreshold(
  state: AlertState,
  { before, after, threshold, isBaseline }: ScoreChange,
): { raise: boolean; armed: boolean } {
  if (after < threshold - REARM_POINTS) return { raise: false, armed: true }
  const isCrossing = after >= threshold && (before === undefined || before < threshold)
  if (!isCrossing) return { raise: false, armed: state.armed }
  return { raise: state.armed && !state.open && !isBaseline, armed: false }
}
