import { DomainError } from './errors.ts'

/** Nesting levels of one record. Source: docs/decisions/0004: depth is limited before walking, since JSON.parse accepts 200 000 levels. */
export const MAX_RECORD_DEPTH = 64
/** Characters of one record. Assumption: a larger record is damage or an attack; memory is bounded by it. */
export const MAX_RECORD_CHARS = 1_048_576
/** Characters of a member name on the way to the records. Assumption. */
const MAX_KEY_CHARS = 4096

/** One record as text. `fault`: it was too big or too deep, and its text is only the beginning. */
export type RawRecord = { text: string; line: number; key: string | undefined; fault: 'too_large' | 'too_deep' | undefined }

/** What may hold the records. */
export type Holder = 'array' | 'object' | 'any'

/** Where a text stopped being JSON: its line from 1, and the characters before it where known. */
export type JsonPlace = { line: number; offset?: number }

/** A text that is not JSON, stops being it on the way, or holds no records where they should be. */
export class JsonFault extends DomainError {
  override readonly name = 'JsonFault'

  constructor(message: string) {
    super('source_malformed', message)
  }
}

const VALUE = 0
const VALUE_OR_END = 1
const KEY = 2
const KEY_OR_END = 3
const COLON = 4
const COMMA_OR_END = 5
const DONE = 6
const IN_KEY = 7
const IN_STRING = 8
const IN_NESTED = 9
const IN_SCALAR = 10

const QUOTE = 34
const BACKSLASH = 92
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const COMMA = 44
const NEWLINE = 10

/**
 * Finds the records of a JSON document in passing: it follows `path` from the root and cuts out every element or member of what it finds
 * there, to be parsed one at a time.
 *
 * Why not a general streaming parser: cutting records out and giving each to JSON.parse reads 57 MB/s with the rows made, where
 * stream-json reads 26 MB/s with bare objects; and here the limits on size and depth hold before anything is built. Depth is a counter,
 * not a stack, so nesting costs no memory.
 */
export class JsonScanner {
  private readonly path: readonly (string | readonly string[])[]
  private readonly maxChars: number
  private readonly holder: Holder
  private readonly onRecord: (record: RawRecord) => void
  private state = VALUE
  /** Containers entered on the way; true for an object. */
  private readonly stack: boolean[] = []
  private key: string | undefined
  private escaped = false
  private inString = false
  private depth = 0
  private capturing = false
  private held = ''
  private recordFault: RawRecord['fault']
  private line = 1
  private recordLine = 1
  private offset = 0
  private firstCode = 0
  private found = false

  /** @param path member names on the way to the records, each one name or several of which any will do */
  constructor(
    path: readonly (string | readonly string[])[],
    holder: Holder,
    onRecord: (record: RawRecord) => void,
    maxChars = MAX_RECORD_CHARS,
  ) {
    this.path = path
    this.holder = holder
    this.onRecord = onRecord
    this.maxChars = maxChars
  }

  /** What is thrown; a reader of its own kind of file throws its own. */
  protected fault(message: string, _at: JsonPlace): Error {
    return new JsonFault(message)
  }

  /** The member that has begun and not ended, for a look at the beginning of a file. */
  unfinished(): { key: string | undefined; first: string } | undefined {
    const inside = this.state === IN_STRING || this.state === IN_NESTED || this.state === IN_SCALAR
    return inside && this.capturing ? { key: this.key, first: String.fromCharCode(this.firstCode) } : undefined
  }

  /** @throws JsonFault where the text stops being JSON; the records before it have been given */
  push(text: string): void {
    let at = 0
    while (at < text.length) {
      if (this.state < IN_KEY) at = this.readStructure(text, at)
      else if (this.state === IN_KEY) at = this.readKey(text, at)
      else if (this.state === IN_NESTED) at = this.readNested(text, at)
      else if (this.state === IN_STRING) at = this.readString(text, at)
      else at = this.readScalar(text, at)
    }
    this.offset += text.length
  }

  /** @throws JsonFault when the document has not ended, or has nothing at the path */
  end(): void {
    // A bare number at the root ends with the file.
    if (this.state === IN_SCALAR && this.stack.length === 0) this.state = DONE
    if (this.state !== DONE) throw this.broken('the file ends in the middle', 0)
    if (!this.found) throw this.fault(`The JSON holds nothing at "${[...this.path.map(inWords), '*'].join('.')}".`, { line: this.line })
  }

  private broken(what: string, at: number): Error {
    const offset = this.offset + at
    return this.fault(`The JSON is broken at line ${this.line}, character ${offset}: ${what}.`, { line: this.line, offset })
  }

