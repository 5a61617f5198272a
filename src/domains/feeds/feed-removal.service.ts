import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Orphans, SourcesService } from '#domains/indicators/sources.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import type { Log } from '#platform/logging/logger.ts'
import { beginRemoval, deleteFeed, type FeedRow, findFeed, holdsClaim, settleFeed } from './feeds.store.ts'

/** What a deletion takes along, or would. */
export type FeedRemoval = { deleted: boolean; listed: number } & Orphans

export type FeedRemovalService = {
  /**
   * Deletes a feed; its values stay and age. With `purge`, those that only it has ever reported are removed first. A dry run counts, and changes
   * nothing. A purge that is cut off leaves the feed standing, switched off; the same call finishes it.
   * @throws not_found, already_collecting
   */
  remove(actor: Actor, id: string, options: { purge: boolean; dryRun: boolean }): Promise<FeedRemoval>
}

export function createFeedRemoval({
  db,
  log,
  clock,
  audit,
  sources,
  locks,
}: {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  sources: SourcesService
  locks: Locks
}): FeedRemovalService {
  async function describe(feed: FeedRow): Promise<FeedRemoval> {
    const found = await transact(db, log, async (tx) => await sources.describeOrphans(tx, feed.id))
    return { deleted: false, listed: feed.listed, ...found }
  }

  /** The last transaction of every removal: the feed goes, and its source is retired. */
  async function finish(tx: Tx, actor: Actor, { feed, orphans }: { feed: FeedRow; orphans: number }): Promise<void> {
    if (!(await deleteFeed(tx.db, feed.id))) throw noSuchFeed()
    await sources.retire(tx, feed.id, clock())
    await audit.record(tx, actor, {
      action: 'feed.deleted',
      target: targetOf(feed),
      details: { listed: feed.listed, orphans_removed: orphans },
    })
  }

  /** Journalled before the first value goes: values are removed in stretches, each committed by itself. */
  async function begin(actor: Actor, feed: FeedRow, removalId: string): Promise<Orphans> {
    return await transact(db, log, async (tx) => {
      if (!(await beginRemoval(tx.db, feed.id, removalId, clock()))) throw noSuchFeed()
      const found = await sources.describeOrphans(tx, feed.id)
      await audit.record(tx, actor, {
        action: 'feed.purge_started',
        target: targetOf(feed),
        details: { listed: feed.listed, orphans: found.orphans },
      })
      return found
    })
  }

  async function purge(actor: Actor, feed: FeedRow, lost: AbortSignal): Promise<FeedRemoval> {
    const removalId = newId()
    const inClaim = async <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
      await transact(db, log, async (tx) => {
        if (lost.aborted || !(await holdsClaim(tx.db, feed.id, removalId))) throw alreadyCollecting(feed)
        return await work(tx)
      })
    const found = await begin(actor, feed, removalId)
    try {
      let orphans = 0
      let after: string | undefined
      do {
        const from = after
        const stretch = await inClaim(async (tx) => await sources.purgeStretch(tx, feed.id, from))
        orphans += stretch.removed
        after = stretch.last
      } while (after !== undefined)
      await inClaim(async (tx) => await finish(tx, actor, { feed, orphans }))
      return { deleted: true, listed: feed.listed, orphans, kept: found.kept, examples: [] }
    } catch (error) {
      // The feed stands: it must not look as if it were being collected.
      await settleFeed(db, feed.id, removalId, {}).catch(() => {})
      throw error
    }
  }

  return {
    async remove(actor, id, options) {
      const feed = await findFeed(db, id)
      if (feed === undefined) throw noSuchFeed()
      if (options.dryRun) return await describe(feed)
      if (!options.purge) {
        await transact(db, log, async (tx) => await finish(tx, actor, { feed, orphans: 0 }))
        return { deleted: true, listed: feed.listed, orphans: 0, kept: feed.listed, examples: [] }
      }
      const outcome = await locks.withLock(`feed:${id}`, async (lost) => await purge(actor, feed, lost))
      if (outcome.held) throw alreadyCollecting(feed)
      return outcome.result
    },
  }
}

function targetOf({ id, name }: FeedRow): { type: string; id: string; name: string } {
  return { type: 'feed', id, name }
}

function noSuchFeed(): DomainError {
  return new DomainError('not_found', 'There is no such feed. `svc feeds list` shows them all.')
}

function alreadyCollecting({ name }: FeedRow): DomainError {
  return new DomainError('already_collecting', `The feed "${name}" is being collected at this moment. Try again when that has ended.`)
}
