import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startVulnerabilityServer, type VulnerabilityServer } from '../support/vulnerability-server.ts'

/** Calls of each run, and the restart in its middle. */
const CALLS = 200
const RESTART_AT = 100
const WINDOW_MS = 30_000

let database: TestDatabase
let server: VulnerabilityServer
/** The test's own time: it stands still but for waits and the time that the server takes. */
let nowMs = Date.parse('2026-11-21T08:00:00Z')
const arrivals: number[] = []
const opened: Services[] = []

beforeAll(async () => {
  server = await startVulnerabilityServer()
  server.clock = () => new Date(nowMs)
  server.beforeNvd = ({ number }) => {
    arrivals.push(nowMs)
    // Answers take their time, and some are faults.
    nowMs += (number * 37) % 900
    return number % 11 === 0 ? { status: 503 } : undefined
  }
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  await database.drop()
})
afterAll(async () => await server.close())

async function open(env: Record<string, string>): Promise<Services> {
  const config = loadConfig(
    { DATABASE_URL: database.appUrl, SECRET_KEY: 'k'.repeat(40), SVC_ENV_FILE: '', STORE_IN_PROCESS: 'true', ...server.env, ...env },
    '/',
  )
  const clock = () => new Date(nowMs)
  const wait = async (ms: number) => {
    nowMs += ms
    await new Promise((resolve) => setImmediate(resolve))
  }
  const services = await createServices(config, SILENT_LOGGING, 'test', { clock, nvd: { wait, clock } })
  opened.push(services)
  return services
}

function publish(count: number): void {
  server.cves.clear()
  server.nvdRequests.length = 0
  arrivals.length = 0
  const changed = new Date(nowMs - 86_400_000).toISOString().slice(0, -1)
  for (let number = 0; number < count; number++) {
    const id = `CVE-2026-${10_000 + number}`
    server.cves.set(id, { id, published: changed, lastModified: changed })
  }
}

/** Two workers try all the time; what is read in one round goes on in the next. */
async function readAll(env: Record<string, string>): Promise<void> {
  database = await createTestDatabase()
  // One record a page, so that pages are many.
  server.pageCap = 1
  publish(Math.round(CALLS * 0.95))
  const stop = new AbortController()
  let workers = [await open(env), await open(env)]
  const isRestart = () => server.nvdRequests.length >= RESTART_AT && !stop.signal.aborted
  const round = async (signal: AbortSignal) =>
    await Promise.allSettled(workers.map(async (worker) => await worker.cvesSync.sync(COMMAND_LINE_ACTOR, { only: ['NVD'], signal })))
  const watch = setInterval(() => {
    if (isRestart()) stop.abort(new Error('The test restarts the workers.'))
  }, 1)
  await round(stop.signal)
  clearInterval(watch)
  for (const each of opened.splice(0)) await each.close()
  workers = [await open(env), await open(env)]
  await round(new AbortController().signal)
}

// biome-ignore format: one case per line
test.each([
  { title: 'without a key: 6 s, and 5 requests in 30 s', env: {},                            gapMs: 6000, most: 5 },
  { title: 'with a key: 0.6 s, and 50 in 30 s',          env: { VULNDB_API_KEY: 'a-key' },   gapMs: 600,  most: 50 },
])('B12: $title, over 200 requests of two workers with a restart', { timeout: 120_000 }, async ({ env, gapMs, most }) => {
  await readAll(env as Record<string, string>)
  expect(arrivals.length).toBeGreaterThanOrEqual(CALLS)
  const gaps = arrivals.slice(1).map((at, before) => at - (arrivals[before] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gapMs)
  for (const [first, at] of arrivals.entries())
    expect(arrivals.slice(first).filter((later) => later - at < WINDOW_MS).length).toBeLessThanOrEqual(most)
  const { db } = opened[0] ?? { db: undefined }
  const stored = await db?.selectFrom('cves').select('id').execute()
  expect(stored?.length).toBe(server.cves.size)
})
