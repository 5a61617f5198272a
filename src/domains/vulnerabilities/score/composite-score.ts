import type { Priority } from '../vulnerabilities.model.ts'

/** What a score is made of. A missing value is undefined, never 0: nobody has said anything yet. */
export type ScoreInputs = {
  /** CVSS base score, 0 to 10. */
  cvss: number | undefined
  /** Probability of exploitation in the next 30 days, 0 to 1. */
  epssProbability: number | undefined
  /** Share of CVEs with a lower probability, 0 to 1. */
  epssPercentile: number | undefined
  kev: boolean
  /** Known use in ransomware campaigns; counts only within KEV. */
  ransomware: boolean
  exploit: boolean
}

/** The score, point by point. The parts add up to `raw`. */
export type ScoreBreakdown = {
  /** 0 to 40. */
  cvss: number
  /** 0 to 20. */
  epss_prob: number
  /** 0 to 10. */
  epss_rank: number
  /** 0 or 20. */
  kev: number
  /** 0 or 5. */
  ransomware: number
  /** 0 or 10. */
  exploit: number
  raw: number
  /** The limit in force: 75 while there is no EPSS value, 100 when the sum is above it, else null. */
  cap: 75 | 100 | null
  /** KEV lifted the priority to P1. */
  kev_floor: boolean
}

export type CompositeScore = { score: number; priority: Priority; breakdown: ScoreBreakdown }

// Source of every figure: docs/decisions/0016, "Score". The SQL functions cve_score and cve_priority hold the same ones.
const CVSS_WEIGHT = 4
const EPSS_PROBABILITY_POINTS = 20
const EPSS_RANK_POINTS = 10
/** Percentile from which the rank counts: the upper fifth. */
const EPSS_RANK_FROM = 0.8
const EPSS_RANK_SPAN = 0.2
const KEV_POINTS = 20
const RANSOMWARE_POINTS = 5
const EXPLOIT_POINTS = 10
const MAX_SCORE = 100
/** Source: spec, "CVE": capped at 75 while no EPSS data exists, so P0 is unreachable then. */
const MAX_SCORE_WITHOUT_EPSS = 75
const P0_FROM = 80
const P1_FROM = 60
const P2_FROM = 40

/** The composite score of a CVE, 0 to 100, with its priority and every point of the sum. */
export function compositeScore(inputs: ScoreInputs): CompositeScore {
  const { cvss, epssProbability, epssPercentile, kev, ransomware, exploit } = inputs
  const parts = {
    cvss: cvss === undefined ? 0 : roundHalfUp(CVSS_WEIGHT * cvss),
    epss_prob: epssProbability === undefined ? 0 : roundHalfUp(EPSS_PROBABILITY_POINTS * Math.sqrt(epssProbability)),
    epss_rank:
      epssPercentile === undefined ? 0 : roundHalfUp(EPSS_RANK_POINTS * Math.max(0, (epssPercentile - EPSS_RANK_FROM) / EPSS_RANK_SPAN)),
    kev: kev ? KEV_POINTS : 0,
    ransomware: kev && ransomware ? RANSOMWARE_POINTS : 0,
    exploit: exploit ? EXPLOIT_POINTS : 0,
  }
  const raw = parts.cvss + parts.epss_prob + parts.epss_rank + parts.kev + parts.ransomware + parts.exploit
  const cap = epssProbability === undefined ? MAX_SCORE_WITHOUT_EPSS : raw > MAX_SCORE ? MAX_SCORE : null
  const score = Math.min(raw, cap ?? MAX_SCORE)
  const own = priorityOf(score)
  const isLifted = kev && (own === 'P2' || own === 'P3')
  return { score, priority: isLifted ? 'P1' : own, breakdown: { ...parts, raw, cap, kev_floor: isLifted } }
}

function priorityOf(score: number): Priority {
  if (score >= P0_FROM) return 'P0'
  if (score >= P1_FROM) return 'P1'
  return score >= P2_FROM ? 'P2' : 'P3'
}

/** Written out, because PostgreSQL's round() of a double goes to the even neighbour. */
function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5)
}
