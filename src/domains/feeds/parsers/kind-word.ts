import { tryParseIndicatorType } from '#domains/indicators/indicator-type.ts'
import type { RowKind } from './feed-row.ts'

/** What a feed's word for a kind means; `port`: the value carries a port that is not part of it. */
export type KindWord = { kind: RowKind; port: boolean /** The feed's own word for a kind that is not held. */; name?: string }

/** Words that are remembered, and characters of one. Assumption: feeds use a dozen. */
const MAX_KNOWN_WORDS = 1000
const MAX_KNOWN_CHARS = 64

const UNSUPPORTED: KindWord = { kind: 'UNSUPPORTED', port: false }

/** @returns undefined for a word that names no kind at all */
export function toKindWord(word: string): KindWord | undefined {
  const kind = tryParseIndicatorType(word)
  if (kind === undefined) return word.trim().toLowerCase() === 'unsupported' ? UNSUPPORTED : undefined
  return kind === 'IP_PORT' ? { kind: 'IP', port: true } : { kind, port: false }
}

/** The kind that the `type` setting names for the whole feed; undefined when it names a column. */
export function constantKind(type: string | number | undefined): KindWord | undefined {
  const word = typeof type === 'string' ? toKindWord(type) : undefined
  return word?.kind === 'UNSUPPORTED' ? undefined : word
}

/**
 * Reads the words of a type column. An unknown word means a kind that the service does not hold: guessing from the value would make a domain
 * of a file name. An empty cell leaves the kind open (undefined).
 */
export function createKindReader(map: Record<string, RowKind | 'IP_PORT'> = {}): (word: string) => KindWord | undefined {
  const known = new Map<string, KindWord>()
  for (const [word, kind] of Object.entries(map)) known.set(word, kind === 'IP_PORT' ? { kind: 'IP', port: true } : { kind, port: false })
  return (word) => {
    const hit = known.get(word)
    if (hit !== undefined) return hit
    const lower = word.trim().toLowerCase()
    if (lower === '') return undefined
    const meant = known.get(lower) ?? toKindWord(lower) ?? UNSUPPORTED
    const found = meant.kind === 'UNSUPPORTED' ? { ...meant, name: lower.slice(0, MAX_KNOWN_CHARS) } : meant
    // Bounded: a hostile column must not fill the map with its own words.
    if (known.size < MAX_KNOWN_WORDS && word.length <= MAX_KNOWN_CHARS) known.set(word, found)
    return found
  }
}

/** `192.0.2.1:443`, `[2001:db8::1]:443`, `[2001:db8::1]` and `name.example:8080` without their ports; anything else as it is. */
export function withoutPort(raw: string): string {
  if (raw.startsWith('[')) {
    const close = raw.indexOf(']')
    if (close === -1) return raw
    return close === raw.length - 1 || isPort(raw, close + 1) ? raw.slice(1, close) : raw
  }
  const colon = raw.indexOf(':')
  return colon > 0 && raw.indexOf(':', colon + 1) === -1 && isPort(raw, colon) ? raw.slice(0, colon) : raw
}

/** A colon at `at` and then one to five digits to the end. */
function isPort(raw: string, at: number): boolean {
  if (raw[at] !== ':' || raw.length - at < 2 || raw.length - at > 6) return false
  for (let i = at + 1; i < raw.length; i++) {
    const code = raw.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return true
}
