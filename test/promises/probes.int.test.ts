import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { createServices, type Services } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { findFreePort, processesIn } from '../support/svc-process.ts'
import { makeTempFolder, type TempFolder } from '../support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { withClient } from '../support/with-client.ts'

/** Longest answers, milliseconds. Source: docs/promises.md, D7 and D8. */
const HEALTH_LIMIT_MS = 2000
const READY_LIMIT_MS = 3000
/** More than the pool has connections: a probe that hung would take one each. */
const PROBES_AT_ONCE = 12
const STORE_PASSWORD = randomBytes(12).toString('hex')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.drop())

type Api = { url: string; services: Services }

async function startApi(env: Record<string, string>): Promise<Api> {
  const config = loadConfig({ SVC_ENV_FILE: '', SECRET_KEY: randomBytes(32).toString('hex'), DATABASE_URL: database.appUrl, ...env }, '/')
  const services = await createServices(config, SILENT_LOGGING, 'test probes')
  const app = await buildApp(services, config, SILENT_LOGGING)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await app.close()
    await services.close()
  })
  return { url, services }
}

async function startStore(): Promise<RedisServer> {
  const redis = await startRedisServer({ password: STORE_PASSWORD })
  onTestFinished(async () => await redis.stop())
  return redis
}

type Answer = { status: number; body: Record<string, unknown>; tookMs: number }

async function ask(url: string, method = 'GET'): Promise<Answer> {
  const from = performance.now()
  const answer = await fetch(url, { method })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text), tookMs: performance.now() - from }
}

/** Asks often and at once, by GET and by HEAD: every answer is 200, in time, and says the same. */
async function expectHealth({ url }: Api, databaseState: 'connected' | 'unreachable'): Promise<void> {
  const answers = await Promise.all([
    ...Array.from({ length: PROBES_AT_ONCE }, async () => await ask(`${url}/health`)),
    ask(`${url}/health`, 'HEAD').then((answer) => ({ ...answer, body: { status: 'ok', database: databaseState } })),
  ])
  for (const { status, body, tookMs } of answers) {
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ok', database: databaseState })
    expect(tookMs).toBeLessThan(HEALTH_LIMIT_MS)
  }
}

async function expectReady({ url }: Api, status: number, wanted: object): Promise<void> {
  const [answer, head] = await Promise.all([ask(`${url}/ready`), ask(`${url}/ready`, 'HEAD')])
  expect({ ...answer.body, code: answer.status, head: head.status }).toMatchObject({ ...wanted, code: status, head: status })
  expect(Math.max(answer.tookMs, head.tookMs)).toBeLessThan(READY_LIMIT_MS)
}

const SCHEMA_UNKNOWN = { status: 'not_ready', database: 'fail', schema: 'unknown' }

describe('D7 and D8: a database that is away', () => {
  test('nobody listens at its address', async () => {
    const api = await startApi({ DATABASE_URL: `postgres://svc_app:nobody-is-there@127.0.0.1:${await findFreePort()}/svc` })
    await expectHealth(api, 'unreachable')
    await expectReady(api, 503, { ...SCHEMA_UNKNOWN, store: 'unused' })
  })

  test('it refuses the password', async () => {
    const api = await startApi({ DATABASE_URL: database.appUrl.replace(/:[^:@]+@/, ':not-the-password@') })
    await expectHealth(api, 'unreachable')
    await expectReady(api, 503, SCHEMA_UNKNOWN)
  })

  test('every connection of the pool is in use', async () => {
    const api = await startApi({})
    const taken = await Promise.all(Array.from({ length: api.services.pool.options.max }, async () => await api.services.pool.connect()))
    await expectHealth(api, 'unreachable')
    await expectReady(api, 503, SCHEMA_UNKNOWN)
    for (const client of taken) client.release()
    await expectHealth(api, 'connected')
    await expectReady(api, 200, { status: 'ready' })
  })
})

