import { compareVersions } from '../versions/compare-versions.ts'
import { objectsOf } from './configurations.ts'
import { findSystem } from './platform.ts'
import { isSameProduct, type NamedAsset, wordsOf } from './product-match.ts'

export type AffectedStatus = 'affected' | 'unaffected' | 'unknown'
/** One statement about versions. Field names as in the CVE record format 5. */
export type AffectedVersion = {
  version: string
  status: AffectedStatus
  lessThan?: string
  lessThanOrEqual?: string
  changes?: { at: string; status: AffectedStatus }[]
}
/** What the author of a CVE says of one product. */
export type AffectedProduct = {
  vendor?: string
  product?: string
  packageName?: string
  platforms?: string[]
  defaultStatus: AffectedStatus
  versions: AffectedVersion[]
}

/** Assumption: no author lists more; beyond it is an attack. */
const MAX_PRODUCTS = 2000
const MAX_VERSIONS = 20_000
const MAX_TEXT_CHARS = 300
const MAX_LIST = 200

/**
 * `cve.affected` of a record, judged as hostile. The June 2026 form groups products by source under `affectedData`; a CVE record's own
 * `containers.cna.affected` is the flat list.
 *
 * Source: NVD CVE API 2.0, `cve.affected`; CVE record format 5, `affected`.
 */
export function toAffected(raw: unknown): AffectedProduct[] {
  let room = MAX_VERSIONS
  const products: AffectedProduct[] = []
  const entries = objectsOf(raw).flatMap((entry) => (Array.isArray(entry['affectedData']) ? objectsOf(entry['affectedData']) : [entry]))
  for (const entry of entries.slice(0, MAX_PRODUCTS)) {
    const named = { ...textAs('vendor', entry), ...textAs('product', entry), ...textAs('packageName', entry) }
    if (named.product === undefined && named.packageName === undefined) continue
    const versions = objectsOf(entry['versions']).slice(0, room).flatMap(toVersion)
    room -= versions.length
    const platforms = Array.isArray(entry['platforms']) ? entry['platforms'].filter(isShortText).slice(0, MAX_LIST) : []
    products.push({
      ...named,
      ...(platforms.length > 0 ? { platforms } : {}),
      defaultStatus: toStatus(entry['defaultStatus']),
      versions,
    })
  }
  return products
}

function toVersion(raw: Record<string, unknown>): AffectedVersion[] {
  const { version } = raw
  if (!isShortText(version)) return []
  const changes = objectsOf(raw['changes'])
    .slice(0, MAX_LIST)
    .flatMap(({ at, status }) => (isShortText(at) ? [{ at, status: toStatus(status) }] : []))
  return [
    {
      version,
      status: toStatus(raw['status']),
      ...textAs('lessThan', raw),
      ...textAs('lessThanOrEqual', raw),
      ...(changes.length > 0 ? { changes } : {}),
    },
  ]
}

function textAs<Name extends string>(name: Name, raw: Record<string, unknown>): { [key in Name]?: string } {
  const value = raw[name]
  return isShortText(value) && !/^(?:n\/a|-|unspecified)?$/i.test(value.trim()) ? ({ [name]: value } as { [key in Name]?: string }) : {}
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_CHARS
}

function toStatus(raw: unknown): AffectedStatus {
  return raw === 'affected' || raw === 'unaffected' ? raw : 'unknown'
}

/** How a statement concerns an asset: by its product; or by a package of a distribution, which then is what the asset must run on. */
export type Concern = { kind: 'product' } | { kind: 'package'; distribution: string | undefined }

/** @returns undefined when the statement is about something else */
export function concernOf(stated: AffectedProduct, asset: NamedAsset): Concern | undefined {
  const { product, packageName, vendor } = stated
  if (product !== undefined && isSameProduct(asset, { vendor: vendor ?? asset.vendor ?? product, product })) return { kind: 'product' }
  if (packageName === undefined) return undefined
  // Maven and npm write the group before the name.
  const name = packageName.split(/[:/@]/).at(-1) ?? packageName
  const isDistribution = product !== undefined && findSystem(wordsOf(product)) !== undefined
  const owner = isDistribution || vendor === undefined ? (asset.vendor ?? name) : vendor
  if (!isSameProduct(asset, { vendor: owner, product: name })) return undefined
  return { kind: 'package', distribution: isDistribution ? product : undefined }
}

