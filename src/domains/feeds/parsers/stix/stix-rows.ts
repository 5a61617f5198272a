import type { Severity } from '#domains/indicators/indicators.model.ts'
import type { Tlp } from '../../feeds.model.ts'
import { tryParseSeverity } from '../column-plan.ts'
import { tryParseFeedDate } from '../feed-date.ts'
import { excerpt, type FeedRow, type RowKind } from '../feed-row.ts'
import { cleanText } from './clean-text.ts'
import { parsePattern } from './parse-pattern.ts'
import { heldDigest, readPatternValues } from './pattern-values.ts'
import { tlpOfWord } from './tlp.ts'

/** A STIX object as it came, with nothing checked. */
export type StixObject = Readonly<Record<string, unknown>>

/** Characters of a pattern that a refused row shows. Assumption. */
const MAX_SHOWN_CHARS = 200
/** Characters of a description. Source: the limit of the other readers. */
const MAX_DESCRIPTION_CHARS = 1000
/** Tags that an indicator may bring, and characters of one. Source: the limits of the other readers. */
export const MAX_TAGS = 20
export const MAX_TAG_CHARS = 64
/** Characters that name a kind which is not held. Assumption. */
const MAX_KIND_CHARS = 60
/** Highest confidence. Source: STIX 2.1, 3.2. */
const MAX_CONFIDENCE = 100

/** A word that needs no cleaning. */
const PLAIN = /^[\w:.+-]+$/
/** Characters of a timestamp with milliseconds, and the years that are taken without a closer look. Source: the general reading's limits. */
const ISO_CHARS = 24
const FIRST_YEAR = 1990
const LAST_YEAR = 2099

/** Observables whose `value` is an indicator value, and its kind. Source: STIX 2.1, chapter 6. */
const VALUE_KINDS: ReadonlyMap<string, RowKind> = new Map([
  ['ipv4-addr', 'IPV4'],
  ['ipv6-addr', 'IPV6'],
  ['domain-name', 'DOMAIN'],
  ['url', 'URL'],
  ['email-addr', 'EMAIL'],
])

/** A row of a kind that is not held here. */
export function unsupportedRow(line: number, raw: string, what: string): FeedRow {
  return { line, raw: excerpt(cleanText(raw), MAX_SHOWN_CHARS), kind: 'UNSUPPORTED', unsupported: cleanText(excerpt(what, MAX_KIND_CHARS)) }
}

/** The rows of one indicator: its values, or one row that says why there are none. */
export function indicatorRows(object: StixObject, line: number): FeedRow[] {
  const { pattern, pattern_type: patternType } = object
  if (object['revoked'] === true)
    return [{ ...unsupportedRow(line, textOr(pattern, ''), 'revoked indicator'), ended: endedRows(object, line) }]
  if (typeof patternType === 'string' && patternType.toLowerCase() !== 'stix')
    return [unsupportedRow(line, textOr(pattern, ''), `${patternType} pattern`)]
  if (typeof pattern !== 'string') return [problem(line, textOr(object['id'], ''), 'malformed_row', 'The indicator has no pattern.')]
  const parsed = parsePattern(pattern)
  if (!parsed.ok) return [problem(line, pattern, parsed.code, parsed.reason)]
  const reading = readPatternValues(parsed.pattern)
  if (reading.kind === 'refused') return [problem(line, pattern, 'pattern_not_a_value', reading.reason)]
  if (reading.kind === 'unsupported') return [unsupportedRow(line, pattern, reading.what)]
  const said = whatIsSaid(object)
  return reading.values.map(({ raw, kind }) => {
    const row: FeedRow = { line, raw: cleanText(raw), ...said }
    if (kind !== undefined) row.kind = kind
    return row
  })
}

/** The values that a revoked indicator named. */
function endedRows(object: StixObject, line: number): FeedRow[] {
  return indicatorRows({ ...object, revoked: false }, line).filter((row) => row.kind !== 'UNSUPPORTED' && row.problem === undefined)
}

/** The rows of one observable, or undefined for an object that holds none. */
export function observableRows(object: StixObject, line: number): FeedRow[] | undefined {
  const { type } = object
  if (type === 'observed-data') return embeddedRows(object, line)
  if (type === 'file') return digestRows(object['hashes'], line)
  const kind = typeof type === 'string' ? VALUE_KINDS.get(type) : undefined
  const { value } = object
  if (kind === undefined || typeof value !== 'string') return undefined
  return [{ line, raw: cleanText(value), kind: kind.startsWith('IPV') && value.includes('/') ? 'NETWORK' : kind }]
}

/** STIX 2.0 puts observables into the observed data, numbered. */
function embeddedRows({ objects }: StixObject, line: number): FeedRow[] | undefined {
  if (!isObject(objects)) return undefined
  const rows = Object.values(objects).flatMap((one) =>
    isObject(one) && one['type'] !== 'observed-data' ? (observableRows(one, line) ?? []) : [],
  )
  return rows.length === 0 ? undefined : rows
}

