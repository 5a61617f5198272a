import type { Db } from '#platform/database/database.ts'
import type { LeasedConnection, Leases } from '#platform/database/leased-connection.ts'
import { retryContested } from '#platform/database/retry-contested.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { defaultSeverity } from './default-severity.ts'
import { keepPurgesOut } from './orphans.store.ts'
import { dropDelivered, isRepeatedAcrossPages, openDelivery, orderDelivered, type Pages, writeDelivered } from './sightings.store.ts'
import { type ListedValue, stagedLine } from './staged-line.ts'
import { UNIQUE_VALUE } from './staging.store.ts'

export type SightingsRequest = {
  /** The source, and its kind of feed, which says how severe a value is of which the source says nothing. */
  source: { id: string; feed_type: string }
  /** How many of the staged pages are to be written, from the first on. */
  pages: number
  /** The moment that these sightings count for. A value that is delivered several times for one moment counts once. */
  at: Date
  /** Checked inside the writing transaction: throws when this collector may write no longer. */
  guard(tx: Tx): Promise<void>
  /** What has to commit together with the sightings: the place up to which the source has been read. */
  commit(tx: Tx): Promise<void>
}

/** `updated`: values that were known and are seen once more. */
export type SightingCounts = { created: number; updated: number }

/** A delivery of one or more pages that stands ready in a temporary table and is not stored yet. One of the two must be called, once. */
export type StagedDelivery = {
  /** Writes one sighting of each value, in one transaction with the caller's own writes: all of it or nothing. */
  write(request: SightingsRequest): Promise<SightingCounts>
  drop(): Promise<void>
}

/** @param page from 0: what a later page says about a value counts after what an earlier one says */
export type TakeDelivered = (page: number, batch: readonly ListedValue[], ended?: readonly ListedValue[]) => Promise<void>

export type SightingsService = {
  /**
   * Takes what a source delivers, to be written as sightings: nothing is ever gone because it is absent, and no value is listed. Staging the
   * next delivery may go on while one is written.
   *
   * @param values everything that was delivered, normalised; may be read slowly, in bounded memory. `ended` is what the source takes back: no
   * sighting, but the end of its word on a value that it has delivered before, at the given `validUntil`
   */
  stage(values: (take: TakeDelivered) => Promise<void>): Promise<StagedDelivery>
}

export function createSightingsService({ leases, log }: { leases: Leases; log: Log }): SightingsService {
  async function writePages(
    db: Db,
    request: SightingsRequest,
    { pages, contested }: { pages: Pages; contested: boolean },
  ): Promise<SightingCounts> {
    const { source, at } = request
    await keepPurgesOut(db)
    const delivered = await orderDelivered(db, at, pages)
    const sighting = { sourceId: source.id, at, severity: defaultSeverity(source.feed_type) }
    const { created, repeated } =
      delivered.count + delivered.ended === 0
        ? { created: 0, repeated: 0 }
        : await writeDelivered(db, sighting, { ...delivered, contested })
    await dropDelivered(db)
    return { created, updated: delivered.count - created - repeated }
  }

  async function write({ db }: LeasedConnection, request: SightingsRequest): Promise<SightingCounts> {
    return await retryContested(
      UNIQUE_VALUE,
      async (contested) =>
        await transact(db, log, async (tx) => {
          await request.guard(tx)
          const counts = { created: 0, updated: 0 }
          for (const pages of await inOrder(tx.db, request.pages)) {
            const { created, updated } = await writePages(tx.db, request, { pages, contested })
            counts.created += created
            counts.updated += updated
          }
          await request.commit(tx)
          return counts
        }),
    )
  }

  /** All pages at once, unless two of them speak of one value: then one after the other, so that the later one has the last word. */
  async function inOrder(db: Db, count: number): Promise<Pages[]> {
    if (count > 1 && (await isRepeatedAcrossPages(db, count)))
      return Array.from({ length: count }, (_, page) => ({ first: page, last: page }))
    return [{ first: 0, last: count - 1 }]
  }

  return {
    async stage(values) {
      const staged = Promise.withResolvers<void>()
      const chosen = Promise.withResolvers<SightingsRequest | undefined>()
      // The temporary table lives on its connection, which is held until the delivery is written or dropped.
      const work = leases(async (lease) => {
        const staging = await openDelivery(lease.client)
        await values(async (page, batch, ended = []) => {
          let text = ''
          for (const value of batch) text += `${stagedLine(value)}\tf\t${page}\n`
          for (const value of ended) text += `${stagedLine(value)}\tt\t${page}\n`
          await staging.write(text)
        })
        await staging.end()
        staged.resolve()
        const request = await chosen.promise
        return request === undefined ? { created: 0, updated: 0 } : await write(lease, request)
      })
      work.catch(staged.reject)
      await staged.promise
      return {
        async write(request) {
          chosen.resolve(request)
          return await work
        },
        async drop() {
          chosen.resolve(undefined)
          await work
        },
      }
    },
  }
}
