import type pg from 'pg'
import type { AlertsService } from '#domains/alerts/alerts.service.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { leaseConnection } from '#platform/database/leased-connection.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { CrossingsService } from './crossings.service.ts'
import { openImportSession } from './cves-import.store.ts'
import type { NvdClient, NvdPage } from './sources/nvd-client.service.ts'
import { checkpointOf, nextIndex, nextWindow, roundBegin } from './sources/nvd-window.ts'
import { PublisherError } from './sources/publisher.ts'
import { addToBatch, newBatch, type StagedBatch } from './sources/staged-batch.ts'
import { createWriteStaged, type StagedWrite } from './staged-write.service.ts'
import { forgetWalk, listKevWithoutCve, type SyncRow, saveCheckpoint, saveWalk, type Walk } from './syncs.store.ts'

/** What a round has read and written. */
export type NvdCounts = StagedWrite & { records: number; refused: number }
export type SyncProgress = { source: 'NVD' | 'KEV' | 'EPSS'; records: number; total: number | undefined }

export type NvdSyncService = {
  /** Reads what NVD has changed since the last round, page by page, each stored with the place behind it. @throws PublisherError; what was read is kept */
  round(row: SyncRow, options: { signal: AbortSignal; onProgress(progress: SyncProgress): void }): Promise<NvdCounts>
  /** Reads the CVEs that KEV names and NVD's rounds have not brought. @param options.silent when nobody is to be told of them */
  fillKev(options: { silent: boolean; signal: AbortSignal }): Promise<NvdCounts>
}

/** So many missing CVEs are asked for one by one; more of them by one question for all of KEV. Assumption. */
const ONE_BY_ONE_MAX = 5

export function createNvdSyncService({
  db,
  pool,
  log,
  clock,
  client,
  alerts,
  crossings,
  initialDays,
}: {
  db: Db
  pool: pg.Pool
  log: Log
  clock: Clock
  client: NvdClient
  alerts: Pick<AlertsService, 'withdraw'>
  crossings: Pick<CrossingsService, 'isReached' | 'noteSilently'>
  /** VULNDB_INITIAL_DAYS. */
  initialDays: number
}): NvdSyncService {
  const writeStaged = createWriteStaged({ clock, alerts, crossings })

  /** Writes one page, and whatever is to be noted with it. */
  async function writePage(page: NvdPage, counts: NvdCounts, silent: boolean, note: (tx: Tx) => Promise<void>): Promise<void> {
    const { batch, refused } = staged(page)
    const merged = await leaseConnection(pool, async (lease) => {
      await openImportSession(lease.client)
      return await transact(lease.db, log, async (tx) => {
        const written = await writeStaged(lease, tx, batch, { onlyKnown: false, silent })
        await note(tx)
        return written
      })
    })
    counts.created += merged.created
    counts.updated += merged.updated
    counts.unchanged += merged.unchanged
    counts.removed += merged.removed
    counts.records += page.records.length
    counts.refused += refused
  }

  /** Reads one window from where it stands to its end. */
  async function readWindow(walk: Walk, { row, counts, signal, onProgress }: Reading): Promise<void> {
    let { index, total, readAt } = walk
    for (;;) {
      const page = await client.page({ window: walk }, index, signal)
      readAt ??= page.readAt
      const next = nextIndex({ index, count: page.records.length, total: page.total }, total)
      total = page.total
      const place = next
      const known = readAt
      await writePage(page, counts, !row.is_baselined, async (tx) => {
        if (place === undefined) await saveCheckpoint(tx.db, checkpointOf(walk, known), page.records.length)
        else await saveWalk(tx.db, { ...walk, index: place, total: page.total, readAt: known }, page.records.length)
      })
      onProgress({ source: 'NVD', records: counts.records, total })
      if (next === undefined) return
      index = next
    }
  }

  return {
    async round(row, { signal, onProgress }) {
      const counts = noCounts()
      const reading = { row, counts, signal, onProgress }
      const now = clock()
      let from = roundBegin(row.checkpoint, now, initialDays)
      const open = openWalk(row)
      if (open !== undefined) {
        await readWindow(open, reading)
        from = open.to
      }
      for (let window = nextWindow(from, now); window !== undefined; window = nextWindow(from, now)) {
        await readWindow({ ...window, index: 0, total: undefined, readAt: undefined }, reading)
        from = window.to
      }
      if (!row.is_baselined && counts.records + row.walk_records === 0) {
        await forgetWalk(db)
        throw new PublisherError('NVD: the first synchronisation has brought no record at all, which cannot be. Check VULNDB_API_URL.')
      }
      return counts
    },

    async fillKev({ silent, signal }) {
      const counts = noCounts()
      const missing = await listKevWithoutCve(db)
      const note = async () => {}
      if (missing.length <= ONE_BY_ONE_MAX) {
        for (const cveId of missing) await writePage(await client.page({ cveId }, 0, signal), counts, silent, note)
        return counts
      }
      for (let index: number | undefined = 0; index !== undefined; ) {
        const page: NvdPage = await client.page({ hasKev: true }, index, signal)
        await writePage(page, counts, silent, note)
        index = nextIndex({ index, count: page.records.length, total: page.total }, undefined)
      }
      return counts
    },
  }
}

type Reading = { row: SyncRow; counts: NvdCounts; signal: AbortSignal; onProgress(progress: SyncProgress): void }

function noCounts(): NvdCounts {
  return { records: 0, created: 0, updated: 0, unchanged: 0, removed: 0, refused: 0 }
}

/** The window that a stop or a kill has left open. */
function openWalk({ window_from, window_to, window_index, window_total, window_read_at }: SyncRow): Walk | undefined {
  if (window_from === null || window_to === null || window_index === null) return undefined
  return { from: window_from, to: window_to, index: window_index, total: window_total ?? undefined, readAt: window_read_at ?? undefined }
}

/** The records of a page that can be read, and how many cannot. */
function staged({ records }: NvdPage): { batch: StagedBatch; refused: number } {
  const batch = newBatch()
  let refused = 0
  for (const record of records) {
    if (record.kind === 'refused') refused++
    else addToBatch(batch, record)
  }
  return { batch, refused }
}
