import type { AuditService } from '#domains/audit/audit.service.ts'
import type { ListingEnd, ListingService } from '#domains/indicators/listing.service.ts'
import type { SightingsService } from '#domains/indicators/sightings.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import { inSavepoint, type Tx, transact } from '#platform/database/transact.ts'
import type { EventBus } from '#platform/events/event-bus.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import { type Downloaded, type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { type Spool, spoolFile } from '#platform/outbound/spool.ts'
import { finishRun, listHistories, type RunEnd, startRun } from './collection-runs.store.ts'
import { type CursorResult, collectPages, type PagesRead } from './cursor-collection.service.ts'
import type { OpenPages } from './cursor-pages.ts'
import { deliveryOf } from './delivery.ts'
import { feedCollected } from './feed-collected.ts'
import { newRowTally, type RowTally, toListedValues } from './feed-values.ts'
import type { FeedFormat } from './feeds.model.ts'
import {
  type CollectionState,
  claimFeed,
  type FeedAfterRun,
  type FeedRow,
  findCollectionState,
  findFeed,
  holdsClaim,
  settleFeed,
} from './feeds.store.ts'
import { isDue } from './next-run.ts'
import { FeedFormatError } from './parsers/feed-row.ts'
import { readBody } from './read-body.ts'

export type CollectOptions = {
  /** Reads a local copy of the same feed instead of its address. */
  file?: string
  /** Believes a list that lost more than nine tenths of its values. */
  acceptShrink?: boolean
  /** Collects only if the feed is still due once its lock is held: another worker may have collected it since the schedule was read. */
  onlyIfDue?: boolean
  signal?: AbortSignal
}

/** The end of a collection, as its run row holds it. */
export type Collection = RunEnd & { feed: string; run_id: string }

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

export type CollectDeps = {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  listing: ListingService
  sightings: SightingsService
  /** How the pages of each cursor format are read. */
  pages: Partial<Record<FeedFormat, OpenPages>>
  outbound: Outbound
  locks: Locks
  events: Pick<EventBus, 'publish'>
  /** Keys by name, for the placeholders in addresses. */
  feedKeys: Readonly<Record<string, string>>
  maxBytes: number
  /** Collections under way at once in this process. */
  atOnce: number
}

/** What a run did, until it is written down. */
type Attempt = { runId: string; feed: FeedRow; actor: Actor; startedAt: Date; tally: RowTally; read: PagesRead }
type Result = { end: Partial<RunEnd> & Pick<RunEnd, 'outcome'>; after: FeedAfterRun; complete: boolean }

/** This run may write no longer; whoever asked for it is told. */
class LostClaim extends DomainError {
  constructor(feed: FeedRow) {
    super(
      'already_collecting',
      `Another collector has taken over the feed "${feed.name}", or the feed was changed while it was being read.`,
    )
  }
}

