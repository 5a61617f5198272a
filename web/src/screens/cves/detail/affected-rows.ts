import type { CveDetail } from '../../../api/cves.ts'
import { detailText } from './detail.text.ts'

const text = detailText.affected

type Configuration = CveDetail['configurations'][number]
type CpeMatch = Configuration['nodes'][number]['cpeMatch'][number]
type CnaProduct = CveDetail['affected'][number]

/** A product and its vulnerable versions, as one statement names them. */
export type AffectedRow = {
  id: string
  /** Number of NVD's configuration, from 1; undefined for a statement of the CVE's author. */
  configuration: number | undefined
  vendor: string
  product: string
  versions: string[]
  /** What it must run on or with, when the statement says so. */
  onlyWith: string[]
}

/** NVD's configurations and then the author's statement, a row for each product. */
export function affectedRows({ configurations, affected }: Pick<CveDetail, 'configurations' | 'affected'>): AffectedRow[] {
  const rows = new Map<string, AffectedRow>()
  for (const [index, configuration] of configurations.entries()) addConfiguration(rows, configuration, index + 1)
  for (const entry of affected) addStatement(rows, entry)
  return [...rows.values()]
}

function addConfiguration(rows: Map<string, AffectedRow>, configuration: Configuration, number: number): void {
  const matches = configuration.nodes.flatMap(({ cpeMatch }) => cpeMatch)
  const onlyWith = unique(matches.filter(({ vulnerable }) => !vulnerable).map(platformName))
  for (const match of matches) {
    if (!match.vulnerable) continue
    const { vendor, product } = readCpe(match.criteria)
    add(rows, { configuration: number, vendor, product, onlyWith }, rangeWords(match))
  }
}

function addStatement(rows: Map<string, AffectedRow>, { vendor = '', product, packageName, platforms = [], ...entry }: CnaProduct): void {
  const row = { configuration: undefined, vendor, product: product ?? packageName ?? '', onlyWith: unique(platforms) }
  const listed = entry.versions.filter(({ status }) => status === 'affected')
  for (const version of listed) add(rows, row, statedRange(version))
  if (entry.defaultStatus === 'affected') add(rows, row, listed.length === 0 ? text.allVersions : text.allOthers)
}

function add(rows: Map<string, AffectedRow>, row: Omit<AffectedRow, 'id' | 'versions'>, versions: string): void {
  const id = [row.configuration ?? 'author', row.vendor, row.product].join(' ')
  const known = rows.get(id) ?? { ...row, id, versions: [] }
  if (!known.versions.includes(versions)) known.versions.push(versions)
  rows.set(id, known)
}

/** `≥ 2.0.1, < 2.3.1`, `2.0 beta9`, or all versions. */
function rangeWords({ criteria, ...bounds }: CpeMatch): string {
  const { version, update } = readCpe(criteria)
  const stated = [
    boundWords('≥', bounds.versionStartIncluding),
    boundWords('>', bounds.versionStartExcluding),
    boundWords('<', bounds.versionEndExcluding),
    boundWords('≤', bounds.versionEndIncluding),
  ].filter((bound) => bound !== '')
  if (stated.length > 0) return stated.join(', ')
  const exact = [version, update].filter((part) => part !== '').join(' ')
  return exact === '' ? text.allVersions : exact
}

function statedRange({ version, lessThan, lessThanOrEqual }: CnaProduct['versions'][number]): string {
  const end = lessThan ?? lessThanOrEqual
  if (end === undefined) return isAny(version) ? text.allVersions : version
  const stated = [
    isAny(version) || version === '0' ? '' : boundWords('≥', version),
    isAny(end) ? '' : boundWords(lessThan === undefined ? '≤' : '<', end),
  ].filter((bound) => bound !== '')
  return stated.length === 0 ? text.allVersions : stated.join(', ')
}

function boundWords(sign: string, version: string | undefined): string {
  return version === undefined ? '' : `${sign} ${unescapeCpe(version)}`
}

/** The parts of a CPE 2.3 name that are shown; `*` and `-` say nothing. */
function readCpe(criteria: string): { vendor: string; product: string; version: string; update: string } {
  const [, , , vendor = '', product = '', version = '', update = ''] = criteria.split(/(?<!\\):/)
  return { vendor: words(vendor), product: words(product), version: plain(version), update: plain(update) }
}

function platformName({ criteria }: CpeMatch): string {
  const { vendor, product, version, update } = readCpe(criteria)
  return [vendor, product, version, update].filter((part) => part !== '').join(' ')
}

function words(part: string): string {
  return plain(part).replaceAll('_', ' ')
}

function plain(part: string): string {
  return isAny(part) ? '' : unescapeCpe(part)
}

function isAny(part: string): boolean {
  return part === '*' || part === '-'
}

function unescapeCpe(part: string): string {
  return part.replaceAll(/\\(.)/g, '$1')
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
