import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import { type Clock, MS_PER_SECOND } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import type { CrossingsService } from './crossings.service.ts'
import { lockCves } from './cves-import.store.ts'
import type { NvdSyncService, SyncProgress } from './nvd-sync.service.ts'
import type { EpssTelling, KevAndEpss, ScoreImport } from './scores.service.ts'
import { type CveSourceName, findSource } from './scores.store.ts'
import { isEpssStale } from './sources/epss-freshness.ts'
import type { KevEpssClient } from './sources/kev-epss-client.service.ts'
import { beginSync, countCvesUpTo, endSync, listForEpss, listSyncs, type SyncRow } from './syncs.store.ts'

/** What one source has brought. A source that fails keeps none of the others from their work. */
export type SourceReport = {
  source: CveSourceName
  records: number
  created: number
  updated: number
  removed: number
  error: string | null
}
export type SyncReport = { sources: SourceReport[]; alerts: number }

/** Where the synchronisation of a source stands. */
export type SourceStatus = {
  source: CveSourceName
  status: 'NEVER' | 'RUNNING' | 'SUCCEEDED' | 'FAILED'
  started_at: Date | null
  succeeded_at: Date | null
  error: string | null
  /** The day that the data is of; of KEV and EPSS. */
  data_day: string | null
  /** Of KEV the number of the catalogue, of EPSS the model. */
  version: string | null
  /** Everything that NVD has changed up to here is stored. */
  checkpoint: Date | null
  /** How far the window that is being read has been read. */
  progress: { from: Date; to: Date; read: number; total: number | null } | null
}
export type SyncStatus = { sources: SourceStatus[]; epss_stale: boolean }

export type CvesSyncService = {
  /** Brings CVEs, KEV and EPSS up to date, then raises alerts. @throws conflict while another process does */
  sync(actor: Actor, options: SyncOptions): Promise<SyncReport>
  /** Whether the interval has passed since a source was last asked, or a round was cut off. While one is under way it only seems so: its lock decides. */
  isDue(): Promise<boolean>
  status(): Promise<SyncStatus>
}
export type SyncOptions = {
  /** Only these; all when left out. */
  only?: readonly CveSourceName[]
  signal: AbortSignal
  onProgress?(progress: SyncProgress): void
}

/** In this order, so that one look at the scores at the end sees everything. Source: docs/decisions/0021. */
export const SOURCE_ORDER = ['NVD', 'KEV', 'EPSS'] as const satisfies readonly CveSourceName[]
/** With more CVEs than this, the scores of a day cost less than questions by 100. Assumption. */
const EPSS_API_MAX = 2000
/** CVEs without a score that are asked for beside the file of the day, newest first. Assumption: five questions. */
const EPSS_DELTA_MAX = 500
const LOCK = 'cves.sync'

export type CvesSyncDeps = {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  locks: Pick<Locks, 'withLock'>
  nvd: NvdSyncService
  client: KevEpssClient
  scores: KevAndEpss
  crossings: CrossingsService
  /** CVE_SYNC_INTERVAL_SECONDS; 0 switches the schedule off. */
  intervalSeconds: number
}