export function createCollectService(deps: CollectDeps): CollectService {
  const { db, log, clock, audit, listing, sightings, pages, outbound, locks, events, feedKeys, maxBytes, atOnce } = deps
  const begun = new Set<Promise<unknown>>()
  const stopping = new AbortController()

  async function collectLocked(attempt: Attempt, options: CollectOptions, signal: AbortSignal): Promise<Collection> {
    try {
      return await collectClaimed(attempt, options, signal)
    } catch (error) {
      if (error instanceof LostClaim) await closeRun(attempt, error)
      throw error
    }
  }

  async function collectClaimed(attempt: Attempt, options: CollectOptions, signal: AbortSignal): Promise<Collection> {
    const { feed, runId } = attempt
    await claimFeed(db, feed.id, runId)
    await recorded(
      feed,
      async () => await transact(db, log, async (tx) => await startRun(tx.db, { id: runId, feedId: feed.id, at: attempt.startedAt })),
    )
    let result: Result
    try {
      result = deliveryOf(feed.format) === 'cursor' ? await readOn(attempt, options, signal) : await bringIn(attempt, options, signal)
    } catch (error) {
      if (error instanceof LostClaim) throw error
      if (!(signal.aborted || error instanceof OutboundError || error instanceof DomainError))
        log.error('feed.collection_failed', { feed: feed.name, reason: reasonOf(error) })
      result = signal.aborted ? stopped() : afterPages(toFailure(error, feed, clock()), attempt.read)
    }
    return await settle(attempt, result)
  }

  async function bringIn(attempt: Attempt, options: CollectOptions, signal: AbortSignal): Promise<Result> {
    const { feed } = attempt
    const state = (await findCollectionState(db, feed.id)) ?? { etag: null, last_modified: null, body_digest: null }
    const download =
      options.file === undefined
        ? await fetchBody(feed, state, signal)
        : { kind: 'ok' as const, body: await spoolFile(options.file, maxBytes, signal) }
    if (download.kind === 'not_modified') return unchanged(feed, {})
    try {
      // A local copy has no validators: the publisher's next 304 must not speak of its content.
      const validators =
        'attempts' in download
          ? { etag: download.etag ?? null, last_modified: download.lastModified ?? null }
          : { etag: null, last_modified: null }
      if (download.body.sha256 === state.body_digest) return unchanged(feed, validators)
      return await ingest(attempt, download.body, { options, signal, validators })
    } finally {
      await download.body.dispose()
    }
  }

  /** A cursor feed: stores what is new since the last collection, page by page. */
  async function readOn(attempt: Attempt, { file }: CollectOptions, signal: AbortSignal): Promise<Result> {
    const { feed, runId } = attempt
    const remote = pages[feed.format]
    if (remote === undefined) throw new DomainError('validation_failed', `Feeds of the format ${feed.format} are not collected here.`)
    const open = file === undefined ? remote : pageOfFile(await spoolFile(file, maxBytes, signal), attempt)
    const done = await collectPages({ db, sightings, clock }, open, {
      feed,
      tally: attempt.tally,
      read: attempt.read,
      signal,
      async guard(tx) {
        signal.throwIfAborted()
        if (!(await holdsClaim(tx.db, feed.id, runId))) throw new LostClaim(feed)
      },
    })
    return afterWalk(done, attempt.tally)
  }

  function afterWalk({ complete, hadCursor, cutOff, warning: said }: CursorResult, tally: RowTally): Result {
    const warning = said ?? null
    // Cut off by our own limit: nobody's fault, so the feed stays as it was.
    if (!complete) return { complete, end: { outcome: 'INTERRUPTED', error: cutOff ?? null, warning }, after: {} }
    const isUnchanged = hadCursor && tally.rows === 0
    return {
      complete,
      end: { outcome: isUnchanged ? 'UNCHANGED' : 'SUCCEEDED', warning },
      after: { status: 'HEALTHY', last_successful_run: clock(), last_error: null, postponed_until: null },
    }
  }

  async function fetchBody(feed: FeedRow, state: CollectionState, signal: AbortSignal): Promise<Downloaded> {
    return await outbound.download({
      url: feed.url,
      keys: feedKeys,
      maxBytes,
      unpackArchive: feed.parser.archive !== 'none',
      signal,
      ...(state.etag === null ? {} : { etag: state.etag }),
      ...(state.last_modified === null ? {} : { lastModified: state.last_modified }),
    })
  }

  async function ingest(
    attempt: Attempt,
    body: Spool,
    run: { options: CollectOptions; signal: AbortSignal; validators: FeedAfterRun },
  ): Promise<Result> {
    const { feed, runId, tally } = attempt
    let broken: FeedFormatError | undefined
    const counts = await listing.applyListing({
      sourceId: feed.id,
      acceptShrink: run.options.acceptShrink ?? false,
      async guard(tx) {
        run.signal.throwIfAborted()
        if (!(await holdsClaim(tx.db, feed.id, runId))) throw new LostClaim(feed)
      },
      async values(stage): Promise<ListingEnd> {
        try {
          for await (const rows of readBody(body.read(), feed.format, feed.parser)) {
            run.signal.throwIfAborted()
            await stage(toListedValues(rows, tally))
          }
          return 'complete'
        } catch (error) {
          if (!(error instanceof FeedFormatError) || tally.accepted === 0) throw error
          broken = error
          return 'partial'
        }
      },
    })
    const figures = { new_count: counts.created, updated_count: counts.updated, gone_count: counts.gone }
    if (broken !== undefined) return partial(figures, `${broken.message} The rows before that were taken in; nothing was removed.`)
    if (counts.end === 'partial') return partial(figures, shrinkMessage(counts.keptDespiteAbsence, counts.listedBefore, feed.name))
    return {
      complete: true,
      end: { outcome: 'SUCCEEDED', ...figures },
      after: {
        status: 'HEALTHY',
        last_successful_run: clock(),
        last_error: null,
        postponed_until: null,
        body_digest: body.sha256,
        ...run.validators,
      },
    }
  }

  function unchanged(feed: FeedRow, validators: FeedAfterRun): Result {
    return {
      complete: true,
      end: { outcome: 'UNCHANGED', row_count: feed.listed, updated_count: feed.listed },
      after: { status: 'HEALTHY', last_successful_run: clock(), last_error: null, postponed_until: null, ...validators },
    }
  }

  /** The closing transaction: only here does the run count. */
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

  /** A run that lost its claim leaves its feed alone; what it did until then stands in its row. */
  async function closeRun(attempt: Attempt, { message }: LostClaim): Promise<void> {
    const end = endOf(attempt, { outcome: 'INTERRUPTED', error: message })
    await recorded(attempt.feed, async () => await transact(db, log, async (tx) => await finishRun(tx.db, attempt.runId, end)))
  }

  function endOf({ tally, startedAt, read }: Attempt, end: Result['end']): RunEnd {
    return {
      duration_ms: Math.max(0, clock().getTime() - startedAt.getTime()),
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
      return await collectLocked(
        {
          runId: newId(),
          feed,
          actor,
          startedAt,
          tally: newRowTally({ tlp: feed.tlp, at: startedAt }),
          read: { pages: 0, new_count: 0, updated_count: 0 },
        },
        options,
        signal,
      )
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

function partial(figures: Partial<RunEnd>, message: string): Result {
  return {
    complete: false,
    end: { outcome: 'PARTIAL', ...figures, error: message, warning: message },
    after: { status: 'DEGRADED', last_error: message },
  }
}

function shrinkMessage(absent: number, listedBefore: number, name: string): string {
  return `The list lost ${absent} of its ${listedBefore} values at once, so none was removed. If that is right, run: svc feeds fetch "${name}" --accept-shrink`
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

/** A local copy of a page: seen now, and without a place behind it. */
function pageOfFile(body: Spool, { startedAt }: Attempt): OpenPages {
  return async function* ({ parser, format }, cursor = {}) {
    yield {
      seenAt: startedAt,
      async *read() {
        yield* readBody(body.read(), format, parser)
        return { cursor, last: true }
      },
      dispose: async () => await body.dispose(),
    }
    return undefined
  }
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
