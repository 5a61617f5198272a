import { isTooDeep, MAX_RECORD_CHARS, MAX_RECORD_DEPTH, type RawRecord } from '#kernel/json-scanner.ts'
import type { ColumnRef, ParserSettings } from '../parser-settings.ts'
import { type ColumnPlan, compilePlan, newTally, problemRow, pushRecord } from './column-plan.ts'
import { detectColumns, detectOptionalColumns, SAMPLE_ROWS, toName } from './detect-columns.ts'
import { detectJsonShape, type JsonShape, shapeOf, walkPath } from './detect-json.ts'
import { type DetectedLayout, excerpt, FeedFormatError, type FeedRow, type RowReader } from './feed-row.ts'
import { JsonScanner } from './json-scanner.ts'
import { constantKind } from './kind-word.ts'
import { createLineSplitter } from './line-splitter.ts'
import { refuseMarkup } from './read-csv.ts'

/** Characters looked at before the shape of a document must be settled. Assumption. */
const HEAD_CHARS = 262_144
/** Characters of records held back while the columns are detected. Assumption: bounds memory where records are large. */
const MAX_HELD_CHARS = 4_194_304
/** Fields of a record that detection considers. Assumption. */
const MAX_FIELDS = 200
/** Nesting of fields that detection considers. Assumption. */
const MAX_FIELD_DEPTH = 3

type Fields = Record<string, unknown>
type Leaf = { fields: Fields; line: number }

/** Reads JSON documents and NDJSON. */
export function createJsonReader(settings: ParserSettings): RowReader {
  return new JsonReader(settings)
}

class JsonReader implements RowReader {
  private readonly settings: ParserSettings
  private readonly tally = newTally()
  private out: FeedRow[] = []
  private head = ''
  private shape: JsonShape | undefined
  private source: { push(text: string): void; end(): void } | undefined
  private lineNumber = 0
  /** Records seen before the columns are settled. */
  private sample: Leaf[] | undefined = []
  private sampleChars = 0
  private plan: ColumnPlan | undefined
  private fields: string[] = []
  private detected: Omit<DetectedLayout, 'encoding'> = { format: 'JSON', stripPort: false, sampleRows: 0, sampleValid: 0 }

  constructor(settings: ParserSettings) {
    this.settings = settings
  }

  push(text: string, out: FeedRow[]): void {
    this.out = out
    if (!this.tally.damaged && text.includes('\uFFFD')) this.tally.damaged = true
    if (this.source !== undefined) {
      this.source.push(text)
      return
    }
    this.head += text
    if (this.head.length >= HEAD_CHARS) this.open(false)
  }

  end(out: FeedRow[]): void {
    this.out = out
    if (this.source === undefined) this.open(true)
    this.source?.end()
    if (this.sample !== undefined) this.settle(this.sample)
  }

  flush(out: FeedRow[]): void {
    this.out = out
    if (this.sample === undefined || this.sample.length === 0) return
    try {
      this.settle(this.sample)
    } catch (error) {
      // The failure that led here is the one to report.
      if (!(error instanceof FeedFormatError)) throw error
    }
  }

  summary(encoding: string) {
    const { rows, blank, comments, filtered, withoutValue } = this.tally
    return { rows, blank, comments, filtered, withoutValue, detected: { ...this.detected, encoding } }
  }

  /** Decides on the shape, then reads what has been held back. */
  private open(whole: boolean): void {
    const { mode, items } = this.settings
    const head = this.head
    this.head = ''
    refuseMarkup(head)
    const shape = mode === undefined ? detectJsonShape(head.slice(0, HEAD_CHARS), whole, items) : shapeOf(mode, items)
    this.shape = shape
    this.detected = { ...this.detected, mode: shape.mode, ...itemsText(shape) }
    this.source =
      shape.mode === 'ndjson'
        ? createLineSplitter(MAX_RECORD_CHARS, (line, cut) => this.takeLine(line, cut))
        : new JsonScanner(shape.path, shape.holder, (record) => this.takeRecord(record))
    this.source.push(head)
  }

