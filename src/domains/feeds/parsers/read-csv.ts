import type { ParserSettings } from '../parser-settings.ts'
import { type ColumnPlan, isExcluded, newTally, problemRow, pushRecord } from './column-plan.ts'
import { SAMPLE_ROWS } from './detect-columns.ts'
import { type CsvLayout, detectCsvLayout, withoutInlineComment } from './detect-layout.ts'
import { FeedFormatError, type FeedRow, type RowReader } from './feed-row.ts'
import { createLineSplitter } from './line-splitter.ts'
import { splitCells, splitUnquoted } from './split-cells.ts'

/** Characters of one line, and of one quoted cell over several lines. Assumption: a row beyond it is damage, not data. */
export const MAX_LINE_CHARS = 65_536
/** Lines that one quoted cell may span before its quote counts as a stray one. Assumption. */
const MAX_QUOTED_LINES = 100
/** Characters looked at before the layout must be settled. Assumption: long licence texts stand before some lists. */
const MAX_SAMPLE_CHARS = 524_288
/** Comment prefixes. Source: docs/decisions/0004. */
const COMMENT_PREFIXES: readonly string[] = ['#', ';', '//']

type Line = { text: string; number: number; cut: boolean }

/** Reads CSV and plain lists, which are CSV of one column. */
export function createCsvReader(settings: ParserSettings): RowReader {
  return new CsvReader(settings)
}

class CsvReader implements RowReader {
  private readonly settings: ParserSettings
  private readonly splitter = createLineSplitter(MAX_LINE_CHARS, (text, cut) => this.takeLine(text, cut))
  private readonly tally = newTally()
  private comments: CommentMarks
  private out: FeedRow[] = []
  private lineNumber = 0
  /** Lines seen before the layout is settled. */
  private head: Line[] = []
  private headChars = 0
  private headRows = 0
  private layout: CsvLayout | undefined
  private headerPending = false
  /** Lines of a record whose quoted cell has not ended. */
  private open: Line[] = []
  private openChars = 0

  constructor(settings: ParserSettings) {
    this.settings = settings
    this.comments = new CommentMarks(settings.comment ?? COMMENT_PREFIXES.filter((prefix) => prefix !== settings.delimiter))
  }

  push(text: string, out: FeedRow[]): void {
    this.out = out
    if (!this.tally.damaged && text.includes('\uFFFD')) this.tally.damaged = true
    this.splitter.push(text)
  }

  end(out: FeedRow[]): void {
    this.out = out
    this.splitter.end()
    if (this.layout === undefined) this.settle()
    while (this.open.length > 0) this.closeUnquoted()
  }

  flush(out: FeedRow[]): void {
    this.out = out
    if (this.layout !== undefined) return
    try {
      this.settle()
    } catch (error) {
      // The failure that led here is the one to report.
      if (!(error instanceof FeedFormatError)) throw error
    }
  }

  summary(encoding: string) {
    const { rows, blank, comments, filtered, withoutValue } = this.tally
    const detected = this.layout?.detected ?? { format: 'CSV' as const, stripPort: false, sampleRows: 0, sampleValid: 0 }
    return { rows, blank, comments, filtered, withoutValue, detected: { ...detected, encoding } }
  }

  private takeLine(text: string, cut: boolean): void {
    this.lineNumber++
    if (this.layout !== undefined) {
      this.readLine(this.layout, text, cut)
      return
    }
    this.head.push({ text, number: this.lineNumber, cut })
    this.headChars += text.length + 1
    if (!cut && !isIdle(text) && !this.comments.isComment(text)) this.headRows++
    if (this.headRows >= SAMPLE_ROWS + 1 || this.headChars >= MAX_SAMPLE_CHARS) this.settle()
  }

