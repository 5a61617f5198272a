import { MAX_RECORD_CHARS, MAX_RECORD_DEPTH, type RawRecord } from '#kernel/json-scanner.ts'
import type { ParserSettings } from '../../parser-settings.ts'
import { excerpt, FeedFormatError, type FeedRow, type ReadSummary, type RowReader } from '../feed-row.ts'
import { JsonScanner } from '../json-scanner.ts'
import { refuseMarkup } from '../read-csv.ts'
import { cleanText } from './clean-text.ts'
import { DocumentContext } from './document-context.ts'
import { dateOf, indicatorRows, isObject, markingRefs, observableRows, type StixObject, tlpOfLabels, unsupportedRow } from './stix-rows.ts'
import { highestTlp } from './tlp.ts'

/** Characters of an object's text that a row shows. Assumption. */
const MAX_SHOWN_CHARS = 200
/** Characters looked at before "objects" must have begun. Assumption: nothing but an id and a type stands before it. */
const HEAD_CHARS = 2 * MAX_RECORD_CHARS

/**
 * Reads STIX 2.1, and 2.0 where it means the same: a bundle, a TAXII envelope, an array of objects, or one object. Every object is a row;
 * those that hold no indicator value come as unsupported rows that name their type.
 */
export function createStixReader(settings: ParserSettings): RowReader {
  return new StixReader(settings.observables ?? false)
}

class StixReader implements RowReader {
  private readonly observables: boolean
  private readonly context = new DocumentContext()
  private out: FeedRow[] = []
  private head: string | undefined = ''
  private look: JsonScanner | undefined
  private members: RawRecord[] = []
  private source: JsonScanner | undefined
  private rows = 0
  private stixObjects = 0

  constructor(observables: boolean) {
    this.observables = observables
  }

  push(text: string, out: FeedRow[]): void {
    this.out = out
    if (this.source !== undefined) {
      this.source.push(text)
      return
    }
    this.head += text
    this.open(text)
  }

  end(out: FeedRow[]): void {
    this.out = out
    if (this.source === undefined) this.takeBare()
    else this.source.end()
    if (this.rows > 0 && this.stixObjects === 0)
      throw new FeedFormatError('The document holds no STIX objects: none of its records has a "type".', { line: 1, offset: 0 })
    this.context.end(out)
  }

  late(): Iterable<FeedRow> {
    return this.context.late()
  }

  flush(out: FeedRow[]): void {
    this.context.end(out)
  }

  summary(encoding: string): ReadSummary {
    return {
      rows: this.rows,
      blank: 0,
      comments: 0,
      filtered: 0,
      withoutValue: 0,
      detected: { format: 'STIX', encoding, stripPort: false, sampleRows: 0, sampleValid: 0 },
    }
  }

  /** Finds out where the objects stand, from as little of the beginning as will do. */
  private open(text: string): void {
    const head = this.head ?? ''
    const start = head.trimStart().charAt(0)
    if (start === '') return
    if (start === '[') this.readFrom([], head)
    else if (start === '{') {
      this.lookAhead(text, head)
      if (this.source === undefined && head.length > HEAD_CHARS)
        throw new FeedFormatError(`The document has no "objects" within its first ${HEAD_CHARS} characters.`, { line: 1, offset: 0 })
    } else {
      refuseMarkup(head)
      throw new FeedFormatError(`The body is not STIX: it begins with "${excerpt(head.trimStart(), 20)}".`, { line: 1, offset: 0 })
    }
  }

  private lookAhead(text: string, head: string): void {
    const first = this.look === undefined
    this.look ??= new JsonScanner([], 'object', (member) => this.members.push(member))
    let broken: unknown
    try {
      this.look.push(first ? head : text)
    } catch (error) {
      broken = error
    }
    const begun = this.look.unfinished()
    const found =
      (begun?.key === 'objects' && begun.first === '[') ||
      this.members.some(({ key, text: value }) => key === 'objects' && value.startsWith('['))
    // Where the text is broken behind the beginning of the objects, those before the break are to be had.
    if (found) this.readFrom(['objects'], head)
    else if (broken !== undefined) throw broken
  }

  private readFrom(path: string[], head: string): void {
    this.head = undefined
    this.look = undefined
    this.members = []
    this.source = new JsonScanner(path, 'array', (record) => this.take(record))
    this.source.push(head)
  }

  /** A document without a list of objects: one object, or an envelope or bundle with nothing in it. */
  private takeBare(): void {
    if (this.look === undefined) throw new FeedFormatError('The body is empty.', { line: 1, offset: 0 })
    this.look.end()
    const object: Record<string, unknown> = Object.create(null)
    for (const { key, text, fault } of this.members) if (key !== undefined && fault === undefined) object[key] = parsed(text)?.value
    if (object['type'] === 'bundle' || this.members.length === 0 || typeof object['more'] === 'boolean') return
    if (typeof object['type'] !== 'string')
      throw new FeedFormatError('The document is no STIX: it has neither "objects" nor "type".', { line: 1, offset: 0 })
    this.rows++
    this.takeObject(object, 1)
  }

  private take({ text, line, fault }: RawRecord): void {
    this.rows++
    if (fault !== undefined) {
      const limit = fault === 'too_large' ? `is longer than ${MAX_RECORD_CHARS} characters` : `nests deeper than ${MAX_RECORD_DEPTH} levels`
      this.pushProblem(line, text, `The object ${limit}.`)
      return
    }
    const found = parsed(text)
    if (found === undefined) throw new FeedFormatError(`The JSON is broken at line ${line}: "${excerpt(text)}".`, { line })
    if (isObject(found.value)) this.takeObject(found.value, line)
    else this.pushProblem(line, text, 'The entry is not a STIX object.')
  }

  private takeObject(object: StixObject, line: number): void {
    const { type, id } = object
    if (typeof type !== 'string') {
      this.pushProblem(line, typeof id === 'string' ? id : '', 'The object has no type.')
      return
    }
    this.stixObjects++
    const rows = type === 'indicator' ? indicatorRows(object, line) : this.observables ? observableRows(object, line) : undefined
    if (rows === undefined) {
      this.context.note(object)
      this.out.push(unsupportedRow(line, typeof id === 'string' ? id : '', type))
      return
    }
    const modified = dateOf(object['modified']) ?? dateOf(object['created'])
    this.context.hold(
      {
        id: typeof id === 'string' ? id : undefined,
        modified: modified?.getTime() ?? 0,
        rows,
        refs: markingRefs(object),
        level: highestTlp(tlpOfLabels(object)),
      },
      this.out,
    )
  }

  private pushProblem(line: number, text: string, reason: string): void {
    this.out.push({ line, raw: excerpt(cleanText(text), MAX_SHOWN_CHARS), problem: { code: 'malformed_row', reason } })
  }
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
