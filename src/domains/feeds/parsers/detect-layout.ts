import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import type { ColumnRef, ParserSettings } from '../parser-settings.ts'
import { type ColumnPlan, compilePlan, tryParseSeverity } from './column-plan.ts'
import { type ColumnChoice, detectColumns, detectOptionalColumns, isHeaderWord, looksLikeValue, toName } from './detect-columns.ts'
import { type Delimiter, type DetectedLayout, excerpt, FeedFormatError } from './feed-row.ts'
import { constantKind } from './kind-word.ts'
import { type CellRules, splitCells, splitUnquoted } from './split-cells.ts'

/** The beginning of a file: data lines without blanks and comments, and the last comment before them without its mark. */
export type CsvSample = { lines: readonly string[]; commentLine: string | undefined }

/** How a file is read: what its settings say, completed by what its sample shows. */
export type CsvLayout = {
  rules: CellRules
  header: 'none' | 'first' | 'comment'
  inlineMarks: readonly string[]
  plan: ColumnPlan
  detected: Omit<DetectedLayout, 'encoding'>
}

/** Default marks of a comment behind a value. Source: maltrail lists, Spamhaus DROP text. URLs hold no blanks, so a blank before the mark is safe. */
const INLINE_MARKS: readonly string[] = [' #', '\t#', ' ;', '\t;']
const TABULAR: readonly Delimiter[] = [',', '\t', ';', '|']
/** Share of rows that must have the same number of cells before a delimiter is believed. Assumption. */
const SAME_WIDTH_SHARE = 0.8
/** A less simple reading must find this many times the values of the simpler one. Assumption. */
const CLEARLY_MORE = 1.1

/** One way of reading the sample. */
type Reading = {
  delimiter: Delimiter
  rows: readonly (readonly string[])[]
  header: 'none' | 'first' | 'comment'
  names: readonly string[] | undefined
  choice: ColumnChoice
  /** The commonest number of cells, and the share of rows that have it. */
  width: number
  share: number
}

/**
 * Settles delimiter, header and columns from the first rows.
 *
 * @throws FeedFormatError when nothing in the sample looks like an indicator, or a named column is not in the header
 */
export function detectCsvLayout(sample: CsvSample, settings: ParserSettings): CsvLayout {
  const delimiters: readonly Delimiter[] = settings.delimiter === undefined ? ['none', ...TABULAR, 'whitespace'] : [settings.delimiter]
  const readings = delimiters.map((delimiter) => readSample(sample, settings, delimiter))
  const reading = pickReading(readings, settings)
  refuseUnreadable(sample, reading, settings)
  return toLayout(reading, settings)
}

/** Text behind which the rest of a line is a comment, for a layout. */
function inlineMarksOf(settings: ParserSettings, delimiter: Delimiter): readonly string[] {
  return settings.inline_comment ?? (delimiter === 'none' || delimiter === 'whitespace' ? INLINE_MARKS : [])
}

/** The line up to its first inline comment. */
export function withoutInlineComment(line: string, marks: readonly string[]): string {
  let end = line.length
  for (const mark of marks) {
    const at = line.indexOf(mark)
    if (at !== -1 && at < end) end = at
  }
  return end === line.length ? line : line.slice(0, end).trimEnd()
}

function rulesOf(settings: ParserSettings, delimiter: Delimiter): CellRules {
  return { delimiter, quote: settings.quote ?? '"', trim: settings.trim ?? true }
}

function splitLine(line: string, rules: CellRules): string[] {
  const cells = splitCells(line, rules)
  return typeof cells === 'string' ? splitUnquoted(line, rules) : cells
}

function readSample(sample: CsvSample, settings: ParserSettings, delimiter: Delimiter): Reading {
  const rules = rulesOf(settings, delimiter)
  const marks = inlineMarksOf(settings, delimiter)
  const all = sample.lines
    .map((line) => splitLine(withoutInlineComment(line, marks), rules))
    .filter((row) => row.some((cell) => cell !== ''))
  const commentRow = sample.commentLine === undefined ? undefined : splitLine(sample.commentLine, rules)
  const { width, share } = commonWidth(all)
  const header = decideHeader({ all, commentRow, width }, settings)
  const names = header === 'first' ? all[0] : header === 'comment' ? commentRow : undefined
  const rows = header === 'first' ? all.slice(1) : all
  return { delimiter, rows, header, names, choice: chooseColumns(rows, names, settings), width, share }
}

