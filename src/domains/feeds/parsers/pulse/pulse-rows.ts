import { tryParseFeedDate } from '../feed-date.ts'
import { excerpt, type FeedRow, type RowKind } from '../feed-row.ts'
import { cleanText } from '../stix/clean-text.ts'
import { tlpOfWord } from '../stix/tlp.ts'

/** A pulse as it came, with nothing checked. */
export type PulseObject = Readonly<Record<string, unknown>>
/** What tells a pulse and its version from another. */
export type PulseFacts = { id: string | undefined; modified: string | undefined }

/** Characters of a value or a text that a row shows. Source: the limits of the other readers. */
const MAX_SHOWN_CHARS = 200
const MAX_DESCRIPTION_CHARS = 1000
const MAX_TAGS = 20
const MAX_TAG_CHARS = 64
/** Characters that name a kind which is not held. Source: the limits of the other readers. */
const MAX_KIND_CHARS = 60

/** Types of indicators that are held. Source: the provider's list of indicator types; docs/feeds.md. */
const KINDS: ReadonlyMap<string, RowKind> = new Map([
  ['ipv4', 'IPV4'],
  ['ipv6', 'IPV6'],
  ['cidr', 'NETWORK'],
  ['domain', 'DOMAIN'],
  ['hostname', 'DOMAIN'],
  ['url', 'URL'],
  ['uri', 'URL'],
  ['email', 'EMAIL'],
  ['filehash-md5', 'HASH'],
  ['filehash-sha1', 'HASH'],
  ['filehash-sha256', 'HASH'],
  ['filehash-sha512', 'HASH'],
])

export function factsOf({ id, modified }: PulseObject): PulseFacts {
  return {
    id: typeof id === 'string' ? id : typeof id === 'number' ? String(id) : undefined,
    modified: typeof modified === 'string' ? modified : undefined,
  }
}

/** The rows of one pulse: one for each of its indicators. */
export function pulseRows(pulse: PulseObject, line: number): FeedRow[] {
  const { indicators } = pulse
  if (indicators === undefined || indicators === null) return []
  if (!Array.isArray(indicators)) return [problem(line, textOf(pulse['id']), 'The indicators of the pulse are no list.')]
  const said = whatPulseSays(pulse)
  return indicators.map((indicator: unknown) =>
    isObject(indicator) ? indicatorRow(indicator, line, said) : problem(line, '', 'The entry is not an indicator.'),
  )
}

type Said = { name: string; tags: string[]; firstSeen: Date | undefined; tlp: FeedRow['tlp'] }

/** What a pulse says about each of its indicators. */
function whatPulseSays(pulse: PulseObject): Said {
  return {
    name: textOf(pulse['name']),
    tags: tagsOf(pulse),
    firstSeen: dateOf(pulse['created']),
    tlp: tlpOfWord(textOf(pulse['tlp'] ?? pulse['TLP'])),
  }
}

function indicatorRow(indicator: PulseObject, line: number, said: Said): FeedRow {
  const { indicator: value, type } = indicator
  if (typeof value !== 'string' || typeof type !== 'string') return problem(line, textOf(value), 'The indicator has no value or no type.')
  const kind = KINDS.get(type.trim().toLowerCase())
  const raw = cleanText(value)
  if (kind === undefined)
    return { line, raw: excerpt(raw, MAX_SHOWN_CHARS), kind: 'UNSUPPORTED', unsupported: cleanText(excerpt(type.trim(), MAX_KIND_CHARS)) }
  const row: FeedRow = { line, raw, kind: kind.startsWith('IPV') && raw.includes('/') ? 'NETWORK' : kind }
  if (isInactive(indicator['is_active'])) return { line, raw, kind: 'UNSUPPORTED', unsupported: 'inactive indicator', ended: [row] }
  if (said.tlp !== undefined) row.tlp = said.tlp
  const firstSeen = dateOf(indicator['created']) ?? said.firstSeen
  if (firstSeen !== undefined) row.firstSeen = firstSeen
  const validUntil = dateOf(indicator['expiration'])
  if (validUntil !== undefined) row.validUntil = validUntil
  const tags = withRole(said.tags, indicator['role'])
  if (tags.length > 0) row.tags = tags
  const description = [said.name, textOf(indicator['description']) || textOf(indicator['title'])].filter((text) => text !== '').join(': ')
  if (description !== '') row.description = description.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed()
  return row
}

/** Absent in old pulses, where it means nothing. */
function isInactive(isActive: unknown): boolean {
  return isActive === false || isActive === 0 || isActive === '0'
}

/** Whom the pulse blames first: those are attributions, and the room is limited. */
function tagsOf(pulse: PulseObject): string[] {
  const tags = new Set<string>()
  const named = (prefix: string, words: readonly string[]) => words.map((word) => `${prefix}:${word}`)
  const words = [
    ...named('threat-actor', wordsOf([pulse['adversary']])),
    ...named('malware', wordsOf(pulse['malware_families'])),
    ...named('attack-pattern', wordsOf(pulse['attack_ids'])),
    ...wordsOf(pulse['tags']),
  ]
  for (const word of words) {
    // A level of sharing is a marking.
    if (word.length > MAX_TAG_CHARS || /^tlp[:=]/i.test(word)) continue
    tags.add(word)
    if (tags.size === MAX_TAGS) break
  }
  return [...tags]
}

function withRole(tags: string[], role: unknown): string[] {
  const [word] = wordsOf([role])
  return word === undefined || word.length > MAX_TAG_CHARS || tags.length >= MAX_TAGS ? tags : [...tags, word]
}

/** Texts, or objects that name themselves, as detailed answers give them. */
function wordsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MAX_TAGS * 2).flatMap((entry: unknown) => {
    const word = textOf(isObject(entry) ? (entry['display_name'] ?? entry['name'] ?? entry['id']) : entry)
    return word === '' ? [] : [word]
  })
}

function dateOf(value: unknown): Date | undefined {
  return typeof value === 'string' ? tryParseFeedDate(value) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? cleanText(value).replace(/\s+/g, ' ').trim() : ''
}

function problem(line: number, text: string, reason: string): FeedRow {
  return { line, raw: excerpt(text, MAX_SHOWN_CHARS), problem: { code: 'malformed_row', reason } }
}

export function isObject(value: unknown): value is PulseObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
