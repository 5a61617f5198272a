import type { Job } from '#platform/jobs/job.ts'
import type { SessionsService } from './sessions.service.ts'

const DAY_SECONDS = 86_400

/** Daily: removes sessions and refresh tokens that ended 30 days ago. Source: spec, "Limits". */
export function purgeSessionsJob({ sessions }: { sessions: Pick<SessionsService, 'purgeEnded'> }): Job {
  return {
    name: 'accounts.purge_sessions',
    everySeconds: DAY_SECONDS,
    async run(signal) {
      return { purged: await sessions.purgeEnded(signal) }
    },
  }
}
