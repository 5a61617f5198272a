import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#platform/database/transact.ts'
import type { LiveEvent } from '#platform/events/event.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type OpenStream, openStream } from '../support/event-stream.ts'
import { type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const ROUNDS = 20
const WHEN = ['before', 'during', 'after'] as const

let redis: RedisServer
let app: TestApp
let stream: OpenStream
const published: number[] = []
const inProcess: LiveEvent[] = []
const statuses: number[] = []

beforeAll(async () => {
  redis = await startRedisServer()
  app = await createTestApp({ REDIS_URL: redis.url, STORE_IN_PROCESS: 'false' })
  app.services.events.subscribe({ onEvent: (event) => void inProcess.push(event), onResync() {} })
  stream = await openStream(`${await app.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stream`, app.tokens.VIEWER)
})
afterAll(async () => {
  stream.close()
  await app.close()
  await redis.stop()
})

async function publish(): Promise<void> {
  const number = published.length
  published.push(number)
  await transact(app.services.db, SILENT_LOGGING.for('svc.worker'), async (tx) => {
    await app.services.events.publish(tx, { name: 'hunt.completed', data: { number } })
  })
}

/** Some of what people do meanwhile. */
async function ask(): Promise<void> {
  for (const url of ['/api/v1/feeds', '/api/v1/users/me', '/ready']) statuses.push((await app.call('GET', url, 'VIEWER')).statusCode)
}

async function expectAll(): Promise<void> {
  await stream.until(() => numbersOf(stream).length >= published.length)
  const numbers = inProcess.map(({ data }) => Number(data['number']))
  expect(numbers.toSorted((first, second) => first - second)).toEqual(published)
  expect(numbersOf(stream)).toEqual(numbers)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
}

function numbersOf({ messages }: OpenStream): unknown[] {
  return messages.filter(({ event }) => event === 'hunt.completed').map(({ data }) => data['number'])
}

describe(`D3: subscribers of the same process get every event once while the store comes and goes, ${ROUNDS} times`, () => {
  test.each(Array.from({ length: ROUNDS }, (_, round) => ({ round, when: WHEN[round % WHEN.length] ?? 'before' })))(
    'round $round: the store goes $when the publication',
    async ({ when }) => {
      await publish()
      if (when === 'before') await redis.stop()
      const publishing = Promise.all([publish(), publish(), publish()])
      if (when === 'during') await redis.stop()
      await publishing
      if (when === 'after') await redis.stop()
      await publish()
      await ask()
      redis = await startRedisServer({ port: redis.port })
      await publish()
      await expectAll()
    },
  )

  test('a store that hangs holds up neither the publication nor the requests', async () => {
    await sleep(1500)
    redis.pause()
    const startMs = performance.now()
    for (let count = 0; count < 20; count++) await publish()
    // Waiting for the store would take its time limit of 2 s for each.
    expect(performance.now() - startMs).toBeLessThan(10_000)
    await ask()
    redis.resume()
    await expectAll()
  })

  test('the log says it once per change, not once per event', () => {
    const told = app.logLines.filter((line) => line.includes('"events.in_process_only"')).length
    expect(told).toBeGreaterThan(0)
    expect(told).toBeLessThanOrEqual(ROUNDS + 1)
  })
})
