import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { startRedisServer } from '#test/support/redis-server.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { createAdvisoryLocks } from './advisory-locks.ts'
import type { Locks } from './locks.ts'
import { createRedisLocks } from './redis-locks.ts'

const log = SILENT_LOGGING.for('svc.collector')
const closers: (() => Promise<unknown>)[] = []
let database: TestDatabase

/** Node tells of a deprecated use once in a process, so it is listened to from the beginning. */
const warnings: string[] = []
beforeAll(async () => {
  process.on('warning', ({ message }) => warnings.push(message))
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const close of closers) await close()
  await database.drop()
})

function advisory(): Locks {
  const locks = createAdvisoryLocks({ databaseUrl: database.appUrl, log })
  closers.push(locks.close)
  return locks
}

function overRedis(url: string, options: { ttlMs?: number } = {}): Locks {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1000, lazyConnect: true })
  redis.on('error', () => {})
  closers.push(async () => redis.disconnect())
  const ready = redis.connect().catch(() => {})
  const locks = createRedisLocks({ redis, log, withoutStore: advisory(), ...options })
  return { ...locks, withLock: async (name, work) => await ready.then(async () => await locks.withLock(name, work)) }
}

describe.each([
  { kind: 'PostgreSQL', make: advisory },
  { kind: 'Redis', make: () => overRedis(inject('redisUrl')) },
])('locks in $kind', ({ kind, make }) => {
  test('one holder at a time, also between processes; free again afterwards, also after a failure', async () => {
    const [one, two] = [make(), make()]
    const name = `${kind}-exclusive`
    const inside = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const first = one.withLock(name, async () => {
      inside.resolve()
      await leave.promise
      return 'done'
    })
    await inside.promise
    expect(await one.withLock(name, async () => 'same process')).toEqual({ held: true })
    expect(await two.withLock(name, async () => 'other process')).toEqual({ held: true })
    expect(await two.withLock(`${name}-other`, async () => 'another name')).toEqual({ held: false, result: 'another name' })
    leave.resolve()
    expect(await first).toEqual({ held: false, result: 'done' })
    await expect(two.withLock(name, async () => await Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await one.withLock(name, async () => 'again')).toEqual({ held: false, result: 'again' })
  })

  test('of 50 at once exactly one enters', async () => {
    const holders = Array.from({ length: 5 }, make)
    const results = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => await holders[n % 5]?.withLock(`${kind}-burst`, async () => await sleep(300))),
    )
    expect(results.filter((result) => result?.held === false)).toHaveLength(1)
  })
})

test('a holder whose database session is killed is told, and the lock is free at once', async () => {
  const [one, two] = [advisory(), advisory()]
  const admin = new pg.Client({ connectionString: database.ownerUrl })
  await admin.connect()
  const outcome = await one.withLock('killed-session', async (lost) => {
    // The application role may end its own sessions; the test does it from outside.
    const killer = new pg.Client({ connectionString: database.appUrl })
    await killer.connect()
    await killer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc locks' and datname = current_database() and pid <> pg_backend_pid()",
    )
    await killer.end()
    await expect.poll(() => lost.aborted).toBe(true)
    return await two.withLock('killed-session', async () => 'free')
  })
  await admin.end()
  expect(outcome).toEqual({ held: false, result: { held: false, result: 'free' } })
})

test('a lock in Redis outlives a dead holder by its time to live, and a living one renews it', async () => {
  const redis = new Redis(inject('redisUrl'))
  closers.push(async () => redis.disconnect())
  await redis.set('svc:lock:dead', 'somebody else', 'PX', 400)
  const locks = overRedis(inject('redisUrl'), { ttlMs: 400 })
  expect(await locks.withLock('dead', async () => 'early')).toEqual({ held: true })
  await sleep(450)
  expect(await locks.withLock('dead', async () => 'late')).toEqual({ held: false, result: 'late' })
  const long = await locks.withLock('living', async (lost) => {
    await sleep(1200)
    return { lost: lost.aborted, theirs: await overRedis(inject('redisUrl')).withLock('living', async () => 'taken') }
  })
  expect(long).toEqual({ held: false, result: { lost: false, theirs: { held: true } } })
})

test('a holder whose lock was taken over is told', async () => {
  const redis = new Redis(inject('redisUrl'))
  closers.push(async () => redis.disconnect())
  const locks = overRedis(inject('redisUrl'), { ttlMs: 400 })
  await locks.withLock('stolen', async (lost) => {
    await redis.set('svc:lock:stolen', 'a thief')
    await expect.poll(() => lost.aborted).toBe(true)
  })
  expect(await redis.get('svc:lock:stolen')).toBe('a thief')
  await redis.del('svc:lock:stolen')
})

test('without the store the database holds the locks', async () => {
  const server = await startRedisServer()
  const locks = overRedis(server.url)
  expect(await locks.withLock('store', async () => 'with')).toEqual({ held: false, result: 'with' })
  await server.stop()
  expect(await locks.withLock('store', async () => await advisory().withLock('store', async () => 'twice'))).toEqual({
    held: false,
    result: { held: true },
  })
})

test('the session of a holder that hangs is ended by the server, and that of a living one is not', async () => {
  const frozen = new pg.Client({ connectionString: database.appUrl, application_name: 'frozen', options: '-c idle_session_timeout=600' })
  frozen.on('error', () => {})
  await frozen.connect()
  // Takes the lock as a holder does, and is not heard of again.
  await frozen.query("select pg_advisory_lock(hashtextextended('frozen', 0))")
  const living = createAdvisoryLocks({ databaseUrl: database.appUrl, log, ttlMs: 600 })
  closers.push(living.close)
  expect(await living.withLock('frozen', async () => 'early')).toEqual({ held: true })
  const outcome = await living.withLock('living', async (lost) => {
    await expect.poll(async () => await living.withLock('frozen', async () => 'taken'), { timeout: 20_000 }).toMatchObject({ held: false })
    await sleep(1500)
    return { lost: lost.aborted, theirs: await advisory().withLock('living', async () => 'taken') }
  })
  expect(outcome).toEqual({ held: false, result: { lost: false, theirs: { held: true } } })
})

test('locks that are taken at once are asked for one after the other on their session', async () => {
  const locks = advisory()
  const taken = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => await locks.withLock(`at once ${n}`, async () => await sleep(20))),
  )
  expect(taken.every(({ held }) => !held)).toBe(true)
  expect(warnings).toEqual([])
})
