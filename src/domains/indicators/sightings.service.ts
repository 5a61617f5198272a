import type pg from 'pg'

import { type LeasedConnection, leaseConnection } from '#platform/database/leased-connection.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { defaultSeverity } from './default-severity.ts'
import { deliveredLine } from './delivered-line.ts'
import type { ListedValue } from './listing.service.ts'
import { openDelivery, orderDelivered, writeDelivered } from './sightings.store.ts'
import { getListingState } from './sources.store.ts'

export type SightingsRequest = {
  sourceId: string
  /** The moment that these sightings count for. A value that is delivered several times for one moment counts once. */
  at: Date
  /** Checked inside the writing transaction: throws when this collector may write no longer. */
  guard(tx: Tx): Promise<void>
  /** Everything that was delivered, normalised; may be read slowly, in bounded memory. */
  values(stage: (batch: readonly ListedValue[]) => Promise<void>): Promise<void>
  /** What has to commit together with the sightings: the place up to which the source has been read. */
  commit(tx: Tx): Promise<void>
}

/** `updated`: values that were known and are seen once more. */
export type SightingCounts = { created: number; updated: number }

export type SightingsService = {
  /**
   * Writes what a source delivers as one sighting of each value, in one transaction with the caller's own writes: all of it or nothing.
   * Nothing is ever gone because it is absent, and no value is listed.
   */
  applySightings(request: SightingsRequest): Promise<SightingCounts>
}

/** A delivery that lost a deadlock is tried again this often. */
const ATTEMPTS = 3
const DEADLOCK = '40P01'

export function createSightingsService({ pool, log }: { pool: pg.Pool; log: Log }): SightingsService {
  async function stageAll({ client }: LeasedConnection, request: SightingsRequest): Promise<void> {
    const staging = await openDelivery(client)
    await request.values(async (batch) => {
      let text = ''
      for (const value of batch) text += deliveredLine(value)
      await staging.write(text)
    })
    await staging.end()
  }

  async function write({ db }: LeasedConnection, request: SightingsRequest): Promise<SightingCounts> {
    const { sourceId, at } = request
    const { feed_type } = await getListingState(db, sourceId)
    for (let attempt = 1; ; attempt++) {
      try {
        return await transact(db, log, async (tx) => {
          await request.guard(tx)
          // Made inside, so that a lost deadlock takes it back and the ids are looked up anew.
          const delivered = await orderDelivered(tx.db, at)
          const counts =
            delivered === 0
              ? { created: 0, repeated: 0 }
              : await writeDelivered(tx.db, { sourceId, at, severity: defaultSeverity(feed_type) })
          await request.commit(tx)
          return { created: counts.created, updated: delivered - counts.created - counts.repeated }
        })
      } catch (error) {
        if ((error as { code?: string }).code !== DEADLOCK || attempt === ATTEMPTS) throw error
      }
    }
  }

  return {
    async applySightings(request) {
      return await leaseConnection(pool, async (lease) => {
        await stageAll(lease, request)
        return await write(lease, request)
      })
    },
  }
}