  /** Decides how the file is read, then reads what has been held back. */
  private settle(): void {
    const lines: string[] = []
    let commentLine: string | undefined
    for (const { text, cut } of this.head) {
      if (lines.length === 0) refuseMarkup(text)
      if (cut || isIdle(text)) continue
      if (!this.comments.isComment(text)) lines.push(text)
      else if (lines.length === 0) commentLine = this.comments.strip(text) || commentLine
    }
    this.layout = detectCsvLayout({ lines, commentLine }, this.settings)
    this.headerPending = this.layout.header === 'first'
    this.dropSemicolonComments(this.layout)
    const held = this.head
    this.head = []
    const last = this.lineNumber
    for (const { text, number, cut } of held) {
      this.lineNumber = number
      this.readLine(this.layout, text, cut)
    }
    this.lineNumber = last
  }

  /** In a file cut at semicolons, a row with an empty first cell begins like a comment; it is one only where the value stands first. */
  private dropSemicolonComments({ rules, plan }: CsvLayout): void {
    if (this.settings.comment !== undefined || rules.delimiter !== ';' || plan.values[0] === 0) return
    this.comments = new CommentMarks(COMMENT_PREFIXES.filter((prefix) => prefix !== ';'))
  }

  private readLine(layout: CsvLayout, text: string, cut: boolean): void {
    if (this.open.length > 0) this.continueQuoted(layout, text, cut)
    else if (cut) this.pushOverlong(text, this.lineNumber)
    else if (layout.rules.delimiter === 'none') this.readPlain(layout, text)
    else this.readRecord(layout, text, this.lineNumber)
  }

  /** The hot path: one value a line. No split, no regular expression, one small object a row. */
  private readPlain(layout: CsvLayout, text: string): void {
    const first = text.charCodeAt(0)
    const last = text.charCodeAt(text.length - 1)
    // An empty line has no first character (NaN): every comparison is false and it takes the slow way.
    const line = first > 32 && last > 32 && first < 160 && last < 160 ? text : text.trim()
    if (isIdle(line)) {
      this.tally.blank++
      return
    }
    if (this.comments.isTrimmedComment(line)) {
      this.tally.comments++
      return
    }
    if (this.headerPending) {
      this.headerPending = false
      return
    }
    this.pushPlain(layout.plan, this.plainValue(layout, line, text))
  }

  private plainValue({ inlineMarks, rules }: CsvLayout, line: string, text: string): string {
    const value = inlineMarks.length === 0 ? line : withoutInlineComment(line, inlineMarks)
    if (rules.quote !== '' && value.startsWith(rules.quote)) return splitUnquoted(value, rules)[0] ?? value
    return rules.trim || value !== line ? value : text
  }

  private pushPlain(plan: ColumnPlan, raw: string): void {
    const { tally } = this
    if (
      plan.constantKind !== undefined ||
      plan.constantSeverity !== undefined ||
      plan.stripPort ||
      plan.filters.length > 0 ||
      tally.damaged
    ) {
      pushRecord(plan, { cells: [raw], line: this.lineNumber, text: raw }, { out: this.out, tally })
      return
    }
    tally.rows++
    if (plan.exclude !== undefined && isExcluded(plan.exclude, raw)) tally.filtered++
    else this.out.push({ line: this.lineNumber, raw })
  }

  private readRecord(layout: CsvLayout, text: string, number: number): void {
    if (this.skipIdle(text)) return
    const line = layout.inlineMarks.length === 0 ? text : withoutInlineComment(text, layout.inlineMarks)
    const cells = splitCells(line, layout.rules)
    if (cells === 'open') {
      this.open = [{ text: line, number, cut: false }]
      this.openChars = line.length
    } else if (cells !== 'improper') this.pushCells(layout, cells, { text: line, number, cut: false })
  }

  private skipIdle(text: string): boolean {
    if (text === '' || text.trim() === '') {
      this.tally.blank++
      return true
    }
    if (!this.comments.isComment(text)) return false
    this.tally.comments++
    return true
  }

  private pushCells({ plan }: CsvLayout, cells: string[], { text, number }: Line): void {
    if (cells.every((cell) => cell === '')) {
      this.tally.blank++
      return
    }
    if (this.headerPending) {
      this.headerPending = false
      return
    }
    pushRecord(plan, { cells, line: number, text }, { out: this.out, tally: this.tally })
  }

