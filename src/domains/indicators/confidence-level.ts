import type { ConfidenceLevel } from './indicators.model.ts'

/** First points of each level. Source: docs/decisions/0004. */
const HIGH_FROM = 70
const MEDIUM_FROM = 40

/** The word for a confidence of 0 to 100. */
export function confidenceLevel(confidence: number): ConfidenceLevel {
  if (confidence >= HIGH_FROM) return 'HIGH'
  return confidence >= MEDIUM_FROM ? 'MEDIUM' : 'LOW'
}
