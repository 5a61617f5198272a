import { type CharSet, type Node, PatternError, PatternReader, withSmallLetters } from './pattern-syntax.ts'

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
/** Cached steps; the cache starts again beyond it. Assumption: about 1 MB. */
const MAX_CACHED_SETS = 1000
const ASCII = 128

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
    // In an empty text the beginning is also the end.
    if (text === '') return this.reach([this.entry], 'both').includes(0)
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
  private reach(from: readonly number[], where: 'start' | 'inside' | 'end' | 'both'): number[] {
    const seen = new Set<number>()
    const open = [...from]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      const state = this.states[id]
      if (state?.op === 'split') open.push(state.next, state.other)
      else if ((state?.op === 'start' || state?.op === 'end') && (state.op === where || where === 'both')) open.push(state.next)
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
