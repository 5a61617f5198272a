import type { AlertsService } from '#domains/alerts/alerts.service.ts'
import type { Clock } from '#kernel/clock.ts'
import { CopyRows } from '#kernel/copy-binary.ts'
import type { LeasedConnection } from '#platform/database/leased-connection.ts'
import type { Tx } from '#platform/database/transact.ts'
import { productName } from './applicability/cpe.ts'
import type { CrossingsService } from './crossings.service.ts'
import {
  addProducts,
  copyNamed,
  copyNew,
  copyStaged,
  findKnown,
  findScoreFacts,
  lockCves,
  noteChanged,
  removeCves,
  replaceNamed,
  updateStaged,
} from './cves-import.store.ts'
import { type ChangedCve, changesOf, type NamedPair, namedPairs, type StagedBatch, scoreRows } from './sources/staged-batch.ts'
import { keyedProduct } from './sources/staged-record.ts'

/** What a batch did. `unchanged` were known as they are, or newer, or are not wanted. */
export type StagedWrite = { created: number; updated: number; unchanged: number; removed: number }

export type StagedWriteOptions = {
  /** Updates what is known and adds nothing. */
  onlyKnown: boolean
  /** Where the written stand is a base line, told to nobody. */
  silent: boolean
}

/**
 * Writes a batch of records with their scores, history and products, in a transaction on a connection that `openImportSession` has prepared. What is
 * new goes straight into its tables, what has changed through a staging table, and what has not is not sent at all.
 */
export type WriteStaged = (lease: LeasedConnection, tx: Tx, batch: StagedBatch, options: StagedWriteOptions) => Promise<StagedWrite>

export function createWriteStaged({
  clock,
  alerts,
  crossings,
}: {
  clock: Clock
  alerts: Pick<AlertsService, 'withdraw'>
  crossings: Pick<CrossingsService, 'isReached' | 'noteSilently'>
}): WriteStaged {
  /** Stores the batch's own products. */
  async function storeProducts(tx: Tx, { products }: StagedBatch): Promise<void> {
    if (products.size === 0) return
    for (const { id, ...product } of await addProducts(tx.db, [...products.keys()].map(keyedProduct))) {
      const own = products.get(productName(product))
      if (own !== undefined) own.id = id
    }
  }

  async function score(tx: Tx, batch: StagedBatch, cves: readonly ChangedCve[]): Promise<void> {
    if (cves.length > 0) scoreRows(batch, cves, await findScoreFacts(tx.db, idsOf(cves)))
  }

  return async ({ client }, tx, batch, options) => {
    await lockCves(tx.db)
    const known = await findKnown(tx.db, [...batch.cves.keys()])
    const { added, changed, withdrawn, unchanged } = changesOf(batch, known, options)
    await storeProducts(tx, batch)
    const pieces = (cves: readonly ChangedCve[]) => batch.rows.pieces(cves.map(({ row }) => row))
    await score(tx, batch, [...added, ...changed])
    // Of what is new, only what stands high has ever to be told of.
    const noted = options.silent ? [...changed, ...added.filter(({ row }) => crossings.isReached(row.score ?? 0))] : changed
    if (noted.length > 0) await noteChanged(tx.db, idsOf(noted))
    if (added.length > 0) {
      await copyNew(client, pieces(added))
      await copyNamed(client, pairRows(namedPairs(added)))
    }
    if (changed.length > 0) {
      await copyStaged(client, pieces(changed))
      await updateStaged(tx.db, clock())
      await replaceNamed(tx.db, namedPairs(changed))
    }
    if (withdrawn.length > 0) {
      await removeCves(tx.db, withdrawn)
      await alerts.withdraw(tx, withdrawn)
    }
    if (options.silent && noted.length > 0) await crossings.noteSilently(tx.db, 'changed')
    return { created: added.length, updated: changed.length, unchanged, removed: withdrawn.length }
  }
}

function idsOf(cves: readonly ChangedCve[]): string[] {
  return cves.map(({ id }) => id)
}

function pairRows(pairs: readonly NamedPair[]): Generator<Uint8Array> {
  const rows = new CopyRows()
  for (const { productId, cveId } of pairs) {
    rows.begin(2)
    rows.integer(productId)
    rows.text(cveId)
  }
  return rows.pieces([{ from: 0, to: rows.length }])
}
