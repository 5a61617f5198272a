import { REJECTION_EXAMPLES } from '#domains/indicators/indicators.model.ts'
import type { ListedValue } from '#domains/indicators/listing.service.ts'
import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import type { FeedRejection } from './feeds.model.ts'
import type { FeedRow } from './parsers/feed-row.ts'

/** Characters of a refused value that are kept as an example. */
const EXAMPLE_CHARACTERS = 200

/** What became of a feed's rows: exact counters, and at most 100 examples of what was refused. */
export type RowTally = {
  rows: number
  accepted: number
  unsupported: number
  rejected: number
  rejectedByCode: Record<string, number>
  rejections: FeedRejection[]
}

export function newRowTally(): RowTally {
  return { rows: 0, accepted: 0, unsupported: 0, rejected: 0, rejectedByCode: {}, rejections: [] }
}

/** Adds what became of a part of the rows. */
export function addTally(whole: RowTally, part: RowTally): void {
  whole.rows += part.rows
  whole.accepted += part.accepted
  whole.unsupported += part.unsupported
  whole.rejected += part.rejected
  for (const [code, count] of Object.entries(part.rejectedByCode)) whole.rejectedByCode[code] = (whole.rejectedByCode[code] ?? 0) + count
  whole.rejections.push(...part.rejections.slice(0, REJECTION_EXAMPLES - whole.rejections.length))
}

/** The normal forms of a batch of rows; refused ones are counted in the tally and left out, so that one bad value never costs a good one. */
export function toListedValues(rows: readonly FeedRow[], tally: RowTally): ListedValue[] {
  const values: ListedValue[] = []
  for (const row of rows) {
    tally.rows++
    if (row.kind === 'UNSUPPORTED') {
      tally.unsupported++
      continue
    }
    const verdict = row.problem === undefined ? normalizeIndicator(row.raw, row.kind) : undefined
    if (verdict?.ok !== true) {
      reject(tally, row, verdict ?? row.problem ?? { code: 'malformed_row', reason: 'The row cannot be read.' })
      continue
    }
    tally.accepted++
    values.push(toListed(verdict.type, verdict.value, row))
  }
  return values
}

function toListed(type: ListedValue['type'], value: string, row: FeedRow): ListedValue {
  const listed: ListedValue = { type, value }
  if (row.severity !== undefined) listed.severity = row.severity
  if (row.tags !== undefined && row.tags.length > 0) listed.tags = row.tags
  if (row.description !== undefined) listed.description = row.description
  if (row.firstSeen !== undefined) listed.firstSeen = row.firstSeen
  if (row.lastSeen !== undefined) listed.lastSeen = row.lastSeen
  return listed
}

function reject(tally: RowTally, row: FeedRow, { code, reason }: { code: string; reason: string }): void {
  tally.rejected++
  tally.rejectedByCode[code] = (tally.rejectedByCode[code] ?? 0) + 1
  if (tally.rejections.length < REJECTION_EXAMPLES)
    tally.rejections.push({ line: row.line, value: row.raw.slice(0, EXAMPLE_CHARACTERS), code, reason })
}