export function createCvesSyncService(deps: CvesSyncDeps): CvesSyncService {
  const { db, log, clock, audit, locks, nvd, client, scores, crossings, intervalSeconds } = deps

  async function syncNvd(row: SyncRow, options: SyncOptions & { onProgress(progress: SyncProgress): void }): Promise<Brought> {
    return await nvd.round(row, options)
  }

  async function syncKev(row: SyncRow, { signal }: SyncOptions): Promise<Brought> {
    const silent = !row.is_baselined
    const answer = await client.kevCatalogue(row, signal, async (text) => await scores.applyKevCatalogue(text, { silent }))
    const filled = await nvd.fillKev({ silent, signal })
    if (answer.kind === 'unchanged') return { ...NOTHING, created: filled.created, ...validatorsOf(row) }
    const { result, etag, lastModified } = answer
    return { ...result, ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) }
  }

  async function askEpss(cveIds: readonly string[], telling: EpssTelling, signal: AbortSignal): Promise<Brought> {
    const text = await client.epssOf(cveIds, signal)
    return text === undefined ? { ...NOTHING } : await scores.applyEpssScores(once(text), { ...telling, signal })
  }

  async function syncEpss(row: SyncRow, { signal }: SyncOptions): Promise<Brought> {
    const silent = !row.is_baselined
    if ((await countCvesUpTo(db, EPSS_API_MAX + 1)) <= EPSS_API_MAX)
      return await askEpss(await listForEpss(db, { all: true, limit: EPSS_API_MAX }), { silent }, signal)
    const answer = await client.epssDay(row, signal, async (text) => await scores.applyEpssScores(text, { silent, signal }))
    const delta = await askEpss(await listForEpss(db, { all: false, limit: EPSS_DELTA_MAX }), { silent, isDelta: true }, signal)
    if (answer.kind === 'unchanged') return { ...delta, ...validatorsOf(row) }
    const { result, etag, lastModified } = answer
    return { ...add(delta, result), ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) }
  }

  async function syncOne(source: CveSourceName, options: SyncOptions): Promise<SourceReport> {
    const row = await beginSync(db, source, clock())
    const work = { NVD: syncNvd, KEV: syncKev, EPSS: syncEpss }[source]
    try {
      const { records, created, updated, removed, ...validators } = await work(row, { onProgress: () => {}, ...options })
      const { etag, lastModified } = validators
      await endSync(db, source, {
        at: clock(),
        error: undefined,
        ...(etag === undefined ? {} : { etag }),
        ...(lastModified === undefined ? {} : { lastModified }),
      })
      log.info('cve.synced', { source, records, created, updated, removed })
      return { source, records, created, updated, removed, error: null }
    } catch (error) {
      options.signal.throwIfAborted()
      // Noted whatever it is: a round without an end is taken up at once, again and again.
      const isExpected = error instanceof DomainError
      const reason = isExpected ? error.message : 'An unexpected fault; the log of the worker has it.'
      await endSync(db, source, { at: clock(), error: reason })
      log[isExpected ? 'warn' : 'error']('cve.sync_failed', { source, reason: reasonOf(error) })
      return { source, records: 0, created: 0, updated: 0, removed: 0, error: reason }
    }
  }

  async function syncAll(actor: Actor, options: SyncOptions): Promise<SyncReport> {
    await transact(db, log, async (tx) => {
      await lockCves(tx.db)
      await crossings.begin(tx)
    })
    const sources: SourceReport[] = []
    for (const source of SOURCE_ORDER)
      if (options.only === undefined || options.only.includes(source)) sources.push(await syncOne(source, options))
    const alerts = await transact(db, log, async (tx) => {
      await lockCves(tx.db)
      const raised = await crossings.raise(tx)
      const failed = sources.filter(({ error }) => error !== null).map(({ source }) => source)
      const total = (pick: (report: SourceReport) => number) => sources.reduce((sum, report) => sum + pick(report), 0)
      await audit.record(tx, actor, {
        action: 'cves.synced',
        outcome: failed.length === 0 ? 'SUCCESS' : 'FAILURE',
        target: { type: 'cves' },
        details: {
          created: total(({ created }) => created),
          updated: total(({ updated }) => updated),
          alerts: raised,
          failed: failed.join(),
        },
      })
      return raised
    })
    const epss = await findSource(db, 'EPSS')
    if (isEpssStale(epss?.data_day ?? null, clock())) log.warn('cve.epss_stale', { day: epss?.data_day ?? null })
    return { sources, alerts }
  }

  return {
    async sync(actor, options) {
      const outcome = await locks.withLock(
        LOCK,
        async (lost) => await syncAll(actor, { ...options, signal: AbortSignal.any([options.signal, lost]) }),
      )
      if (outcome.held) throw new DomainError('conflict', 'CVEs are being synchronised already; `svc status` shows how far it is.')
      return outcome.result
    },

    async isDue() {
      if (intervalSeconds === 0) return false
      const rows = await listSyncs(db)
      const earliest = clock().getTime() - intervalSeconds * MS_PER_SECOND
      return SOURCE_ORDER.some((source) => {
        const row = rows.find((candidate) => candidate.source === source)
        return row === undefined || isUnfinished(row) || row.started_at.getTime() <= earliest
      })
    },

    async status() {
      const [rows, epss, kev] = await Promise.all([listSyncs(db), findSource(db, 'EPSS'), findSource(db, 'KEV')])
      const held = { NVD: undefined, KEV: kev, EPSS: epss }
      return {
        sources: SOURCE_ORDER.map((source) => {
          const row = rows.find((candidate) => candidate.source === source)
          return toStatus(source, row, { version: held[source]?.version ?? null, data_day: held[source]?.data_day ?? null })
        }),
        epss_stale: isEpssStale(epss?.data_day ?? null, clock()),
      }
    },
  }
}

type Brought = Pick<ScoreImport, 'records' | 'created' | 'updated' | 'removed'> & { etag?: string; lastModified?: string }
const NOTHING: Brought = { records: 0, created: 0, updated: 0, removed: 0 }

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

function add(sum: Brought, more: Brought): Brought {
  sum.records += more.records
  sum.created += more.created
  sum.updated += more.updated
  sum.removed += more.removed
  return sum
}

/** What was given before holds for a list that has not changed. */
function validatorsOf({ etag, last_modified }: SyncRow): { etag?: string; lastModified?: string } {
  return { ...(etag === null ? {} : { etag }), ...(last_modified === null ? {} : { lastModified: last_modified }) }
}

/** Under way, or cut off by a stop or a kill. */
function isUnfinished({ started_at, succeeded_at, error }: SyncRow): boolean {
  return error === null && (succeeded_at === null || succeeded_at < started_at)
}

function toStatus(
  source: CveSourceName,
  row: SyncRow | undefined,
  held: { version: string | null; data_day: string | null },
): SourceStatus {
  const never = { source, status: 'NEVER', started_at: null, succeeded_at: null, error: null, checkpoint: null, progress: null } as const
  if (row === undefined) return { ...never, ...held }
  const { started_at, succeeded_at, error, checkpoint, window_from, window_to, window_index, window_total } = row
  return {
    source,
    status: error !== null ? 'FAILED' : isUnfinished(row) ? 'RUNNING' : 'SUCCEEDED',
    started_at,
    succeeded_at,
    error,
    checkpoint,
    progress:
      window_from === null || window_to === null
        ? null
        : { from: window_from, to: window_to, read: window_index ?? 0, total: window_total },
    ...held,
  }
}
