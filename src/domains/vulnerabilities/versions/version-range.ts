import { compareParts } from './compare-versions.ts'
import { toVersionParts, type VersionParts } from './version-parts.ts'

/** The versions that a row of a configuration names: an exact one with its update, or bounds. `*` and `-` state nothing. */
export type VersionRange = {
  version: string
  update: string
  versionStartIncluding?: string
  versionStartExcluding?: string
  versionEndIncluding?: string
  versionEndExcluding?: string
}

/** Whether a version lies in a range; `unknown` when no version was given and the range names some only. */
export type RangeAnswer = 'in' | 'out' | 'unknown'

/** Words that follow a version as its update, so that `1.9.5:*` means 1.9.5p1 too, while 1.0.1f is another version than 1.0.1. */
const UPDATE_WORDS = new Set(['p', 'u', 'sp', 'cu', 'hf'])

/**
 * Whether `version` lies in the range. All bounds count; a CPE of `*` with an update continues the end bound (`<= 4.2.8` with `p8` is
 * `<= 4.2.8p8`); `*` and `-` without bounds are all versions; an exact version without an update holds for each of its updates.
 *
 * Source: docs/decisions/0016.
 */
export function isInRange(range: VersionRange, version: string | undefined): RangeAnswer {
  if (isAllVersions(range)) return 'in'
  if (version === undefined || version.trim() === '') return 'unknown'
  const asset = toVersionParts(version)
  return (hasBounds(range) ? isWithinBounds(range, asset) : isExactly(range, asset)) ? 'in' : 'out'
}

/** True when the range leaves no version out. */
export function isAllVersions(range: VersionRange): boolean {
  return isUnstated(range.version) && !hasBounds(range)
}

/** The range in words, such as `from 2.13.0 to below 2.15.0`. */
export function rangeInWords(range: VersionRange): string {
  if (isAllVersions(range)) return 'all versions'
  if (!hasBounds(range)) return `version ${withUpdate(range.version, range.update)}`
  const bounds = boundsOf(range)
  const words: string[] = []
  if (bounds.startIncluding !== undefined) words.push(`from ${bounds.startIncluding}`)
  if (bounds.startExcluding !== undefined) words.push(`above ${bounds.startExcluding}`)
  if (bounds.endIncluding !== undefined) words.push(`up to ${bounds.endIncluding}`)
  if (bounds.endExcluding !== undefined) words.push(`below ${bounds.endExcluding}`)
  return words.join(' and ')
}

/** Which bound a version outside the range breaks, in words: `it is not below 2.15.0`. */
export function brokenBound(range: VersionRange, version: string): string {
  const asset = toVersionParts(version)
  if (!hasBounds(range)) return `it is not ${withUpdate(range.version, range.update)}`
  const { startIncluding, startExcluding, endIncluding, endExcluding } = boundsOf(range)
  if (startIncluding !== undefined && compareParts(asset, boundParts(startIncluding)) < 0) return `it comes before ${startIncluding}`
  if (startExcluding !== undefined && compareParts(asset, boundParts(startExcluding)) <= 0) return `it is not above ${startExcluding}`
  if (endIncluding !== undefined && compareParts(asset, boundParts(endIncluding)) > 0) return `it is above ${endIncluding}`
  return `it is not below ${endExcluding ?? ''}`
}

type Bounds = { [bound in 'startIncluding' | 'startExcluding' | 'endIncluding' | 'endExcluding']: string | undefined }

function boundsOf(range: VersionRange): Bounds {
  const update = isUnstated(range.version) ? range.update : '*'
  return {
    startIncluding: stated(range.versionStartIncluding),
    startExcluding: stated(range.versionStartExcluding),
    endIncluding: withUpdateOrNone(range.versionEndIncluding, update),
    endExcluding: withUpdateOrNone(range.versionEndExcluding, update),
  }
}

function hasBounds(range: VersionRange): boolean {
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = range
  return [versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding].some(
    (bound) => stated(bound) !== undefined,
  )
}

function isWithinBounds(range: VersionRange, asset: VersionParts): boolean {
  const { startIncluding, startExcluding, endIncluding, endExcluding } = boundsOf(range)
  return (
    (startIncluding === undefined || compareParts(asset, boundParts(startIncluding)) >= 0) &&
    (startExcluding === undefined || compareParts(asset, boundParts(startExcluding)) > 0) &&
    (endIncluding === undefined || compareParts(asset, boundParts(endIncluding)) <= 0) &&
    (endExcluding === undefined || compareParts(asset, boundParts(endExcluding)) < 0)
  )
}

function isExactly({ version, update }: VersionRange, asset: VersionParts): boolean {
  const exact = toVersionParts(withUpdate(version, update))
  if (compareParts(asset, exact) === 0) return true
  return update === '*' && isUpdateOf(asset, exact)
}

/** Whether the asset's version is the exact one with an update behind it. */
function isUpdateOf(asset: VersionParts, exact: VersionParts): boolean {
  const next = asset.words[exact.words.length]
  if (next === undefined || compareParts({ numbers: asset.numbers, words: asset.words.slice(0, exact.words.length) }, exact) !== 0)
    return false
  return !next.glued || next.rank < 0 || UPDATE_WORDS.has(next.word)
}

/** `1.21.0-0` as a bound means before every pre-release of 1.21.0. Source: Semantic Versioning 2.0.0, 11: numeric identifiers come first. */
function boundParts(bound: string): VersionParts {
  return toVersionParts(bound.replace(/^(\d+\.\d+\.\d+)-0$/, '$1-dev0'))
}

function withUpdateOrNone(bound: string | undefined, update: string): string | undefined {
  const version = stated(bound)
  return version === undefined ? undefined : withUpdate(version, update)
}

function withUpdate(version: string, update: string): string {
  return isUnstated(update) ? version : `${version} ${update}`
}

function stated(bound: string | undefined): string | undefined {
  return bound === undefined || isUnstated(bound) ? undefined : bound.replace(/\\(.)/g, '$1')
}

function isUnstated(value: string): boolean {
  return value === '*' || value === '-' || value === ''
}
