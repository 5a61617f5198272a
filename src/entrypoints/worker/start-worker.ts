import type { Logging } from '#platform/logging/logger.ts'
import type { Services } from '../services.ts'
import { runSchedule, type Worker } from './run-schedule.ts'
import { workerSchedule } from './schedule.ts'

/** Starts the worker over services that are open already; stopping it leaves them open. */
export function startWorker(services: Services, logging: Logging): Worker {
  return runSchedule(workerSchedule(services, logging), { locks: services.locks, log: logging.for('svc.worker') })
}
