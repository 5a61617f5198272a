import type { AssetFacts, VerdictWord } from '../vulnerabilities.model.ts'
import { type CveFacts, judge } from './verdict.ts'

/** One question whose answer is known. */
export type EvaluationCase = { id: string; cve: string; asset: AssetFacts; expected: VerdictWord; why: string }

export type EvaluationMiss = { id: string; cve: string; expected: VerdictWord; given: VerdictWord; explanation: string }

/** How the answers compare with the known ones. Positive is what makes an event: vulnerable or conditional. */
export type Evaluation = { cases: number; exact: number; precision: number; recall: number; misses: EvaluationMiss[] }

const POSITIVE: ReadonlySet<VerdictWord> = new Set(['VULNERABLE', 'CONDITIONAL'])

/**
 * Answers every case and compares. A precision or recall of nothing is 1.
 *
 * @throws Error naming the case whose CVE is absent: a set that is not whole measures nothing
 */
export function evaluate(cases: readonly EvaluationCase[], cves: ReadonlyMap<string, CveFacts>): Evaluation {
  const misses: EvaluationMiss[] = []
  let [right, wronglyGiven, wronglyLeft] = [0, 0, 0]
  for (const { id, cve, asset, expected } of cases) {
    const facts = cves.get(cve)
    if (facts === undefined) throw new Error(`Case ${id} asks about ${cve}, which is not among the CVEs.`)
    const { verdict: given, explanation } = judge(asset, facts)
    const [isGiven, isWanted] = [POSITIVE.has(given), POSITIVE.has(expected)]
    if (isGiven && isWanted) right++
    if (isGiven && !isWanted) wronglyGiven++
    if (!isGiven && isWanted) wronglyLeft++
    if (given !== expected) misses.push({ id, cve, expected, given, explanation })
  }
  return {
    cases: cases.length,
    exact: cases.length - misses.length,
    precision: share(right, right + wronglyGiven),
    recall: share(right, right + wronglyLeft),
    misses,
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}
