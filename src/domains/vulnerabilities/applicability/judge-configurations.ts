import { toComparableVersion } from '../versions/comparable-version.ts'
import { brokenBound, isAllVersions, isInRange, rangeInWords, type VersionRange } from '../versions/version-range.ts'
import type { AssetFacts } from '../vulnerabilities.model.ts'
import type { Configuration, ConfigurationNode, CpeMatch, Operator } from './configurations.ts'
import { type Cpe, isUnstated, tryParseCpe } from './cpe.ts'
import { systemInDescription } from './description-hint.ts'
import { isOfEdition, isOnTargetSoftware, runsOn, type Surroundings } from './environment.ts'
import type { Finding } from './finding.ts'
import { isSameFamily, type Platform, parsePlatform } from './platform.ts'
import { isSameProduct, wordsOf } from './product-match.ts'
import { allOf, anyOf, not, type Truth } from './truth.ts'

/** One thing that must hold, whether it does, and what it asks for in words. */
type Condition = { holds: Truth; wants: string }

/** Names in an explanation before "or n more". */
const MAX_NAMES = 3

/**
 * Every vulnerable row that names the asset's product, each judged with the nodes beside it.
 *
 * Three-valued: "runs on" that cannot be known is unknown, and NVD's negate turns what is known only.
 */
export function judgeConfigurations(
  asset: AssetFacts,
  { configurations, description }: { configurations: readonly Configuration[]; description: string },
): Finding[] {
  const judging = createJudging(asset)
  const findings: Finding[] = []
  for (const [index, configuration] of configurations.entries())
    for (const node of configuration.nodes)
      for (const match of node.cpeMatch) {
        const cpe = match.vulnerable ? judging.assetCpe(match) : undefined
        if (cpe === undefined) continue
        const place = { configuration, node, match, cpe }
        findings.push({ ...judging.judgeAnchor(place, description), source: 'NVD', configuration: index + 1, criteria: match.criteria })
      }
  return findings
}

type Place = { configuration: Configuration; node: ConfigurationNode; match: CpeMatch; cpe: Cpe }

