/** A pattern that cannot be read, and where. Stays inside this room: `parsePattern` never throws. */
export class PatternFault extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

export type TokenKind = 'end' | 'word' | 'string' | 'integer' | 'float' | 'timestamp' | 'hex' | 'binary' | 'operator' | 'mark'

/** Longest beginning of a wrong token that a message shows. */
const SHOWN_CHARS = 20
const WORD = /[A-Za-z_][A-Za-z0-9_-]*/y
// Each part is of fixed first characters, so there is nothing to backtrack into.
const NUMBER = /[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)/y
const INTEGER = /^[+-]?(?:0|[1-9][0-9]*)$/
const FLOAT = /^[+-]?[0-9]*\.[0-9]+$/
const HEX = /^(?:[0-9A-Fa-f]{2})*$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const TIMESTAMP = /^([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?Z$/
const SPACE = /[\s\u0085]/

const QUOTE = 39
const BACKSLASH = 92
const SLASH = 47
const STAR = 42

/**
 * Cuts a STIX pattern into tokens, one at a time and in one pass: the present one stands in `kind`, `text` and `start`.
 * Source: STIX 2.1, 9.2, and the lexer rules of its published grammar.
 */
export class PatternLexer {
  kind: TokenKind = 'end'
  /** A string is unescaped; a literal is without its letter and quotes. */
  text = ''
  start = 0
  private at = 0
  private readonly source: string

  /** @throws PatternFault */
  constructor(source: string) {
    this.source = source
    this.advance()
  }

  /** Goes to the next token. @throws PatternFault where there is none */
  advance(): void {
    this.skipBlanks()
    this.start = this.at
    const { source } = this
    if (this.at >= source.length) {
      this.set('end', '')
      return
    }
    const code = source.charCodeAt(this.at)
    if (code === QUOTE) this.set('string', this.readString())
    else if (isLetter(code)) this.readWord()
    else if (isDigit(code) || code === 43 || code === 45) this.readNumber()
    else if (code === 46 && isDigit(source.charCodeAt(this.at + 1)) && !this.followsName()) this.readNumber()
    else this.readMark()
  }

  fault(expected: string): PatternFault {
    const found = this.kind === 'end' ? 'the pattern ends' : `there is "${this.source.slice(this.start, this.start + SHOWN_CHARS)}"`
    return new PatternFault(`${expected} was expected, but ${found}`, this.start)
  }

  private set(kind: TokenKind, text: string): void {
    this.kind = kind
    this.text = text
  }

  /** Whether the character before belongs to a path, so that a dot is a step and not the beginning of a number. */
  private followsName(): boolean {
    return this.kind === 'word' || this.kind === 'string' || this.text === ']'
  }

  private skipBlanks(): void {
    const { source } = this
    for (;;) {
      const code = source.charCodeAt(this.at)
      if (code === 32 || (code >= 9 && code <= 13) || (code > 127 && SPACE.test(source.charAt(this.at)))) this.at++
      else if (code === SLASH && source.charCodeAt(this.at + 1) === SLASH) this.skipLine()
      else if (code === SLASH && source.charCodeAt(this.at + 1) === STAR) this.skipComment()
      else return
    }
  }

  private skipLine(): void {
    while (this.at < this.source.length && !/[\r\n]/.test(this.source.charAt(this.at))) this.at++
  }

  private skipComment(): void {
    const end = this.source.indexOf('*/', this.at + 2)
    if (end === -1) throw new PatternFault('the comment does not end', this.at)
    this.at = end + 2
  }

  private readWord(): void {
    const { source } = this
    if (source.charCodeAt(this.at + 1) === QUOTE && 'thb'.includes(source.charAt(this.at))) {
      this.readTyped(source.charAt(this.at))
      return
    }
    WORD.lastIndex = this.at
    const word = WORD.exec(source)?.[0] ?? ''
    this.at += word.length
    this.set('word', word)
  }

  private readTyped(letter: string): void {
    this.at++
    const text = this.readString()
    if (letter === 'h') {
      if (!HEX.test(text)) throw new PatternFault("h'…' holds something other than pairs of hexadecimal digits", this.start)
      this.set('hex', text)
    } else if (letter === 'b') {
      if (!BASE64.test(text)) throw new PatternFault("b'…' is not base64", this.start)
      this.set('binary', text)
    } else {
      if (!isTimestamp(text)) throw new PatternFault("t'…' is not a timestamp such as 2026-01-31T12:00:00Z", this.start)
      this.set('timestamp', text)
    }
  }

  private readString(): string {
    const { source } = this
    let out = ''
    let from = this.at + 1
    for (let at = from; at < source.length; at++) {
      const code = source.charCodeAt(at)
      if (code === QUOTE) {
        this.at = at + 1
        return out + source.slice(from, at)
      }
      if (code !== BACKSLASH) continue
      const next = source.charCodeAt(at + 1)
      if (next !== QUOTE && next !== BACKSLASH) throw new PatternFault("a backslash stands before something other than ' or \\", at)
      out += source.slice(from, at)
      from = at + 1
      at++
    }
    throw new PatternFault('the text does not end', this.at)
  }

  private readNumber(): void {
    NUMBER.lastIndex = this.at
    const text = NUMBER.exec(this.source)?.[0]
    if (text === undefined) throw this.unknown()
    if (!INTEGER.test(text) && !FLOAT.test(text)) throw new PatternFault(`"${text.slice(0, SHOWN_CHARS)}" is not a number`, this.at)
    this.at += text.length
    this.set(INTEGER.test(text) ? 'integer' : 'float', text)
  }

  private readMark(): void {
    const two = this.source.slice(this.at, this.at + 2)
    if (two === '==' || two === '!=' || two === '<>' || two === '<=' || two === '>=') {
      this.at += 2
      this.set('operator', two === '==' ? '=' : two === '<>' ? '!=' : two)
      return
    }
    const one = two.charAt(0)
    if (one === '=' || one === '<' || one === '>') this.set('operator', one)
    else if ('[]():.,*'.includes(one)) this.set('mark', one)
    else throw this.unknown()
    this.at++
  }

  private unknown(): PatternFault {
    return new PatternFault(`"${this.source.slice(this.at, this.at + SHOWN_CHARS)}" is no part of a pattern`, this.at)
  }
}

function isTimestamp(text: string): boolean {
  const parts = TIMESTAMP.exec(text)
  if (parts === null) return false
  const [, year, month, day] = parts
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
