import { createServices } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR } from './bench-base.ts'

// A worker process of its own: collects one feed, tells its peak memory, and ends.
const config = loadConfig({ ...process.env, SECRET_KEY: 'benchmark '.repeat(5), SVC_ENV_FILE: '' }, '/')
const services = await createServices(config, SILENT_LOGGING, 'svc bench worker')
const { row_count } = await services.collect.collect(BENCH_ACTOR, process.env['BENCH_FEED'] ?? '')
await services.close()
process.send?.({ rows: row_count, rssMb: Math.round(process.resourceUsage().maxRSS / 1024) })
process.disconnect()
