import { SEVERITIES, type Severity } from '#domains/indicators/indicators.model.ts'
import { compileLinearPattern, type LinearPattern } from '#kernel/linear-pattern.ts'
import type { ColumnRef, ParserSettings, RowFilter } from '../parser-settings.ts'
import { tryParseFeedDate } from './feed-date.ts'
import { excerpt, type FeedRow } from './feed-row.ts'
import { constantKind, createKindReader, type KindWord, withoutPort } from './kind-word.ts'

/** Tags a row may carry, and characters of one. Assumption: more is noise, and every tag is stored. */
const MAX_TAGS = 20
const MAX_TAG_CHARS = 64
/** Characters of a description. Assumption. */
const MAX_DESCRIPTION_CHARS = 1000
/** Characters of a value that excludes look at. Source: docs/decisions/0004, the longest stored value. */
const MAX_JUDGED_CHARS = 4096
/** Characters of a damaged value that are shown. Assumption. */
const MAX_SHOWN_CHARS = 200

/** The columns of a feed, resolved to 0-based indexes: everything that a row needs, decided once. */
export type ColumnPlan = {
  values: readonly number[]
  cidr: readonly [address: number, prefix: number] | undefined
  type: number | undefined
  constantKind: KindWord | undefined
  kindOf: (word: string) => KindWord | undefined
  severity: number | undefined
  constantSeverity: Severity | undefined
  firstSeen: number | undefined
  lastSeen: number | undefined
  description: number | undefined
  tags: readonly number[]
  filters: readonly CompiledFilter[]
  exclude: LinearPattern | undefined
  stripPort: boolean
  /** Columns that must be cut out of a line; the rest may be ignored. */
  width: number
}

type CompiledFilter = {
  column: number
  wanted: Set<string> | undefined
  unwanted: Set<string> | undefined
  match: LinearPattern | undefined
}

/** What reading has counted so far. `damaged`: undecodable bytes have been met, so values must be looked at for their marks. */
export type Tally = { rows: number; blank: number; comments: number; filtered: number; withoutValue: number; damaged: boolean }

export function newTally(): Tally {
  return { rows: 0, blank: 0, comments: 0, filtered: 0, withoutValue: 0, damaged: false }
}

/** @param settings with the detected columns filled in @param resolve gives the 0-based index of a column @throws what `resolve` throws */
export function compilePlan(
  settings: ParserSettings,
  stripPort: boolean,
  resolve: (ref: ColumnRef, setting: string) => number,
): ColumnPlan {
  let width = 0
  const at = (ref: ColumnRef, setting: string) => {
    const column = resolve(ref, setting)
    width = Math.max(width, column + 1)
    return column
  }
  const optional = (ref: ColumnRef | undefined, setting: string) => (ref === undefined ? undefined : at(ref, setting))
  const wholeKind = constantKind(settings.type)
  const constantSeverity = typeof settings.severity === 'string' ? tryParseSeverity(settings.severity) : undefined
  const plan = {
    values: toList(settings.value).map((ref) => at(ref, 'value')),
    cidr:
      settings.cidr_from === undefined
        ? undefined
        : ([at(settings.cidr_from[0], 'cidr_from'), at(settings.cidr_from[1], 'cidr_from')] as const),
    type: wholeKind === undefined ? optional(settings.type, 'type') : undefined,
    constantKind: wholeKind,
    kindOf: createKindReader(settings.type_map),
    severity: constantSeverity === undefined ? optional(settings.severity, 'severity') : undefined,
    constantSeverity,
    firstSeen: optional(settings.first_seen, 'first_seen'),
    lastSeen: optional(settings.last_seen, 'last_seen'),
    description: optional(settings.description, 'description'),
    tags: toList(settings.tags).map((ref) => at(ref, 'tags')),
    filters: (settings.filter ?? []).map((filter) => compileFilter(filter, at(filter.col, 'filter'))),
    exclude: settings.exclude_regex === undefined ? undefined : compileLinearPattern(settings.exclude_regex),
    stripPort,
  }
  return { ...plan, width }
}

function toList(refs: ColumnRef | ColumnRef[] | undefined): ColumnRef[] {
  if (refs === undefined) return []
  return Array.isArray(refs) ? refs : [refs]
}

function compileFilter(filter: RowFilter, column: number): CompiledFilter {
  const words = (list: string[] | undefined) => (list === undefined ? undefined : new Set(list.map((word) => word.trim().toLowerCase())))
  return {
    column,
    wanted: words(filter.in),
    unwanted: words(filter.not_in),
    match: filter.match === undefined ? undefined : compileLinearPattern(filter.match),
  }
}

/** Severity words of feeds. Numbers are not read: 1 is the highest in one feed and the lowest in the next. */
export function tryParseSeverity(word: string): Severity | undefined {
  const upper = word.trim().toUpperCase()
  if (upper === 'INFORMATIONAL' || upper === 'INFORMATION') return 'INFO'
  if (upper === 'MODERATE') return 'MEDIUM'
  return SEVERITIES.find((severity) => severity === upper)
}

/** Cells of one record; undefined where the record is too short, or lacks the field. */
export type Cells = readonly (string | undefined)[]

