import type { SightingsService } from '#domains/indicators/sightings.service.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { type Spool, spoolFile } from '#platform/outbound/spool.ts'
import type { FeedFormat } from '../feeds.model.ts'
import { type Attempt, guardOf, type Result } from './collection-attempt.service.ts'
import { type CursorResult, collectPages } from './cursor-collection.service.ts'
import type { OpenPages } from './cursor-pages.ts'
import type { RowTally } from './feed-values.ts'
import { readBody } from './read-body.ts'

export type CollectCursorDeps = {
  db: Db
  clock: Clock
  sightings: SightingsService
  /** How the pages of each cursor format are read. */
  pages: Partial<Record<FeedFormat, OpenPages>>
  maxBytes: number
}

/** Collects a cursor feed: stores what is new since the last collection, page by page. @throws what the page source throws */
export function createCollectCursor({ db, clock, sightings, pages, maxBytes }: CollectCursorDeps): (attempt: Attempt) => Promise<Result> {
  async function collectCursor(attempt: Attempt): Promise<Result> {
    const { feed, signal } = attempt
    const { file } = attempt.options
    const remote = pages[feed.format]
    if (remote === undefined) throw new DomainError('validation_failed', `Feeds of the format ${feed.format} are not collected here.`)
    const open = file === undefined ? remote : pageOfFile(await spoolFile(file, maxBytes, signal), attempt)
    const done = await collectPages({ db, sightings, clock }, open, {
      feed,
      tally: attempt.tally,
      read: attempt.read,
      arrived: attempt.arrived,
      signal,
      guard: guardOf(attempt),
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

  return collectCursor
}

/** A local copy of a page: seen now, and without a place behind it. */
function pageOfFile(body: Spool, { startedAt }: Attempt): OpenPages {
  return async function* ({ parser, format }, cursor = {}) {
    yield {
      seenAt: startedAt,
      body,
      async *read() {
        yield* readBody(body.read(), format, parser)
        return { cursor, last: true }
      },
      dispose: async () => await body.dispose(),
    }
    return undefined
  }
}
