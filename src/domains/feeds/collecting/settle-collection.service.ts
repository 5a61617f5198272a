import type { AuditService } from '#domains/audit/audit.service.ts'
import type { ListingService } from '#domains/indicators/listing.service.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { inSavepoint, type Tx, transact } from '#platform/database/transact.ts'
import type { EventBus } from '#platform/events/event-bus.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import { finishRun, type RunEnd, startRun } from '../collection-runs.store.ts'
import { claimFeed, type FeedRow, settleFeed } from '../feeds.store.ts'
import { type Attempt, LostClaim, type Result } from './collection-attempt.service.ts'
import { deliveryOf } from './delivery.ts'
import { feedCollected } from './feed-collected.ts'

/** The end of a collection, as its run row holds it. */
export type Collection = RunEnd & { feed: string; run_id: string }

export type Settlement = {
  /** Claims the feed for this run, and opens its row. */
  begin(attempt: Attempt): Promise<void>
  /** The closing transaction: only here does the run count. @throws LostClaim */
  settle(attempt: Attempt, result: Result): Promise<Collection>
  /** Ends a run that lost its claim: the feed is left alone, and what the run did until then stands in its row. */
  close(attempt: Attempt, lost: LostClaim): Promise<void>
}

export type SettlementDeps = {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  listing: ListingService
  events: Pick<EventBus, 'publish'>
}

/** Writes the beginning and the end of collections: run row, feed, journal, event, log. */
export function createSettlement({ db, log, clock, audit, listing, events }: SettlementDeps): Settlement {
  async function begin({ feed, runId, startedAt }: Attempt): Promise<void> {
    await claimFeed(db, feed.id, runId)
    await recorded(feed, async () => await startRun(db, { id: runId, feedId: feed.id, at: startedAt }))
  }

  async function settle(attempt: Attempt, result: Result): Promise<Collection> {
    const { feed, runId } = attempt
    const end = endOf(attempt, result.end)
    await transact(db, log, async (tx) => {
      if (!(await settleFeed(tx.db, feed.id, runId, result.after))) throw new LostClaim(feed)
      if (result.complete && deliveryOf(feed.format) === 'listing') await listing.closeListing(tx, feed.id)
      await journal(tx, attempt, end)
      await recorded(feed, async () => await inSavepoint(tx, async () => await finishRun(tx.db, runId, end)))
      await events.publish(tx, feedCollected(feed, runId, end))
      tx.afterCommit(() => logCollected(feed, end))
    })
    return { ...end, feed: feed.name, run_id: runId }
  }

  async function close(attempt: Attempt, { message }: LostClaim): Promise<void> {
    const end = endOf(attempt, { outcome: 'INTERRUPTED', error: message })
    await recorded(attempt.feed, async () => await transact(db, log, async (tx) => await finishRun(tx.db, attempt.runId, end)))
  }

  function endOf({ tally, startedAt, read, arrived }: Attempt, end: Result['end']): RunEnd {
    return {
      duration_ms: Math.max(0, clock().getTime() - startedAt.getTime()),
      ...arrived,
      row_count: tally.rows,
      new_count: read.new_count,
      updated_count: read.updated_count,
      gone_count: 0,
      rejected_count: tally.rejected,
      unsupported_count: tally.unsupported,
      unsupported_by_kind: tally.unsupportedByKind,
      rejected_by_code: tally.rejectedByCode,
      rejections: tally.rejections,
      error: null,
      warning: null,
      ...end,
    }
  }

  async function journal(tx: Tx, { feed, actor, runId }: Attempt, end: RunEnd): Promise<void> {
    const good = end.outcome === 'SUCCEEDED' || end.outcome === 'UNCHANGED'
    await audit.record(tx, actor, {
      action: 'feed.collected',
      outcome: good ? 'SUCCESS' : 'FAILURE',
      target: { type: 'feed', id: feed.id, name: feed.name },
      details: {
        run_id: runId,
        outcome: end.outcome,
        new: end.new_count,
        updated: end.updated_count,
        gone: end.gone_count,
        rejected: end.rejected_count,
      },
    })
  }

  /** A run row that cannot be written must not cost the collection. Source: spec, "Structured log events", `feed.run_not_recorded`. */
  async function recorded(feed: FeedRow, write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      log.error('feed.run_not_recorded', { feed: feed.name, reason: reasonOf(error) })
    }
  }

  function logCollected(feed: FeedRow, end: RunEnd): void {
    log.info('feed.collected', {
      feed: feed.name,
      outcome: end.outcome,
      rows: end.row_count,
      new: end.new_count,
      updated: end.updated_count,
      gone: end.gone_count,
      rejected: end.rejected_count,
      unsupported: end.unsupported_count,
      duration_ms: end.duration_ms,
      error: end.error,
      warning: end.warning,
      peak_memory_bytes: process.resourceUsage().maxRSS * 1024,
    })
  }

  return { begin, settle, close }
}