  private readStructure(text: string, from: number): number {
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === NEWLINE) this.line++
      if (code > 32) break
    }
    if (at === text.length) return at
    const code = text.charCodeAt(at)
    switch (this.state) {
      case VALUE:
        return this.beginValue(text, at)
      case VALUE_OR_END:
        return code === CLOSE_BRACKET ? this.closeContainer(at) : this.beginValue(text, at)
      case KEY:
      case KEY_OR_END:
        if (code === CLOSE_BRACE && this.state === KEY_OR_END) return this.closeContainer(at)
        if (code !== QUOTE) throw this.broken('a member name was expected', at)
        this.state = IN_KEY
        this.held = ''
        return at + 1
      case COLON:
        if (code !== 58) throw this.broken('a colon was expected', at)
        this.state = VALUE
        return at + 1
      case COMMA_OR_END:
        return this.afterValue(code, at)
      default:
        throw this.broken('text follows the end of the document', at)
    }
  }

  private afterValue(code: number, at: number): number {
    const inObject = this.stack.at(-1) === true
    if (code === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) return this.closeContainer(at)
    if (code !== COMMA) throw this.broken('a comma was expected', at)
    this.state = inObject ? KEY : VALUE
    return at + 1
  }

  private closeContainer(at: number): number {
    this.stack.pop()
    this.state = this.stack.length === 0 ? DONE : COMMA_OR_END
    return at + 1
  }

  private beginValue(text: string, at: number): number {
    const code = text.charCodeAt(at)
    const level = this.stack.length
    if (level <= this.path.length && (level === 0 || this.isOnPath(level - 1)) && this.enter(code, level, at)) return at + 1
    this.capturing = level === this.path.length + 1
    this.recordLine = this.line
    this.firstCode = code
    this.held = ''
    this.recordFault = undefined
    this.depth = 0
    this.inString = false
    this.escaped = false
    if (code === QUOTE) {
      this.state = IN_STRING
      this.inString = true
      this.keep(text, at, at + 1)
      return at + 1
    }
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET || code === COMMA || code === 58) throw this.broken('a value was expected', at)
    this.state = code === OPEN_BRACE || code === OPEN_BRACKET ? IN_NESTED : IN_SCALAR
    return at
  }

  private isOnPath(level: number): boolean {
    const wanted = this.path[level]
    return typeof wanted === 'string' ? wanted === this.key : (wanted?.includes(this.key ?? '') ?? false)
  }

  /** Steps into a container that lies on the path, or that holds the records. */
  private enter(code: number, level: number, at: number): boolean {
    const isObject = code === OPEN_BRACE
    const isHolder = level === this.path.length
    if (isHolder) this.found = true
    if (!isObject && code !== OPEN_BRACKET) {
      if (level === 0) throw this.broken('the document is neither an array nor an object', at)
      return false
    }
    if (isHolder && this.holder !== 'any' && isObject !== (this.holder === 'object')) {
      throw this.broken(`the records are in an ${isObject ? 'object' : 'array'}, not in an ${this.holder}; see "mode" and "items"`, at)
    }
    if (!isHolder && !isObject) {
      if (level === 0) throw this.broken(`an object with "${inWords(this.path[level] ?? '')}" was expected; see "items"`, at)
      return false
    }
    this.stack.push(isObject)
    this.key = undefined
    this.state = isObject ? KEY_OR_END : VALUE_OR_END
    return true
  }

  private readKey(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.escaped) this.escaped = false
      else if (code === BACKSLASH) this.escaped = true
      else if (code === QUOTE) {
        this.holdKey(text.slice(from, at))
        this.key = this.parseKey(this.held, at)
        this.state = COLON
        return at + 1
      }
    }
    this.holdKey(text.slice(from))
    return text.length
  }

  private holdKey(part: string): void {
    this.held += part
    if (this.held.length > MAX_KEY_CHARS) throw this.broken('a member name never ends', 0)
  }

  private parseKey(text: string, at: number): string {
    if (!text.includes('\\')) return text
    try {
      return String(JSON.parse(`"${text}"`))
    } catch {
      throw this.broken('a member name is not valid', at)
    }
  }

  private readNested(text: string, from: number): number {
    let at = from
    while (at < text.length) {
      if (this.inString) {
        at = this.skipString(text, at)
        continue
      }
      const code = text.charCodeAt(at)
      at++
      if (code === QUOTE) this.inString = true
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        this.depth++
        if (this.depth > MAX_RECORD_DEPTH) this.recordFault ??= 'too_deep'
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        this.depth--
        if (this.depth === 0) return this.finish(text, from, at)
      } else if (code === NEWLINE) this.line++
    }
    this.keep(text, from, at)
    return at
  }

  /** @returns the place behind the closing quote, or the end of the chunk while the string goes on */
  private skipString(text: string, from: number): number {
    // Nearly always the next quote is the end, and it is found at a third of the cost of looking at each character.
    const quote = this.escaped ? -1 : text.indexOf('"', from)
    if (quote > from && text.charCodeAt(quote - 1) !== BACKSLASH) {
      this.inString = false
      return quote + 1
    }
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.escaped) this.escaped = false
      else if (code === BACKSLASH) this.escaped = true
      else if (code === QUOTE) {
        this.inString = false
        return at + 1
      }
    }
    return text.length
  }

  private readString(text: string, from: number): number {
    const at = this.skipString(text, from)
    if (!this.inString) return this.finish(text, from, at)
    this.keep(text, from, at)
    return at
  }

  private readScalar(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 32) return this.finish(text, from, at)
    }
    this.keep(text, from, text.length)
    return text.length
  }

  private keep(text: string, from: number, to: number): void {
    if (!this.capturing || this.recordFault === 'too_large') return
    if (this.held.length + to - from > this.maxChars) this.recordFault = 'too_large'
    else this.held += text.slice(from, to)
  }

  private finish(text: string, from: number, to: number): number {
    this.keep(text, from, to)
    this.state = this.stack.length === 0 ? DONE : COMMA_OR_END
    if (this.capturing) {
      const record = { text: this.held, line: this.recordLine, key: this.key, fault: this.recordFault }
      this.capturing = false
      this.held = ''
      this.onRecord(record)
    }
    return to
  }
}

function inWords(step: string | readonly string[]): string {
  return typeof step === 'string' ? step : step.join(' or ')
}

/** Whether the text nests deeper than a record may, counted without parsing it. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH && inString) at++
    else if (code === QUOTE) inString = !inString
    else if (inString) continue
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++
      if (depth > MAX_RECORD_DEPTH) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return false
}
