import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectDueFeedsJob } from '#domains/feeds/feeds.jobs.ts'
import { createServices, type Services } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type ListServer, startListServer } from '../support/list-server.ts'
import { runSvc } from '../support/svc-process.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const ADMIN = { name: 'admin', role: 'ADMIN' } as const
const MINUTE_MS = 60_000
const NEVER = new AbortController().signal

let database: TestDatabase
let lists: ListServer
let env: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase()
  lists = await startListServer()
  env = { DATABASE_URL: database.appUrl, SECRET_KEY: 'k'.repeat(40), OUTBOUND_ALLOW_HOSTS: lists.host, SVC_ENV_FILE: '' }
})
afterAll(async () => {
  await lists.close()
  await database.drop()
})

/** A worker process of its own for one look at the schedule, at a moment of the test's choice. */
async function asNewWorker<Result>(
  atMs: number,
  work: (services: Services, look: () => Promise<number>) => Promise<Result>,
): Promise<Result> {
  const clock = () => new Date(atMs)
  const services = await createServices(loadConfig(env, '/'), SILENT_LOGGING, 'test', { clock })
  try {
    const job = collectDueFeedsJob({ ...services, log: SILENT_LOGGING.for('svc.collector'), clock })
    return await work(services, async () => (await job.collectOnce(NEVER)).started)
  } finally {
    await services.close()
  }
}

// biome-ignore format: one case per line
test.each([
  { title: 'an hourly feed',      frequency: 3600,    waits: [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60] },
  { title: 'a feed of 5 minutes', frequency: 300,     waits: [1, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5] },
  { title: 'a weekly feed',       frequency: 604_800, waits: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048] },
])('after 1 to 12 failures $title waits as the table says, whichever worker looks, and its interval again after a success', async ({ title, frequency, waits }) => {
  let atMs = Date.UTC(2026, 0, 5, 9)
  const url = lists.urlOf(`failing-${frequency}`)
  const id = await asNewWorker(atMs, async ({ feeds }) => (await feeds.create(ADMIN, { name: title, url, format: 'CSV', frequency })).id)
  expect(await asNewWorker(atMs, async (_services, look) => await look())).toBe(1)
  for (const [failed, minutes] of waits.entries()) {
    const early = await asNewWorker(atMs + minutes * MINUTE_MS - 1, async ({ feeds }, look) => {
      const health = (await feeds.health(ADMIN)).find(({ feed_id }) => feed_id === id)
      return { started: await look(), failures: health?.consecutive_failures, waitMs: (health?.next_attempt?.getTime() ?? 0) - atMs }
    })
    expect(early).toEqual({ started: 0, failures: failed + 1, waitMs: minutes * MINUTE_MS })
    atMs += minutes * MINUTE_MS
    if (failed === waits.length - 1) lists.publish(`failing-${frequency}`, `back-${frequency}.example.com\n`)
    expect(await asNewWorker(atMs, async (_services, look) => await look())).toBe(1)
  }
  const waitMs = await asNewWorker(atMs, async ({ feeds }) => ((await feeds.health(ADMIN)).find(({ feed_id }) => feed_id === id)?.next_attempt?.getTime() ?? 0) - atMs)
  expect(waitMs).toBeGreaterThanOrEqual(frequency * 1000)
  expect(waitMs).toBeLessThan(frequency * 1000 + Math.min(MINUTE_MS, frequency * 50))
  await asNewWorker(atMs, async ({ feeds }) => await feeds.remove(ADMIN, id, { purge: true, dryRun: false }))
})

test('fetch-all does not wait: a feed that has just failed is tried, one that has just been collected is not', async () => {
  lists.publish('good', 'good.example.com\n')
  const now = Date.now()
  await asNewWorker(now, async ({ feeds, collect }) => {
    for (const name of ['bad', 'good']) {
      const { id } = await feeds.create(ADMIN, { name, url: lists.urlOf(name), format: 'CSV' })
      await collect.collect(ADMIN, id)
    }
    expect(await feeds.listDue()).toEqual([])
  })
  const { code, stdout } = await runSvc(['feeds', 'fetch-all', '--json'], env)
  expect(code).toBe(1)
  expect((JSON.parse(stdout) as { items: { feed: string; outcome: string }[] }).items).toMatchObject([{ feed: 'bad', outcome: 'FAILED' }])
  expect([lists.asked('bad').length, lists.asked('good').length]).toEqual([2, 1])
})
