import { collectDueFeedsJob } from '#domains/feeds/feeds.jobs.ts'
import { createServices } from '#entrypoints/services.ts'
import { systemClock } from '#kernel/clock.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR } from './bench-base.ts'

// A worker process of its own: each time it is told to, it collects what is due with the other workers, as `svc feeds worker --once` does.
const services = await createServices(loadConfig(process.env, '/'), SILENT_LOGGING, 'svc bench worker')
const job = collectDueFeedsJob({ ...services, log: SILENT_LOGGING.for('svc.collector'), clock: systemClock })
process.on('message', () => {
  void job.collectOnce(new AbortController().signal).then((counts) => process.send?.(counts))
})
process.on('disconnect', () => process.exit())
// A worker runs for weeks: its first connections and its first, slow collections are no part of what is measured.
for (const feed of (process.env['BENCH_WARM_FEEDS'] ?? '').split(',')) await services.collect.collect(BENCH_ACTOR, feed)
process.send?.('ready')
