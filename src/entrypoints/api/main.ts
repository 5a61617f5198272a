import type { Output } from '#platform/cli/output.ts'
import type { Config } from '#platform/config/settings.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import { createClosers } from '../closers.ts'
import { openLogging } from '../open-logging.ts'
import { createServices } from '../services.ts'
import { listenForStop } from '../stop-signals.ts'
import { buildApp } from './build-app.ts'
import { closeApp, listen, toBaseUrl, webDirOf } from './listen.ts'

/** Runs the API until it is told to stop. @throws setting_invalid, CannotRun */
export async function serve(settings: Config, out: Output): Promise<void> {
  const logging = openLogging(settings, { quietOnTerminal: false })
  const log = logging.for('svc.http')
  const stop = listenForStop()
  const closers = createClosers((error) => log.error('api.stop_failed', { reason: reasonOf(error) }))
  try {
    const config: Config = { ...settings, WEB_DIR: webDirOf(settings) }
    const services = await createServices(config, logging, 'svc api')
    closers.add(async () => await services.close())
    const app = await buildApp(services, config, logging)
    closers.add(async () => await closeApp(app))
    const url = config.PUBLIC_URL ?? toBaseUrl(config.HOST, await listen(app, config))
    out.line(`The API is running at ${url}`)
    log.info('api.ready', { url })
    await stop.requested
  } finally {
    await closers.closeAll()
    stop.dispose()
  }
}