function createJudging(asset: AssetFacts) {
  const platform = parsePlatform(asset.platform)
  const assetWords = new Set([asset.product, asset.version ?? '', asset.platform ?? ''].flatMap(wordsOf))
  const sameProduct = new Map<string, boolean>()
  const remembered = new Map<ConfigurationNode, Map<string, Condition>>()

  function isAsset(cpe: Cpe): boolean {
    const key = `${cpe.vendor}:${cpe.product}`
    let same = sameProduct.get(key)
    if (same === undefined) {
      same = isSameProduct(asset, cpe)
      sameProduct.set(key, same)
    }
    return same
  }

  function versionOf(cpe: Cpe): string | undefined {
    return toComparableVersion(cpe.product, asset.version)
  }

  /**
   * The rows of a node as one condition, before its negation, in the surroundings of an anchor. Remembered: a hostile node of thousands
   * stands beside thousands of anchors.
   */
  function conditionOf(node: ConfigurationNode, anchor: Cpe): Condition {
    const byAnchor = remembered.get(node) ?? new Map<string, Condition>()
    remembered.set(node, byAnchor)
    const key = `${anchor.vendor}:${anchor.product}`
    const known = byAnchor.get(key)
    if (known !== undefined) return known
    const surroundings: Surroundings = {
      anchor,
      platform,
      ofAsset: (cpe, range) => (isAsset(cpe) ? ANSWER_TRUTH[isInRange(range, versionOf(cpe))] : undefined),
    }
    const condition = combine(
      node.operator,
      node.cpeMatch.map((match): Condition => {
        const cpe = tryParseCpe(match.criteria)
        if (cpe === undefined) return { holds: 'U', wants: match.criteria }
        return { holds: runsOn(cpe, match, surroundings), wants: nameOf(cpe, match) }
      }),
    )
    byAnchor.set(key, condition)
    return condition
  }

  function besideNode(node: ConfigurationNode, anchor: Cpe): Condition {
    const { holds, wants } = conditionOf(node, anchor)
    return node.negate === true ? { holds: not(holds), wants: `not ${wants}` } : { holds, wants }
  }

  function attributesOf(cpe: Cpe): Condition[] {
    const found: Condition[] = []
    if (!isUnstated(cpe.targetSw)) found.push({ holds: isOnTargetSoftware(cpe.targetSw, platform), wants: spaced(cpe.targetSw) })
    if (!isUnstated(cpe.swEdition))
      found.push({ holds: isOfEdition(cpe.swEdition, assetWords), wants: `the edition ${spaced(cpe.swEdition)}` })
    return found
  }

  /** The truth of an anchor, and the conditions behind it. The order of the steps is NVD's: row, node, configuration. */
  function weigh({ configuration, node, cpe }: Place): { holds: Truth; parts: Condition[]; hasSurroundings: boolean } {
    const parts = attributesOf(cpe)
    // The anchor's own row is among them and holds, since its version is inside.
    const inNode = node.operator === 'AND' && node.cpeMatch.length > 1 ? [conditionOf(node, cpe)] : []
    let holds = allOf([...parts, ...inNode].map((part) => part.holds))
    if (node.negate === true) holds = not(holds)
    const others = configuration.operator === 'AND' ? configuration.nodes.filter((other) => other !== node) : []
    const beside = others.map((other) => besideNode(other, cpe))
    holds = allOf([holds, ...beside.map((part) => part.holds)])
    if (configuration.negate === true) holds = not(holds)
    return { holds, parts: [...parts, ...inNode, ...beside], hasSurroundings: inNode.length + beside.length > 0 }
  }

  function judgeAnchor(place: Place, description: string): Omit<Finding, 'source' | 'configuration' | 'criteria'> {
    const { cpe, match } = place
    const range: VersionRange = { ...match, version: cpe.version, update: cpe.update }
    const version = versionOf(cpe)
    const answer = isInRange(range, version)
    const base = { range: rangeInWords(range), version: answer, broken: undefined, missing: [], denied: [] }
    if (answer !== 'in')
      return { ...base, holds: 'F', broken: answer === 'out' && version !== undefined ? brokenBound(range, version) : undefined }
    const { holds, parts, hasSurroundings } = weigh(place)
    const hint = holds === 'T' && !hasSurroundings ? hintOf(cpe, description, platform) : undefined
    const all = hint === undefined ? parts : [...parts, hint]
    return {
      ...base,
      holds: hint === undefined ? holds : 'U',
      missing: all.filter((part) => part.holds === 'U').map((part) => part.wants),
      denied: all.filter((part) => part.holds === 'F').map((part) => part.wants),
    }
  }

  return {
    judgeAnchor,
    /** The row's CPE when it names the asset's product. */
    assetCpe(match: CpeMatch): Cpe | undefined {
      const cpe = tryParseCpe(match.criteria)
      return cpe !== undefined && isAsset(cpe) ? cpe : undefined
    },
  }
}

function combine(operator: Operator, rows: readonly Condition[]): Condition {
  const truths = rows.map(({ holds }) => holds)
  const names = (some: readonly Condition[]) => [...new Set(some.map(({ wants }) => wants))]
  if (operator === 'OR') return { holds: anyOf(truths), wants: listNames(names(rows), 'or') }
  const open = rows.filter(({ holds }) => holds !== 'T')
  return { holds: allOf(truths), wants: listNames(names(open.length > 0 ? open : rows), 'and') }
}

const ANSWER_TRUTH = { in: 'T', out: 'F', unknown: 'U' } as const

/** The operating system that only the description names, when the asset is not known to run on it. */
function hintOf(cpe: Cpe, description: string, platform: Platform | undefined): Condition | undefined {
  if (cpe.part !== 'a' || cpe.targetSw !== '*') return undefined
  const wanted = systemInDescription(description)
  if (wanted === undefined || (platform?.family !== undefined && isSameFamily(wanted, platform.family))) return undefined
  return { holds: 'U', wants: `${wanted}, which the description alone names` }
}

function nameOf(cpe: Cpe, match: CpeMatch): string {
  const range: VersionRange = { ...match, version: cpe.version, update: cpe.update }
  const update = isUnstated(cpe.version) && !isUnstated(cpe.update) ? ` ${cpe.update}` : ''
  const versions = isAllVersions(range) ? update : ` ${rangeInWords(range).replace(/^version /, '')}`
  return `${spaced(cpe.vendor)} ${spaced(cpe.product)}${versions}`
}

function listNames(names: readonly string[], word: 'and' | 'or'): string {
  const shown = names.slice(0, MAX_NAMES).join(` ${word} `)
  return names.length > MAX_NAMES ? `${shown} ${word} ${names.length - MAX_NAMES} more` : shown
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ')
}
