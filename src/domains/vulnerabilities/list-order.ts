import { refuseField } from '#kernel/errors.ts'
import { CVE_ID } from './vulnerabilities.model.ts'

/** What the list of CVEs can be ordered by. */
export const SORT_KEYS = ['score', 'priority', 'cvss', 'epss', 'kev', 'exploit', 'due', 'published', 'modified', 'id'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export type SortTerm = { key: SortKey; descending: boolean }

/** Terms that one order may have, the identifier that ends each not counted. Assumption: nobody reads more. */
const MAX_TERMS = 4
const HIGHEST_SCORE_FIRST = '-score'

/** What a CVE is ordered by. Null for what is not known of it: it comes last in either direction. */
export type SortFacts = {
  id: string
  score: number
  priority: string
  cvss: number | null
  epss: number | null
  kev: boolean
  ransomware: boolean
  exploit: boolean
  kev_due_date: string | null
  published: Date
  last_modified: Date
}
export type SortValue = string | number | null
/** Behind which CVE of an order a page begins: its values, the identifier last. */
export type ListPlace = readonly SortValue[]

/** What each key compares. A moment is its milliseconds since 1970, KEV is 1 and KEV with ransomware 2. */
const VALUE_OF: Record<SortKey, (cve: SortFacts) => SortValue> = {
  score: ({ score }) => score,
  priority: ({ priority }) => priority,
  cvss: ({ cvss }) => cvss,
  epss: ({ epss }) => epss,
  kev: ({ kev, ransomware }) => Number(kev) + Number(ransomware),
  exploit: ({ exploit }) => Number(exploit),
  due: ({ kev_due_date }) => kev_due_date,
  published: ({ published }) => published.getTime(),
  modified: ({ last_modified }) => last_modified.getTime(),
  id: ({ id }) => id,
}

/** The last millisecond that JavaScript can name, which PostgreSQL can as well. Source: ECMA-262, "Time Values". */
const MAX_MOMENT_MS = 8_640_000_000_000_000
const isNumber = (value: unknown, max: number): boolean => typeof value === 'number' && value >= 0 && value <= max
const isWord = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value)
/** Which values of a token are possible; anything else was not made by `toCveCursor`. */
const IS_VALUE: Record<SortKey, (value: unknown) => boolean> = {
  score: (value) => isNumber(value, 100) && Number.isInteger(value),
  priority: (value) => isWord(value, /^P[0-3]$/),
  cvss: (value) => value === null || isNumber(value, 10),
  epss: (value) => value === null || isNumber(value, 1),
  kev: (value) => isNumber(value, 2) && Number.isInteger(value),
  exploit: (value) => isNumber(value, 1) && Number.isInteger(value),
  due: (value) => value === null || isWord(value, /^[\d-]{1,10}$/),
  published: (value) => isNumber(value, MAX_MOMENT_MS) && Number.isInteger(value),
  modified: (value) => isNumber(value, MAX_MOMENT_MS) && Number.isInteger(value),
  id: (value) => isWord(value, CVE_ID),
}

/**
 * The order that `-kev,due` asks for, a minus for the highest first; highest score first when nothing is asked. Every order ends with the
 * identifier, so that no two CVEs stand at one place. @throws validation_failed
 */
export function parseSort(sort: string = HIGHEST_SCORE_FIRST): SortTerm[] {
  const words = sort
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const terms = (words.length === 0 ? [HIGHEST_SCORE_FIRST] : words).map(parseTerm)
  if (terms.length > MAX_TERMS) throw refuseField('sort', `A list is sorted by at most ${MAX_TERMS} columns.`)
  if (new Set(terms.map(({ key }) => key)).size < terms.length) throw refuseField('sort', 'A column is named twice.')
  // What comes behind the identifier decides nothing.
  const id = terms.findIndex(({ key }) => key === 'id')
  return id === -1 ? [...terms, { key: 'id', descending: true }] : terms.slice(0, id + 1)
}

function parseTerm(word: string): SortTerm {
  const descending = word.startsWith('-')
  const key = SORT_KEYS.find((candidate) => candidate === (descending ? word.slice(1) : word).toLowerCase())
  if (key === undefined) throw refuseField('sort', `"${word.slice(0, 40)}" is not one of ${SORT_KEYS.join(', ')}, with a minus or without.`)
  return { key, descending }
}

/** Opaque page token: it holds for the order that it was made in, and no other. */
export function toCveCursor(order: readonly SortTerm[], cve: SortFacts): string {
  return Buffer.from(JSON.stringify([nameOf(order), ...order.map(({ key }) => VALUE_OF[key](cve))]), 'utf8').toString('base64url')
}

/** @throws validation_failed for a token that `toCveCursor` has not made, or has made for another order */
export function parseCvePlace(order: readonly SortTerm[], cursor: string): ListPlace {
  const [name, ...values] = tryParseArray(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (name !== nameOf(order) || values.length !== order.length || !order.every(({ key }, at) => IS_VALUE[key](values[at])))
    throw refuseField('cursor', 'The cursor is not one that this list gave out in this order. Read the list again from its first page.')
  // Each value was looked at just above.
  return values as SortValue[]
}

function nameOf(order: readonly SortTerm[]): string {
  return order.map(({ key, descending }) => (descending ? `-${key}` : key)).join()
}

function tryParseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
