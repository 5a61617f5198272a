import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { transact } from '#platform/database/transact.ts'
import { keepListening, reconnectDelayMs } from '#platform/events/keep-listening.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { namesOf, type OpenStream, openStream } from '../support/event-stream.ts'
import { type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PLANNED_SECONDS = [1, 2, 4, 8, 16, 30, 30]
const OUTAGE_MS = 90_000

describe('D4: the waits of the listener, on a clock of the test', () => {
  test.each([1, 2, 3, 4, 5])('outage %i of 90 s: 1, 2, 4, 8, 16, 30 s give or take 20 %%, then one new reading', async () => {
    let nowMs = 0
    let lose = (_reason: string) => {}
    const waits: number[] = []
    const events: string[] = []
    const listener = keepListening({
      async connect() {
        if (nowMs > 0 && nowMs < OUTAGE_MS) throw new Error('away')
        const { promise: lost, resolve } = Promise.withResolvers<string>()
        lose = resolve
        return { lost, close: async () => resolve('Closed.') }
      },
      onConnected: (late) => void events.push(late ? 'resync' : 'connected'),
      onLost: () => void events.push('lost'),
      async wait(ms) {
        waits.push(ms)
        nowMs += ms
      },
    })
    await listener.firstAttempt
    lose('The store is gone.')
    await expect.poll(() => events.length).toBe(3)
    expect(events).toEqual(['connected', 'lost', 'resync'])
    expect(waits.length).toBeGreaterThanOrEqual(6)
    waits.forEach((wait, index) => {
      const planned = 1000 * (PLANNED_SECONDS[index] ?? 30)
      expect(wait).toBeGreaterThanOrEqual(Math.max(1000, 0.8 * planned))
      expect(wait).toBeLessThanOrEqual(Math.min(30_000, 1.2 * planned))
    })
    await listener.close()
  })

  test.each([
    ['the shortest', 0],
    ['the middle', 0.5],
    ['the longest', 1],
  ])('%s of each wait stays within 1 and 30 s', (_title, random) => {
    const waits = Array.from({ length: 40 }, (_, index) => reconnectDelayMs(index + 1, random))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000)
    if (random === 0.5) expect(waits.slice(0, 7)).toEqual(PLANNED_SECONDS.map((seconds) => 1000 * seconds))
  })
})

const CLIENTS = 10
const OUTAGES = 3

/** An API with clients, and a worker that goes on publishing, as two processes would. */
async function startBoth(env: Record<string, string>): Promise<{ app: TestApp; worker: Services; clients: OpenStream[] }> {
  const app = await createTestApp({ STREAMS_PER_USER: '0', ...env })
  const config = loadConfig({ DATABASE_URL: app.database.appUrl, SECRET_KEY: 'k'.repeat(40), SVC_ENV_FILE: '', ...env }, '/')
  const worker = await createServices(config, SILENT_LOGGING, 'test worker')
  const url = `${await app.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stream`
  const clients = await Promise.all(Array.from({ length: CLIENTS }, async () => await openStream(url, app.tokens.VIEWER)))
  return { app, worker, clients }
}

async function publish({ db, events }: Services): Promise<void> {
  await transact(db, SILENT_LOGGING.for('svc.worker'), async (tx) => await events.publish(tx, { name: 'hunt.completed', data: {} }))
}

const resyncsOf = (clients: readonly OpenStream[]) => clients.map((client) => namesOf(client).filter((name) => name === 'resync').length)
const each = (count: number) => Array.from({ length: CLIENTS }, () => count)

describe(`D4: ${OUTAGES} real outages of the store, ${CLIENTS} clients, a worker that goes on publishing`, () => {
  let redis: RedisServer
  let both: Awaited<ReturnType<typeof startBoth>>
  beforeAll(async () => {
    redis = await startRedisServer()
    both = await startBoth({ REDIS_URL: redis.url })
  })
  afterAll(async () => {
    for (const client of both.clients) client.close()
    await both.worker.close()
    await both.app.close()
    await redis.stop()
  })

  test('what the worker publishes arrives', async () => {
    await publish(both.worker)
    for (const client of both.clients) await client.until((messages) => messages.length === 1)
  })

  test.each(Array.from({ length: OUTAGES }, (_, index) => index + 1))(
    'outage %i: each client gets exactly one resync, and then events again',
    async (outage) => {
      await redis.stop()
      await publish(both.worker)
      await sleep(500)
      redis = await startRedisServer({ port: redis.port })
      await publish(both.worker)
      await expect.poll(() => Math.min(...resyncsOf(both.clients)), { timeout: 10_000 }).toBe(outage)
      // Long enough for the worker to be connected again and to say what it owes.
      await sleep(3000)
      expect(resyncsOf(both.clients)).toEqual(each(outage))
      const before = both.clients.map(({ messages }) => messages.length)
      await publish(both.worker)
      for (const [index, client] of both.clients.entries()) await client.until((messages) => messages.length === (before[index] ?? 0) + 1)
    },
  )
})

describe(`D4: without a store, ${OUTAGES} losses of the connection that listens to the database, ${CLIENTS} clients`, () => {
  let both: Awaited<ReturnType<typeof startBoth>>
  beforeAll(async () => {
    both = await startBoth({})
  })
  afterAll(async () => {
    for (const client of both.clients) client.close()
    await both.worker.close()
    await both.app.close()
  })

  test.each(Array.from({ length: OUTAGES }, (_, index) => index + 1))('loss %i: each client gets exactly one resync', async (outage) => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc events' and datname = current_database()`.execute(
      both.worker.db,
    )
    await publish(both.worker)
    await expect.poll(() => Math.min(...resyncsOf(both.clients)), { timeout: 10_000 }).toBe(outage)
    await publish(both.worker)
    for (const client of both.clients) await client.until(() => namesOf(client).at(-1) === 'hunt.completed')
    expect(resyncsOf(both.clients)).toEqual(each(outage))
  })
})
