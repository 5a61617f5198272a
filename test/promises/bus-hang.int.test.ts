import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { namesOf, type OpenStream, openStream } from '../support/event-stream.ts'
import { startRedisServer } from '../support/redis-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The listener asks every 10 s and waits 3 s at most for the answer. */
const NOTICED_WITHIN_MS = 20_000

async function openOne(app: TestApp): Promise<OpenStream> {
  return await openStream(`${await app.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stream`, app.tokens.VIEWER)
}

const told = ({ logLines }: TestApp, event: string) => logLines.filter((line) => line.includes(`"${event}"`)).length

async function listenerOf({ services }: TestApp): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'svc events' and datname = current_database()`.execute(services.db)
  return rows[0]?.pid ?? 0
}

/** Waits until the loss is noticed, lets `wake` end it, and looks at what the client was told. */
async function expectOneResync(app: TestApp, client: OpenStream, wake: () => void): Promise<void> {
  await client.until(() => told(app, 'events.listener_lost') === 1, NOTICED_WITHIN_MS)
  wake()
  await client.until(() => told(app, 'events.listener_back') === 1, NOTICED_WITHIN_MS)
  await client.until((messages) => messages.length > 0)
  expect(namesOf(client)).toEqual(['resync'])
}

describe('D4: a connection that stays open and says nothing more is found out, and costs one resync', () => {
  test.concurrent('the store hangs', async () => {
    const redis = await startRedisServer()
    const app = await createTestApp({ REDIS_URL: redis.url })
    const client = await openOne(app)
    redis.pause()
    await expectOneResync(app, client, redis.resume)
    client.close()
    await app.close()
    await redis.stop()
  })

  test.concurrent('the session of the database that listens hangs', async () => {
    const app = await createTestApp()
    const client = await openOne(app)
    const pid = await listenerOf(app)
    process.kill(pid, 'SIGSTOP')
    await expectOneResync(app, client, () => process.kill(pid, 'SIGCONT'))
    client.close()
    await app.close()
  })
})
