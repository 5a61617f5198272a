import type { AssetFacts, Verdict } from '../vulnerabilities.model.ts'
import type { AffectedProduct } from './cna-affected.ts'
import type { Configuration } from './configurations.ts'
import { explainNone, toVerdict } from './explain.ts'
import type { Finding } from './finding.ts'
import { judgeAffected } from './judge-affected.ts'
import { judgeConfigurations } from './judge-configurations.ts'

/** What a CVE says of whom it hits. */
export type CveFacts = {
  configurations: readonly Configuration[]
  affected: readonly AffectedProduct[]
  /** The English description; only its "on Windows" counts. */
  description: string
}

/**
 * Whether a CVE hits an asset: vulnerable, conditional when a fact is missing, outside platform when it needs another one, or none. NVD's
 * configurations decide; where they do not name the product, what the CVE's author says is affected does.
 *
 * Source: spec, "Correlated event" and "CVE"; docs/decisions/0016. Pure; the cost grows with the rows that name the product.
 */
export function judge(asset: AssetFacts, cve: CveFacts): Verdict {
  const byNvd = judgeConfigurations(asset, cve)
  const findings = byNvd.length > 0 ? byNvd : judgeAffected(asset, cve.affected)
  const worst = worstOf(findings)
  return worst === undefined ? explainNone(asset, findings) : toVerdict(asset, worst)
}

const RANK = { T: 2, U: 1, F: 0 } as const

/** The finding that decides: of those whose version is hit, the one that holds most. */
function worstOf(findings: readonly Finding[]): Finding | undefined {
  let worst: Finding | undefined
  for (const finding of findings)
    if (finding.version === 'in' && (worst === undefined || RANK[finding.holds] > RANK[worst.holds])) worst = finding
  return worst
}