function commonWidth(rows: readonly (readonly string[])[]): { width: number; share: number } {
  const counts = new Map<number, number>()
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  return most === undefined ? { width: 0, share: 0 } : { width: most[0], share: most[1] / rows.length }
}

function decideHeader(
  { all, commentRow, width }: { all: readonly (readonly string[])[]; commentRow: readonly string[] | undefined; width: number },
  settings: ParserSettings,
): 'none' | 'first' | 'comment' {
  const wish = settings.header ?? 'auto'
  if (wish !== 'auto') return wish === 'comment' && commentRow === undefined ? 'none' : wish
  const [first = [], ...rest] = all
  const wanted = namedColumns(settings)
  const holds = (row: readonly string[]) => wanted.every((name) => row.some((cell) => toName(cell) === toName(name)))
  if (wanted.length > 0 && holds(first)) return 'first'
  if (wanted.length > 0 && commentRow !== undefined && holds(commentRow)) return 'comment'
  if (first.length > 0 && !first.some(looksLikeValue)) {
    const known = first.some(isHeaderWord)
    if (rest.length === 0 ? known : rest.slice(0, 20).some((row) => row.some(looksLikeValue))) return 'first'
  }
  const titled = commentRow !== undefined && width >= 2 && commentRow.length === width && !commentRow.some(looksLikeValue)
  return titled ? 'comment' : 'none'
}

/** Column names that the settings use, so the header must hold them. */
function namedColumns(settings: ParserSettings): string[] {
  const refs: (ColumnRef | undefined)[] = [settings.value, settings.tags, settings.cidr_from].flat()
  if (constantKind(settings.type) === undefined) refs.push(settings.type)
  if (!(typeof settings.severity === 'string' && tryParseSeverity(settings.severity) !== undefined)) refs.push(settings.severity)
  refs.push(settings.first_seen, settings.last_seen, settings.description, ...(settings.filter ?? []).map((filter) => filter.col))
  return refs.filter((ref) => typeof ref === 'string')
}

function chooseColumns(rows: readonly (readonly string[])[], names: readonly string[] | undefined, settings: ParserSettings): ColumnChoice {
  const find = (ref: ColumnRef | undefined) => (ref === undefined ? undefined : findColumn(names, ref))
  if (settings.cidr_from !== undefined) {
    const [address, prefix] = settings.cidr_from.map(find)
    const joined = rows.map((row) => `${row[address ?? -1] ?? ''}/${row[prefix ?? -1] ?? ''}`)
    const valid = joined.filter((range) => normalizeIndicator(range).ok).length
    return { value: undefined, type: undefined, stripPort: false, valid }
  }
  const value = find([settings.value].flat()[0])
  const type = constantKind(settings.type) === undefined ? find(settings.type) : undefined
  const fixed = { ...(value === undefined ? {} : { value }), ...(type === undefined ? {} : { type }) }
  return detectColumns({ rows, names }, settings, fixed)
}

/** @returns the 0-based index; undefined for a name that the header does not hold */
function findColumn(names: readonly string[] | undefined, ref: ColumnRef): number | undefined {
  if (typeof ref === 'number') return ref - 1
  const index = names?.findIndex((name) => toName(name) === toName(ref)) ?? -1
  return index === -1 ? undefined : index
}

/** The simplest reading that finds the values: a delimiter that cuts every row alike, else one value a line, else blanks, else anything. */
function pickReading(readings: readonly Reading[], settings: ParserSettings): Reading {
  const [first] = readings
  if (first === undefined) throw new FeedFormatError('There is no way to read this file.')
  if (readings.length === 1) return first
  const needed = neededColumns(settings)
  const fits = readings.filter((reading) => reading.delimiter !== 'none' || needed <= 1)
  const plain = fits.find((reading) => reading.delimiter === 'none')
  const plainValid = plain?.choice.valid ?? 0
  const regular = fits.filter((reading) => isRegular(reading, plainValid)).sort(byValid)
  const [best] = regular
  if (best !== undefined) return best
  const [found] = fits.filter((reading) => reading.choice.valid > plainValid * CLEARLY_MORE).sort(byValid)
  if (found !== undefined) return found
  if (plainValid > 0 && plain !== undefined) return plain
  return pickWithoutValues(fits, needed) ?? first
}

