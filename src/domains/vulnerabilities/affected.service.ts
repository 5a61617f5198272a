import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { listNamings, listProducts, replaceNamings, saveProductKeys } from './affected.store.ts'
import { cutProductName } from './applicability/cpe.ts'
import { candidateKeys } from './applicability/product-match.ts'
import { addProducts, lockCves } from './cves-import.store.ts'
import { keyedProduct, namedProducts } from './sources/staged-record.ts'

export type AffectedCounts = {
  /** CVEs that were read. */
  cves: number
  /** Products of CVEs that were missing, and that were there for nothing. */
  added: number
  removed: number
  /** Products that are found by other names than before. */
  rekeyed: number
}

export type AffectedService = {
  /** Works out anew which CVE names which product, and by which names a product is found. What was read before the signal is kept. */
  refresh(actor: Actor, options: { signal: AbortSignal; onProgress(cves: number): void }): Promise<AffectedCounts>
}

/** CVEs of one transaction; others that write CVEs wait for it. Assumption: the same as an import. */
const BATCH_CVES = 1000
const BATCH_PRODUCTS = 5000

/** After an upgrade that reads configurations or names of products otherwise: an import leaves alone what has not changed. */
export function createAffectedService({ db, log, audit }: { db: Db; log: Log; audit: AuditService }): AffectedService {
  async function refreshBatch(after: string, counts: AffectedCounts): Promise<string | undefined> {
    return await transact(db, log, async (tx) => {
      await lockCves(tx.db)
      const cves = await listNamings(tx.db, after, BATCH_CVES)
      const named = cves.flatMap((cve) => [...namedProducts(cve)].map((name) => ({ cve_id: cve.id, name })))
      await addProducts(tx.db, [...new Set(named.map(({ name }) => name))].map(keyedProduct))
      const { added, removed } = await replaceNamings(
        tx.db,
        cves.map(({ id }) => id),
        named.map(({ cve_id, name }) => ({ cve_id, ...cutProductName(name) })),
      )
      counts.cves += cves.length
      counts.added += added
      counts.removed += removed
      return cves.at(-1)?.id
    })
  }

  async function refreshKeys(signal: AbortSignal): Promise<number> {
    let rekeyed = 0
    let after = 0
    for (;;) {
      signal.throwIfAborted()
      const products = await listProducts(db, after, BATCH_PRODUCTS)
      const last = products.at(-1)
      if (last === undefined) return rekeyed
      after = last.id
      const changed = products.flatMap(({ id, vendor, product, keys }) => {
        const now = candidateKeys({ vendor, product })
        return now.join('\n') === keys.join('\n') ? [] : [{ id, keys: now }]
      })
      if (changed.length > 0) await saveProductKeys(db, changed)
      rekeyed += changed.length
    }
  }

  return {
    async refresh(actor, { signal, onProgress }) {
      const counts: AffectedCounts = { cves: 0, added: 0, removed: 0, rekeyed: await refreshKeys(signal) }
      let after: string | undefined = ''
      while (after !== undefined) {
        signal.throwIfAborted()
        after = await refreshBatch(after, counts)
        onProgress(counts.cves)
      }
      await transact(
        db,
        log,
        async (tx) => await audit.record(tx, actor, { action: 'cves.affected_refreshed', target: { type: 'cves' }, details: counts }),
      )
      return counts
    },
  }
}
