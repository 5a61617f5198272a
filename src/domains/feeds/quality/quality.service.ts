import type { AuditService } from '#domains/audit/audit.service.ts'
import type { WarningListsService } from '#domains/warning-lists/warning-lists.service.ts'
import type { Actor } from '#kernel/actor.ts'
import { type Clock, MS_PER_MINUTE } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { LeasedConnection, Leases } from '#platform/database/leased-connection.ts'
import { transact } from '#platform/database/transact.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import { deliveryOf } from '../collecting/delivery.ts'
import { FEED_FORMATS } from '../feeds.model.ts'
import { findFeed } from '../feeds.store.ts'
import {
  countHeld,
  finishReport,
  gatherShared,
  holdReferred,
  numberSources,
  prepareSession,
  stageExcluded,
  type Windows,
  writeOverlaps,
  writeQuality,
  writeWarnings,
} from './measure-quality.store.ts'
import {
  type FeedWarningRow,
  findQuality,
  getQualityInputs,
  getQualityState,
  listFeedWarnings,
  listOverlapsAmong,
  listOverlapsOf,
  listQuality,
  markComputing,
  type QualityRow,
  type QualityState,
} from './quality.store.ts'
import { isQualityDue } from './quality-due.ts'

/** A feed's figures, with the shares that follow from them. */
export type FeedQuality = Omit<QualityRow, 'changed_count'> & {
  unique_share: number | null
  first_share: number | null
  reject_share: number | null
  churn_share: number | null
  warned_share: number | null
}
export type Computed = { computed_at: Date | null; duration_ms: number | null; computing: boolean }
export type QualityReport = Computed & { items: FeedQuality[]; overlap: { feed_ids: string[]; shared: number[][] } }
export type OneFeedQuality = Computed & {
  quality: FeedQuality | null
  overlaps: { feed_id: string; name: string; shared_count: number; share: number | null }[]
  warning_lists: FeedWarningRow[]
}

export type QualityService = {
  /** As last worked out. */
  report(): Promise<QualityReport>
  /** @throws not_found */
  ofFeed(feedId: string): Promise<OneFeedQuality>
  /** Works the report out anew and waits for it. @throws conflict when that is under way already */
  compute(actor: Actor, signal?: AbortSignal): Promise<void>
  /** Begins to work it out and comes back as soon as its lock is held. @throws conflict */
  start(actor: Actor): Promise<void>
  /** Works it out when that is due. @returns whether it was */
  computeWhenDue(actor: Actor, signal: AbortSignal): Promise<boolean>
  /** Waits for what `start` began, after telling it to stop. */
  stop(): Promise<void>
}

export type QualityDeps = {
  db: Db
  leases: Leases
  log: Log
  clock: Clock
  audit: AuditService
  locks: Locks
  warningLists: Pick<WarningListsService, 'stageHits'>
}

/** Feeds in the matrix, and feeds that are named beside one. Assumption: more does not fit on a screen. */
const MATRIX_FEEDS = 20
/** Source: docs/decisions/0019. */
const WINDOWS: Windows = { runDays: 30, eventDays: 90 }
/** A computation that has said nothing for so long was killed. Milliseconds. Assumption: twice what three million values take at their worst. */
const COMPUTING_FOR_MS = 15 * MS_PER_MINUTE
const CURSOR_FORMATS = FEED_FORMATS.filter((format) => deliveryOf(format) === 'cursor')

