import type { AlertsService } from '#domains/alerts/alerts.service.ts'
import type { Db } from '#platform/database/database.ts'
import type { Tx } from '#platform/database/transact.ts'
import { findThreshold, keepThreshold, noteSilently, rearm, type TouchedTable, takeCrossings } from './crossings.store.ts'

export type CrossingsService = {
  /** Whether a score stands at the threshold or above it. */
  isReached(score: number): boolean
  /** In the transaction that wrote scores of imports, rescores and first rounds: where they stand is a base line, told to nobody. */
  noteSilently(db: Db, touched: TouchedTable): Promise<void>
  /** Before the first look of all: whatever stands above the threshold already is a base line. Later it does nothing. */
  begin(tx: Tx): Promise<void>
  /** Raises an alert for every CVE that has reached the threshold since it was last looked at. @returns how many */
  raise(tx: Tx): Promise<number>
}

/**
 * Finds the CVEs that cross the threshold of alerts by comparing where they stand with where they stood: what a killed process has written
 * and not told is found by the next. The caller holds the lock of CVEs.
 */
export function createCrossingsService({
  alerts,
  threshold,
}: {
  alerts: Pick<AlertsService, 'raise'>
  /** RISK_ALERT_THRESHOLD. */
  threshold: number
}): CrossingsService {
  return {
    isReached: (score) => score >= threshold,

    async noteSilently(db, touched) {
      await noteSilently(db, touched, threshold)
    },

    async begin(tx) {
      if ((await findThreshold(tx.db)) !== undefined) return
      await takeCrossings(tx.db, threshold)
      await keepThreshold(tx.db, threshold)
    },

    async raise(tx) {
      const isSame = await keepThreshold(tx.db, threshold)
      await rearm(tx.db, threshold)
      const crossings = await takeCrossings(tx.db, threshold)
      // By another threshold everything between the two would seem to cross at once, and before the first everything above it.
      if (!isSame) return 0
      return await alerts.raise(
        tx,
        crossings.map(({ cve_id, ...crossing }) => ({ cveId: cve_id, ...crossing })),
      )
    },
  }
}
