import type { Clock } from '#kernel/clock.ts'
import { MS_PER_DAY } from '#kernel/clock.ts'
import type { LeasedConnection, Leases } from '#platform/database/leased-connection.ts'
import { retryContested } from '#platform/database/retry-contested.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { defaultSeverity } from './default-severity.ts'
import {
  CHUNK_ROWS,
  type ChunkOfList,
  closeGoneChunk,
  compareListing,
  countStaged,
  emptyStaging,
  findByIndex,
  foldStaged,
  indexChanges,
  insertFreshChunk,
  type ListingChanges,
  openStaging,
  recordNetworkLengths,
  updateChangedChunk,
} from './listing.store.ts'
import { addToListed, countCompleteRun, getListingState, getShortestLifetimeDays, unmarkListed } from './sources.store.ts'
import { type ListedValue, stagedLine } from './staged-line.ts'
import { UNIQUE_VALUE } from './staging.store.ts'

/** Figures of one collection. `updated` is exact without the re-seen rows being touched. */
export type ListingCounts = { listedBefore: number; created: number; updated: number; gone: number; keptDespiteAbsence: number }

/**
 * How a list ends: `complete` says "this is all that I hold now" and removes what is absent; `partial` may add and never removes.
 */
export type ListingEnd = 'complete' | 'partial'

export type ListingRequest = {
  sourceId: string
  /** Checked inside every writing transaction: throws when this collector may write no longer. */
  guard(tx: Tx): Promise<void>
  /** The whole list, normalised; may be read slowly, in bounded memory. */
  values(stage: (batch: ListedValue[]) => Promise<void>): Promise<ListingEnd>
  /** Accepts a list that has shrunk by more than nine tenths. */
  acceptShrink: boolean
}

/** A list that lost more than this share at once is not believed. Assumption: docs/decisions/0004. */
const SUSPICIOUS_SHRINK = 0.9
/** Lists below this may shrink as they like. */
const SHRINK_MIN_LISTED = 100

export type ListingService = {
  /**
   * Brings what a source lists in line with a list, at the cost of the difference: new, returned and gone values are written in committed chunks,
   * a repeated one costs no row. The list counts only when the caller closes it with `closeListing`; a kill before that is repaired by the next run.
   */
  applyListing(request: ListingRequest): Promise<ListingCounts & { end: ListingEnd }>
  /** Counts a complete run inside the caller's closing transaction: now every listed value has been seen once more. */
  closeListing(tx: Tx, sourceId: string): Promise<void>
}

/** What was staged; `saysSomething`: some row says more than its value. */
type Staged = { end: ListingEnd; rows: number; saysSomething: boolean }

