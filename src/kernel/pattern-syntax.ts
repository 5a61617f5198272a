const ASCII = 128
/** Times. Assumption: `{1000}` in an exclude is a mistake. */
const MAX_REPEAT = 100
const LAST_CHAR = 0xffff

/** Why a pattern is refused, as a sentence for the person who wrote it. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

export type Range = readonly [from: number, to: number]
export type CharSet = { ranges: readonly Range[]; negated: boolean }
/** A pattern as a tree. */
export type Node =
  | { kind: 'set'; set: CharSet }
  | { kind: 'sequence'; parts: readonly Node[] }
  | { kind: 'either'; options: readonly Node[] }
  | { kind: 'repeat'; node: Node; min: number; max: number }
  | { kind: 'start' }
  | { kind: 'end' }

const DIGIT: readonly Range[] = [[0x30, 0x39]]
// biome-ignore format: one class
const WORD: readonly Range[] = [[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a], [0x5f, 0x5f]]
// biome-ignore format: one class
const SPACE: readonly Range[] = [[0x09, 0x0d], [0x20, 0x20], [0xa0, 0xa0], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f], [0x3000, 0x3000], [0xfeff, 0xfeff]]
const CLASS_ESCAPES: Record<string, CharSet> = {
  d: { ranges: DIGIT, negated: false },
  D: { ranges: DIGIT, negated: true },
  w: { ranges: WORD, negated: false },
  W: { ranges: WORD, negated: true },
  s: { ranges: SPACE, negated: false },
  S: { ranges: SPACE, negated: true },
}
const CHAR_ESCAPES: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const COUNTED = /^\{(\d{1,4})(,(\d{0,4}))?\}/

/** Everything outside the ranges, so that a negated class can stand inside another class. */
function complement(ranges: readonly Range[]): Range[] {
  const out: Range[] = []
  let next = 0
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > next) out.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= LAST_CHAR) out.push([next, LAST_CHAR])
  return out
}

/** The text is lower-cased before matching, so capitals in the pattern must also stand for their small letters. */
export function withSmallLetters(ranges: readonly Range[]): Range[] {
  const out: Range[] = [...ranges]
  for (const [from, to] of ranges) {
    const low = Math.max(from, 0x41)
    const high = Math.min(to, 0x5a)
    if (low <= high) out.push([low + 32, high + 32])
    if (from === to && from >= ASCII) {
      const small = String.fromCharCode(from).toLowerCase().charCodeAt(0)
      out.push([small, small])
    }
  }
  return out
}

/** Reads a pattern; what a state machine cannot do is refused by name. */
export class PatternReader {
  private at = 0
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  read(): Node {
    const node = this.readEither()
    if (this.at < this.source.length) throw new PatternError('there is a ) without its (')
    return node
  }

  private readEither(): Node {
    const options = [this.readSequence()]
    while (this.source[this.at] === '|') {
      this.at++
      options.push(this.readSequence())
    }
    const [only] = options
    return options.length === 1 && only !== undefined ? only : { kind: 'either', options }
  }

  private readSequence(): Node {
    const parts: Node[] = []
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') parts.push(this.readRepeat())
    return { kind: 'sequence', parts }
  }

  private readRepeat(): Node {
    const node = this.readAtom()
    const bounds = this.readQuantifier()
    if (bounds === undefined) return node
    if (node.kind === 'start' || node.kind === 'end') throw new PatternError('^ and $ cannot be repeated')
    // A lazy mark changes which match is found, never whether there is one.
    if (this.source[this.at] === '?') this.at++
    if (this.readQuantifier() !== undefined) throw new PatternError('two repeats follow each other')
    return { kind: 'repeat', node, ...bounds }
  }

