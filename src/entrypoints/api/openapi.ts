import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import type { Services } from '../services.ts'
import { buildApp } from './build-app.ts'

/** The API's OpenAPI 3.1 document. Needs no database: describing a route does not call it. */
export async function describeApi(): Promise<object> {
  // Route handlers are never called here, so the services behind them may be absent.
  const app = await buildApp({} as Services, { ...loadConfig({}, '/'), WEB_DIR: undefined }, SILENT_LOGGING)
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}
