import type { SightingsService, StagedDelivery } from '#domains/indicators/sightings.service.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Tx } from '#platform/database/transact.ts'
import { findCursor, saveCursor } from './collector-state.store.ts'
import type { CursorPage, OpenPages, PageEnd } from './cursor-pages.ts'
import { addTally, newRowTally, type RowTally, toEndedValues, toListedValues } from './feed-values.ts'
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

  /** Reads one page into a temporary table. The next one is asked for as soon as the place behind this one is known. */
  async function stagePage(page: CursorPage): Promise<StagedPage> {
    const tally = newRowTally(run.tally.rules)
    let end: PageEnd = { cursor: {}, last: false }
    try {
      const delivery = await sightings.stage(async (take) => {
        end = await takeRows(
          page,
          async (rows) => await take(toListedValues(rows, tally), toEndedValues(rows, { ...tally.rules, at: page.seenAt })),
        )
        if (!end.last && end.stuck === undefined) upcoming = waitedForLater(pages.next())
      })
      return { delivery, tally, end, at: page.seenAt }
    } finally {
      await page.dispose()
    }
  }

  async function writePage({ delivery, tally, end, at }: StagedPage): Promise<void> {
    const counts = await delivery.write({
      source: feed,
      at,
      guard: run.guard,
      commit: async (tx) => await saveCursor(tx.db, { entry, feedId: feed.id, url: feed.url, cursor: end.cursor, at: clock() }),
    })
    addTally(run.tally, tally)
    run.read.pages++
    run.read.new_count += counts.created
    run.read.updated_count += counts.updated
  }

  // While one page is written, the next one is fetched and read: two connections, and pages are committed in their order.
  let writing: Promise<void> = Promise.resolve()
  try {
    for (;;) {
      const { done, value } = await upcoming
      const known = { hadCursor: saved !== undefined, ...(warning === undefined ? {} : { warning }) }
      if (done === true) {
        await writing
        return { complete: false, ...known, ...(value === undefined ? {} : { cutOff: value }) }
      }
      const page = await stagePage(value)
      try {
        await writing
      } catch (error) {
        await page.delivery.drop()
        throw error
      }
      writing = waitedForLater(writePage(page))
      warning = page.end.warning ?? warning
      if (page.end.stuck === undefined && !page.end.last) continue
      await writing
      if (page.end.stuck !== undefined) throw new DomainError('upstream_unavailable', page.end.stuck)
      return { complete: true, ...known, ...(warning === undefined ? {} : { warning }) }
    }
  } catch (error) {
    // What was read before the failure is stored; when that fails, too, it came first.
    await writing
    throw error
  } finally {
    // What is still being fetched ahead is not needed any more.
    stop.abort()
    await letGo(pages, upcoming)
  }
}

type StagedPage = { delivery: StagedDelivery; tally: RowTally; end: PageEnd; at: Date }

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
