import type { Job } from '#platform/jobs/job.ts'
import type { IndicatorsService } from './indicators.service.ts'

const DAY_SECONDS = 86_400

/** Daily: marks indicators past `expires_at`, and takes the mark off those that were seen again, in stretches so that no lock is held long. */
export function expireIndicatorsJob({ indicators }: { indicators: Pick<IndicatorsService, 'markExpired'> }): Job {
  return {
    name: 'indicators.expire',
    everySeconds: DAY_SECONDS,
    async run(signal) {
      const { marked, unmarked } = await indicators.markExpired(signal)
      return { expired: marked, renewed: unmarked }
    },
  }
}
