import { createServices } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'

// A collecting process that a test may stop or kill: collects the feed that it is told, and tells the outcome or why there is none.
const services = await createServices(loadConfig(process.env, '/'), SILENT_LOGGING, 'test child', {
  lockTtlMs: Number(process.env['LOCK_TTL_MS']),
})
process.on('message', (feedId: string) => {
  services.collect.collect({ name: 'child', role: 'ADMIN' }, feedId).then(
    ({ outcome }) => process.send?.({ outcome }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
