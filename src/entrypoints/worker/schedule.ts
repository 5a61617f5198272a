import { purgeSessionsJob } from '#domains/accounts/accounts.jobs.ts'
import { collectDueFeedsJob, purgeRunsJob } from '#domains/feeds/feeds.jobs.ts'
import { expireIndicatorsJob } from '#domains/indicators/indicators.jobs.ts'
import type { Job } from '#platform/jobs/job.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { Services } from '../services.ts'

/** One line of the schedule: a job, when its first round comes, the lock it runs under, and the name of its log line. */
export type Scheduled = {
  job: Job
  firstAfterSeconds: number
  /** False: the job locks what it works on by itself. */
  locked: boolean
  logEvent: 'worker.cycle' | 'worker.housekeeping'
}

/** Housekeeping begins when a fresh start has settled. Assumption: nobody waits for it. */
const HOUSEKEEPING_AFTER_SECONDS = 60

/** Every job of the worker, by hand: what is not listed here does not run. */
export function workerSchedule(services: Pick<Services, 'feeds' | 'collect' | 'indicators' | 'sessions'>, log: Log): Scheduled[] {
  return [
    { job: collectDueFeedsJob({ ...services, log }), firstAfterSeconds: 0, locked: false, logEvent: 'worker.cycle' },
    { job: expireIndicatorsJob(services), firstAfterSeconds: HOUSEKEEPING_AFTER_SECONDS, locked: true, logEvent: 'worker.housekeeping' },
    { job: purgeRunsJob(services), firstAfterSeconds: HOUSEKEEPING_AFTER_SECONDS, locked: true, logEvent: 'worker.housekeeping' },
    { job: purgeSessionsJob(services), firstAfterSeconds: HOUSEKEEPING_AFTER_SECONDS, locked: true, logEvent: 'worker.housekeeping' },
  ]
}