describe('D7 and D8: a database that hangs or ends while the service runs', () => {
  let place: TempFolder
  let postgres: EmbeddedPostgres
  beforeAll(async () => {
    place = makeTempFolder('probes')
    postgres = await startEmbeddedPostgres({ dataDir: place.folder, log: () => {} })
    await migrateToLatest(postgres.ownerUrl, 'svc_app')
  })
  afterAll(() => place.remove())

  test('its processes are stopped by SIGSTOP; it is back when they go on', async () => {
    const api = await startApi({ DATABASE_URL: postgres.appUrl })
    await expectHealth(api, 'connected')
    const processes = processesIn(place.folder)
    expect(processes.length).toBeGreaterThan(1)
    for (const pid of processes) process.kill(pid, 'SIGSTOP')
    try {
      await expectHealth(api, 'unreachable')
      await expectHealth(api, 'unreachable')
      await expectReady(api, 503, SCHEMA_UNKNOWN)
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT')
    }
    await expect.poll(async () => (await ask(`${api.url}/ready`)).status, { timeout: 20_000 }).toBe(200)
    await expectHealth(api, 'connected')
  })

  test('it ends', async () => {
    const api = await startApi({ DATABASE_URL: postgres.appUrl })
    await expectHealth(api, 'connected')
    await postgres.stop()
    await expectHealth(api, 'unreachable')
    await expectReady(api, 503, SCHEMA_UNKNOWN)
  })
})

describe('D7 and D8: a store that is away changes neither answer', () => {
  test('it is down from the start', async () => {
    const api = await startApi({ REDIS_URL: `redis://:${STORE_PASSWORD}@127.0.0.1:${await findFreePort()}` })
    await expectHealth(api, 'connected')
    await expectReady(api, 200, { status: 'ready', database: 'ok', schema: 'ok', store: 'fail' })
  })

  test('it refuses the password', async () => {
    const redis = await startStore()
    const api = await startApi({ REDIS_URL: `redis://:not-the-password@127.0.0.1:${redis.port}` })
    await expectHealth(api, 'connected')
    await expectReady(api, 200, { status: 'ready', store: 'fail' })
  })

  test('it hangs, then ends', async () => {
    const redis = await startStore()
    const api = await startApi({ REDIS_URL: redis.url })
    await expectReady(api, 200, { store: 'ok' })
    redis.pause()
    await expectHealth(api, 'connected')
    await expectReady(api, 200, { status: 'ready', store: 'fail' })
    redis.resume()
    await expect.poll(async () => (await ask(`${api.url}/ready`)).body['store'], { timeout: 20_000 }).toBe('ok')
    await redis.stop()
    await expectHealth(api, 'connected')
    await expectReady(api, 200, { status: 'ready', store: 'fail' })
  })
})

describe('D8: the schema alone makes "schema": "fail"', () => {
  const asOwner = async <Result>(work: (ask: (statement: string) => Promise<unknown>) => Promise<Result>): Promise<Result> =>
    await withClient(database.ownerUrl, work)
  const SCHEMA_FAIL = { status: 'not_ready', database: 'ok', schema: 'fail' }

  test('it is behind', async () => {
    const api = await startApi({})
    await expectReady(api, 200, { status: 'ready', database: 'ok', schema: 'ok', detail: null })
    await asOwner(async (run) => {
      await run(
        'create table kept as select * from kysely_migration; delete from kysely_migration where name = (select max(name) from kysely_migration)',
      )
      await expectReady(api, 503, { ...SCHEMA_FAIL, detail: 'The schema is behind. Run: svc db upgrade' })
      await expectHealth(api, 'connected')
      await run('delete from kysely_migration; insert into kysely_migration select * from kept; drop table kept')
    })
    await expectReady(api, 200, { status: 'ready' })
  })

  test('it has never been made', async () => {
    const api = await startApi({})
    await asOwner(async (run) => {
      await run('alter table kysely_migration rename to elsewhere')
      await expectReady(api, 503, SCHEMA_FAIL)
      await run('alter table elsewhere rename to kysely_migration')
    })
  })

  test('it is ahead', async () => {
    const api = await startApi({})
    await asOwner(async (run) => {
      await run("insert into kysely_migration values ('9999-later', now()::text)")
      await expectReady(api, 503, { ...SCHEMA_FAIL, detail: 'The schema is newer than this version of the service.' })
      await run("delete from kysely_migration where name = '9999-later'")
    })
    await expectReady(api, 200, { status: 'ready' })
  })

  test('a migration runs', async () => {
    const api = await startApi({})
    await asOwner(async (run) => {
      await run('begin; lock table kysely_migration in access exclusive mode')
      await expectReady(api, 503, SCHEMA_FAIL)
      await expectHealth(api, 'connected')
      await run('rollback')
    })
    await expect.poll(async () => (await ask(`${api.url}/ready`)).status).toBe(200)
  })
})
