import type { Config } from '#platform/config/settings.ts'
import { createAdvisoryLocks } from '#platform/jobs/advisory-locks.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import { createRedisLocks } from '#platform/jobs/redis-locks.ts'
import type { Logging } from '#platform/logging/logger.ts'
import type { Services } from '../services.ts'
import { runSchedule, type Worker } from './run-schedule.ts'
import { workerSchedule } from './schedule.ts'

/** Starts the worker over services that are open already; stopping it leaves them open. */
export function startWorker(services: Services, config: Config, logging: Logging): Worker {
  const log = logging.for('svc.worker')
  const locks = openJobLocks(services, config, logging)
  const worker = runSchedule(workerSchedule(services, logging.for('svc.collector')), { locks, log })
  return {
    async stop() {
      await worker.stop()
      await locks.close()
    },
  }
}

function openJobLocks({ redis }: Services, { DATABASE_URL = '' }: Config, logging: Logging): Locks {
  const log = logging.for('svc.worker')
  return redis === undefined ? createAdvisoryLocks({ databaseUrl: DATABASE_URL, log }) : createRedisLocks({ redis: redis.client, log })
}
