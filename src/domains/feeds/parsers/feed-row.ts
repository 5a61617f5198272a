import type { DeclaredKind } from '#domains/indicators/indicator-type.ts'
import type { RejectCode, Severity } from '#domains/indicators/indicators.model.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Tlp } from '../feeds.model.ts'

/**
 * What a row says its value is; UNSUPPORTED for a kind that the service does not hold (mutex, file name, certificate). An address that was
 * declared with its port has lost the port here.
 */
export type RowKind = Exclude<DeclaredKind, 'IP_PORT'> | 'UNSUPPORTED'

/** One value as the feed wrote it. `raw` is not normalised; a row with a `problem` could not be read and carries what there was of it. */
export type FeedRow = {
  /** Physical line of the file, from 1; for JSON the line on which the record begins. */
  line: number
  raw: string
  kind?: RowKind
  severity?: Severity
  firstSeen?: Date
  lastSeen?: Date
  tags?: string[]
  description?: string
  /** The source's own end of validity; an indicator ends there when its lifetime would last longer. */
  validUntil?: Date
  /** How far the source lets the value be passed on, where it says so. */
  tlp?: Tlp
  /** Of an UNSUPPORTED row: what it is instead, such as `malware` or `file:name`. */
  unsupported?: string
  /** Of an UNSUPPORTED row: the values that the source takes back with it. */
  ended?: FeedRow[]
  /** Says more about a value that was given before in the same document; not to be counted again. */
  repeat?: true
  problem?: { code: RejectCode; reason: string }
}

/** What was settled on for a feed, by its settings or by looking at its first rows; `svc feeds probe` shows it. */
export type DetectedLayout = {
  format: 'CSV' | 'JSON' | 'STIX' | 'PULSE'
  encoding: string
  /** `none`: one value a line. Absent for JSON and STIX. */
  delimiter?: Delimiter
  header?: 'none' | 'first' | 'comment'
  /** JSON: how the records are laid out, and the path to them. */
  mode?: JsonMode
  items?: string
  /** Names of the columns, or the fields of a JSON record, when there are any. */
  columns?: string[]
  /** Column name or 1-based index, in words: `ioc_value`, `4`. */
  value?: string
  type?: string
  stripPort: boolean
  /** Rows looked at, and how many of them held a valid value in the value column. */
  sampleRows: number
  sampleValid: number
}

/** `none` is a list of one value a line; `whitespace` is any run of blanks and tabs. */
export type Delimiter = ',' | ';' | '\t' | '|' | 'whitespace' | 'none'

export type JsonMode = 'array' | 'object_values' | 'ndjson'

/** The tally of one reading. `rows` counts data rows, with those filtered away and those that could not be read. */
export type ReadSummary = {
  rows: number
  blank: number
  comments: number
  /** Rows left out by `filter`, and values left out by `exclude_regex`. */
  filtered: number
  /** JSON records that have no value field at all, such as a closing metadata line: skipped, not rejected. */
  withoutValue: number
  detected: DetectedLayout
}

/**
 * The file as a whole is not what its settings say, or stops being it on the way. Rows handed out before it are good; the list is not
 * complete, so the run may add and must not remove.
 */
export class FeedFormatError extends DomainError {
  override readonly name = 'FeedFormatError'
  /** Physical line, from 1, where it was noticed. */
  readonly line: number | undefined
  /** Characters from the beginning, where known. */
  readonly offset: number | undefined

  constructor(message: string, at: { line?: number; offset?: number } = {}) {
    super('feed_malformed', message)
    this.line = at.line
    this.offset = at.offset
  }
}

/** What both readers offer: text goes in, rows are pushed to `out`. Synchronous, so that asynchrony costs once a chunk and not once a row. */
export type RowReader = {
  push(text: string, out: FeedRow[]): void
  end(out: FeedRow[]): void
  /** After the end: rows that say more about values given before, one at a time, since there may be as many as there were rows. */
  late?(): Iterable<FeedRow>
  /** After a failure: gives the rows still held back for detection, as far as they can be read. An unfinished last row is not among them. */
  flush(out: FeedRow[]): void
  summary(encoding: string): ReadSummary
}

/** The beginning of hostile or long text, safe to put in a message. */
export function excerpt(text: string, maxChars = 80): string {
  let out = ''
  for (const char of text.slice(0, maxChars)) out += char < ' ' || char === '\u007f' ? ' ' : char
  return text.length > maxChars ? `${out}…` : out
}
