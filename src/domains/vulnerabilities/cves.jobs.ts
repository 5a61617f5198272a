import { WORKER_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Job } from '#platform/jobs/job.ts'
import type { CvesSyncService } from './cves-sync.service.ts'

/** How often it is looked whether CVEs are due, seconds. Assumption: a minute is nothing beside two hours. */
const LOOK_EVERY_SECONDS = 60

/** Brings CVEs up to date when they are due, whichever worker is first. */
export function syncCvesJob({ cvesSync }: { cvesSync: CvesSyncService }): Job {
  return {
    name: 'cves.sync',
    everySeconds: LOOK_EVERY_SECONDS,
    async run(signal) {
      if (!(await cvesSync.isDue())) return { synced: 0 }
      try {
        const { sources, alerts } = await cvesSync.sync(WORKER_ACTOR, { signal })
        const failed = sources.filter(({ error }) => error !== null).length
        return { synced: sources.length - failed, failed, records: sources.reduce((sum, { records }) => sum + records, 0), alerts }
      } catch (error) {
        // Another worker is at it.
        if (error instanceof DomainError && error.code === 'conflict') return { synced: 0 }
        throw error
      }
    },
  }
}
