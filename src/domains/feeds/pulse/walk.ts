import { tryParseFeedDate } from '../parsers/feed-date.ts'
import type { PulseFacts } from '../parsers/pulse/pulse-rows.ts'
import type { PageRequest } from './pulse-address.ts'

/** A pulse that has been taken: its id, and the `modified` that it had. */
type TakenPulse = readonly [id: string, modified: string]

/**
 * How far a pulse feed has been read. Between walks there is the moment that the next walk asks after, with the pulses from then on that have been
 * taken; a walk that was interrupted goes on from its first unread page. Kept as JSON.
 */
export type PulseCursor = {
  /** RFC 3339 in UTC. */
  modified_since?: string
  recent?: TakenPulse[]
  walk?: {
    /** Our clock when the walk began, ISO: all that it brings counts as seen then. */
    started_at: string
    /** The server's clock when it gave the first page, where it says so: what changes later is for the next walk. */
    until?: string
    /** The first unread page, from 1. */
    page: number
    limit: number
    /** Pulses that the last answer counted. */
    count?: number
    /** The latest `modified` so far, ISO. */
    top?: string
    recent?: TakenPulse[]
    /** The server gives pages of its own size, whatever is asked for. */
    own_size?: boolean
    /** How often pages were read again because pulses had gone. */
    stepped_back?: number
  }
}

/** One answer, as far as it matters for the next request. `next`: whether there is more, and whether the server names it on its own host. */
export type PageFacts = {
  count: number | undefined
  next: 'none' | 'home' | 'elsewhere'
  pulses: readonly PulseFacts[]
  /** The `Date` of the answer, as it came. */
  date: string | undefined
}

export type Step = { cursor: PulseCursor; last: boolean; stuck?: string; warning?: string }
type Begun = PulseCursor & Required<Pick<PulseCursor, 'walk'>>

/** Pulses that are asked for at once. Assumption: large subscriptions time out at the provider's default of 50. */
export const PAGE_LIMIT = 20
/** The smallest page that is asked for when a server cannot make a larger one in time. Assumption. */
export const PAGE_LIMIT_MIN = 5
/** A walk begins this long before the latest pulse of the last: pulses become visible after the moment that they carry. Assumption. */
const OVERLAP_MS = 900_000
/** Pulses of that time that are remembered, so that they do not count as seen again. Assumption: more are no harm but one more sighting. */
const MAX_RECENT = 1000
/** A server's clock that differs more from ours is wrong: believed, it would hide all that comes, or read everything anew. Assumption. */
const CLOCK_DIFFERENCE_MS = 86_400_000
const MAX_ID_CHARACTERS = 64
/** How often a walk goes back before it takes the server's counts for guesses. Assumption. */
const MAX_STEPS_BACK = 10

export function beginWalk(cursor: PulseCursor, now: Date): Begun {
  return { ...cursor, walk: cursor.walk ?? { started_at: now.toISOString(), page: 1, limit: PAGE_LIMIT } }
}

export function toRequest({ modified_since, walk }: Begun): PageRequest {
  return { page: walk.page, limit: walk.limit, ...(modified_since === undefined ? {} : { modifiedSince: modified_since }) }
}

/**
 * The same walk from its first page, for a server that has fewer pages by now; undefined when that has not helped before. What comes again counts
 * for the same moment.
 */
export function restartWalk(cursor: Begun): Begun | undefined {
  const { count: _count, ...walk } = cursor.walk
  const steps = (walk.stepped_back ?? 0) + 1
  return walk.page === 1 || steps > MAX_STEPS_BACK ? undefined : { ...cursor, walk: { ...walk, page: 1, stepped_back: steps } }
}

/** The same place in pages of half the size, for a server that cannot make a larger one in time; undefined when that is no way out. */
export function halvePages(cursor: Begun): Begun | undefined {
  const { walk } = cursor
  const limit = Math.floor(walk.limit / 2)
  if (limit < PAGE_LIMIT_MIN || walk.own_size === true) return undefined
  return { ...cursor, walk: { ...walk, limit, page: Math.floor(((walk.page - 1) * walk.limit) / limit) + 1 } }
}