  private takeLine(line: string, cut: boolean): void {
    this.lineNumber++
    if (cut) this.pushProblem(this.lineNumber, line, `the record is longer than ${MAX_RECORD_CHARS} characters`)
    else if (line.trim() === '') this.tally.blank++
    else if (isTooDeep(line)) this.pushProblem(this.lineNumber, line, `the record nests deeper than ${MAX_RECORD_DEPTH} levels`)
    else {
      const parsed = tryParseJson(line)
      if (parsed === undefined) this.pushProblem(this.lineNumber, line, 'the line is not valid JSON')
      else this.takeParsed(parsed.value, this.lineNumber, line.length)
    }
  }

  private takeRecord({ text, line, fault }: RawRecord): void {
    if (fault === 'too_large') this.pushProblem(line, text, `the record is longer than ${MAX_RECORD_CHARS} characters`)
    else if (fault === 'too_deep') this.pushProblem(line, text, `the record nests deeper than ${MAX_RECORD_DEPTH} levels`)
    else {
      const parsed = tryParseJson(text)
      if (parsed === undefined) throw new FeedFormatError(`The JSON is broken at line ${line}: "${excerpt(text)}".`, { line })
      this.takeParsed(parsed.value, line, text.length)
    }
  }

  private pushProblem(line: number, text: string, reason: string): void {
    this.tally.rows++
    this.out.push(problemRow(line, text, reason))
  }

  private takeParsed(value: unknown, line: number, chars: number): void {
    const { rest, mode } = this.shape ?? { rest: [], mode: 'array' as const }
    for (const leaf of walkPath(value, rest)) {
      // A map of lists (id -> [record]) holds its records one level down.
      const leaves = mode === 'object_values' && Array.isArray(leaf) ? leaf : [leaf]
      for (const entry of leaves) this.takeLeaf({ fields: toFields(entry), line }, chars)
    }
  }

  private takeLeaf(leaf: Leaf, chars: number): void {
    if (this.sample === undefined) {
      this.pushLeaf(leaf)
      return
    }
    this.sample.push(leaf)
    this.sampleChars += chars
    if (this.sample.length >= SAMPLE_ROWS || this.sampleChars >= MAX_HELD_CHARS) this.settle(this.sample)
  }

  /** Decides which fields hold what, then hands out what has been held back. */
  private settle(sample: readonly Leaf[]): void {
    this.sample = undefined
    const names = fieldNames(sample)
    const { settings } = this
    const find = (ref: ColumnRef) =>
      typeof ref === 'number' ? (names[ref - 1] ?? String(ref)) : (names.find((name) => toName(name) === toName(ref)) ?? ref)
    const fixed: { value?: number; type?: number } = {}
    const [value] = [settings.value].flat()
    if (value !== undefined) fixed.value = names.indexOf(find(value))
    if (settings.type !== undefined && constantKind(settings.type) === undefined) fixed.type = names.indexOf(find(settings.type))
    const rows = sample.map(({ fields }) => names.map((name) => textAt(fields, name)[0] ?? ''))
    const choice = detectColumns({ rows, names }, settings, fixed)
    refuseUnknown(sample, names, { settings, valueColumn: choice.value })
    const completed: ParserSettings = { ...settings, ...detectOptionalColumns(names, settings) }
    if (settings.value === undefined && settings.cidr_from === undefined) completed.value = names[choice.value ?? 0] ?? 'value'
    if (settings.type === undefined && choice.type !== undefined) completed.type = names[choice.type] ?? 'type'
    this.plan = compilePlan(completed, choice.stripPort, (ref) => this.fieldIndex(find(ref)))
    this.describe(this.plan, names, { stripPort: choice.stripPort, sampleRows: sample.length, sampleValid: choice.valid })
    for (const leaf of sample) this.pushLeaf(leaf)
  }

  private fieldIndex(name: string): number {
    const known = this.fields.indexOf(name)
    return known === -1 ? this.fields.push(name) - 1 : known
  }

