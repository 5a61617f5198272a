import type { SightingsService, StagedDelivery } from '#domains/indicators/sightings.service.ts'
import type { ListedValue } from '#domains/indicators/staged-line.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Tx } from '#platform/database/transact.ts'
import type { FeedRow as Feed } from '../feeds.store.ts'
import type { FeedRow } from '../parsers/feed-row.ts'
import { type Arrived, noteBody } from './arrived.ts'
import { findCursor, saveCursor } from './collector-state.store.ts'
import type { Cursor, CursorPage, OpenPages, PageEnd } from './cursor-pages.ts'
import { addTally, newRowTally, type RowTally, toEndedValues, toListedValues } from './feed-values.ts'

/** What a collection has stored so far: exact also when it breaks off. */
export type PagesRead = { pages: number; new_count: number; updated_count: number }

export type CursorCollection = {
  feed: Feed
  tally: RowTally
  read: PagesRead
  arrived: Arrived
  /** Checked inside every writing transaction: throws when this collector may write no longer. */
  guard(tx: Tx): Promise<void>
  signal: AbortSignal
}

/** `complete`: the walk has reached its end, and the cursor has moved behind it. */
export type CursorResult = { complete: boolean; cutOff?: string; hadCursor: boolean; warning?: string }

/** Pages that are written together hold about this many rows at most. Assumption: as many as a chunk of a list. */
const GROUP_ROWS = 20_000

/**
 * Collects a cursor feed page by page. The values of pages and the place behind them commit in one transaction, so that an interruption at any
 * point loses nothing and counts nothing twice: the next collection goes on with the first unread page. A page is written as soon as nothing
 * else is being written; those that arrive in the meantime are written together.
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
  // While some pages are written, the next ones are fetched and read: two connections, and pages are committed in their order.
  let writing: Promise<void> = Promise.resolve()

  /** Reads a page, and those that arrive before the last ones are written, into a temporary table. */
  async function stageGroup(first: CursorPage): Promise<PageGroup> {
    const group: Omit<PageGroup, 'delivery'> = { at: first.seenAt, tallies: [], end: undefined, failure: undefined }
    const delivery = await sightings.stage(async (take) => {
      let rows = 0
      for (let page: CursorPage | undefined = first; page !== undefined && rows < GROUP_ROWS; page = await tryJoin()) {
        const tally = newRowTally(run.tally.rules)
        try {
          group.end = await stagePage(page, tally, async (values, ended) => await take(group.tallies.length, values, ended))
        } catch (error) {
          group.failure = error
          return
        }
        warning = group.end.warning ?? warning
        group.tallies.push(tally)
        rows += tally.rows
        if (group.end.last || group.end.stuck !== undefined) return
        // Asked for now, so that it is under way while this one is written.
        upcoming = waitedForLater(pages.next())
      }
    })
    return { ...group, delivery }
  }

  async function stagePage(page: CursorPage, tally: RowTally, take: TakeValues): Promise<PageEnd> {
    noteBody(run.arrived, page.body)
    try {
      return await takeRows(
        page,
        async (rows) => await take(toListedValues(rows, tally), toEndedValues(rows, { ...tally.rules, at: page.seenAt })),
      )
    } finally {
      await page.dispose()
    }
  }

  /** The next page, when it is there before the last ones are written. */
  async function tryJoin(): Promise<CursorPage | undefined> {
    const arrived = upcoming.then(
      ({ done, value }) => (done === true ? undefined : value),
      () => undefined,
    )
    const written = writing.then(
      () => undefined,
      () => undefined,
    )
    return await Promise.race([written, arrived])
  }

  /** Begins to write a group once the last one is written. @throws why a page of it could not be read; those before it are written all the same */
  async function beginWriting(group: PageGroup): Promise<PageEnd> {
    try {
      await writing
      if (group.end === undefined) throw group.failure
    } catch (error) {
      await group.delivery.drop()
      throw error
    }
    writing = waitedForLater(write(group, group.end.cursor))
    if (group.failure !== undefined) throw group.failure
    return group.end
  }

  async function write({ delivery, tallies, at }: PageGroup, cursor: Cursor): Promise<void> {
    const counts = await delivery.write({
      source: feed,
      pages: tallies.length,
      at,
      guard: run.guard,
      commit: async (tx) => await saveCursor(tx.db, { entry, feedId: feed.id, url: feed.url, cursor, at: clock() }),
    })
    for (const tally of tallies) addTally(run.tally, tally)
    run.read.pages += tallies.length
    run.read.new_count += counts.created
    run.read.updated_count += counts.updated
  }

  try {
    for (;;) {
      const { done, value } = await upcoming
      const known = { hadCursor: saved !== undefined, ...(warning === undefined ? {} : { warning }) }
      if (done === true) {
        await writing
        return { complete: false, ...known, ...(value === undefined ? {} : { cutOff: value }) }
      }
      const end = await beginWriting(await stageGroup(value))
      if (end.stuck === undefined && !end.last) continue
      await writing
      if (end.stuck !== undefined) throw new DomainError('upstream_unavailable', end.stuck)
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

/** Pages that are staged together. `end`: of the last one that could be read; `failure`: why the one behind it could not. */
type PageGroup = { delivery: StagedDelivery; at: Date; tallies: RowTally[]; end: PageEnd | undefined; failure: unknown }

type TakeValues = (values: ListedValue[], ended: ListedValue[]) => Promise<void>

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
