import { DomainError } from '#kernel/errors.ts'
import { type AssetFacts, VERDICTS, type VerdictWord } from '../vulnerabilities.model.ts'
import { isObject, objectsOf } from './configurations.ts'
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
 * @throws source_malformed naming the case whose CVE is absent: a set that is not whole measures nothing
 */
export function evaluate(cases: readonly EvaluationCase[], cves: ReadonlyMap<string, CveFacts>): Evaluation {
  const misses: EvaluationMiss[] = []
  let [right, wronglyGiven, wronglyLeft] = [0, 0, 0]
  for (const { id, cve, asset, expected } of cases) {
    const facts = cves.get(cve)
    if (facts === undefined) throw new DomainError('source_malformed', `Case ${id} asks about ${cve}, which is not among the CVEs.`)
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

/** Cases as they stand in a file: `[{id, cve, asset: {product, vendor, version, platform}, expected, why}]`. @throws source_malformed */
export function parseCases(raw: unknown): EvaluationCase[] {
  if (!Array.isArray(raw)) throw new DomainError('source_malformed', 'The file of cases is no list.')
  return objectsOf(raw).map((written, at) => {
    const asset = isObject(written['asset']) ? written['asset'] : {}
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
    const expected = VERDICTS.find((word) => word === text(written['expected'])?.toUpperCase())
    const [cve, product] = [text(written['cve']), text(asset['product'])]
    if (cve === undefined || product === undefined || expected === undefined)
      throw new DomainError(
        'source_malformed',
        `Case ${at + 1} needs a cve, an asset with a product, and one of ${VERDICTS.join(', ')} as expected.`,
      )
    return {
      id: text(written['id']) ?? String(at + 1),
      cve,
      asset: { product, vendor: text(asset['vendor']), version: text(asset['version']), platform: text(asset['platform']) },
      expected,
      why: text(written['why']) ?? '',
    }
  })
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}