  private describe(
    plan: ColumnPlan,
    names: readonly string[],
    sample: Pick<DetectedLayout, 'stripPort' | 'sampleRows' | 'sampleValid'>,
  ): void {
    const type = plan.type === undefined ? plan.constantKind?.kind : this.fields[plan.type]
    const value = (plan.cidr ?? plan.values).map((column) => this.fields[column] ?? '').join(plan.cidr === undefined ? ', ' : '/')
    this.detected = { ...this.detected, ...sample, columns: [...names], value, ...(type === undefined ? {} : { type }) }
  }

  private pushLeaf({ fields, line }: Leaf): void {
    const plan = this.plan
    if (plan === undefined) return
    const texts = this.fields.map((name) => textAt(fields, name))
    const valueColumns = plan.cidr ?? plan.values
    const values = valueColumns.flatMap((column) => texts[column] ?? [])
    if (values.length === 0) {
      this.tally.withoutValue++
      return
    }
    const cells = texts.map((parts) =>
      parts.length === 0 ? undefined : this.settings.trim === false ? parts.join(',') : parts.join(',').trim(),
    )
    const [column] = plan.values
    const several = plan.values.length === 1 && column !== undefined && (texts[column]?.length ?? 0) > 1
    if (!several) {
      pushRecord(plan, { cells, line, text: values.join(',') }, { out: this.out, tally: this.tally })
      return
    }
    for (const value of values) {
      const row = cells.with(column, this.settings.trim === false ? value : value.trim())
      pushRecord(plan, { cells: row, line, text: value }, { out: this.out, tally: this.tally })
    }
  }
}

function itemsText({ path, rest, mode }: JsonShape): { items?: string } {
  const parts = mode === 'ndjson' ? rest : [...path, '*', ...rest]
  return parts.length === 0 ? {} : { items: parts.join('.') }
}

function tryParseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Every record as named fields: a bare value is `value`, a list of cells is numbered from 1. */
function toFields(value: unknown): Fields {
  if (Array.isArray(value)) return Object.fromEntries(value.map((cell, i) => [String(i + 1), cell]))
  // JSON.parse gives plain objects; they are only read, and only through hasOwn.
  if (typeof value === 'object' && value !== null) return value as Fields
  return { value }
}

/** Texts of a field: none when it is absent or null or an object, several for a list. */
function textAt(fields: Fields, name: string): string[] {
  if (Object.hasOwn(fields, name)) return toTexts(fields[name])
  if (!name.includes('.')) return []
  return walkPath(fields, name.split('.')).flatMap(toTexts)
}

function toTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string' || typeof entry === 'number').map(String) : []
}

function fieldNames(sample: readonly Leaf[]): string[] {
  const names = new Set<string>()
  const collect = (fields: Fields, prefix: string, depth: number) => {
    for (const [key, value] of Object.entries(fields)) {
      if (names.size >= MAX_FIELDS) return
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        if (depth < MAX_FIELD_DEPTH) collect(value as Fields, `${prefix}${key}.`, depth + 1) // plain object out of JSON.parse
      } else names.add(prefix + key)
    }
  }
  for (const { fields } of sample) collect(fields, '', 1)
  return [...names]
}

function refuseUnknown(
  sample: readonly Leaf[],
  names: readonly string[],
  { settings, valueColumn }: { settings: ParserSettings; valueColumn: number | undefined },
): void {
  if (sample.length === 0) return
  const seen = excerpt(names.join(', '), 200)
  const refs = settings.cidr_from ?? (settings.value === undefined ? [] : [settings.value].flat())
  const wanted = refs.map(String)
  const known = (name: string) =>
    sample.some(({ fields }) => textAt(fields, name).length > 0) ||
    names.some((field) => toName(field) === toName(name)) ||
    /^\d+$/.test(name)
  if (wanted.length > 0 && !wanted.some(known)) {
    throw new FeedFormatError(`None of the first ${sample.length} records has the field "${wanted.join(', ')}"; the fields are: ${seen}.`)
  }
  if (wanted.length === 0 && valueColumn === undefined) {
    throw new FeedFormatError(`None of the first ${sample.length} records holds an indicator; the fields are: ${seen}.`)
  }
}