/** Pushes the values of one record to `out` and counts it. `text` gives the record as written, for a row that could not be read. */
export function pushRecord(
  plan: ColumnPlan,
  { cells, line, text }: { cells: Cells; line: number; text: string },
  into: { out: FeedRow[]; tally: Tally },
): void {
  const { out, tally } = into
  tally.rows++
  if (!passesFilters(plan.filters, cells)) {
    tally.filtered++
    return
  }
  const raws = rawValues(plan, cells)
  if (raws === undefined) {
    out.push(problemRow(line, text, `the row has ${cells.length} of at least ${plan.width} columns`))
    return
  }
  const shared = sharedFields(plan, cells)
  for (const raw of raws) pushValue(plan, { line, raw, ...shared }, into)
}

/** A row that could not be read. */
export function problemRow(line: number, text: string, reason: string): FeedRow {
  return { line, raw: excerpt(text, MAX_SHOWN_CHARS), problem: { code: 'malformed_row', reason } }
}

/** Applies to each value what needs its kind: port, exclude, damage. */
function pushValue(plan: ColumnPlan, row: FeedRow & { word?: KindWord }, { out, tally }: { out: FeedRow[]; tally: Tally }): void {
  const { word, ...plain } = row
  const raw = plan.stripPort || word?.port === true ? withoutPort(row.raw) : row.raw
  if (isExcluded(plan.exclude, raw)) {
    tally.filtered++
    return
  }
  if (tally.damaged && raw.includes('\uFFFD')) {
    out.push(problemRow(row.line, raw, 'the value holds bytes that are not in the encoding of the file'))
    return
  }
  if (word === undefined) out.push({ ...plain, raw })
  else out.push({ ...plain, raw, kind: word.kind, ...(word.name === undefined ? {} : { unsupported: word.name }) })
}

export function isExcluded(exclude: LinearPattern | undefined, raw: string): boolean {
  return exclude?.matches(raw.length > MAX_JUDGED_CHARS ? raw.slice(0, MAX_JUDGED_CHARS) : raw) ?? false
}

function passesFilters(filters: readonly CompiledFilter[], cells: Cells): boolean {
  for (const { column, wanted, unwanted, match } of filters) {
    const cell = (cells[column] ?? '').trim()
    const word = cell.toLowerCase()
    if (wanted !== undefined && !wanted.has(word)) return false
    if (unwanted?.has(word)) return false
    if (match !== undefined && !match.matches(cell.slice(0, MAX_JUDGED_CHARS))) return false
  }
  return true
}

/** @returns undefined when the record ends before its value */
function rawValues({ values, cidr }: ColumnPlan, cells: Cells): string[] | undefined {
  if (cidr !== undefined) {
    const address = cells[cidr[0]]
    const prefix = cells[cidr[1]]
    return address === undefined || prefix === undefined ? undefined : [`${address.trim()}/${prefix.trim()}`]
  }
  const raws: string[] = []
  let filled = 0
  for (const column of values) {
    const cell = cells[column]
    if (cell === undefined) continue
    raws.push(cell)
    if (cell !== '') filled++
  }
  if (raws.length === 0) return undefined
  if (raws.length === 1) return raws
  // Of several value columns most rows fill only some; an entirely empty row still says so once.
  return filled === 0 ? [''] : raws.filter((raw) => raw !== '')
}

type Shared = { word?: KindWord; severity?: Severity; firstSeen?: Date; lastSeen?: Date; tags?: string[]; description?: string }

function sharedFields(plan: ColumnPlan, cells: Cells): Shared {
  const shared: Shared = {}
  const word = plan.constantKind ?? (plan.type === undefined ? undefined : plan.kindOf(cells[plan.type] ?? ''))
  if (word !== undefined) shared.word = word
  const severity = plan.constantSeverity ?? tryParseSeverity(cellAt(cells, plan.severity))
  if (severity !== undefined) shared.severity = severity
  const firstSeen = tryParseFeedDate(cellAt(cells, plan.firstSeen))
  if (firstSeen !== undefined) shared.firstSeen = firstSeen
  const lastSeen = tryParseFeedDate(cellAt(cells, plan.lastSeen))
  if (lastSeen !== undefined) shared.lastSeen = lastSeen
  const tags = plan.tags.length === 0 ? [] : toTags(plan.tags.map((column) => cells[column] ?? ''))
  if (tags.length > 0) shared.tags = tags
  const description = cellAt(cells, plan.description).trim()
  if (description !== '') shared.description = description.slice(0, MAX_DESCRIPTION_CHARS)
  return shared
}

function cellAt(cells: Cells, column: number | undefined): string {
  return column === undefined ? '' : (cells[column] ?? '')
}

/** `#phishing #c2`, `a,b`, `a|b` and `a; b` alike. A tag stands once; the words that feeds write for "none" are dropped. */
function toTags(cells: readonly string[]): string[] {
  const tags = new Set<string>()
  for (const word of cells
    .join(' ')
    .slice(0, MAX_JUDGED_CHARS)
    .split(/[\s,;|"]/)) {
    const tag = word.startsWith('#') ? word.slice(1) : word
    if (tag === '' || tag === 'None' || tag === 'null' || tag === '-' || tag.length > MAX_TAG_CHARS) continue
    tags.add(tag)
    if (tags.size === MAX_TAGS) break
  }
  return [...tags]
}