export function createQualityService({ db, leases, log, clock, audit, locks, warningLists }: QualityDeps): QualityService {
  const begun = new Set<Promise<unknown>>()
  const stopping = new AbortController()

  async function underLock(actor: Actor, signal: AbortSignal | undefined, onHeld: () => void): Promise<void> {
    const outcome = await locks.withLock('feeds:quality', async (lost) => {
      await markComputing(db, clock())
      onHeld()
      try {
        await measure(actor, AbortSignal.any([lost, stopping.signal, ...(signal === undefined ? [] : [signal])]))
      } finally {
        await markComputing(db, null)
      }
    })
    if (outcome.held) throw new DomainError('conflict', 'The quality of the feeds is being worked out at this moment.')
  }

  async function measure(actor: Actor, signal: AbortSignal): Promise<void> {
    const at = clock()
    const basis = await getQualityInputs(db)
    await leases(async (lease) => {
      await gather(lease, at, signal)
      await transact(lease.db, log, async (tx) => {
        await holdReferred(tx.db)
        await writeQuality(tx.db)
        await writeOverlaps(tx.db)
        await writeWarnings(tx.db, at, WINDOWS)
        await finishReport(tx.db, { computedAt: at, durationMs: clock().getTime() - at.getTime(), ...basis })
        await audit.record(tx, actor, { action: 'feed.quality_computed', details: { listed: basis.listed } })
      })
    })
  }

  /** Everything that reads whole tables, into temporary ones: the transaction that follows is short. */
  async function gather(lease: LeasedConnection, at: Date, signal: AbortSignal): Promise<void> {
    const steps = [
      async () => await prepareSession(lease.db),
      async () => await numberSources(lease.db, at, { windows: WINDOWS, cursorFormats: CURSOR_FORMATS }),
      async () => await stageExcluded(lease.db, at),
      async () => await countHeld(lease.db, at, WINDOWS),
      async () => await gatherShared(lease.db, at, WINDOWS),
      async () => await warningLists.stageHits(lease.db, signal),
    ]
    for (const step of steps) {
      signal.throwIfAborted()
      await step()
    }
    signal.throwIfAborted()
  }

  return {
    async report() {
      const [state, rows] = await Promise.all([getQualityState(db), listQuality(db)])
      const feed_ids = rows.slice(0, MATRIX_FEEDS).map(({ feed_id }) => feed_id)
      const shared = new Map((await listOverlapsAmong(db, feed_ids)).map((row) => [`${row.feed_id} ${row.other_id}`, row.shared_count]))
      const heldOf = new Map(rows.map(({ feed_id, held }) => [feed_id, held]))
      return {
        ...toComputed(state, clock()),
        items: rows.map(toQuality),
        overlap: {
          feed_ids,
          shared: feed_ids.map((row) => feed_ids.map((column) => (row === column ? heldOf.get(row) : shared.get(`${row} ${column}`)) ?? 0)),
        },
      }
    },

    async ofFeed(feedId) {
      if ((await findFeed(db, feedId)) === undefined)
        throw new DomainError('not_found', 'There is no such feed. `svc feeds list` shows them all.')
      const [state, row, overlaps, warning_lists] = await Promise.all([
        getQualityState(db),
        findQuality(db, feedId),
        listOverlapsOf(db, feedId, MATRIX_FEEDS),
        listFeedWarnings(db, feedId, clock()),
      ])
      return {
        ...toComputed(state, clock()),
        quality: row === undefined ? null : toQuality(row),
        overlaps: overlaps.map((overlap) => ({ ...overlap, share: shareOf(overlap.shared_count, row?.held ?? 0) })),
        warning_lists,
      }
    },

    async compute(actor, signal) {
      await underLock(actor, signal, () => {})
    },

    async start(actor) {
      const held = Promise.withResolvers<void>()
      const work = underLock(actor, undefined, held.resolve)
        .catch((error: unknown) => {
          held.reject(error)
          if (!(error instanceof DomainError)) log.error('feed.quality_failed', { reason: reasonOf(error) })
        })
        .finally(() => begun.delete(work))
      begun.add(work)
      await held.promise
    },

    async computeWhenDue(actor, signal) {
      const [{ computed_at, listed, inputs }, now] = await Promise.all([getQualityState(db), getQualityInputs(db)])
      if (!isQualityDue({ computedAt: computed_at ?? undefined, listed, inputs }, { ...now, at: clock() })) return false
      await underLock(actor, signal, () => {})
      return true
    },

    async stop() {
      stopping.abort(new Error('The service is stopping.'))
      await Promise.allSettled(begun)
    },
  }
}

function toComputed({ started_at, computed_at, duration_ms }: QualityState, now: Date): Computed {
  return { computed_at, duration_ms, computing: started_at !== null && now.getTime() - started_at.getTime() < COMPUTING_FOR_MS }
}

function toQuality({ changed_count, ...row }: QualityRow): FeedQuality {
  return {
    ...row,
    unique_share: shareOf(row.unique_count, row.held),
    first_share: shareOf(row.first_count, row.compared_count),
    reject_share: shareOf(row.rejected_count, row.row_count),
    churn_share: shareOf(changed_count, row.held * row.run_count),
    warned_share: shareOf(row.warned_count, row.held),
  }
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
