import { justBefore, laterOf, tryParseTimestamp } from './taxii-timestamp.ts'

/**
 * How far a collection has been read. Between walks only `added_after` is there; a walk that was interrupted goes on from its first unread page.
 * Kept as JSON.
 */
export type TaxiiCursor = {
  /** What every request of a walk asks after: the last moment of the last complete walk. */
  added_after?: string
  walk?: {
    /** Our clock when the walk began, ISO: all that it brings counts as seen then. */
    started_at: string
    next?: string
    /** Instead of `added_after`, for a server that gives no `next`. */
    page_after?: string
    /** More than the usual page, where more objects than one page holds were added at one moment. */
    limit?: number
    /** The latest moment of which an answer has spoken. */
    last_added?: string
    /** An answer had objects and did not say when they were added. */
    undated?: boolean
  }
}

/** One answer, as far as it matters for the next request. */
export type PageFacts = {
  more: boolean | undefined
  next: string | undefined
  isEmpty: boolean
  /** X-TAXII-Date-Added-Last, as it came. */
  addedLast: string | undefined
}

/**
 * `stuck`: the walk cannot go on, and why, as a sentence; the cursor is good all the same and asks for the same page again. `warning`: it goes
 * on, and something may have been missed.
 */
export type Step = { cursor: TaxiiCursor; last: boolean; stuck?: string; warning?: string }

/** Objects that are asked for at once. Source: TAXII 2.1, 3.4; docs/decisions/0015. */
export const PAGE_LIMIT = 1000
/** The largest page that is asked for to get past a moment at which more objects were added than a page holds. Assumption. */
export const PAGE_LIMIT_MAX = 64_000
const LIMIT_GROWTH = 4
/** A server that does not date its answers is read again from this long before the last walk began. Assumption: clocks differ by less. */
const UNDATED_OVERLAP_MS = 900_000
/** A moment further ahead of our clock than this is an error of the server: believed, it would hide all that comes. Assumption. */
const FUTURE_NANOS = 86_400n * 1_000_000_000n

export function beginWalk(cursor: TaxiiCursor, now: Date): TaxiiCursor & Required<Pick<TaxiiCursor, 'walk'>> {
  return { ...cursor, walk: cursor.walk ?? { started_at: now.toISOString() } }
}

/** What the next request asks for; `next` always goes with the filters that it was given for. */
export function toRequest({ added_after, walk }: TaxiiCursor): { addedAfter?: string; next?: string; limit: number } {
  const addedAfter = walk?.page_after ?? added_after
  return {
    ...(addedAfter === undefined ? {} : { addedAfter }),
    ...(walk?.next === undefined ? {} : { next: walk.next }),
    limit: walk?.limit ?? PAGE_LIMIT,
  }
}

/** The same walk from its beginning: for a server that has forgotten its `next`. What comes again counts for the same moment. */
export function restartWalk({ walk, ...between }: TaxiiCursor): TaxiiCursor {
  return walk === undefined ? between : { ...between, walk: { started_at: walk.started_at } }
}

/**
 * Where the walk stands after an answer. Both ways of paging: by `next`, with unchanged filters; and by the date of the last object, for
 * servers that say `more` and give no `next`. There the date is asked for once more, since objects that share it may be cut apart by a page.
 *
 * @param seen every `next` of this run so far; the new one is added
 */
export function takeStep(cursor: TaxiiCursor, facts: PageFacts, { seen, now }: { seen: Set<string>; now: Date }): Step {
  const begun = beginWalk(cursor, now)
  const walk = { ...begun.walk }
  const addedLast = tryBelieve(facts.addedLast, now)
  const lastAdded = laterOf(walk.last_added, addedLast)
  if (lastAdded !== undefined) walk.last_added = lastAdded
  if (addedLast === undefined && !facts.isEmpty) walk.undated = true
  const goesOn = facts.more ?? facts.next !== undefined
  if (!goesOn || (facts.next === undefined && facts.isEmpty)) return { cursor: endWalk({ ...begun, walk }), last: true }
  if (facts.next !== undefined && !seen.has(facts.next)) {
    seen.add(facts.next)
    const { limit: _limit, ...same } = walk
    return { cursor: { ...begun, walk: { ...same, next: facts.next } }, last: false }
  }
  return stepByDate({ ...begun, walk }, { addedLast, isRepeated: facts.next !== undefined })
}

function stepByDate(
  cursor: ReturnType<typeof beginWalk>,
  { addedLast, isRepeated }: { addedLast: string | undefined; isRepeated: boolean },
): Step {
  const { next: _next, limit = PAGE_LIMIT, ...walk } = cursor.walk
  const why = isRepeated ? 'gives the same "next" again and again' : 'says that there is more and gives no "next"'
  if (addedLast === undefined)
    return { cursor, last: false, stuck: `The server ${why}, and does not say when its objects were added, so there is no way on.` }
  const pageAfter = justBefore(addedLast)
  const bound = tryParseTimestamp(walk.page_after ?? cursor.added_after)
  if (bound === undefined || (tryParseTimestamp(pageAfter) ?? 0n) > bound)
    return { cursor: { ...cursor, walk: { ...walk, page_after: pageAfter } }, last: false }
  if (limit < PAGE_LIMIT_MAX) return { cursor: { ...cursor, walk: { ...walk, limit: limit * LIMIT_GROWTH } }, last: false }
  if ((tryParseTimestamp(addedLast) ?? 0n) <= bound)
    return { cursor, last: false, stuck: `The server ${why}, and gives the same objects whatever is asked for.` }
  // As many as the server gives at once have been read of that moment. To stay would lose all that comes after it.
  return {
    cursor: { ...cursor, walk: { ...walk, page_after: addedLast } },
    last: false,
    warning: `The server ${why}, and added more objects at ${addedLast} than it gives at once: some of that moment may be missing.`,
  }
}

function endWalk({ added_after, walk }: ReturnType<typeof beginWalk>): TaxiiCursor {
  const undated = walk.undated === true ? new Date(Date.parse(walk.started_at) - UNDATED_OVERLAP_MS).toISOString() : undefined
  const reached = laterOf(added_after, walk.last_added ?? undated)
  return reached === undefined ? {} : { added_after: reached }
}

function tryBelieve(text: string | undefined, now: Date): string | undefined {
  const nanos = tryParseTimestamp(text)
  if (nanos === undefined || nanos > BigInt(now.getTime()) * 1_000_000n + FUTURE_NANOS) return undefined
  return text?.trim()
}
