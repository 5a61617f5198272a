/**
 * Regular expressions that cannot be made to run long: the pattern becomes a state machine that looks at each character once.
 *
 * Why not RegExp: it backtracks, and both sides of the match come from outside (the pattern from whoever registers the feed, the text from
 * the feed). Even `a*b` is quadratic on a 64 kB line of `a`. Here the cost is characters times states, whatever the two look like.
 * Matching ignores case and looks anywhere in the text, as feed excludes do elsewhere.
 */
export type LinearPattern = { matches(text: string): boolean }

/** Characters. Assumption: the longest exclude in public feed lists has about 150. */
export const MAX_PATTERN_CHARS = 256
/** Machine states after counted repeats are written out. Assumption: bounds the cost of one character. */
const MAX_STATES = 500
/** Times. Assumption: `{1000}` in an exclude is a mistake. */
const MAX_REPEAT = 100
/** Cached steps; the cache starts again beyond it. Assumption: 1 000 steps of 512 bytes each. */
const MAX_CACHED_SETS = 1000
const ASCII = 128
const LAST_CHAR = 0xffff

/** Why a pattern is refused, as a sentence for the person who wrote it. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

type Range = readonly [from: number, to: number]
type CharSet = { ranges: readonly Range[]; negated: boolean }
type Node =
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
function withSmallLetters(ranges: readonly Range[]): Range[] {
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

class PatternReader {
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

type State =
  | { op: 'char'; set: CharSet; next: number }
  | { op: 'split'; next: number; other: number }
  | { op: 'start' | 'end'; next: number }
  | { op: 'match' }

/** Builds the machine backwards: each node is given where to go afterwards. State 0 is the match. */
class Machine {
  readonly states: State[] = [{ op: 'match' }]

  add(state: State): number {
    if (this.states.length >= MAX_STATES) throw new PatternError('its counted repeats add up to too many steps')
    return this.states.push(state) - 1
  }

  build(node: Node, next: number): number {
    switch (node.kind) {
      case 'set':
        return this.add({ op: 'char', set: { ranges: withSmallLetters(node.set.ranges), negated: node.set.negated }, next })
      case 'start':
      case 'end':
        return this.add({ op: node.kind, next })
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.build(part, after), next)
      case 'either':
        return node.options
          .map((option) => this.build(option, next))
          .reduce((other, entry) => this.add({ op: 'split', next: entry, other }))
      case 'repeat':
        return this.buildRepeat(node.node, node, next)
    }
  }

  private buildRepeat(node: Node, { min, max }: { min: number; max: number }, next: number): number {
    let entry = next
    if (Number.isFinite(max)) {
      for (let i = min; i < max; i++) entry = this.add({ op: 'split', next: this.build(node, entry), other: next })
    } else {
      const loop: State = { op: 'split', next: 0, other: next }
      entry = this.add(loop)
      loop.next = this.build(node, entry)
    }
    for (let i = 0; i < min; i++) entry = this.build(node, entry)
    return entry
  }
}

/** One set of simultaneous states, with what is known of its steps. */
type StateSet = { ids: readonly number[]; matched: boolean; matchedAtEnd: boolean; steps: (StateSet | undefined)[] }

class Matcher implements LinearPattern {
  private readonly states: readonly State[]
  private readonly entry: number
  private cache = new Map<string, StateSet>()
  private readonly initial: StateSet

  constructor(states: readonly State[], entry: number) {
    this.states = states
    this.entry = entry
    this.initial = this.toSet(this.reach([entry], 'start'))
  }

  matches(text: string): boolean {
    const lower = text.toLowerCase()
    let current = this.initial
    for (let i = 0; i < lower.length; i++) {
      if (current.matched) return true
      current = this.step(current, lower.charCodeAt(i))
    }
    return current.matched || current.matchedAtEnd
  }

  private step(from: StateSet, code: number): StateSet {
    const known = code < ASCII ? from.steps[code] : undefined
    if (known !== undefined) return known
    const targets: number[] = []
    for (const id of from.ids) {
      const state = this.states[id]
      if (state?.op === 'char' && inSet(state.set, code)) targets.push(state.next)
    }
    targets.push(this.entry)
    const to = this.toSet(this.reach(targets, 'inside'))
    if (code < ASCII) from.steps[code] = to
    return to
  }

  /** Every state that can be reached without reading a character. */
  private reach(from: readonly number[], where: 'start' | 'inside' | 'end'): number[] {
    const seen = new Set<number>()
    const open = [...from]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      const state = this.states[id]
      if (state?.op === 'split') open.push(state.next, state.other)
      else if ((state?.op === 'start' || state?.op === 'end') && state.op === where) open.push(state.next)
    }
    return [...seen].sort((a, b) => a - b)
  }

  private toSet(reached: readonly number[]): StateSet {
    const ids = reached.filter((id) => id === 0 || this.states[id]?.op === 'char' || this.states[id]?.op === 'end')
    const key = ids.join(',')
    const known = this.cache.get(key)
    if (known !== undefined) return known
    const made: StateSet = {
      ids,
      matched: ids[0] === 0,
      matchedAtEnd: this.reach(ids, 'end').includes(0),
      steps: new Array<StateSet | undefined>(ASCII).fill(undefined),
    }
    if (this.cache.size >= MAX_CACHED_SETS) this.forget()
    this.cache.set(key, made)
    return made
  }

  /** Sets refer to each other through their steps, so those must go too or nothing would be freed. */
  private forget(): void {
    for (const set of this.cache.values()) set.steps.fill(undefined)
    this.cache = new Map()
  }
}

function inSet({ ranges, negated }: CharSet, code: number): boolean {
  for (const [from, to] of ranges) if (code >= from && code <= to) return !negated
  return negated
}

/**
 * Compiles a pattern: literals, `.`, classes, groups, `|`, `? * + {m,n}`, `^`, `$`, `\d \w \s` and their opposites.
 *
 * @throws PatternError for what a state machine cannot do (back-references, looking ahead or behind, `\b`) and for what is too long.
 */
export function compileLinearPattern(source: string): LinearPattern {
  if (source === '') throw new PatternError('it is empty')
  if (source.length > MAX_PATTERN_CHARS) throw new PatternError(`it is longer than ${MAX_PATTERN_CHARS} characters`)
  const machine = new Machine()
  const entry = machine.build(new PatternReader(source).read(), 0)
  return new Matcher(machine.states, entry)
}
