import type { ListingEnd, ListingService } from '#domains/indicators/listing.service.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#platform/database/database.ts'
import type { Downloaded, Outbound } from '#platform/outbound/outbound.ts'
import { type Spool, spoolFile } from '#platform/outbound/spool.ts'
import type { RunEnd } from '../collection-runs.store.ts'
import { type CollectionState, type FeedRow as Feed, type FeedAfterRun, findCollectionState } from '../feeds.store.ts'
import { FeedFormatError, type FeedRow } from '../parsers/feed-row.ts'
import { noteBody, noteDecoding } from './arrived.ts'
import { type Attempt, guardOf, type Result } from './collection-attempt.service.ts'
import { toListedValues } from './feed-values.ts'
import { readBody } from './read-body.ts'

export type CollectListingDeps = {
  db: Db
  clock: Clock
  listing: ListingService
  outbound: Outbound
  /** Keys by name, for the placeholders in addresses. */
  feedKeys: Readonly<Record<string, string>>
  maxBytes: number
}

/** Collects a listing feed: fetches the whole list, and brings what the source lists in line with it. @throws what the door and the store throw */
export function createCollectListing({
  db,
  clock,
  listing,
  outbound,
  feedKeys,
  maxBytes,
}: CollectListingDeps): (attempt: Attempt) => Promise<Result> {
  async function collectListing(attempt: Attempt): Promise<Result> {
    const { feed, options } = attempt
    const state = (await findCollectionState(db, feed.id)) ?? { etag: null, last_modified: null, body_digest: null }
    const download =
      options.file === undefined
        ? await fetchBody(attempt, state)
        : { kind: 'ok' as const, body: await spoolFile(options.file, maxBytes, attempt.signal) }
    if (download.kind === 'not_modified') return unchanged(feed, {})
    noteBody(attempt.arrived, download.body)
    try {
      // A local copy has no validators: the publisher's next 304 must not speak of its content.
      const validators =
        'attempts' in download
          ? { etag: download.etag ?? null, last_modified: download.lastModified ?? null }
          : { etag: null, last_modified: null }
      if (download.body.sha256 === state.body_digest) return unchanged(feed, validators)
      return await ingest(attempt, download.body, validators)
    } finally {
      await download.body.dispose()
    }
  }

  /** The rows of the body; what the reading found out about its text is noted. */
  async function* read({ feed, arrived }: Attempt, body: Spool): AsyncGenerator<FeedRow[]> {
    const { detected } = yield* readBody(body.read(), feed.format, feed.parser)
    noteDecoding(arrived, detected.encoding)
  }

  async function fetchBody({ feed, signal }: Attempt, state: CollectionState): Promise<Downloaded> {
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

  async function ingest(attempt: Attempt, body: Spool, validators: FeedAfterRun): Promise<Result> {
    const { feed, tally, options, signal } = attempt
    let broken: FeedFormatError | undefined
    const counts = await listing.applyListing({
      sourceId: feed.id,
      acceptShrink: options.acceptShrink ?? false,
      guard: guardOf(attempt),
      async values(stage): Promise<ListingEnd> {
        try {
          for await (const rows of read(attempt, body)) {
            signal.throwIfAborted()
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
        ...validators,
      },
    }
  }

  function unchanged(feed: Feed, validators: FeedAfterRun): Result {
    return {
      complete: true,
      end: { outcome: 'UNCHANGED', row_count: feed.listed, updated_count: feed.listed },
      after: { status: 'HEALTHY', last_successful_run: clock(), last_error: null, postponed_until: null, ...validators },
    }
  }

  return collectListing
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
