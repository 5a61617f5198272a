import type { SightingsService } from '#domains/indicators/sightings.service.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Tx } from '#platform/database/transact.ts'
import { findCursor, saveCursor } from './collector-state.store.ts'
import type { CursorPage, OpenPages, PageEnd } from './cursor-pages.ts'
import { addTally, newRowTally, type RowTally, toListedValues } from './feed-values.ts'
import type { FeedRow as Feed } from './feeds.store.ts'
import type { FeedRow } from './parsers/feed-row.ts'

/** What a collection has stored so far: exact also when it breaks off. */
export type PagesRead = { pages: number; new_count: number; updated_count: number }

export type CursorCollection = {
  feed: Feed
  tally: RowTally
  read: PagesRead
  /** Checked inside every writing transaction: throws when this collector may write no longer. */
  guard(tx: Tx): Promise<void>
  signal: AbortSignal
}

/** `complete`: the walk has reached its end, and the cursor has moved behind it. */
export type CursorResult = { complete: boolean; cutOff?: string; hadCursor: boolean; warning?: string }

/**
 * Collects a cursor feed page by page. The values of a page and the place behind it commit in one transaction, so that an interruption at any
 * point loses nothing and counts nothing twice: the next collection goes on with the first unread page.
 *
 * @throws what the page source throws; `read` and `tally` then tell what was stored before
 */
export async function collectPages(
  { db, sightings, clock }: { db: Db; sightings: SightingsService; clock: Clock },
  openPages: OpenPages,
  run: CursorCollection,
): Promise<CursorResult> {
  const { feed, signal } = run
  const entry = `${feed.format.toLowerCase()}:${feed.id}`
  const saved = await findCursor(db, entry, feed.url)
  const stop = new AbortController()
  const pages = openPages(feed, saved, AbortSignal.any([signal, stop.signal]))
  let upcoming = pages.next()
  let warning: string | undefined

  /** Stores one page. The next one is asked for meanwhile, as soon as the place behind this one is known. */
  async function storePage(page: CursorPage): Promise<PageEnd> {
    const tally = newRowTally(run.tally.rules)
    let end: PageEnd = { cursor: {}, last: false }
    const counts = await sightings.applySightings({
      sourceId: feed.id,
      at: page.seenAt,
      guard: run.guard,
      async values(stage) {
        end = await takeRows(page, async (rows) => await stage(toListedValues(rows, tally)))
        signal.throwIfAborted()
        if (!end.last && end.stuck === undefined) upcoming = waitedForLater(pages.next())
      },
      commit: async (tx) => await saveCursor(tx.db, { entry, feedId: feed.id, url: feed.url, cursor: end.cursor, at: clock() }),
    })
    addTally(run.tally, tally)
    run.read.pages++
    run.read.new_count += counts.created
    run.read.updated_count += counts.updated
    return end
  }

  try {
    for (;;) {
      const { done, value: page } = await upcoming
      const known = { hadCursor: saved !== undefined, ...(warning === undefined ? {} : { warning }) }
      if (done === true) return { complete: false, ...known, ...(page === undefined ? {} : { cutOff: page }) }
      let end: PageEnd
      try {
        end = await storePage(page)
      } finally {
        await page.dispose()
      }
      if (end.stuck !== undefined) throw new DomainError('upstream_unavailable', end.stuck)
      if (end.warning !== undefined) warning = end.warning
      if (end.last) return { complete: true, ...known }
    }
  } finally {
    // What is still being fetched ahead is not needed any more.
    stop.abort()
    await letGo(pages, upcoming)
  }
}

async function takeRows(page: CursorPage, take: (rows: FeedRow[]) => Promise<void>): Promise<PageEnd> {
  const rows = page.read()
  for (;;) {
    const { done, value } = await rows.next()
    if (done === true) return value
    await take(value)
  }
}

/** A promise whose failure is looked at later: it must not count as unhandled until then. */
function waitedForLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

/** Ends the page source, and disposes of a page that was fetched ahead and is not needed. */
async function letGo(pages: ReturnType<OpenPages>, upcoming: Promise<IteratorResult<CursorPage, unknown>>): Promise<void> {
  const left = await upcoming.catch(() => undefined)
  if (left?.done === false) await left.value.dispose()
  await pages.return(undefined).catch(() => {})
}