  private readQuantifier(): { min: number; max: number } | undefined {
    const sign = this.source[this.at]
    if (sign === '*' || sign === '+' || sign === '?') {
      this.at++
      return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
    }
    if (sign !== '{') return undefined
    const counted = COUNTED.exec(this.source.slice(this.at))
    if (counted === null) return undefined
    this.at += counted[0].length
    const min = Number(counted[1])
    let max = min
    if (counted[2] !== undefined) max = counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3])
    if (max < min) throw new PatternError('a repeat ends before it begins')
    if (min > MAX_REPEAT || (Number.isFinite(max) && max > MAX_REPEAT)) throw new PatternError(`a repeat counts beyond ${MAX_REPEAT}`)
    return { min, max }
  }

  private readAtom(): Node {
    const char = this.source[this.at] ?? ''
    this.at++
    if (char === '^') return { kind: 'start' }
    if (char === '$') return { kind: 'end' }
    if (char === '.') return { kind: 'set', set: { ranges: [[10, 10]], negated: true } }
    if (char === '(') return this.readGroup()
    if (char === '[') return this.readClass()
    if (char === '\\') return { kind: 'set', set: this.readEscape() }
    if (char === '*' || char === '+' || char === '?') throw new PatternError(`there is nothing for ${char} to repeat`)
    return { kind: 'set', set: one(char.charCodeAt(0)) }
  }

  private readGroup(): Node {
    if (this.source[this.at] === '?') {
      if (this.source[this.at + 1] !== ':') throw new PatternError('looking ahead or behind and named groups are not supported')
      this.at += 2
    }
    const node = this.readEither()
    if (this.source[this.at] !== ')') throw new PatternError('there is a ( without its )')
    this.at++
    return node
  }

  private readEscape(): CharSet {
    const char = this.source[this.at]
    if (char === undefined) throw new PatternError('it ends in a single backslash')
    this.at++
    const known = Object.hasOwn(CLASS_ESCAPES, char) ? CLASS_ESCAPES[char] : undefined
    if (known !== undefined) return known
    const control = Object.hasOwn(CHAR_ESCAPES, char) ? CHAR_ESCAPES[char] : undefined
    if (control !== undefined) return one(control)
    if (char === 'x' || char === 'u') return one(this.readHex(char === 'x' ? 2 : 4))
    if (/[0-9A-Za-z]/.test(char)) throw new PatternError(`\\${char} is not supported`)
    return one(char.charCodeAt(0))
  }

  private readHex(digits: number): number {
    const text = this.source.slice(this.at, this.at + digits)
    if (text.length < digits || !/^[0-9A-Fa-f]+$/.test(text)) throw new PatternError(`an escape needs ${digits} hexadecimal digits`)
    this.at += digits
    return Number.parseInt(text, 16)
  }

  private readClass(): Node {
    const negated = this.source[this.at] === '^'
    if (negated) this.at++
    const ranges: Range[] = []
    while (this.source[this.at] !== ']') {
      if (this.at >= this.source.length) throw new PatternError('there is a [ without its ]')
      ranges.push(...this.readClassRange())
    }
    this.at++
    return { kind: 'set', set: { ranges, negated } }
  }

  private readClassRange(): readonly Range[] {
    const from = this.readClassMember()
    const low = singleOf(from)
    const next = this.source[this.at + 1]
    if (this.source[this.at] !== '-' || next === ']' || next === undefined || low === undefined) {
      return from.negated ? complement(from.ranges) : from.ranges
    }
    this.at++
    const high = singleOf(this.readClassMember())
    if (high === undefined || high < low) throw new PatternError('a range in [ ] ends before it begins')
    return [[low, high]]
  }

  private readClassMember(): CharSet {
    const char = this.source[this.at] ?? ''
    this.at++
    return char === '\\' ? this.readEscape() : one(char.charCodeAt(0))
  }
}

function one(code: number): CharSet {
  return { ranges: [[code, code]], negated: false }
}

function singleOf(set: CharSet): number | undefined {
  const [first] = set.ranges
  return set.ranges.length === 1 && !set.negated && first !== undefined && first[0] === first[1] ? first[0] : undefined
}