function digestRows(hashes: unknown, line: number): FeedRow[] | undefined {
  if (!isObject(hashes)) return undefined
  const rows: FeedRow[] = []
  for (const [name, digest] of Object.entries(hashes)) {
    if (heldDigest(name) !== undefined && typeof digest === 'string') rows.push({ line, raw: cleanText(digest), kind: 'HASH' })
  }
  return rows.length === 0 ? undefined : rows
}

type Said = Pick<FeedRow, 'severity' | 'firstSeen' | 'tags' | 'description' | 'validUntil'>

/** What an indicator says about each of its values. */
function whatIsSaid(object: StixObject): Said {
  const said: Said = {}
  const words = [...textsOf(object['indicator_types']), ...textsOf(object['labels'])]
  const severity = severityOf(words)
  if (severity !== undefined) said.severity = severity
  const firstSeen = dateOf(object['valid_from']) ?? dateOf(object['created']) ?? dateOf(object['modified'])
  if (firstSeen !== undefined) said.firstSeen = firstSeen
  const validUntil = dateOf(object['valid_until'])
  if (validUntil !== undefined) said.validUntil = validUntil
  const tags = tagsOf(words, object['confidence'])
  if (tags.length > 0) said.tags = tags
  const description = textOr(object['description'], textOr(object['name'], '')).trim()
  if (description !== '') said.description = cleanText(description.slice(0, MAX_DESCRIPTION_CHARS))
  return said
}

function severityOf(words: readonly string[]): Severity | undefined {
  for (const word of words) {
    const level = /^severity[:=]\s*(\w+)$/i.exec(word)?.[1]
    if (level !== undefined) return tryParseSeverity(level)
  }
  return undefined
}

function tagsOf(words: readonly string[], confidence: unknown): string[] {
  const tags = new Set<string>()
  for (const word of words) {
    // A level of sharing is a marking, and a severity has a column of its own.
    if (word === '' || word.length > MAX_TAG_CHARS || /^(?:tlp|severity)[:=]/i.test(word)) continue
    tags.add(word)
    if (tags.size === MAX_TAGS) break
  }
  if (typeof confidence === 'number' && confidence >= 0 && confidence <= MAX_CONFIDENCE) tags.add(`confidence:${Math.round(confidence)}`)
  return [...tags]
}

/** Levels of sharing that stand among the labels, as some feeds write them. */
export function tlpOfLabels({ labels }: StixObject): Tlp[] {
  if (!Array.isArray(labels)) return []
  return textsOf(labels).flatMap((label) => (/^tlp[:=]/i.test(label) ? (tlpOfWord(label.replace('=', ':')) ?? []) : []))
}

/** Ids of the markings of an object and of its parts. Source: STIX 2.1, 7.2.2 and 7.2.3. */
export function markingRefs({ object_marking_refs: whole, granular_markings: parts }: StixObject): string[] {
  if (whole === undefined && parts === undefined) return []
  const refs = rawTextsOf(whole)
  if (Array.isArray(parts)) {
    for (const part of parts.slice(0, MAX_TAGS))
      if (isObject(part) && typeof part['marking_ref'] === 'string') refs.push(part['marking_ref'])
  }
  return refs
}

function problem(line: number, text: string, code: NonNullable<FeedRow['problem']>['code'], reason: string): FeedRow {
  return { line, raw: excerpt(cleanText(text), MAX_SHOWN_CHARS), problem: { code, reason: cleanText(reason) } }
}

/** What was read last: an object names the same moment as created, modified and valid from, and so do its neighbours. */
let last: { text: string; date: Date | undefined } = { text: '', date: undefined }

/** A timestamp; the others that feeds write are read as well. Source: STIX 2.1, 2.15. */
export function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined
  if (value !== last.text) last = { text: value, date: readDate(value) }
  return last.date
}

function readDate(value: string): Date | undefined {
  // What every publisher writes costs a tenth of the general reading.
  if (value.length === ISO_CHARS && value.endsWith('Z') && value.charCodeAt(10) === 84) {
    const date = new Date(value)
    if (date.getUTCFullYear() >= FIRST_YEAR && date.getUTCFullYear() <= LAST_YEAR && date.getUTCDate() === Number(value.slice(8, 10)))
      return date
  }
  return tryParseFeedDate(value)
}

function rawTextsOf(value: unknown): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value.slice(0, MAX_TAGS * 2).filter((entry) => typeof entry === 'string') : []
}

function textsOf(value: unknown): string[] {
  return rawTextsOf(value).map((text) => (PLAIN.test(text) ? text : cleanText(text).replace(/\s+/g, ' ').trim()))
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

export function isObject(value: unknown): value is StixObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
