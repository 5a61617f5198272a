import { type Normalized, REJECTION_EXAMPLES } from '#domains/indicators/indicators.model.ts'
import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import type { ListedValue } from '#domains/indicators/staged-line.ts'
import type { FeedRejection, Tlp } from '../feeds.model.ts'
import type { FeedRow } from '../parsers/feed-row.ts'
import { isAbove } from '../parsers/stix/tlp.ts'

/** Characters of a refused value that are kept as an example. */
const EXAMPLE_CHARACTERS = 200
/** Different kinds that are counted by name; a feed with more is hostile. Assumption. */
const MAX_KINDS = 50

/** What a feed may bring in. */
export type IntakeRules = {
  /** The highest level of sharing that is stored. */
  tlp: Tlp
  /** Values whose own validity ended before this moment are left out. */
  at?: Date
}

/** What became of a feed's rows: exact counters, and at most 100 examples of what was refused. */
export type RowTally = {
  rows: number
  accepted: number
  unsupported: number
  unsupportedByKind: Record<string, number>
  rejected: number
  rejectedByCode: Record<string, number>
  rejections: FeedRejection[]
  rules: IntakeRules
}

/** An empty tally; with nothing said only what may be shared with everybody is taken in. */
export function newRowTally(rules: IntakeRules = { tlp: 'CLEAR' }): RowTally {
  return { rows: 0, accepted: 0, unsupported: 0, unsupportedByKind: {}, rejected: 0, rejectedByCode: {}, rejections: [], rules }
}

/** Adds what became of a part of the rows. */
export function addTally(whole: RowTally, part: RowTally): void {
  whole.rows += part.rows
  whole.accepted += part.accepted
  whole.unsupported += part.unsupported
  for (const [kind, count] of Object.entries(part.unsupportedByKind)) countKind(whole, kind, count)
  whole.rejected += part.rejected
  for (const [code, count] of Object.entries(part.rejectedByCode)) whole.rejectedByCode[code] = (whole.rejectedByCode[code] ?? 0) + count
  whole.rejections.push(...part.rejections.slice(0, REJECTION_EXAMPLES - whole.rejections.length))
}

/** The normal forms of a batch of rows; refused ones are counted in the tally and left out, so that one bad value never costs a good one. */
export function toListedValues(rows: readonly FeedRow[], tally: RowTally): ListedValue[] {
  const values: ListedValue[] = []
  for (const row of rows) {
    const value = row.repeat === true ? tryRepeated(row, tally.rules) : judge(row, tally)
    if (value !== undefined) values.push(value)
  }
  return values
}

/**
 * The values of which a batch of rows says that they hold no longer: revoked, or past their own end. A list leaves them out, which says the same;
 * a cursor feed has no other way to take a value back.
 */
export function toEndedValues(rows: readonly FeedRow[], rules: IntakeRules & { at: Date }): ListedValue[] {
  return rows.flatMap((row) => {
    const ended = row.ended ?? (isOver(row, rules) ? [row] : [])
    return ended.flatMap((one) => {
      const verdict = normalizeRow(one)
      const validUntil = isOver(one, rules) ? one.validUntil : rules.at
      return verdict.ok && validUntil !== undefined ? [{ type: verdict.type, value: verdict.value, validUntil }] : []
    })
  })
}

function judge(row: FeedRow, tally: RowTally): ListedValue | undefined {
  tally.rows++
  const unheld = row.kind === 'UNSUPPORTED' ? (row.unsupported ?? 'other') : isOver(row, tally.rules) ? 'no longer valid' : undefined
  if (unheld !== undefined) {
    tally.unsupported++
    countKind(tally, unheld, 1)
    return undefined
  }
  const problem = row.problem ?? tryFindMarking(row, tally.rules)
  const verdict = problem === undefined ? normalizeRow(row) : undefined
  if (verdict?.ok !== true) {
    reject(tally, row, verdict ?? problem ?? { code: 'malformed_row', reason: 'The row cannot be read.' })
    return undefined
  }
  tally.accepted++
  return toListed(verdict.type, verdict.value, row)
}

/** What a document says later about a value that has been judged already. */
function tryRepeated(row: FeedRow, rules: IntakeRules): ListedValue | undefined {
  if (isOver(row, rules) || tryFindMarking(row, rules) !== undefined) return undefined
  const verdict = normalizeRow(row)
  return verdict.ok ? toListed(verdict.type, verdict.value, row) : undefined
}

function normalizeRow({ raw, kind }: FeedRow): Normalized {
  return normalizeIndicator(raw, kind === 'UNSUPPORTED' ? undefined : kind)
}

/** Whether the source itself says that the value is no longer valid: then it is as if it were not on the list. */
function isOver({ validUntil }: FeedRow, { at }: IntakeRules): boolean {
  return validUntil !== undefined && at !== undefined && validUntil <= at
}

function tryFindMarking({ tlp }: FeedRow, { tlp: limit }: IntakeRules): FeedRow['problem'] {
  if (tlp === undefined || !isAbove(tlp, limit)) return undefined
  return { code: 'tlp_above_feed', reason: `The value is marked TLP:${tlp}, and this feed may store up to TLP:${limit}.` }
}

function countKind(tally: RowTally, kind: string, count: number): void {
  const counts = tally.unsupportedByKind
  const isKnown = Object.hasOwn(counts, kind)
  // The names come from the feed: one of them is no ordinary property.
  const name = (isKnown || Object.keys(counts).length < MAX_KINDS) && kind !== '__proto__' ? kind : 'other'
  counts[name] = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + count
}

function toListed(type: ListedValue['type'], value: string, row: FeedRow): ListedValue {
  const listed: ListedValue = { type, value }
  if (row.severity !== undefined) listed.severity = row.severity
  if (row.tags !== undefined && row.tags.length > 0) listed.tags = row.tags
  if (row.description !== undefined) listed.description = row.description
  if (row.firstSeen !== undefined) listed.firstSeen = row.firstSeen
  if (row.lastSeen !== undefined) listed.lastSeen = row.lastSeen
  if (row.validUntil !== undefined) listed.validUntil = row.validUntil
  return listed
}

function reject(tally: RowTally, row: FeedRow, { code, reason }: { code: string; reason: string }): void {
  tally.rejected++
  tally.rejectedByCode[code] = (tally.rejectedByCode[code] ?? 0) + 1
  if (tally.rejections.length < REJECTION_EXAMPLES)
    tally.rejections.push({ line: row.line, value: row.raw.slice(0, EXAMPLE_CHARACTERS), code, reason })
}
