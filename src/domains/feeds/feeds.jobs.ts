import { WORKER_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Job } from '#platform/jobs/job.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import type { CollectService } from './collect.service.ts'
import { createCollectionSlots, hostOf } from './collection-slots.ts'
import type { FeedsService } from './feeds.service.ts'

export type CollectJobDeps = {
  feeds: Pick<FeedsService, 'listDue' | 'find' | 'purgeOldRuns'>
  collect: Pick<CollectService, 'collect'>
  log: Log
}

/** How often the schedule is looked at, seconds. Assumption: a feed's shortest interval is 300 s, so 5 s of delay are nothing. */
const LOOK_EVERY_SECONDS = 5
const DAY_SECONDS = 86_400

/**
 * Collects the feeds that are due, each under its own lock. A round begins collections and does not wait for them, so that a slow feed delays
 * no other; `settle` waits. A feed that another process is collecting is left to it.
 */
export function collectDueFeedsJob({
  feeds,
  collect,
  log,
}: CollectJobDeps): Job & { collectOnce(signal: AbortSignal): Promise<CollectedOnce> } {
  let counts: CollectedOnce = { collected: 0, failed: 0 }

  const slots = createCollectionSlots<Due>(async ({ id, name, signal }) => {
    try {
      const { outcome } = await collect.collect(WORKER_ACTOR, id, { signal })
      if (outcome === 'FAILED' || outcome === 'PARTIAL') counts.failed++
      else counts.collected++
    } catch (error) {
      if (error instanceof DomainError && (error.code === 'already_collecting' || error.code === 'not_found')) return
      counts.failed++
      log.error('feed.collection_failed', { feed: name, reason: reasonOf(error) })
    }
  })

  async function listDue(signal: AbortSignal): Promise<Due[]> {
    const waiting = (await feeds.listDue()).filter(({ id }) => !slots.isRunning(id))
    return await Promise.all(waiting.map(async ({ id, name }) => ({ id, name, signal, host: hostOf((await feeds.find(id)).url) })))
  }

  return {
    name: 'feeds.collect',
    everySeconds: LOOK_EVERY_SECONDS,
    async run(signal) {
      const started = slots.begin(await listDue(signal)).length
      const ended = counts
      counts = { collected: 0, failed: 0 }
      return { started, ...ended }
    },
    settle: slots.settle,
    async collectOnce(signal) {
      counts = { collected: 0, failed: 0 }
      await slots.collectAll(await listDue(signal), signal)
      return counts
    },
  }
}

type Due = { id: string; name: string; host: string; signal: AbortSignal }
export type CollectedOnce = { collected: number; failed: number }

/** Daily: removes run rows past their retention. */
export function purgeRunsJob({ feeds }: Pick<CollectJobDeps, 'feeds'>): Job {
  return {
    name: 'feeds.purge_runs',
    everySeconds: DAY_SECONDS,
    async run() {
      return { runs_purged: await feeds.purgeOldRuns() }
    },
  }
}
