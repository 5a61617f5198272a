import { PatternFault, PatternLexer } from './pattern-lexer.ts'
import {
  type Comparison,
  KEYWORDS,
  type Literal,
  type ObjectPath,
  type Observation,
  type Operator,
  type PathStep,
  type Qualifier,
} from './pattern-tree.ts'

/** Characters of a pattern. Assumption: patterns of public feeds stay below 2 000; the longest lists of values stay below this. */
export const MAX_PATTERN_CHARS = 100_000
/** Parentheses within parentheses. Assumption: no pattern that a person wrote comes near; bounds the stack. */
export const MAX_PATTERN_DEPTH = 64
/** Steps of one object path. Assumption. */
const MAX_PATH_STEPS = 64

export type ParsedPattern =
  | { ok: true; pattern: Observation }
  | { ok: false; code: 'pattern_invalid' | 'pattern_too_large'; reason: string }

const EQUALITY = new Set<string>(['=', '!='])
const NAMED_OPERATORS = new Set<string>(['IN', 'LIKE', 'MATCHES', 'ISSUBSET', 'ISSUPERSET'])

class TooDeep extends PatternFault {}

/**
 * Reads a STIX pattern. Never throws, takes time in proportion to its length, and compiles none of the regular expressions in it.
 * Source: STIX 2.1, chapter 9. Also read, because the published grammars do: `==`, `<>`, comments.
 */
export function parsePattern(text: string): ParsedPattern {
  if (text.length > MAX_PATTERN_CHARS)
    return { ok: false, code: 'pattern_too_large', reason: `The pattern is longer than ${MAX_PATTERN_CHARS} characters.` }
  try {
    return { ok: true, pattern: new PatternParser(text).whole() }
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error
    if (error instanceof TooDeep)
      return { ok: false, code: 'pattern_too_large', reason: `The pattern nests deeper than ${MAX_PATTERN_DEPTH} levels.` }
    return { ok: false, code: 'pattern_invalid', reason: `The pattern cannot be read at character ${error.at + 1}: ${error.message}.` }
  }
}

class PatternParser {
  private readonly lexer: PatternLexer
  private depth = 0

  constructor(text: string) {
    this.lexer = new PatternLexer(text)
  }

  whole(): Observation {
    const pattern = this.followedBy()
    if (this.lexer.kind !== 'end') throw this.lexer.fault('the end of the pattern')
    return pattern
  }

  // FOLLOWEDBY binds weakest, then OR, then AND, then the qualifiers.
  private followedBy(): Observation {
    return this.chain('FOLLOWEDBY', 'followedby', () => this.observedOr())
  }

  private observedOr(): Observation {
    return this.chain('OR', 'or', () => this.observedAnd())
  }

  private observedAnd(): Observation {
    return this.chain('AND', 'and', () => this.qualified())
  }

  private chain(word: string, kind: 'and' | 'or' | 'followedby', operand: () => Observation): Observation {
    const first = operand()
    if (!this.isWord(word)) return first
    const operands = [first]
    while (this.takeWord(word)) operands.push(operand())
    return { kind, operands }
  }

  private qualified(): Observation {
    const of = this.observation()
    const qualifiers: Qualifier[] = []
    for (let one = this.tryQualifier(); one !== undefined; one = this.tryQualifier()) {
      const { kind } = one
      if (qualifiers.some((other) => other.kind === kind)) throw this.lexer.fault(`only one ${kind.toUpperCase()} in a row`)
      qualifiers.push(one)
    }
    return qualifiers.length === 0 ? of : { kind: 'qualified', of, qualifiers }
  }

  private observation(): Observation {
    if (this.takeMark('(')) return this.nested(() => this.followedBy(), ')')
    if (!this.takeMark('[')) throw this.lexer.fault('an opening bracket')
    return { kind: 'observation', comparison: this.nested(() => this.comparedOr(), ']') }
  }

  private nested<Tree>(read: () => Tree, close: ')' | ']'): Tree {
    this.depth++
    if (this.depth > MAX_PATTERN_DEPTH) throw new TooDeep('too deep', this.lexer.start)
    const tree = read()
    this.depth--
    if (!this.takeMark(close)) throw this.lexer.fault(`"${close}"`)
    return tree
  }

  private tryQualifier(): Qualifier | undefined {
    if (this.takeWord('WITHIN')) {
      const seconds = this.positive(['integer', 'float'], 'a positive number of seconds')
      this.expectWord('SECONDS')
      return { kind: 'within', seconds }
    }
    if (this.takeWord('REPEATS')) {
      const times = this.positive(['integer'], 'a positive whole number')
      this.expectWord('TIMES')
      return { kind: 'repeats', times }
    }
    if (this.takeWord('START')) {
      const start = this.moment()
      this.expectWord('STOP')
      return { kind: 'startstop', start, stop: this.moment() }
    }
    return undefined
  }

