import { compareVersions } from '../versions/compare-versions.ts'
import { toVersionParts } from '../versions/version-parts.ts'
import { isAllVersions, isInRange, type VersionRange } from '../versions/version-range.ts'
import type { CpeMatch } from './configurations.ts'
import { type Cpe, isUnstated } from './cpe.ts'
import { familyOf, findSystem, isSameFamily, type Platform } from './platform.ts'
import { PRODUCT_ALIASES } from './product-aliases.ts'
import { isSameProduct, wordsOf } from './product-match.ts'
import { type Truth, toTruth } from './truth.ts'
import { isSameWindows, toWindowsName } from './windows.ts'

/** What an environment row is judged against: the vulnerable product that was found, and what the asset runs on. */
export type Surroundings = {
  anchor: Cpe
  platform: Platform | undefined
  /** Whether the asset itself lies in a row that names its product again. */
  ofAsset(cpe: Cpe, range: VersionRange): Truth | undefined
}

const FIRMWARE = /[_-]firmware$/
/** Distributions whose CPE release names the whole major one: `debian_linux:10.0` is every Debian 10. Source: CPE dictionary. */
const MAJOR_RELEASES = new Set(['debian', 'rhel', 'centos', 'rocky', 'almalinux', 'oracle', 'fedora'])

/**
 * Whether the asset runs on what a row names. A platform that was not declared leaves it open; a declared one that names another system
 * denies it; hardware and programs that it does not name stay open, because nobody lists everything.
 *
 * Source: docs/decisions/0016.
 */
export function runsOn(cpe: Cpe, match: CpeMatch, { anchor, platform, ofAsset }: Surroundings): Truth {
  const range: VersionRange = { ...match, version: cpe.version, update: cpe.update }
  if (
    cpe.part === 'h' &&
    anchor.vendor === cpe.vendor &&
    FIRMWARE.test(anchor.product) &&
    anchor.product.replace(FIRMWARE, '') === cpe.product
  )
    return 'T'
  const own = ofAsset(cpe, range)
  if (own !== undefined) return own
  if (platform === undefined) return 'U'
  if (cpe.part === 'o' && !FIRMWARE.test(cpe.product)) return runsOnSystem(cpe, range, platform)
  return runsBeside(cpe, range, platform)
}

/** Whether a value of target_sw holds: an operating system is compared, an ecosystem such as wordpress or node.js is the product itself. */
export function isOnTargetSoftware(targetSw: string, platform: Platform | undefined): Truth {
  if (isUnstated(targetSw)) return 'T'
  const wanted = familyOf(targetSw)
  if (wanted === undefined) return 'T'
  if (platform?.family === undefined) return 'U'
  return toTruth(isSameFamily(wanted, platform.family))
}

/** Whether the asset's own words name its edition; what they do not say stays open. */
export function isOfEdition(swEdition: string, assetWords: ReadonlySet<string>): Truth {
  if (isUnstated(swEdition)) return 'T'
  return wordsOf(swEdition).every((word) => assetWords.has(word)) ? 'T' : 'U'
}

function runsOnSystem(cpe: Cpe, range: VersionRange, platform: Platform): Truth {
  const words = wordsOf(`${cpe.vendor} ${cpe.product}`)
  const wanted = findSystem(words)?.name
  if (wanted === undefined) return runsOnOtherSystem(cpe, range, platform)
  if (platform.family === undefined) return 'U'
  if (!isSameFamily(wanted.family, platform.family)) return 'F'
  if (wanted.family === 'windows') return compareWindows(cpe, range, platform)
  if (wanted.system === wanted.family) return onGenericSystem(range, platform, wanted.system)
  // "Linux" alone does not say which distribution.
  if (platform.system === platform.family) return 'U'
  return wanted.system === platform.system ? isOnRelease(range, platform) : 'F'
}

