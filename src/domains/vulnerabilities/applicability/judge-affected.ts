import { toComparableVersion } from '../versions/comparable-version.ts'
import type { AssetFacts } from '../vulnerabilities.model.ts'
import { type AffectedProduct, concernOf, rowInWords, statusOf } from './cna-affected.ts'
import type { Finding } from './finding.ts'
import { isSameFamily, type Platform, parsePlatform } from './platform.ts'
import { anyOf, type Truth } from './truth.ts'

/** Every statement of the CVE's author about the asset's product. */
export function judgeAffected(asset: AssetFacts, affected: readonly AffectedProduct[]): Finding[] {
  const platform = parsePlatform(asset.platform)
  return affected.flatMap((stated) => {
    const concern = concernOf(stated, asset)
    if (concern === undefined) return []
    const isPackage = concern.kind === 'package' && concern.distribution !== undefined
    const wants = isPackage ? [concern.distribution ?? ''] : (stated.platforms ?? [])
    const holds = runsOnAny(wants, platform)
    const name = wants.join(' or ')
    return [{ ...versionFinding(asset, stated), holds, missing: holds === 'U' ? [name] : [], denied: holds === 'F' ? [name] : [] }]
  })
}

function versionFinding(asset: AssetFacts, stated: AffectedProduct): Omit<Finding, 'holds' | 'missing' | 'denied'> {
  const { status, row } = statusOf(stated, toComparableVersion((stated.product ?? '').toLowerCase(), asset.version))
  const isAffected = status === 'affected'
  const elsewhere = asset.version === undefined ? 'unknown' : 'out'
  return {
    source: 'CNA',
    configuration: undefined,
    criteria: [stated.vendor, stated.product ?? stated.packageName].filter((part) => part !== undefined).join(' '),
    range: isAffected || row !== undefined ? rowInWords(row) : affectedInWords(stated),
    version: isAffected ? 'in' : elsewhere,
    broken: isAffected ? undefined : `it is ${status === 'unaffected' ? 'listed as unaffected' : 'not listed'}`,
  }
}

function affectedInWords({ versions, defaultStatus }: AffectedProduct): string {
  const rows = versions.filter(({ status }) => status === 'affected').map(rowInWords)
  return [...rows, ...(defaultStatus === 'affected' ? [rowInWords(undefined)] : [])].slice(0, MAX_RANGES).join('; ') || 'no version'
}

/** Ranges in an explanation. */
const MAX_RANGES = 4

/** Platforms are words of the author: those that name no operating system ("64 bit", "x86") ask for nothing. */
function runsOnAny(wanted: readonly string[], platform: Platform | undefined): Truth {
  const systems = wanted.map(parsePlatform).filter((one) => one?.family !== undefined)
  if (systems.length === 0) return 'T'
  return anyOf(systems.map((one) => runsOnSystem(one, platform)))
}

function runsOnSystem(wanted: Platform | undefined, platform: Platform | undefined): Truth {
  if (wanted?.family === undefined) return 'T'
  if (platform?.family === undefined) return 'U'
  if (!isSameFamily(wanted.family, platform.family)) return 'F'
  if (wanted.system === wanted.family || wanted.system === undefined) return 'T'
  if (platform.system === platform.family) return 'U'
  if (wanted.system !== platform.system) return 'F'
  if (wanted.release === undefined) return 'T'
  if (platform.release === undefined) return 'U'
  return platform.release === wanted.release || platform.release.startsWith(`${wanted.release}.`) ? 'T' : 'F'
}