  private positive(kinds: readonly string[], what: string): string {
    if (!kinds.includes(this.lexer.kind) || !(Number(this.lexer.text) > 0)) throw this.lexer.fault(what)
    return this.takeText()
  }

  /** STIX 2.0 wrote the moments as plain texts. */
  private moment(): string {
    const { kind, text } = this.lexer
    if (kind === 'timestamp' || (kind === 'string' && /^[0-9T:.-]+Z$/.test(text))) return this.takeText()
    throw this.lexer.fault('a timestamp')
  }

  private comparedOr(): Comparison {
    return this.comparedChain('OR', 'or', () => this.comparedAnd())
  }

  private comparedAnd(): Comparison {
    return this.comparedChain('AND', 'and', () => this.test())
  }

  private comparedChain(word: string, kind: 'and' | 'or', operand: () => Comparison): Comparison {
    const first = operand()
    if (!this.isWord(word)) return first
    const operands = [first]
    while (this.takeWord(word)) operands.push(operand())
    return { kind, operands }
  }

  private test(): Comparison {
    if (this.takeMark('(')) return this.nested(() => this.comparedOr(), ')')
    if (this.takeWord('EXISTS')) return { kind: 'exists', path: this.path() }
    const path = this.path()
    const negated = this.takeWord('NOT')
    const operator = this.operator()
    return { kind: 'test', path, negated, operator, operands: this.operands(operator) }
  }

  private operator(): Operator {
    const { kind, text } = this.lexer
    if (kind !== 'operator' && !(kind === 'word' && NAMED_OPERATORS.has(text))) throw this.lexer.fault('a comparison operator')
    // The lexer gives no other operators, and the set holds no other words.
    return this.takeText() as Operator
  }

  private operands(operator: Operator): Literal[] {
    if (operator === 'IN') return this.set()
    if (NAMED_OPERATORS.has(operator)) {
      if (this.lexer.kind !== 'string') throw this.lexer.fault('a text in single quotes')
      return [{ kind: 'string', text: this.takeText() }]
    }
    const value = this.literal()
    if (!EQUALITY.has(operator) && value.kind === 'boolean') throw this.lexer.fault('a value that has an order')
    return [value]
  }

  private set(): Literal[] {
    if (!this.takeMark('(')) throw this.lexer.fault('"("')
    const values: Literal[] = []
    if (this.takeMark(')')) return values
    do values.push(this.literal())
    while (this.takeMark(','))
    if (!this.takeMark(')')) throw this.lexer.fault('"," or ")"')
    return values
  }

  private literal(): Literal {
    const { kind, text } = this.lexer
    switch (kind) {
      case 'string':
      case 'integer':
      case 'float':
      case 'timestamp':
      case 'hex':
      case 'binary':
        return { kind, text: this.takeText() }
      case 'word':
        if (text === 'true' || text === 'false' || text === 'TRUE' || text === 'FALSE')
          return { kind: 'boolean', text: this.takeText().toLowerCase() }
        throw this.lexer.fault('a value')
      default:
        throw this.lexer.fault('a value')
    }
  }

  private path(): ObjectPath {
    const { kind, text } = this.lexer
    if (kind !== 'word' || KEYWORDS.has(text)) throw this.lexer.fault('an object path such as ipv4-addr:value')
    this.lexer.advance()
    if (!this.takeMark(':')) throw this.lexer.fault('":"')
    const steps: PathStep[] = [this.key()]
    for (;;) {
      if (this.takeMark('.')) steps.push(this.key())
      else if (this.takeMark('[')) steps.push(this.index())
      else return { type: text, steps }
      if (steps.length > MAX_PATH_STEPS) throw new TooDeep('too deep', this.lexer.start)
    }
  }

  private key(): PathStep {
    const { kind, text } = this.lexer
    if (kind !== 'string' && (kind !== 'word' || text.includes('-') || KEYWORDS.has(text)))
      throw this.lexer.fault('a property name (one with a hyphen needs single quotes)')
    return { kind: 'key', name: this.takeText() }
  }

  private index(): PathStep {
    const index = this.lexer.kind === 'integer' ? this.takeText() : this.takeMark('*') ? '*' : undefined
    if (index === undefined || !this.takeMark(']')) throw this.lexer.fault('an index such as [0] or [*]')
    return { kind: 'index', index }
  }

  private isWord(word: string): boolean {
    return this.lexer.kind === 'word' && this.lexer.text === word
  }

  private takeWord(word: string): boolean {
    if (!this.isWord(word)) return false
    this.lexer.advance()
    return true
  }

  private expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.lexer.fault(word)
  }

  private takeMark(mark: string): boolean {
    if (this.lexer.kind !== 'mark' || this.lexer.text !== mark) return false
    this.lexer.advance()
    return true
  }

  private takeText(): string {
    const { text } = this.lexer
    this.lexer.advance()
    return text
  }
}