function byValid(a: Reading, b: Reading): number {
  return b.choice.valid - a.choice.valid || b.share - a.share || b.width - a.width
}

/** Two rows cut alike are evidence; one is not, where the whole line is a valid value too (a URL may hold a comma). */
function isRegular({ delimiter, width, share, rows, choice }: Reading, plainValid: number): boolean {
  if (delimiter === 'none' || delimiter === 'whitespace' || width < 2 || share < SAME_WIDTH_SHARE) return false
  return choice.valid > 0 && choice.valid >= plainValid / CLEARLY_MORE && (rows.length >= 2 || plainValid === 0)
}

/** Nothing valid in sight: an empty list under its header, a list of refused values, or columns named by the settings. */
function pickWithoutValues(readings: readonly Reading[], needed: number): Reading | undefined {
  const wide = readings.filter(
    (reading) => reading.width >= Math.max(2, needed) && reading.share >= SAME_WIDTH_SHARE && reading.delimiter !== 'whitespace',
  )
  const [widest] = wide.sort((a, b) => b.width - a.width)
  if (needed > 1) return widest ?? readings.find((reading) => reading.delimiter === ',')
  const similar = readings.find((reading) => reading.choice.value !== undefined)
  return similar ?? readings.find((reading) => reading.rows.length === 0 && reading.header === 'first') ?? undefined
}

/** Columns that the settings speak of at least; a named or a joined column means that there are several. */
function neededColumns(settings: ParserSettings): number {
  const numbers = [
    settings.value,
    settings.tags,
    settings.type,
    settings.severity,
    settings.first_seen,
    settings.last_seen,
    settings.description,
  ]
    .flat()
    .filter((ref) => typeof ref === 'number')
  const several = settings.cidr_from !== undefined || namedColumns(settings).some((name) => name !== settings.value)
  return Math.max(1, several ? 2 : 1, ...numbers)
}

function refuseUnreadable({ lines }: CsvSample, { rows, choice }: Reading, settings: ParserSettings): void {
  if (settings.value !== undefined || settings.cidr_from !== undefined || rows.length === 0 || choice.value !== undefined) return
  const [first = ''] = lines
  const hint = first.startsWith('{') || first.startsWith('[') ? ' It looks like JSON: set the format to JSON.' : ''
  throw new FeedFormatError(`None of the first ${rows.length} rows holds an indicator. The first row reads: "${excerpt(first)}".${hint}`, {
    line: 1,
  })
}

function toLayout(reading: Reading, settings: ParserSettings): CsvLayout {
  const { delimiter, header, names, choice, rows } = reading
  const completed: ParserSettings = { ...settings, ...detectOptionalColumns(names, settings) }
  if (settings.value === undefined && settings.cidr_from === undefined) completed.value = (choice.value ?? 0) + 1
  if (settings.type === undefined && choice.type !== undefined) completed.type = choice.type + 1
  const plan = compilePlan(completed, choice.stripPort, (ref, setting) => {
    const column = findColumn(names, ref)
    if (column !== undefined) return column
    const seen = names === undefined ? 'the file has no header' : `the header is: ${excerpt(names.join(', '), 200)}`
    throw new FeedFormatError(`There is no column "${ref}", which "${setting}" names; ${seen}.`, { line: 1 })
  })
  const nameOf = (column: number) => names?.[column] ?? String(column + 1)
  const value = plan.cidr === undefined ? plan.values.map(nameOf).join(', ') : plan.cidr.map(nameOf).join('/')
  const type = plan.type === undefined ? plan.constantKind?.kind : nameOf(plan.type)
  return {
    rules: rulesOf(settings, delimiter),
    header,
    inlineMarks: inlineMarksOf(settings, delimiter),
    plan,
    detected: {
      format: 'CSV',
      delimiter,
      header,
      ...(names === undefined ? {} : { columns: [...names] }),
      value,
      ...(type === undefined ? {} : { type }),
      stripPort: choice.stripPort,
      sampleRows: rows.length,
      sampleValid: choice.valid,
    },
  }
}