/** What a statement says of one version, and which of its rows said it. Undefined as version asks about every version. */
export function statusOf(
  stated: AffectedProduct,
  version: string | undefined,
): { status: AffectedStatus; row: AffectedVersion | undefined } {
  for (const row of stated.versions) {
    const status = version === undefined ? statusOfAll(row) : statusInRow(row, version)
    if (status !== undefined) return { status, row }
  }
  if (version === undefined && stated.versions.length > 0) return { status: 'unknown', row: undefined }
  return { status: stated.defaultStatus, row: undefined }
}

/** A row in words, such as `from 2.0 and below 2.15.0`. */
export function rowInWords(row: AffectedVersion | undefined): string {
  if (row === undefined) return 'every version that is not listed otherwise'
  const { atLeast, above, below, upTo, exactly } = spanOf(row)
  if (exactly !== undefined) return `version ${exactly}`
  const words = [
    atLeast === undefined ? [] : [`from ${atLeast}`],
    above === undefined ? [] : [`above ${above}`],
    below === undefined ? [] : [`below ${below}`],
    upTo === undefined ? [] : [`up to ${upTo}`],
    (row.changes ?? []).map(({ at, status }) => `${status} again from ${at}`.replace('unaffected again', 'unaffected')),
  ].flat()
  return words.length === 0 ? 'all versions' : words.join(' and ')
}

type Span = { atLeast?: string; above?: string; below?: string; upTo?: string; exactly?: string }

const ALL = /^(?:\*|all|all versions|any|0)$/i
const COMPARISON = /^(<=|>=|<|>|=)(.+)$/

/** The versions that a row spans. Authors also write `< 4.17.21`, `>= 1.0, < 1.2.3`, `before 2.0` and `2.0 and earlier` as one version. */
function spanOf(row: AffectedVersion): Span {
  const limit = (bound: string | undefined) => (bound === undefined || isInfinite(bound) ? undefined : bound.replace(/\.\*$/, '.999999999'))
  const below = limit(row.lessThan)
  const upTo = limit(row.lessThanOrEqual)
  const isRange = row.lessThan !== undefined || row.lessThanOrEqual !== undefined || row.changes !== undefined
  const start = row.version.trim()
  if (isRange)
    return {
      ...(ALL.test(start) || /^(?:n\/a|-|unspecified)$/i.test(start) ? {} : { atLeast: start }),
      ...(below === undefined ? {} : { below }),
      ...(upTo === undefined ? {} : { upTo }),
    }
  if (ALL.test(start) && start !== '0') return {}
  return spanOfExpression(start) ?? { exactly: start }
}

function spanOfExpression(text: string): Span | undefined {
  const earlier = /^(\S+) and (?:earlier|below|prior|older)\b/i.exec(text)?.[1]
  if (earlier !== undefined) return { upTo: earlier }
  const before = /^(?:before|prior to|versions? (?:before|prior to))\s+(\S+)$/i.exec(text)?.[1]
  if (before !== undefined) return { below: before }
  const span: Span = {}
  for (const part of text.split(',')) {
    const [, sign, rest = ''] = COMPARISON.exec(part.trim()) ?? []
    if (sign === undefined) return undefined
    const version = rest.trim()
    if (sign === '<') span.below = version
    else if (sign === '<=') span.upTo = version
    else if (sign === '>') span.above = version
    else if (sign === '>=') span.atLeast = version
    else span.exactly = version
  }
  return span
}

/** `*` and `log4j-core*` have no end; `2.*` ends with the last 2. */
function isInfinite(bound: string): boolean {
  return bound.includes('*') && !/^v?\d+(?:\.\d+)*\.\*$/i.test(bound.trim())
}

function statusInRow(row: AffectedVersion, version: string): AffectedStatus | undefined {
  const { atLeast, above, below, upTo, exactly } = spanOf(row)
  const isInside =
    (exactly === undefined || compareVersions(version, exactly) === 0) &&
    (atLeast === undefined || compareVersions(version, atLeast) >= 0) &&
    (above === undefined || compareVersions(version, above) > 0) &&
    (below === undefined || compareVersions(version, below) < 0) &&
    (upTo === undefined || compareVersions(version, upTo) <= 0)
  if (!isInside) return undefined
  const passed = (row.changes ?? []).filter(({ at }) => compareVersions(version, at) >= 0)
  const last = passed.reduce((latest: (typeof passed)[number] | undefined, change) => {
    return latest === undefined || compareVersions(change.at, latest.at) >= 0 ? change : latest
  }, undefined)
  return last?.status ?? row.status
}

/** What a row says of every version, when it says the same of all. */
function statusOfAll(row: AffectedVersion): AffectedStatus | undefined {
  return Object.keys(spanOf(row)).length === 0 && row.changes === undefined ? row.status : undefined
}
