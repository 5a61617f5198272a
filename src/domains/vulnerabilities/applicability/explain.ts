import type { AssetFacts, Verdict, VerdictWord } from '../vulnerabilities.model.ts'
import type { Finding } from './finding.ts'

const WORDS: Record<Finding['holds'], VerdictWord> = { T: 'VULNERABLE', U: 'CONDITIONAL', F: 'OUTSIDE_PLATFORM' }

/** The answer of the finding that decided, with its reasons in words. */
export function toVerdict(asset: AssetFacts, finding: Finding): Verdict {
  const where = finding.source === 'NVD' ? `Configuration ${finding.configuration} names` : 'The author of the CVE names'
  const version = asset.version === undefined ? 'the version need not be known' : `${asset.version} is among them`
  const hit = `${where} ${finding.criteria}, ${finding.range}; ${version}.`
  return {
    verdict: WORDS[finding.holds],
    source: finding.source,
    configuration: finding.configuration ?? null,
    criteria: finding.criteria,
    range: finding.range,
    missing: [...finding.missing],
    explanation: `${hit} ${whatItAsks(asset, finding)}`.trim(),
  }
}

function whatItAsks(asset: AssetFacts, { holds, missing, denied }: Finding): string {
  const platform =
    asset.platform === undefined || asset.platform.trim() === '' ? 'No platform is declared' : `The platform is ${asset.platform}`
  if (holds === 'U') return `It must also be or run on ${missing.join(', and ')}. ${platform}, which does not say.`
  if (holds === 'F')
    return denied.length > 0
      ? `It must also run on ${denied.join(', and ')}. ${platform}.`
      : `Its configuration excludes this asset. ${platform}.`
  return ''
}

/** No version of the asset's product is hit: says why, by the row that comes nearest. */
export function explainNone(asset: AssetFacts, findings: readonly Finding[]): Verdict {
  const [first] = findings
  const none = { verdict: 'NONE', configuration: null, missing: [] } as const
  if (first === undefined)
    return {
      ...none,
      source: null,
      criteria: null,
      range: null,
      missing: [],
      explanation: `The CVE does not name ${asset.product} as vulnerable.`,
    }
  const named = { ...none, source: first.source, criteria: first.criteria, range: first.range }
  const ranges = [...new Set(findings.map(({ range }) => range))]
  const all = `${ranges.slice(0, MAX_RANGES).join('; ')}${ranges.length > MAX_RANGES ? `; and ${ranges.length - MAX_RANGES} more` : ''}`
  if (asset.version === undefined || asset.version.trim() === '')
    return {
      ...named,
      missing: ['the version'],
      explanation: `Only some versions are vulnerable (${all}), and none is declared for ${asset.product}.`,
    }
  const nearest = findings.find(({ broken }) => broken !== undefined)
  return {
    ...named,
    missing: [],
    explanation: `${asset.version} of ${asset.product} is not vulnerable. Vulnerable are: ${all}.${ranges.length === 1 && nearest?.broken !== undefined ? ` Of these, ${nearest.broken}.` : ''}`,
  }
}

/** Ranges in an explanation before "and n more". */
const MAX_RANGES = 4