  private pushOverlong(text: string, number: number): void {
    this.tally.rows++
    this.out.push(problemRow(number, text, `the line is longer than ${MAX_LINE_CHARS} characters`))
  }

  /** One more line for a quoted cell. Lines are joined and judged only when a quote comes, so the work stays linear. */
  private continueQuoted(layout: CsvLayout, text: string, cut: boolean): void {
    this.open.push({ text, number: this.lineNumber, cut })
    this.openChars += text.length + 1
    if (cut || this.openChars > MAX_LINE_CHARS || this.open.length > MAX_QUOTED_LINES) {
      this.closeUnquoted()
      return
    }
    if (!text.includes(layout.rules.quote)) return
    const [first] = this.open
    const cells = splitCells(this.open.map((line) => line.text).join('\n'), layout.rules, true)
    if (cells === 'open' || first === undefined) return
    if (cells === 'improper') {
      this.closeUnquoted()
      return
    }
    this.open = []
    this.pushCells(layout, cells, first)
  }

  /** The quote was a stray one: its line is read without quotes, and the lines behind it are read again on their own. */
  private closeUnquoted(): void {
    const [first, ...others] = this.open
    this.open = []
    if (first === undefined || this.layout === undefined) return
    this.pushCells(this.layout, splitUnquoted(first.text, this.layout.rules), first)
    const last = this.lineNumber
    for (const { text, number, cut } of others) {
      this.lineNumber = number
      this.readLine(this.layout, text, cut)
    }
    this.lineNumber = last
  }
}

/** Whether a line holds nothing but separators: real lists carry a million rows of a single comma. */
function isIdle(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    // Above the blanks only , ; | and quotes are nothing.
    if (code > 32 && code !== 0x2c && code !== 0x3b && code !== 0x7c && code !== 0x22) return false
  }
  return true
}

/** A login or error page in place of the list is refused as a whole: its words must not be searched for domains. */
export function refuseMarkup(text: string): void {
  const start = text.trimStart().slice(0, 1000).toLowerCase()
  if (!start.startsWith('<')) return
  if (
    start.startsWith('<!doctype html') ||
    start.startsWith('<html') ||
    start.startsWith('<head') ||
    start.startsWith('<!--') ||
    start.includes('<html')
  ) {
    throw new FeedFormatError('The body is an HTML page, not a list: the address shows a login, block or error page.', {
      line: 1,
      offset: 0,
    })
  }
  if (start.startsWith('<?xml') || start.startsWith('<rss') || start.startsWith('<error')) {
    throw new FeedFormatError('The body is XML, not a list.', { line: 1, offset: 0 })
  }
}

/** Comment prefixes, with their first characters apart so that a data line costs one look-up. */
class CommentMarks {
  private readonly prefixes: readonly string[]
  private readonly firstCodes: ReadonlySet<number>

  constructor(prefixes: readonly string[]) {
    this.prefixes = prefixes
    this.firstCodes = new Set(prefixes.map((prefix) => prefix.charCodeAt(0)))
  }

  isComment(line: string): boolean {
    const first = line.charCodeAt(0)
    return this.isTrimmedComment(first > 32 && first < 160 ? line : line.trimStart())
  }

  isTrimmedComment(line: string): boolean {
    if (!this.firstCodes.has(line.charCodeAt(0))) return false
    return this.prefixes.some((prefix) => line.startsWith(prefix))
  }

  /** The text of a comment line, without its marks on either side. */
  strip(line: string): string {
    let text = line.trim()
    let prefix = this.prefixes.find((mark) => text.startsWith(mark))
    while (prefix !== undefined) {
      text = text.slice(prefix.length).trimStart()
      prefix = this.prefixes.find((mark) => text.startsWith(mark))
    }
    return text.endsWith('#') ? text.slice(0, -1).trimEnd() : text
  }
}
