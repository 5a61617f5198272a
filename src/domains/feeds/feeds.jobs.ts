import { WORKER_ACTOR } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Job } from '#platform/jobs/job.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import type { CollectService } from './collecting/collect.service.ts'
import type { FeedsService } from './feeds.service.ts'
import type { QualityService } from './quality/quality.service.ts'
import { isFailure } from './run-report.ts'
import { createCollectionSlots, hostOf } from './schedule/collection-slots.ts'

export type CollectJobDeps = {
  feeds: Pick<FeedsService, 'listDue'>
  collect: Pick<CollectService, 'collect' | 'atOnce'>
  locks: Pick<Locks, 'withLock'>
  log: Log
  clock: Clock
}

/** How often the schedule is looked at, seconds. Assumption: a feed's shortest interval is 300 s, so 5 s of delay are nothing. */
const LOOK_EVERY_SECONDS = 5
const DAY_SECONDS = 86_400
/** A feed is not begun again within this time, milliseconds: the shortest wait that the schedule knows. It counts when runs cannot be written down. */
const BEGIN_AGAIN_AFTER_MS = 60_000

type Due = { id: string; name: string; host: string; signal: AbortSignal }
export type CycleCounts = { started: number; collected: number; failed: number }

/**
 * Collects the feeds that are due, the longest waiting first, each under its own lock and under that of its host, so that all workers together
 * ask a publisher for one list at a time. A round offers what is due and does not wait for it: a slow feed delays no other; `settle` waits.
 * A feed that another process is collecting, or has just collected, is left to it.
 */
export function collectDueFeedsJob({
  feeds,
  collect,
  locks,
  log,
  clock,
}: CollectJobDeps): Job & { collectOnce(signal: AbortSignal): Promise<CycleCounts> } {
  let counts: CycleCounts = { started: 0, collected: 0, failed: 0 }
  const begunAt = new Map<string, number>()

  const slots = createCollectionSlots<Due>(collect.atOnce, async (feed) => {
    try {
      await locks.withLock(`host:${feed.host}`, async () => await collectOne(feed))
    } catch (error) {
      if (error instanceof DomainError && (error.code === 'already_collecting' || error.code === 'not_found')) return
      counts.failed++
      log.error('feed.collection_failed', { feed: feed.name, reason: reasonOf(error) })
    }
  })

  async function collectOne({ id, signal }: Due): Promise<void> {
    const begun = clock().getTime()
    const { outcome } = await collect.collect(WORKER_ACTOR, id, { signal, onlyIfDue: true })
    begunAt.set(id, begun)
    counts.started++
    if (isFailure(outcome)) counts.failed++
    else counts.collected++
  }

  async function listDue(signal: AbortSignal): Promise<Due[]> {
    const now = clock().getTime()
    for (const [id, atMs] of begunAt) if (now - atMs >= BEGIN_AGAIN_AFTER_MS) begunAt.delete(id)
    return (await feeds.listDue())
      .filter(({ id }) => !slots.isRunning(id) && !begunAt.has(id))
      .map(({ id, name, url }) => ({ id, name, signal, host: hostOf(url) }))
  }

  /** What has happened since the last call. */
  function takeCounts(): CycleCounts {
    const taken = counts
    counts = { started: 0, collected: 0, failed: 0 }
    return taken
  }

  return {
    name: 'feeds.collect',
    everySeconds: LOOK_EVERY_SECONDS,
    async run(signal) {
      slots.offer(await listDue(signal), signal)
      return { ...takeCounts(), waiting: slots.waiting() }
    },
    settle: slots.settle,
    async collectOnce(signal) {
      await slots.collectAll(await listDue(signal), signal)
      return takeCounts()
    },
  }
}

/** How often it is looked whether the quality report is due, seconds. Source: docs/decisions/0019. */
const QUALITY_LOOK_SECONDS = 900

/** Works the quality report out when it is due: daily, and earlier after large changes. Locks by itself; one that is under way elsewhere is left to it. */
export function feedQualityJob({ quality }: { quality: Pick<QualityService, 'computeWhenDue'> }): Job {
  return {
    name: 'feeds.quality',
    everySeconds: QUALITY_LOOK_SECONDS,
    async run(signal) {
      try {
        return { quality_computed: (await quality.computeWhenDue(WORKER_ACTOR, signal)) ? 1 : 0 }
      } catch (error) {
        if (error instanceof DomainError && error.code === 'conflict') return { quality_computed: 0 }
        throw error
      }
    },
  }
}

/** Daily: removes run rows past their retention. */
export function purgeRunsJob({ feeds }: { feeds: Pick<FeedsService, 'purgeOldRuns'> }): Job {
  return {
    name: 'feeds.purge_runs',
    everySeconds: DAY_SECONDS,
    async run() {
      return { runs_purged: await feeds.purgeOldRuns() }
    },
  }
}
