import type { Actor } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Tx } from '#platform/database/transact.ts'
import type { RunEnd } from '../collection-runs.store.ts'
import { type FeedAfterRun, type FeedRow, holdsClaim } from '../feeds.store.ts'
import type { Arrived } from './arrived.ts'
import type { PagesRead } from './cursor-collection.service.ts'
import type { RowTally } from './feed-values.ts'

export type CollectOptions = {
  /** Reads a local copy of the same feed instead of its address. */
  file?: string
  /** Believes a list that lost more than nine tenths of its values. */
  acceptShrink?: boolean
  /** Collects only if the feed is still due once its lock is held: another worker may have collected it since the schedule was read. */
  onlyIfDue?: boolean
  signal?: AbortSignal
}

/** What a run does, until it is written down. */
export type Attempt = {
  runId: string
  feed: FeedRow
  actor: Actor
  startedAt: Date
  tally: RowTally
  read: PagesRead
  arrived: Arrived
  options: CollectOptions
  /** Says that the lock is lost, or that the process stops. */
  signal: AbortSignal
}
/** How it ended, for the run row and for the feed. `complete`: everything that the feed holds was read. */
export type Result = { end: Partial<RunEnd> & Pick<RunEnd, 'outcome'>; after: FeedAfterRun; complete: boolean }

/** This run may write no longer; whoever asked for it is told. */
export class LostClaim extends DomainError {
  constructor(feed: FeedRow) {
    super(
      'already_collecting',
      `Another collector has taken over the feed "${feed.name}", or the feed was changed while it was being read.`,
    )
  }
}

/** The check inside every writing transaction of a run. @throws LostClaim, or why it was told to stop */
export function guardOf({ feed, runId, signal }: Attempt): (tx: Tx) => Promise<void> {
  return async (tx) => {
    signal.throwIfAborted()
    if (!(await holdsClaim(tx.db, feed.id, runId))) throw new LostClaim(feed)
  }
}
