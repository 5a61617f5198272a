import type { Actor } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import { listHistories } from '../collection-runs.store.ts'
import { type FeedRow, findFeed } from '../feeds.store.ts'
import { isDue } from '../schedule/next-run.ts'
import { nothingArrived } from './arrived.ts'
import { type CollectCursorDeps, createCollectCursor } from './collect-cursor.service.ts'
import { type CollectListingDeps, createCollectListing } from './collect-listing.service.ts'
import { type Attempt, type CollectOptions, LostClaim, type Result } from './collection-attempt.service.ts'
import type { PagesRead } from './cursor-collection.service.ts'
import { deliveryOf } from './delivery.ts'
import { newRowTally } from './feed-values.ts'
import { type Collection, createSettlement, type SettlementDeps } from './settle-collection.service.ts'

export type CollectService = {
  /** Collections that a process should have under way at once. */
  readonly atOnce: number
  /**
   * Collects one feed under its lock. A failure is a result, not an exception: the run row says why.
   * @throws not_found, already_collecting
   */
  collect(actor: Actor, feedId: string, options?: CollectOptions): Promise<Collection>
  /** Begins a collection and comes back as soon as its lock is held. @throws not_found, already_collecting */
  start(actor: Actor, feedId: string, options?: CollectOptions): Promise<void>
  /** Waits for collections begun with `start`, after telling them to stop. */
  stop(): Promise<void>
}

export type CollectDeps = CollectListingDeps &
  CollectCursorDeps &
  SettlementDeps & {
    locks: Locks
    /** Collections under way at once in this process. */
    atOnce: number
  }

export function createCollectService(deps: CollectDeps): CollectService {
  const { db, log, clock, locks, atOnce } = deps
  const settlement = createSettlement(deps)
  const collectBy = { listing: createCollectListing(deps), cursor: createCollectCursor(deps) }
  const begun = new Set<Promise<unknown>>()
  const stopping = new AbortController()

  async function collectLocked(attempt: Attempt): Promise<Collection> {
    await settlement.begin(attempt)
    try {
      return await settlement.settle(attempt, await read(attempt))
    } catch (error) {
      if (error instanceof LostClaim) await settlement.close(attempt, error)
      throw error
    }
  }

  /** Reads the feed by the way in which it delivers. @throws LostClaim; every other failure is a result */
  async function read(attempt: Attempt): Promise<Result> {
    const { feed, signal } = attempt
    try {
      return await collectBy[deliveryOf(feed.format)](attempt)
    } catch (error) {
      if (error instanceof LostClaim) throw error
      if (signal.aborted) return stopped()
      if (!(error instanceof OutboundError || error instanceof DomainError))
        log.error('feed.collection_failed', { feed: feed.name, reason: reasonOf(error) })
      return afterPages(toFailure(error, feed, clock()), attempt.read)
    }
  }

  async function isStillDue(feedId: string): Promise<boolean> {
    const [history] = await listHistories(db, feedId)
    return history !== undefined && isDue(history, clock())
  }

  async function underLock(actor: Actor, feedId: string, options: CollectOptions, onHeld: () => void): Promise<Collection> {
    const feed = await findFeed(db, feedId)
    if (feed === undefined) throw new DomainError('not_found', 'There is no such feed. `svc feeds list` shows them all.')
    const outcome = await locks.withLock(`feed:${feedId}`, async (lost) => {
      if (options.onlyIfDue === true && !(await isStillDue(feedId)))
        throw new DomainError('already_collecting', `The feed "${feed.name}" has just been collected by another worker.`)
      onHeld()
      const signal = AbortSignal.any([lost, stopping.signal, ...(options.signal === undefined ? [] : [options.signal])])
      const startedAt = clock()
      const tally = newRowTally({ tlp: feed.tlp, at: startedAt })
      return await collectLocked({
        runId: newId(),
        feed,
        actor,
        startedAt,
        tally,
        read: { pages: 0, new_count: 0, updated_count: 0 },
        arrived: nothingArrived(),
        options,
        signal,
      })
    })
    if (outcome.held) throw new DomainError('already_collecting', `The feed "${feed.name}" is being collected at this moment.`)
    return outcome.result
  }

  return {
    atOnce,
    async collect(actor, feedId, options = {}) {
      return await underLock(actor, feedId, options, () => {})
    },
    async start(actor, feedId, options = {}) {
      const held = Promise.withResolvers<void>()
      const work = underLock(actor, feedId, options, held.resolve)
        .then(
          () => {},
          (error: unknown) => {
            held.reject(error)
            if (!(error instanceof DomainError)) log.error('feed.collection_failed', { reason: reasonOf(error) })
          },
        )
        .finally(() => begun.delete(work))
      begun.add(work)
      await held.promise
    },
    async stop() {
      stopping.abort(new Error('The service is stopping.'))
      await Promise.allSettled(begun)
    },
  }
}

/** What a failure means for the run and the feed. A 429 postpones without blame. */
function toFailure(error: unknown, feed: FeedRow, at: Date): Result {
  if (error instanceof OutboundError && error.code === 'rate_limited') {
    const waitMs = Math.min(error.retryAfterMs ?? feed.frequency * 1000, feed.frequency * 1000)
    return {
      complete: false,
      end: { outcome: 'POSTPONED', warning: error.message },
      after: { postponed_until: new Date(at.getTime() + waitMs) },
    }
  }
  const expected = error instanceof OutboundError || error instanceof DomainError
  const message = expected ? error.message : 'The collection failed unexpectedly; the log has the reason.'
  return { complete: false, end: { outcome: 'FAILED', error: message }, after: { status: 'DEGRADED', last_error: message } }
}

/** A cursor feed that broke off keeps the pages before that: it was interrupted, and goes on from there. */
function afterPages(failure: Result, { pages }: PagesRead): Result {
  if (pages === 0 || failure.end.outcome !== 'FAILED') return failure
  const message = `${failure.end.error} The ${pages} page${pages === 1 ? '' : 's'} before that were taken in; the next collection goes on from there.`
  return { ...failure, end: { ...failure.end, outcome: 'INTERRUPTED', error: message }, after: { ...failure.after, last_error: message } }
}

/** A collection that was told to stop is nobody's fault: its feed stays as it was. */
function stopped(): Result {
  return {
    complete: false,
    end: { outcome: 'INTERRUPTED', error: 'The collection was stopped before its end; what it had written is kept.' },
    after: {},
  }
}
