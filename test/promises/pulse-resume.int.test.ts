import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#kernel/actor.ts'
import { type FeedProduct, openFeedProduct } from '../support/feed-product.ts'
import { type PulseFault, type PulseServer, pulseOf, startPulseServer } from '../support/pulse-server.ts'
import { startSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const PAGES = 30
const PAGE_PULSES = 2
/** Collections that are broken off at a random page. */
const BROKEN_RUNS = 200
/** Those among them whose process is killed. */
const KILLED_RUNS = 12
/** A run without a fault ends the story, so that its end is not left to luck. */
const BROKEN_PER_STORY = 20
const KEY = 'canary-key-for-resuming'
const FAULTS = ['reset', '500', '429', 'bad JSON', 'PULSE_MAX_PAGES'] as const
type FaultName = (typeof FAULTS)[number] | 'kill -9'
const ANSWERS: Record<Exclude<FaultName, 'PULSE_MAX_PAGES' | 'kill -9'>, PulseFault> = {
  reset: { kind: 'reset' },
  '500': { kind: 'status', status: 500 },
  '429': { kind: 'status', status: 429 },
  'bad JSON': { kind: 'json' },
}

let database: TestDatabase
let server: PulseServer
let product: FeedProduct
let maxPages = PAGES * 2
const place = makeTempFolder('svc-pulse-resume')

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startPulseServer()
  server.configure({ pagePulses: PAGE_PULSES, key: KEY })
  product = openFeedProduct({
    databaseUrl: database.appUrl,
    hosts: [server.host],
    pulse: { base: server.base, key: KEY, maxPages: () => maxPages },
  })
})
afterAll(async () => {
  await product.close()
  await server.close()
  await database.drop()
  place.remove()
})

/** Small and seeded, so that a failing story can be told again. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Cursor = { modified_since?: string; walk?: { page: number } }
async function cursorOf(feedId: string): Promise<Cursor> {
  const row = await product.db.selectFrom('collector_state').select('cursor').where('entry', '=', `pulse:${feedId}`).executeTakeFirst()
  return (row?.cursor as Cursor | undefined) ?? {}
}

async function hitsOf(feedId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ value: string; hits: number }>`
    select known.value, seen.hits from source_sightings seen join indicators known on known.id = seen.indicator_id
    where seen.source_id = ${feedId}`.execute(product.db)
  return Object.fromEntries(rows.map(({ value, hits }) => [value, hits]))
}

/** Collects in a process of its own, which is killed when it asks for its `at`-th page. */
async function killAtPage(feedId: string, at: number): Promise<void> {
  const sessions = await sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()`.execute(product.db)
  const known = sessions.rows.map(({ pid }) => pid)
  const run = startSvc(['feeds', 'fetch', feedId], {
    DATA_DIR: place.folder,
    DATABASE_URL: database.appUrl,
    SECRET_KEY: 'k'.repeat(40),
    OUTBOUND_ALLOW_HOSTS: server.host,
    PULSE_BASE_URL: server.base,
    PULSE_API_KEY: KEY,
  })
  server.failWhen(async (_, asked) => {
    if (asked < at) return undefined
    run.child.kill('SIGKILL')
    await run.ended
    return undefined
  })
  expect(await run.ended, run.stderr()).toBe('SIGKILL')
  // Its sessions in the database end when the server has noticed.
  const left = sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> all (${known})`
  await expect.poll(async () => (await left.execute(product.db)).rows[0]?.count, { timeout: 30_000 }).toBe(0)
}

async function breakOff(feedId: string, { fault, at, insert }: { fault: FaultName; at: number; insert: () => void }): Promise<void> {
  if (fault === 'kill -9') return await killAtPage(feedId, at)
  maxPages = fault === 'PULSE_MAX_PAGES' ? at : PAGES * 2
  server.failWhen((_, asked) => {
    insert()
    return asked < at || fault === 'PULSE_MAX_PAGES' ? undefined : ANSWERS[fault]
  })
  const run = await product.collect.collect(ADMIN, feedId)
  const ends = fault === '429' ? ['POSTPONED'] : run.row_count === 0 ? ['FAILED'] : ['INTERRUPTED']
  // The list may end before the fault is met.
  expect([...ends, 'SUCCEEDED']).toContain(run.outcome)
}

