import type { Job } from '#platform/jobs/job.ts'
import type { DeliveriesService } from './deliveries.service.ts'

/** How often it is looked what is due, seconds. Assumption: the shortest wait between attempts is 5 s. */
const LOOK_EVERY_SECONDS = 2

/** Tells the webhook of alerts. Every worker may: an attempt is taken by one. */
export function deliverAlertsJob({ deliveries }: { deliveries: Pick<DeliveriesService, 'deliverDue'> }): Job {
  return {
    name: 'alerts.deliver',
    everySeconds: LOOK_EVERY_SECONDS,
    run: async (signal) => await deliveries.deliverDue(signal),
  }
}
