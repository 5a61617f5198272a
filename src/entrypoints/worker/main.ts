import { collectDueFeedsJob } from '#domains/feeds/feeds.jobs.ts'
import { systemClock } from '#kernel/clock.ts'
import type { Output } from '#platform/cli/output.ts'
import type { Config } from '#platform/config/settings.ts'
import { openLogging } from '../open-logging.ts'
import { createServices } from '../services.ts'
import { startWorker } from './start-worker.ts'

/** Runs the worker alone until the signal. @throws setting_invalid, CannotRun */
export async function work(config: Config, signal: AbortSignal, out: Output): Promise<void> {
  const logging = openLogging(config, { quietOnTerminal: false })
  const services = await createServices(config, logging, 'svc worker')
  try {
    const worker = startWorker(services, logging)
    logging.for('svc.worker').info('worker.ready')
    // Not on standard error, which holds the log, one JSON object a line.
    out.line('The worker is running. Ctrl+C stops it.')
    await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))
    await worker.stop()
  } finally {
    await services.close()
  }
}

/** Collects what is due, once. @returns how many collections failed */
export async function workOnce(config: Config, signal: AbortSignal, out: Output): Promise<number> {
  const logging = openLogging(config, { quietOnTerminal: false })
  const services = await createServices(config, logging, 'svc worker')
  try {
    const job = collectDueFeedsJob({ ...services, log: logging.for('svc.collector'), clock: systemClock })
    const counts = await job.collectOnce(signal)
    const { collected, failed } = counts
    logging.for('svc.worker').info('worker.cycle', { job: job.name, ...counts })
    out.line(`${collected} collected, ${failed} failed.`)
    return failed
  } finally {
    await services.close()
  }
}
