import type { Db } from '#platform/database/database.ts'
import { type ChainRow, findHash, pageChain, wouldFitOneEarlier } from './chain.store.ts'

/** What is wrong at a place of the chain. */
export const CHAIN_FAULTS = ['changed', 'missing', 'inserted'] as const
export type ChainFault = {
  fault: (typeof CHAIN_FAULTS)[number]
  lane: number
  seq: number
  /** The row that shows it; null when it is the row that is gone. */
  id: string | null
  /** One sentence for a person. */
  detail: string
}
export type LaneReport = {
  lane: number
  rows: number
  /** `lane:seq:hash` of the last row: noted elsewhere, it proves later that nothing was cut off. */
  head: string
  /** Rows that do not fit. */
  broken: number
  first_fault: ChainFault | null
}
/** A head noted earlier, and whether the journal still holds it. */
export type ExpectedReport = { head: string; fault: ChainFault | null }
export type ChainReport = { intact: boolean; rows: number; lanes: LaneReport[]; expected: ExpectedReport[] }

export type ExpectedHead = { lane: number; seq: number; hash: string }

/** Rows recomputed by one statement: bounds its time, and the memory. Assumption: well below the statement limit even with details of 64 kB. */
const PAGE_ROWS = 2000

/** Walks the whole chain, page by page. Rows that are written meanwhile at the end of a lane are looked at or not, but never held against it. */
export async function verifyChain(
  db: Db,
  {
    expected,
    signal,
    onProgress = () => {},
  }: { expected: readonly ExpectedHead[]; signal?: AbortSignal; onProgress?: (rows: number) => void },
): Promise<ChainReport> {
  const lanes: LaneReport[] = []
  let before: ChainRow | undefined
  let rows = 0
  for (;;) {
    signal?.throwIfAborted()
    const page = await pageChain(db, before, PAGE_ROWS)
    for (const row of page) {
      let report = lanes.at(-1)
      if (report === undefined || report.lane !== row.lane) {
        report = { lane: row.lane, rows: 0, head: '', broken: 0, first_fault: null }
        lanes.push(report)
        before = undefined
      }
      report.rows++
      report.head = `${row.lane}:${row.seq}:${row.hash}`
      if (!row.fits) {
        report.broken++
        report.first_fault ??= await nameFault(db, row, before)
      }
      before = row
    }
    rows += page.length
    onProgress(rows)
    if (page.length < PAGE_ROWS) break
  }
  const found: ExpectedReport[] = []
  for (const head of expected) found.push(await compareHead(db, head))
  const intact = lanes.every(({ broken }) => broken === 0) && found.every(({ fault }) => fault === null)
  return { intact, rows, lanes, expected: found }
}

async function nameFault(db: Db, { id, lane, seq }: ChainRow, before: ChainRow | undefined): Promise<ChainFault> {
  const place = `${lane}:${seq}`
  const expectedSeq = (before?.seq ?? 0) + 1
  if (seq > expectedSeq) {
    const gone = seq - expectedSeq === 1 ? `Row ${lane}:${expectedSeq} is` : `Rows ${lane}:${expectedSeq} to ${lane}:${seq - 1} are`
    return { fault: 'missing', lane, seq: expectedSeq, id: null, detail: `${gone} missing before ${place} (${id}).` }
  }
  if (seq < expectedSeq) return { fault: 'inserted', lane, seq, id, detail: `Row ${place} (${id}) stands where no row can be.` }
  if (await wouldFitOneEarlier(db, { lane, seq }))
    return {
      fault: 'inserted',
      lane,
      seq,
      id,
      detail: `Row ${place} (${id}) does not belong here: the row after it was written in its place.`,
    }
  return {
    fault: 'changed',
    lane,
    seq,
    id,
    detail: `Row ${place} (${id}) is not what was written: its content, its hash or the hash before it was changed.`,
  }
}

async function compareHead(db: Db, { lane, seq, hash }: ExpectedHead): Promise<ExpectedReport> {
  const head = `${lane}:${seq}:${hash}`
  const found = await findHash(db, { lane, seq })
  if (found === hash) return { head, fault: null }
  const fault: ChainFault =
    found === undefined
      ? { fault: 'missing', lane, seq, id: null, detail: `Row ${lane}:${seq} is missing: the end of lane ${lane} was cut off.` }
      : { fault: 'changed', lane, seq, id: null, detail: `Row ${lane}:${seq} has another hash than the one that was noted.` }
  return { head, fault }
}
