import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type BadServer, head, type SeenRequest, startBadServer, trickle } from '../support/bad-server.ts'
import { type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { withClient } from '../support/with-client.ts'

/** Short, so that waiting for a lock to end costs little. Milliseconds. */
const TTL_MS = 1500
/** A lock may keep a feed for its time to live; the rest is the patience of a busy machine. Milliseconds. */
const BLOCKED_AT_MOST_MS = 20_000
const ADMIN = { name: 'admin', role: 'ADMIN' } as const
const CHILD = fileURLToPath(new URL('../support/collector-child.ts', import.meta.url))
const KINDS = ['Redis', 'PostgreSQL'] as const
type Kind = (typeof KINDS)[number]
/** Children of a wave, by the kind of their locks. */
const WAVE: Kind[] = ['Redis', 'PostgreSQL', 'Redis', 'PostgreSQL', 'Redis', 'PostgreSQL', 'Redis', 'Redis']
const ROUNDS = { stopWaves: 3, killWaves: 3, restarts: 4, feedsPerRestart: 5, exceptions: 33, unwritable: 33 }

let database: TestDatabase
let redis: RedisServer
let publisher: BadServer
let workers: Record<Kind, { one: Services; two: Services }>
/** Requests that wait for their answer, by path. An address that is not in here is answered at once. */
const held = new Map<string, (() => void)[]>()

beforeAll(async () => {
  database = await createTestDatabase()
  redis = await startRedisServer()
  publisher = await startBadServer(async (socket, { path }: SeenRequest) => {
    const waiting = held.get(path)
    // Comments meanwhile: a publisher that says nothing for ten seconds is asked again, and the second request would not be held.
    socket.write(head(200, { Connection: 'close' }))
    if (waiting !== undefined) {
      trickle(socket, '# wait\n', TTL_MS)
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    socket.end(`${path.slice(1)}.example.com\n`)
  })
  const open = async (kind: Kind) => await createServices(loadConfig(envOf(kind), '/'), SILENT_LOGGING, 'test', { lockTtlMs: TTL_MS })
  workers = {
    Redis: { one: await open('Redis'), two: await open('Redis') },
    PostgreSQL: { one: await open('PostgreSQL'), two: await open('PostgreSQL') },
  }
})
afterAll(async () => {
  for (const { one, two } of Object.values(workers)) await Promise.all([one.close(), two.close()])
  await publisher.close()
  await redis.stop()
  await database.drop()
})

function envOf(kind: Kind): Record<string, string> {
  return {
    DATABASE_URL: database.appUrl,
    SECRET_KEY: 'k'.repeat(40),
    OUTBOUND_ALLOW_HOSTS: publisher.host,
    SVC_ENV_FILE: '',
    LOCK_TTL_MS: String(TTL_MS),
    ...(kind === 'Redis' ? { REDIS_URL: redis.url } : {}),
  }
}

let made = 0
async function addFeed(prefix: string): Promise<{ id: string; path: string }> {
  const name = `${prefix}-${++made}`
  const { id } = await workers.PostgreSQL.one.feeds.create(ADMIN, { name, url: `${publisher.origin}/${name}`, format: 'CSV' })
  return { id, path: `/${name}` }
}

/** Lets the first request of a path wait, and those after it pass. @returns what lets it go on */
async function holdFirst(path: string, begin: () => void): Promise<() => void> {
  const waiting: (() => void)[] = []
  held.set(path, waiting)
  begin()
  await expect.poll(() => waiting.length, { timeout: BLOCKED_AT_MOST_MS, interval: 10 }).toBe(1)
  held.delete(path)
  return () => waiting[0]?.()
}

/** Collects as soon as the feed is free. @returns whether it was blocked at first, and the milliseconds that it took to be free */
async function collectWhenFree(worker: Services, id: string): Promise<{ blocked: boolean; ms: number }> {
  const startMs = performance.now()
  let attemptMs = startMs
  for (let tries = 0; ; tries++) {
    attemptMs = performance.now()
    try {
      const { outcome } = await worker.collect.collect(ADMIN, id)
      expect(['SUCCEEDED', 'UNCHANGED']).toContain(outcome)
      return { blocked: tries > 0, ms: attemptMs - startMs }
    } catch (error) {
      expect(error).toMatchObject({ code: 'already_collecting' })
      expect(performance.now() - startMs).toBeLessThan(BLOCKED_AT_MOST_MS)
      await sleep(50)
    }
  }
}

/** Complete runs that count, and sightings: a double write would show in either. */
async function figuresOf(id: string): Promise<{ runNo: number; hits: number; collecting: boolean }> {
  const { rows } = await sql<{ runNo: number; hits: number; collecting: boolean }>`
    select source.run_no::int as "runNo", coalesce((select sum(hits)::int from source_sightings where source_id = source.id), 0) as hits,
      feed.collecting_run is not null as collecting
    from sources source join threat_feeds feed on feed.id = source.id where source.id = ${id}`.execute(workers.PostgreSQL.one.db)
  return rows[0] ?? { runNo: -1, hits: -1, collecting: true }
}

type Child = { kind: Kind; child: ChildProcess }
async function forkOne(kind: Kind): Promise<Child> {
  const child = fork(CHILD, { env: { PATH: process.env['PATH'] ?? '', ...envOf(kind) } })
  await once(child, 'message')
  return { kind, child }
}

/** A child holds the lock in the middle of its download; then `fault` befalls it. The other worker must get the feed, and the child must not write. */
async function oneFault({ kind, child }: Child, fault: (child: ChildProcess) => void, comesBack: boolean): Promise<boolean> {
  const { id, path } = await addFeed('faulted')
  const told = comesBack ? once(child, 'message') : undefined
  const goOn = await holdFirst(path, () => child.send(id))
  const ended = comesBack ? undefined : once(child, 'exit')
  fault(child)
  await ended
  const stoppedMs = performance.now()
  const { blocked } = await collectWhenFree(workers[kind].two, id)
  if (told !== undefined) {
    await sleep(Math.max(0, 2 * TTL_MS - (performance.now() - stoppedMs)))
    child.kill('SIGCONT')
    goOn()
    const [answer] = (await told) as [{ outcome?: string; error?: string }]
    expect(answer).toEqual({ error: expect.stringContaining('taken over') })
  }
  expect(await figuresOf(id)).toEqual({ runNo: 1, hits: 1, collecting: false })
  return blocked
}

test(`workers that are stopped for twice the time to live, and workers that are killed`, async () => {
  let wave = await Promise.all(WAVE.map(forkOne))
  try {
    const blocked: boolean[] = []
    for (let count = 0; count < ROUNDS.stopWaves; count++)
      blocked.push(...(await Promise.all(wave.map(async (one) => await oneFault(one, (child) => child.kill('SIGSTOP'), true)))))
    // Without this the locks would not have been tried at all.
    expect(blocked.filter(Boolean).length).toBeGreaterThan(blocked.length / 2)
    for (let count = 0; count < ROUNDS.killWaves; count++) {
      if (count > 0) wave = await Promise.all(WAVE.map(forkOne))
      await Promise.all(wave.map(async (one) => await oneFault(one, (child) => child.kill('SIGKILL'), false)))
    }
  } finally {
    for (const { child } of wave) child.kill('SIGKILL')
  }
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from collection_runs where outcome = 'RUNNING'`.execute(
    workers.PostgreSQL.one.db,
  )
  expect(rows[0]?.open).toBe(0)
}, 180_000)

test('Redis that is restarted, and has forgotten every lock', async () => {
  const { one, two } = workers.Redis
  for (let count = 0; count < ROUNDS.restarts; count++) {
    const begun: { id: string; goOn: () => void; first: Promise<unknown> }[] = []
    for (let nth = 0; nth < ROUNDS.feedsPerRestart; nth++) {
      const { id, path } = await addFeed('restarted')
      let first: Promise<unknown> = Promise.resolve()
      const goOn = await holdFirst(path, () => {
        first = one.collect.collect(ADMIN, id).then(
          ({ outcome }) => outcome,
          (error: Error) => error.message,
        )
      })
      begun.push({ id, goOn, first })
    }
    await redis.stop()
    if (count % 2 === 0) redis = await startRedisServer({ port: redis.port })
    // Every other time the second worker comes while there is no Redis at all.
    await Promise.all(begun.map(async ({ id }) => await collectWhenFree(two, id)))
    if (count % 2 === 1) redis = await startRedisServer({ port: redis.port })
    for (const { id, goOn, first } of begun) {
      goOn()
      expect(await first).toContain('taken over')
      expect(await figuresOf(id)).toEqual({ runNo: 1, hits: 1, collecting: false })
    }
    // Both: a worker that still takes the database for its locks would rightly keep the other one out in the next round.
    for (const worker of [one, two])
      await expect.poll(async () => await worker.redis?.isReachable(), { timeout: BLOCKED_AT_MOST_MS }).toBe(true)
  }
}, 120_000)

test.each(KINDS)(
  'with locks in %s: a collection that fails unexpectedly, and a run row that cannot be written',
  async (kind) => {
    const { one, two } = workers[kind]
    await withClient(database.ownerUrl, async (run) => {
      await run(
        "create function explode() returns trigger language plpgsql as $$ begin if new.value like 'exploding-%' then raise exception 'boom'; end if; return new; end $$; create trigger explode before insert on indicators for each row execute function explode()",
      )
      const exploding: string[] = []
      for (let count = 0; count < ROUNDS.exceptions; count++) {
        const { id } = await addFeed('exploding')
        exploding.push(id)
        expect(await one.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'FAILED' })
        expect(await two.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'FAILED' })
      }
      await run('drop trigger explode on indicators; drop function explode')
      for (const id of exploding) {
        expect((await collectWhenFree(one, id)).blocked).toBe(false)
        expect(await figuresOf(id)).toEqual({ runNo: 1, hits: 1, collecting: false })
      }
      await run('revoke insert, update on collection_runs from svc_app')
      try {
        for (let count = 0; count < ROUNDS.unwritable; count++) {
          const { id } = await addFeed('unwritten')
          expect((await collectWhenFree(one, id)).blocked).toBe(false)
          expect((await collectWhenFree(two, id)).blocked).toBe(false)
          expect(await figuresOf(id)).toEqual({ runNo: 2, hits: 2, collecting: false })
        }
      } finally {
        await run('grant insert, update on collection_runs to svc_app')
      }
    })
  },
  120_000,
)
