import cvssCalculator from 'ae-cvss-calculator'
import { isObject, objectsOf } from '../applicability/configurations.ts'

/** The one CVSS score that counts for a CVE. */
export type ChosenCvss = {
  /** Base score, 0 to 10, one decimal. */
  score: number
  version: '3.1' | '3.0' | '4.0' | '2.0'
  vector: string
  /** Who gave it, as NVD names them. */
  source: string
}

/**
 * Versions in the order in which they count. Source: spec, "CVE"; 2.0 is a fallback of our own, since half of the published CVEs have
 * nothing else (docs/decisions/0016).
 */
const VERSIONS = [
  { field: 'cvssMetricV31', version: '3.1' },
  { field: 'cvssMetricV30', version: '3.0' },
  { field: 'cvssMetricV40', version: '4.0' },
  { field: 'cvssMetricV2', version: '2.0' },
] as const
const NVD = 'nvd@nist.gov'
/** CISA's enrichment programme. Source: NVD, "source" of cvssMetricV31. */
const CISA_ADP = '134c704f-9b21-4f2e-91b3-4a467353bcc0'
const MAX_VECTOR_CHARS = 400

/**
 * The score that counts, of all that were given: by version, then NVD's own, then Primary, then CISA's, then the highest. The type alone
 * does not decide, because NVD's entry may be Secondary beside a milder one of the vendor.
 *
 * @param metrics `cve.metrics` of an NVD record, judged as hostile
 */
export function chooseCvss(metrics: unknown): ChosenCvss | undefined {
  if (!isObject(metrics)) return undefined
  for (const { field, version } of VERSIONS) {
    const entries = objectsOf(metrics[field]).flatMap((entry) => toCandidate(entry, version))
    const [best] = entries.sort(byWeight)
    if (best !== undefined) return best.chosen
  }
  return undefined
}

type Candidate = { chosen: ChosenCvss; isPrimary: boolean }

function toCandidate(entry: Record<string, unknown>, version: ChosenCvss['version']): Candidate[] {
  const data = isObject(entry['cvssData']) ? entry['cvssData'] : {}
  const vector = typeof data['vectorString'] === 'string' ? data['vectorString'].slice(0, MAX_VECTOR_CHARS) : ''
  const given = data['baseScore']
  // Published 4.0 scores were wrong for a while, so the vector decides. Source: NVD, news of 2026-04-28.
  const score =
    (version === '4.0' ? scoreOfVector(vector, version) : undefined) ?? (isScore(given) ? given : scoreOfVector(vector, version))
  if (score === undefined) return []
  const source = typeof entry['source'] === 'string' ? entry['source'].slice(0, MAX_VECTOR_CHARS) : ''
  return [{ chosen: { score: Math.round(score * 10) / 10, version, vector, source }, isPrimary: entry['type'] === 'Primary' }]
}

function byWeight(first: Candidate, second: Candidate): number {
  return (
    Number(second.chosen.source === NVD) - Number(first.chosen.source === NVD) ||
    Number(second.isPrimary) - Number(first.isPrimary) ||
    Number(second.chosen.source === CISA_ADP) - Number(first.chosen.source === CISA_ADP) ||
    second.chosen.score - first.chosen.score
  )
}

function isScore(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 10
}

/** The base score that a vector amounts to; undefined for one that the library cannot read, which costs the record nothing. */
export function scoreOfVector(vector: string, version: ChosenCvss['version']): number | undefined {
  if (vector === '') return undefined
  try {
    if (version === '4.0') return asScore(new cvssCalculator.Cvss4P0(vector).calculateScores().baseMetricsOnly)
    if (version === '3.1') return asScore(new cvssCalculator.Cvss3P1(vector).calculateScores().base)
    if (version === '3.0') return asScore(new cvssCalculator.Cvss3P0(vector).calculateScores().base)
    return asScore(new cvssCalculator.Cvss2(vector).calculateScores().base)
  } catch {
    return undefined
  }
}

function asScore(score: number | undefined): number | undefined {
  return score !== undefined && isScore(score) ? score : undefined
}