/** Which pulses are news to a walk: not those from before the moment that it asks after, whatever the server sends, nor those that were taken. */
export function newsFilter({ modified_since, recent = [] }: PulseCursor): (pulse: PulseFacts) => boolean {
  const since = Date.parse(modified_since ?? '')
  const taken = new Map(recent)
  return ({ id, modified }) => {
    if (id !== undefined && modified !== undefined && taken.get(id) === modified) return false
    const at = momentOf(modified)
    return at === undefined || !(at < since)
  }
}

/**
 * Where the walk stands after an answer. The list is the newest first, and moves while it is read: what is new or changed moves the rest
 * back, so that some of it comes twice; what has gone moves the rest forward, so that pages are read again.
 *
 * @param asked the place that the answer was asked from
 */
export function takeStep(asked: Begun, facts: PageFacts): Step {
  const walk = lookAt(asked.walk, facts)
  const gone = asked.walk.count !== undefined && facts.count !== undefined ? asked.walk.count - facts.count : 0
  if (gone > 0 && walk.page > 1) {
    const steps = (walk.stepped_back ?? 0) + 1
    if (steps <= MAX_STEPS_BACK) {
      const page = Math.max(1, walk.page - Math.ceil(gone / walk.limit))
      return { cursor: { ...asked, walk: { ...walk, page, stepped_back: steps } }, last: false }
    }
  }
  const unsure = gone > 0 ? { warning: 'The server counts fewer and fewer pulses while it is read: some may be missing.' } : {}
  if (facts.next === 'none' || facts.pulses.length === 0) return { cursor: endWalk({ ...asked, walk }), last: true, ...unsure }
  if (facts.next === 'elsewhere')
    return {
      cursor: asked,
      last: false,
      stuck: 'The server names its next page on another host, which is not asked, so there is no way on.',
    }
  return { cursor: { ...asked, walk: { ...walk, page: walk.page + 1 } }, last: false, ...unsure }
}

/** The walk with what one answer told about the server's clock and the pulses. */
function lookAt(before: Begun['walk'], { count, date, next, pulses }: PageFacts): Begun['walk'] {
  const walk = { ...before }
  if (count !== undefined) walk.count = count
  if (next !== 'none' && pulses.length !== walk.limit) walk.own_size = true
  const serverMs = Date.parse(date ?? '')
  const isBelieved = Math.abs(serverMs - Date.parse(walk.started_at)) <= CLOCK_DIFFERENCE_MS
  if (walk.until === undefined && walk.page === 1 && isBelieved) walk.until = new Date(serverMs).toISOString()
  const moments = pulses.flatMap(({ modified }) => momentOf(modified) ?? [])
  const topMs = Math.max(Date.parse(walk.top ?? '') || 0, ...moments)
  if (topMs > 0) walk.top = new Date(topMs).toISOString()
  const taken = pulses.flatMap(({ id, modified }): TakenPulse[] =>
    id === undefined || modified === undefined || id.length > MAX_ID_CHARACTERS ? [] : [[id, modified]],
  )
  walk.recent = keepRecent([...(walk.recent ?? []), ...taken], nextSince(walk))
  return walk
}

function endWalk({ modified_since, recent = [], walk }: Begun): PulseCursor {
  const since = Math.max(nextSince(walk), Date.parse(modified_since ?? '') || 0)
  return { modified_since: new Date(since).toISOString(), recent: keepRecent([...recent, ...(walk.recent ?? [])], since) }
}

/** The moment that the next walk asks after, in ms. Never later than this walk began: a moment ahead of that is an error of the server. */
function nextSince({ top, until, started_at }: Begun['walk']): number {
  const beganMs = Date.parse(until ?? started_at)
  return Math.min(top === undefined ? beganMs : Date.parse(top), beganMs) - OVERLAP_MS
}

/** Each pulse once, with its last version; the newest when there are too many. */
function keepRecent(taken: readonly TakenPulse[], sinceMs: number): TakenPulse[] {
  const kept = [...new Map(taken)].filter(([, modified]) => (momentOf(modified) ?? 0) >= sinceMs)
  if (kept.length <= MAX_RECENT) return kept
  return kept.sort(([, first], [, second]) => (momentOf(second) ?? 0) - (momentOf(first) ?? 0)).slice(0, MAX_RECENT)
}

function momentOf(modified: string | undefined): number | undefined {
  return modified === undefined ? undefined : tryParseFeedDate(modified)?.getTime()
}
