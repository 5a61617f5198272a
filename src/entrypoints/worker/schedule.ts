import { purgeSessionsJob } from '#domains/accounts/accounts.jobs.ts'
import { deliverAlertsJob } from '#domains/alerts/alerts.jobs.ts'
import { collectDueFeedsJob, feedQualityJob, purgeRunsJob } from '#domains/feeds/feeds.jobs.ts'
import { expireIndicatorsJob } from '#domains/indicators/indicators.jobs.ts'
import { syncCvesJob } from '#domains/vulnerabilities/cves.jobs.ts'
import { systemClock } from '#kernel/clock.ts'
import type { Job } from '#platform/jobs/job.ts'
import type { Log, Logging } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
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
const DAY_SECONDS = 86_400

/** Every job of the worker, by hand: what is not listed here does not run. */
export function workerSchedule(
  services: Pick<Services, 'feeds' | 'collect' | 'cvesSync' | 'deliveries' | 'quality' | 'locks' | 'indicators' | 'sessions'>,
  logging: Logging,
): Scheduled[] {
  const collecting = collectDueFeedsJob({ ...services, log: logging.for('svc.collector'), clock: systemClock })
  const daily = [expireIndicatorsJob(services), purgeSessionsJob(services), purgeRunsJob(services)]
  return [
    { job: collecting, firstAfterSeconds: 0, locked: false, logEvent: 'worker.cycle' },
    { job: syncCvesJob(services), firstAfterSeconds: 0, locked: false, logEvent: 'worker.cycle' },
    { job: deliverAlertsJob(services), firstAfterSeconds: 0, locked: false, logEvent: 'worker.cycle' },
    {
      job: housekeeping(daily, logging.for('svc.worker')),
      firstAfterSeconds: HOUSEKEEPING_AFTER_SECONDS,
      locked: true,
      logEvent: 'worker.housekeeping',
    },
    { job: feedQualityJob(services), firstAfterSeconds: HOUSEKEEPING_AFTER_SECONDS, locked: false, logEvent: 'worker.cycle' },
  ]
}

/** The daily jobs one after the other, as one that tells all their counts in one line. One that fails is logged and keeps no other from its work. */
export function housekeeping(jobs: readonly Job[], log: Log): Job {
  return {
    name: 'housekeeping',
    everySeconds: DAY_SECONDS,
    async run(signal) {
      const counts: Record<string, number> = {}
      for (const job of jobs) {
        if (signal.aborted) break
        try {
          Object.assign(counts, await job.run(signal))
        } catch (error) {
          if (!signal.aborted) log.error('worker.job_failed', { job: job.name, reason: reasonOf(error) })
        }
      }
      return counts
    },
  }
}
