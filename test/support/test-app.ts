import { randomBytes } from 'node:crypto'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Role } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { createLogging } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export const TEST_PASSWORD = 'a password for tests alone'

/** The real API on a fresh database, with an account per role and everything that it logs. */
export type TestApp = {
  app: HttpServer
  services: Services
  database: TestDatabase
  tokens: Record<Role, string>
  /** Log lines so far, as they are written. */
  logLines: string[]
  call(method: string, url: string, as?: Role, body?: unknown): Promise<Awaited<ReturnType<HttpServer['inject']>>>
  close(): Promise<void>
}

type Inject = (options: { method?: string; url: string; headers?: Record<string, string>; payload?: unknown }) => Promise<Answer>
type Answer = Awaited<ReturnType<HttpServer['inject']>>

/** An injected request waits for the end of its answer, and the answer of this address has none. */
const STREAM = /^\/api\/v1\/stream(\?|$)/

/** Lets an injected request for the stream come back with the status and the headers, and closes the stream; a refusal comes whole. */
function endInjectedStreams(app: HttpServer): void {
  const inject = app.inject.bind(app) as unknown as (options: object) => Promise<Answer>
  const injectOrCut: Inject = async (options) => {
    if (options.method !== 'GET' || !STREAM.test(options.url)) return await inject(options)
    const answer = await inject({ ...options, payloadAsStream: true })
    if (answer.statusCode === 200) {
      answer.raw.res.destroy()
      return Object.assign(answer, { body: '', payload: '' })
    }
    const body = Buffer.concat(await answer.stream().toArray()).toString()
    return Object.assign(answer, { body, payload: body, json: () => JSON.parse(body) })
  }
  Object.assign(app, { inject: injectOrCut })
}

/** @param env settings beside those of the test */
export async function createTestApp(env: Record<string, string> = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const config = loadConfig(
    {
      DATABASE_URL: database.appUrl,
      SECRET_KEY: randomBytes(32).toString('hex'),
      STORE_IN_PROCESS: 'true',
      SVC_ENV_FILE: '',
      RATE_LIMIT_PER_USER: '0',
      RATE_LIMIT_PER_ADDRESS: '0',
      RATE_LIMIT_EXPORTS: '0',
      ...env,
    },
    '/',
  )
  const logLines: string[] = []
  const logging = createLogging({ level: 'debug', format: 'json', destination: { write: (line: string) => void logLines.push(line) } })
  const services = await createServices(config, logging, 'test')
  const app = await buildApp(services, config, logging)
  await app.ready()
  endInjectedStreams(app)
  const tokens: Record<Role, string> = { ADMIN: '', ANALYST: '', VIEWER: '' }
  for (const role of ['ADMIN', 'ANALYST', 'VIEWER'] as const) {
    await services.accounts.createUser({ name: 'test', role: 'ADMIN' }, { username: role.toLowerCase(), password: TEST_PASSWORD, role })
    tokens[role] = (
      await services.sessions.login(
        { username: role.toLowerCase(), password: TEST_PASSWORD },
        { clientIp: '127.0.0.1', requestId: 'test-setup' },
      )
    ).access_token
  }
  return {
    app,
    services,
    database,
    tokens,
    logLines,
    async call(method, url, as, body) {
      const headers: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${tokens[as]}` }
      return await app.inject({ method: method as 'GET', url, headers, ...(body === undefined ? {} : { payload: body as object }) })
    },
    async close() {
      await app.close()
      await services.close()
      await database.drop()
    },
  }
}
