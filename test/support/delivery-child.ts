import { createServices } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'

// A worker that a test may kill in the middle of telling a webhook: delivers what is due until it is killed.
const { WAIT_MS, TIMEOUT_MS } = process.env
const services = await createServices(loadConfig(process.env, '/'), SILENT_LOGGING, 'test child', {
  webhook: { waitsMs: Array.from({ length: 4 }, () => Number(WAIT_MS)), timeoutMs: Number(TIMEOUT_MS) },
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
for (;;) {
  await services.deliveries.deliverDue(new AbortController().signal)
  await new Promise((resolve) => setTimeout(resolve, 20))
}