type Story = { id: string; title: string; values: string[]; pick: (below: number) => number; insert: () => void }

async function beginStory(seed: number): Promise<Story> {
  const pick = random(seed)
  const values: string[] = []
  let nowMs = Date.now() - 86_400_000
  const insert = (): void => {
    nowMs += 1 + pick(60_000)
    const value = `n${values.length}.story-${seed}.example.com`
    values.push(value)
    server.add(pulseOf([value], new Date(nowMs).toISOString()))
  }
  server.pulses.length = 0
  for (let n = 0; n < PAGES * PAGE_PULSES; n++) insert()
  const title = `story ${seed}`
  return { id: (await product.feeds.create(ADMIN, { name: title, url: server.url, format: 'PULSE' })).id, title, values, pick, insert }
}

/** One broken collection. @returns false when the walk came to its end before the fault was met */
async function breakOnce({ id, title, pick, insert }: Story, fault: FaultName): Promise<boolean> {
  const before = await cursorOf(id)
  server.requests.length = 0
  await breakOff(id, { fault, at: 1 + pick(4), insert: () => void (pick(3) === 0 && insert()) })
  const after = await cursorOf(id)
  expect(Number(server.requests[0]?.query.get('page')), `${title}, ${fault}: the first unread page`).toBe(before.walk?.page ?? 1)
  if (after.walk === undefined && after.modified_since !== undefined) return false
  expect(after.modified_since, `${title}, ${fault}`).toBe(before.modified_since)
  return true
}

/** Reads the rest without a fault, then what came in front of the walk while it was under way, and compares everything. */
async function endStory({ id, title, values }: Story): Promise<void> {
  maxPages = PAGES * 2
  server.failWhen(() => undefined)
  const { walk } = await cursorOf(id)
  server.requests.length = 0
  expect((await product.collect.collect(ADMIN, id)).error, title).toBeNull()
  expect(Number(server.requests[0]?.query.get('page')), title).toBe(walk?.page ?? 1)
  expect((await cursorOf(id)).walk, title).toBeUndefined()
  await product.collect.collect(ADMIN, id)
  expect(await hitsOf(id), title).toEqual(Object.fromEntries(values.map((value) => [value, 1])))
  expect(await product.collect.collect(ADMIN, id), title).toMatchObject({ outcome: 'UNCHANGED', row_count: 0 })
}

describe(`C13: a pulse feed of ${PAGES} pages, broken off at a random page and gone on with`, () => {
  test(`${BROKEN_RUNS} times: loses no pulse, counts none twice, asks next for the first unread page, and keeps its place until the end`, async () => {
    const broken: Record<string, number> = {}
    let runs = 0
    for (let seed = 1; runs < BROKEN_RUNS; seed++) {
      const story = await beginStory(seed)
      for (let n = 0; n < BROKEN_PER_STORY && runs < BROKEN_RUNS; n++) {
        // The kills are spread over the stories, each behind some pages.
        const isKill = n % 10 === 1 && (broken['kill -9'] ?? 0) < KILLED_RUNS
        const fault = isKill ? 'kill -9' : (FAULTS[story.pick(FAULTS.length)] ?? 'reset')
        if (!(await breakOnce(story, fault))) break
        runs++
        broken[fault] = (broken[fault] ?? 0) + 1
      }
      await endStory(story)
    }
    // Otherwise a fault was never met.
    expect(Object.keys(broken).sort()).toEqual([...FAULTS, 'kill -9'].sort())
    expect(broken['kill -9']).toBe(KILLED_RUNS)
  }, 300_000)
})
