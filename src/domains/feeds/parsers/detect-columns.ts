import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import type { ColumnRef, ParserSettings } from '../parser-settings.ts'
import { constantKind, createKindReader, type KindWord, toKindWord, withoutPort } from './kind-word.ts'

/** Rows that detection looks at. Source: docs/decisions/0004. */
export const SAMPLE_ROWS = 200

/** Which columns hold what, and how well that fits the sample. Indexes are 0-based. */
export type ColumnChoice = {
  value: number | undefined
  type: number | undefined
  stripPort: boolean
  /** Sample rows whose value column holds a valid value. */
  valid: number
}

/** A table to look at: the data rows, and the names of the columns when a header gave them. */
export type SampleTable = { rows: readonly (readonly string[])[]; names: readonly string[] | undefined }

// biome-ignore format: two tables
const VALUE_NAMES = new Set([
  'ioc', 'ioc_value', 'indicator', 'indicator_value', 'value', 'observable', 'ip', 'ip_address', 'ipaddress', 'address', 'dst_ip', 'dstip', 'src_ip', 'ipv4', 'ipv6', 'cidr', 'network', 'prefix',
  'domain', 'domain_name', 'hostname', 'host', 'fqdn', 'url', 'sha256', 'sha256_hash', 'sha1', 'sha1_hash', 'md5', 'md5_hash', 'hash', 'email',
])
// biome-ignore format: one table
const LINK_NAMES = new Set(['link', 'links', 'reference', 'references', 'ref', 'source', 'source_url', 'urlhaus_link', 'report', 'report_url', 'permalink', 'href', 'details', 'detail_url', 'phish_detail_url', 'description', 'comment'])
const TYPE_NAMES = new Set(['type', 'ioc_type', 'indicator_type', 'value_type', 'kind', 'observable_type'])

/** Share of a column's cells that must be words for kinds before it counts as the type column. Assumption. */
const TYPE_SHARE = 0.9
/** The same under a header that says "type". Assumption. */
const NAMED_TYPE_SHARE = 0.5
/** Columns with nearly as many valid values as the best one are judged by name, variety and place. Assumption. */
const NEARLY = 0.9

/** Codes that a mere word gets; any other refusal is about something that does look like an indicator. */
const NOT_EVEN_SIMILAR = new Set([
  'empty',
  'not_an_indicator',
  'domain_invalid',
  'domain_single_label',
  'domain_public_suffix',
  'url_no_scheme',
])

/** Whether a cell looks like an indicator, even one that would be refused (a private address, a hash that lacks a digit). */
export function looksLikeValue(cell: string): boolean {
  const verdict = normalizeIndicator(cell)
  if (verdict.ok || !NOT_EVEN_SIMILAR.has(verdict.code)) return !isHeaderWord(cell)
  const bare = withoutPort(cell)
  if (bare !== cell && normalizeIndicator(bare).ok) return true
  // A value with its page, cut off before the scheme: evil.example/path.
  return verdict.code === 'url_no_scheme' && cell.includes('.')
}

/** Whether a cell is a name that headers use. */
export function isHeaderWord(cell: string): boolean {
  const name = toName(cell)
  return VALUE_NAMES.has(name) || TYPE_NAMES.has(name) || LINK_NAMES.has(name) || name === 'first_seen' || name === 'first_seen_utc'
}

/** Column names compare in lower case with blanks as underscores: `Date added` is `date_added`. */
export function toName(cell: string): string {
  return cell.trim().toLowerCase().replaceAll(' ', '_')
}

/**
 * The value column is the one with the most valid values, judged together with the type column if there is one (a link column is full of
 * valid URLs, but not where the type says domain). Ties go to telling names, then to variety, then to the left.
 */
export function detectColumns(table: SampleTable, settings: ParserSettings, fixed: { value?: number; type?: number } = {}): ColumnChoice {
  const constant = constantKind(settings.type)
  const type = fixed.type ?? (constant === undefined && settings.type === undefined ? findTypeColumn(table, settings) : undefined)
  const kindOf = createKindReader(settings.type_map)
  const declared = (row: readonly string[]): KindWord | undefined => constant ?? (type === undefined ? undefined : kindOf(row[type] ?? ''))
  const scores = candidateColumns(table, fixed.value, type).map((column) => scoreColumn(table, column, declared))
  const best = Math.max(0, ...scores.map((score) => score.valid))
  if (best === 0) return { value: fixed.value ?? findSimilarColumn(table, type), type, stripPort: settings.strip_port ?? false, valid: 0 }
  const [winner] = scores.filter((score) => score.valid >= best * NEARLY).sort(byName(table.names))
  if (winner === undefined) return { value: fixed.value, type, stripPort: settings.strip_port ?? false, valid: 0 }
  return { value: winner.column, type, stripPort: settings.strip_port ?? winner.ports > 0, valid: winner.valid }
}