export function createListingService({
  leases,
  log,
  clock,
  chunkRows = CHUNK_ROWS,
}: {
  leases: Leases
  log: Log
  clock: Clock
  /** Rows of one committed chunk; other than the default only where tests need many chunks. */
  chunkRows?: number
}): ListingService {
  /** One chunk, one transaction: guard, write, keep the source's count true. */
  async function inChunk<Written extends { listed: number }>(
    lease: LeasedConnection,
    request: ListingRequest,
    write: (tx: Tx, contested: boolean) => Promise<Written>,
  ): Promise<Written> {
    return await retryContested(
      UNIQUE_VALUE,
      async (contested) =>
        await transact(lease.db, log, async (tx) => {
          await request.guard(tx)
          const written = await write(tx, contested)
          await addToListed(tx.db, request.sourceId, written.listed)
          return written
        }),
    )
  }

  async function stageAll(lease: LeasedConnection, request: ListingRequest): Promise<Staged> {
    const staging = await openStaging(lease.client)
    let rows = 0
    let saysSomething = false
    const end = await request.values(async (batch) => {
      rows += batch.length
      let text = ''
      for (const listed of batch) {
        const line = stagedLine(listed)
        // A line that says nothing ends with the null of its statement.
        if (!saysSomething && !line.endsWith('\\N')) saysSomething = true
        text += `${line}\n`
      }
      await staging.write(text)
    })
    await staging.end()
    if (saysSomething) await foldStaged(lease.db)
    return { end, rows, saysSomething }
  }

  /** @returns indicators made, and values that the source now lists in addition */
  async function writeFresh(
    lease: LeasedConnection,
    request: ListingRequest,
    { ranges, known, chunks }: { ranges: number; known: number; chunks: Iterable<ChunkOfList> },
  ): Promise<{ created: number; listed: number }> {
    if (ranges > 0) await recordNetworkLengths(lease.db)
    const written = { created: 0, listed: 0 }
    for (const chunk of chunks) {
      const { made, listed } = await inChunk(
        lease,
        request,
        async (tx, contested) => await insertFreshChunk(tx.db, chunk, { known, contested }),
      )
      written.created += made
      written.listed += listed
    }
    return written
  }

  /** @returns values that the source now lists in addition; negative when more have left the list */
  async function writeMoved(
    lease: LeasedConnection,
    request: ListingRequest,
    { seen, gone, chunks }: { seen: boolean; gone: boolean; chunks: Iterable<ChunkOfList> },
  ): Promise<number> {
    let difference = 0
    const inNext = async (change: (tx: Tx) => Promise<number>) => {
      difference += (await inChunk(lease, request, async (tx) => ({ listed: await change(tx) }))).listed
    }
    for (const chunk of chunks) {
      if (seen) await inNext(async (tx) => await updateChangedChunk(tx.db, chunk))
      if (gone) await inNext(async (tx) => -(await closeGoneChunk(tx.db, chunk)))
    }
    return difference
  }

  /** Leaves the temporary tables to the next list, where emptying them costs less than making them. */
  async function keepSmallStaging(lease: LeasedConnection, staged: Staged, { moved, fresh }: ListingChanges): Promise<void> {
    if (staged.saysSomething || staged.rows > chunkRows || moved + fresh > chunkRows) return
    await emptyStaging(lease.db)
    lease.keepTables()
  }

  return {
    async applyListing(request) {
      return await leases(async (lease) => {
        const staged = await stageAll(lease, request)
        const before = await getListingState(lease.db, request.sourceId)
        const at = clock()
        const found = await compareListing(lease.db, { sourceId: request.sourceId, at, withGone: staged.end === 'complete' })
        if (found.moved + found.fresh > chunkRows) await indexChanges(lease.db)
        await findByIndex(lease.db)
        const shrank = !request.acceptShrink && before.listed >= SHRINK_MIN_LISTED && found.gone > before.listed * SUSPICIOUS_SHRINK
        const gone = shrank ? 0 : found.gone
        const source = {
          sourceId: request.sourceId,
          at,
          runNo: before.run_no + 1,
          severity: defaultSeverity(before.feed_type),
          saysSomething: staged.saysSomething,
        }
        function* chunks(start: number, end: number): Generator<ChunkOfList> {
          for (let after = start; after < end; after += chunkRows) yield { ...source, after, upTo: Math.min(after + chunkRows, end) }
        }
        const fresh = await writeFresh(lease, request, { ...found, chunks: chunks(found.moved, found.moved + found.fresh) })
        const seen = found.returned + found.altered > 0
        const moved = seen || gone > 0 ? await writeMoved(lease, request, { seen, gone: gone > 0, chunks: chunks(0, found.moved) }) : 0
        const end = shrank ? 'partial' : staged.end
        // After a complete list the source lists what was staged; otherwise the staged values have to be counted.
        const stagedValues = end === 'complete' ? before.listed + fresh.listed + moved : await countStaged(lease.db)
        await keepSmallStaging(lease, staged, found)
        return {
          end,
          listedBefore: before.listed,
          created: fresh.created,
          updated: stagedValues - fresh.created,
          gone,
          keptDespiteAbsence: shrank ? found.gone : 0,
        }
      })
    },

    async closeListing(tx, sourceId) {
      const at = clock()
      const last = await countCompleteRun(tx.db, sourceId, at)
      // Only after a silence as long as the shortest lifetime can the daily job have marked a value that is still listed.
      if (last !== null && at.getTime() - last.getTime() >= (await getShortestLifetimeDays(tx.db)) * MS_PER_DAY)
        await unmarkListed(tx.db, sourceId)
    },
  }
}
