import type { LeasedConnection, Leases } from '#platform/database/leased-connection.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { defaultSeverity } from './default-severity.ts'
import type { ListedValue } from './listing.service.ts'
import { openDelivery, orderDelivered, writeDelivered } from './sightings.store.ts'
import { stagedLine } from './staged-line.ts'

export type SightingsRequest = {
  /** The source, and its kind of feed, which says how severe a value is of which the source says nothing. */
  source: { id: string; feed_type: string }
  /** The moment that these sightings count for. A value that is delivered several times for one moment counts once. */
  at: Date
  /** Checked inside the writing transaction: throws when this collector may write no longer. */
  guard(tx: Tx): Promise<void>
  /** What has to commit together with the sightings: the place up to which the source has been read. */
  commit(tx: Tx): Promise<void>
}

/** `updated`: values that were known and are seen once more. */
export type SightingCounts = { created: number; updated: number }

/** A delivery that stands ready in a temporary table and is not stored yet. One of the two must be called, once. */
export type StagedDelivery = {
  /** Writes one sighting of each value, in one transaction with the caller's own writes: all of it or nothing. */
  write(request: SightingsRequest): Promise<SightingCounts>
  drop(): Promise<void>
}

export type TakeDelivered = (batch: readonly ListedValue[], ended?: readonly ListedValue[]) => Promise<void>

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

/** A delivery that lost a deadlock is tried again this often. */
const ATTEMPTS = 3
const DEADLOCK = '40P01'

export function createSightingsService({ leases, log }: { leases: Leases; log: Log }): SightingsService {
  async function write({ db }: LeasedConnection, { source, at, guard, commit }: SightingsRequest): Promise<SightingCounts> {
    const severity = defaultSeverity(source.feed_type)
    for (let attempt = 1; ; attempt++) {
      try {
        return await transact(db, log, async (tx) => {
          await guard(tx)
          // Made inside, so that a lost deadlock takes it back and the ids are looked up anew.
          const delivered = await orderDelivered(tx.db, at)
          const { created, repeated } =
            delivered.count + delivered.ended === 0
              ? { created: 0, repeated: 0 }
              : await writeDelivered(tx.db, { sourceId: source.id, at, severity }, delivered)
          await commit(tx)
          return { created, updated: delivered.count - created - repeated }
        })
      } catch (error) {
        if ((error as { code?: string }).code !== DEADLOCK || attempt === ATTEMPTS) throw error
      }
    }
  }

  return {
    async stage(values) {
      const staged = Promise.withResolvers<void>()
      const chosen = Promise.withResolvers<SightingsRequest | undefined>()
      // The temporary table lives on its connection, which is held until the delivery is written or dropped.
      const work = leases(async (lease) => {
        const staging = await openDelivery(lease.client)
        await values(async (batch, ended = []) => {
          let text = ''
          for (const value of batch) text += `${stagedLine(value)}\tf\n`
          for (const value of ended) text += `${stagedLine(value)}\tt\n`
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