/** A list of nothing but refused values (private ranges, say) still has a value column: its rejections are what the operator must see. */
function findSimilarColumn(table: SampleTable, type: number | undefined): number | undefined {
  return candidateColumns(table, undefined, type).find((column) => table.rows.some((row) => looksLikeValue(row[column] ?? '')))
}

function candidateColumns({ rows }: SampleTable, fixed: number | undefined, type: number | undefined): number[] {
  if (fixed !== undefined) return [fixed]
  // Wider rows than this are an accident of the wrong delimiter.
  const width = Math.min(100, Math.max(0, ...rows.map((row) => row.length)))
  return Array.from({ length: width }, (_, column) => column).filter((column) => column !== type)
}

function findTypeColumn({ rows, names }: SampleTable, settings: ParserSettings): number | undefined {
  const width = Math.min(100, Math.max(0, ...rows.map((row) => row.length)))
  const kindOf = createKindReader(settings.type_map)
  const isNamed = (column: number) => TYPE_NAMES.has(toName(names?.[column] ?? ''))
  const found = Array.from({ length: width }, (_, column) => column).filter((column) => {
    const share = shareOfKindWords(
      rows.map((row) => row[column] ?? ''),
      kindOf,
      isNamed(column),
    )
    return share >= (isNamed(column) ? NAMED_TYPE_SHARE : TYPE_SHARE)
  })
  return found.find(isNamed) ?? found[0]
}

/** Words for kinds that are not held ("malware", "tool") also fill columns about other things: they count only under a telling name. */
function shareOfKindWords(cells: readonly string[], kindOf: (word: string) => KindWord | undefined, named: boolean): number {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length < cells.length / 2 || filled.length === 0) return 0
  const words = filled.filter((cell) => {
    const kind = kindOf(cell)?.kind
    return kind !== undefined && (kind !== 'UNSUPPORTED' || (named && toKindWord(cell) !== undefined))
  })
  return words.length / filled.length
}

type Score = { column: number; valid: number; ports: number; distinct: number }

function scoreColumn({ rows }: SampleTable, column: number, declared: (row: readonly string[]) => KindWord | undefined): Score {
  let valid = 0
  let ports = 0
  const distinct = new Set<string>()
  for (const row of rows) {
    const cell = row[column] ?? ''
    const word = declared(row)
    if (cell === '' || word?.kind === 'UNSUPPORTED') continue
    const kind = word?.kind
    const bare = withoutPort(cell)
    const asWritten = normalizeIndicator(cell, kind).ok
    if (!asWritten && (bare === cell || !normalizeIndicator(bare, kind).ok)) continue
    valid++
    // A type word that says "with port" strips for its own rows; the whole column needs it only where no type says so.
    if (!asWritten && word?.port !== true) ports++
    distinct.add(cell)
  }
  return { column, valid, ports, distinct: distinct.size }
}

function byName(names: readonly string[] | undefined): (a: Score, b: Score) => number {
  const rank = ({ column }: Score) => {
    const name = toName(names?.[column] ?? '')
    const last = name.split('.').at(-1) ?? name
    if (LINK_NAMES.has(last)) return 2
    return VALUE_NAMES.has(last) ? 0 : 1
  }
  return (a, b) => {
    const byRank = rank(a) - rank(b)
    if (byRank !== 0) return byRank
    const most = Math.max(a.distinct, b.distinct)
    if (Math.min(a.distinct, b.distinct) < most * NEARLY) return b.distinct - a.distinct
    return a.column - b.column
  }
}

/** Optional columns that a header names by itself. Source: abuse.ch, ViriBack and Infoblox headers. */
const OPTIONAL_NAMES = {
  first_seen: ['first_seen_utc', 'first_seen', 'firstseen', 'dateadded', 'date_added', 'detected_date', 'created', 'first_submitted'],
  last_seen: ['last_seen_utc', 'last_seen', 'lastseen', 'last_online', 'modified'],
  tags: ['tags'],
  severity: ['severity'],
} as const

/** Columns beyond value and type that telling names give away; a setting always wins. Indexes are 0-based. */
export function detectOptionalColumns(
  names: readonly string[] | undefined,
  settings: ParserSettings,
): Partial<Record<keyof typeof OPTIONAL_NAMES, ColumnRef>> {
  if (names === undefined) return {}
  const plain = names.map(toName)
  const found: Partial<Record<keyof typeof OPTIONAL_NAMES, ColumnRef>> = {}
  for (const [setting, words] of Object.entries(OPTIONAL_NAMES)) {
    const key = setting as keyof typeof OPTIONAL_NAMES // the keys of the table itself
    if (settings[key] !== undefined) continue
    const name = names[words.map((word) => plain.indexOf(word)).find((index) => index >= 0) ?? -1]
    if (name !== undefined) found[key] = name
  }
  return found
}