/** Any Linux, macOS and so on. A release counts only where the platform states one of the same kind. */
function onGenericSystem(range: VersionRange, platform: Platform, system: string): Truth {
  if (isAllVersions(range)) return 'T'
  return platform.system === system ? isOnRelease(range, platform) : 'U'
}

/** Systems that are no general-purpose ones: appliances, hypervisors, routers. */
function runsOnOtherSystem(cpe: Cpe, range: VersionRange, platform: Platform): Truth {
  const named = runsBeside(cpe, range, platform)
  return named === 'U' && platform.family !== undefined ? 'F' : named
}

function isOnRelease(range: VersionRange, { release, system }: Platform): Truth {
  if (isAllVersions(range)) return 'T'
  if (release === undefined) return 'U'
  const answer = isInRange(range, release)
  if (answer !== 'out' || isUnstated(range.version)) return toTruth(answer === 'in')
  const wanted = toVersionParts(range.version).numbers
  const declared = toVersionParts(release).numbers
  if (MAJOR_RELEASES.has(system ?? '') && wanted.slice(1).every((number) => number === '0')) return toTruth(wanted[0] === declared[0])
  // "SLES 15" does not say which service pack; "Ubuntu 20.04.3" is a 20.04.
  if (declared.every((number, at) => number === wanted[at]) && toVersionParts(release).words.length === 0) return 'U'
  return toTruth(isUnstated(range.update) && wanted.every((number, at) => number === declared[at]))
}

function compareWindows(cpe: Cpe, range: VersionRange, platform: Platform): Truth {
  const stated = isUnstated(cpe.version) ? [] : wordsOf(cpe.version)
  const wanted = toWindowsName([...wordsOf(cpe.product), ...stated, ...(isUnstated(cpe.update) ? [] : wordsOf(cpe.update))])
  if (cpe.update === '-' || cpe.update === 'gold') wanted.servicePack = 'none'
  const same = isSameWindows(wanted, toWindowsName(platform.words), cpe.version === '*')
  const hasBounds = isUnstated(cpe.version) && !isAllVersions(range)
  return same === 'T' && hasBounds ? 'U' : same
}

/** Hardware, and programs such as a JDK: named in the platform or not known. A version that follows the name is compared. */
function runsBeside(cpe: Cpe, range: VersionRange, platform: Platform): Truth {
  const impliesWindows = cpe.product === 'internet_explorer'
  if (impliesWindows && platform.family !== undefined && platform.family !== 'windows') return 'F'
  const end = placeBehind(namesOf(cpe), platform.words)
  if (end === undefined) return 'U'
  const version = platform.words[end]
  if (cpe.part === 'h' || version === undefined || !/^\d/.test(version)) return 'T'
  return isInRange(range, version) === 'in' || isSameMajor(range, version) ? 'T' : 'F'
}

/** "JDK 8" and an exact 8.0.1 in the row may be the same. */
function isSameMajor({ version }: VersionRange, declared: string): boolean {
  const [major] = toVersionParts(version).numbers
  return !isUnstated(version) && /^\d+$/.test(declared) && compareVersions(major ?? '', declared) === 0
}

function namesOf(cpe: Cpe): string[][] {
  const words = wordsOf(cpe.product.replace(FIRMWARE, ''))
  const own = { product: cpe.product, vendor: cpe.vendor }
  const aliases = PRODUCT_ALIASES.filter(({ names, vendor }) => isSameProduct({ product: names[0], vendor }, own)).flatMap(
    ({ names }) => names,
  )
  return [words, ...aliases.map((name) => [name])]
}

/** The place behind the name in the text: all its words, in any order for a long name of hardware. */
function placeBehind(names: readonly (readonly string[])[], words: readonly string[]): number | undefined {
  for (const name of names) {
    const at = words.findIndex((_, start) => name.every((word, offset) => words[start + offset] === word))
    if (at !== -1) return at + name.length
    if (name.length > 1 && name.every((word) => words.includes(word))) return words.length
  }
  return undefined
}
