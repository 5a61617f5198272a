import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import { newId } from '#kernel/ids.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type OpenStream, openStream } from '../support/event-stream.ts'
import { type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const TRANSACTIONS = 1000
const AT_ONCE = 8

/** What becomes of a transaction: of ten, three are rolled back, and one loses its connection before the commit. */
type Fate = 'commit' | 'rollback' | 'kill'
const FATES: readonly Fate[] = ['commit', 'rollback', 'commit', 'commit', 'kill', 'commit', 'rollback', 'commit', 'rollback', 'commit']

describe.each(['the database', 'the store'])('D5: 1000 transactions of a worker, told through %s', (transport) => {
  let redis: RedisServer | undefined
  let app: TestApp
  let worker: Services
  let killer: pg.Pool
  let stream: OpenStream
  const committed: string[] = []
  const discarded: string[] = []
  /** Per event heard in the worker's own process: what the API answered for it inside the handler. */
  const answers: Promise<{ id: string; status: number }>[] = []
  const resyncs = { worker: 0 }

  beforeAll(async () => {
    redis = transport === 'the store' ? await startRedisServer() : undefined
    const env: Record<string, string> = redis === undefined ? {} : { REDIS_URL: redis.url }
    app = await createTestApp(env)
    worker = await createServices(
      loadConfig({ DATABASE_URL: app.database.appUrl, SECRET_KEY: 'k'.repeat(40), SVC_ENV_FILE: '', ...env }, '/'),
      SILENT_LOGGING,
      'test worker',
    )
    killer = new pg.Pool({ connectionString: app.database.appUrl, max: 4 })
    // The drop of the database may still find a connection that is being closed.
    killer.on('connect', (client) => client.on('error', () => {}))
    worker.events.subscribe({
      onEvent({ data }) {
        const id = String(data['feed_id'])
        answers.push(app.call('GET', `/api/v1/feeds/${id}`, 'VIEWER').then(({ statusCode }) => ({ id, status: statusCode })))
      },
      onResync() {
        resyncs.worker += 1
      },
    })
    stream = await openStream(`${await app.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stream`, app.tokens.VIEWER)
    let next = 0
    const client = async () => {
      for (let number = next++; number < TRANSACTIONS; number = next++) await attempt(number)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
    await stream.until(({ length }) => length >= committed.length, 20_000)
    // What should never arrive gets the time to do so.
    await new Promise((resolve) => setTimeout(resolve, 500))
  })
  afterAll(async () => {
    stream.close()
    await killer.end()
    await worker.close()
    await app.close()
    await redis?.stop()
  })

  async function attempt(number: number): Promise<void> {
    const fate = FATES[number % FATES.length] ?? 'commit'
    const id = newId()
    const done = await transact(worker.db, SILENT_LOGGING.for('svc.worker'), async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db)
      await tx.db
        .insertInto('sources')
        .values({ id, name: `feed ${number}`, kind: 'FEED', feed_type: 'other', reliability: 'C' })
        .execute()
      await tx.db
        .insertInto('threat_feeds')
        .values({ id, url: `https://lists.example.org/${number}`, format: 'CSV', created_at: new Date(), updated_at: new Date() })
        .execute()
      await worker.events.publish(tx, { name: 'feed.collected', data: { feed_id: id } })
      if (fate === 'rollback') throw new Error('Changed its mind.')
      if (fate === 'kill') await killer.query('select pg_terminate_backend($1, 1000)', [rows[0]?.pid])
    }).then(
      () => true,
      () => false,
    )
    expect(done).toBe(fate === 'commit')
    ;(done ? committed : discarded).push(id)
  }

  const arrived = () => stream.messages.filter(({ event }) => event === 'feed.collected').map(({ data }) => String(data['feed_id']))

  test('the counts are those that are promised', () => {
    expect([committed.length, discarded.length]).toEqual([600, 400])
  })

  test('no event of work that was rolled back or killed', async () => {
    const told = new Set([...arrived(), ...(await Promise.all(answers)).map(({ id }) => id)])
    expect(discarded.filter((id) => told.has(id))).toEqual([])
  })

  test('every committed one, once, in the process that committed it and in another', async () => {
    const own = (await Promise.all(answers)).map(({ id }) => id)
    expect(own.toSorted()).toEqual(committed.toSorted())
    expect(arrived().toSorted()).toEqual(committed.toSorted())
  })

  test('whoever reads at the moment of the event finds the data', async () => {
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })

  test('a commit whose end is unknown asks for a new reading where the transport cannot tell', () => {
    // Through the database the notification shares the fate of the data, so there is nothing to doubt.
    expect(resyncs.worker).toBe(transport === 'the database' ? 0 : TRANSACTIONS / FATES.length)
  })
})
