import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** Instead of 5 s to 10 min, and 15 s. Milliseconds. */
const WAIT_MS = 30
const TIMEOUT_MS = 1000
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw=='
const PATH = '/hooks/capability-in-the-path'
const CHILD = fileURLToPath(new URL('../support/delivery-child.ts', import.meta.url))
const LONG_MS = 60_000

type Seen = { id: string; timestamp: string; signature: string; body: string; path: string }
/** A status with its headers, or `hang`. */
type Answer = { status: number; headers?: Record<string, string> } | 'hang'

let database: TestDatabase
let origin: string
let env: Record<string, string>
let services: Services
const seen: Seen[] = []
/** Answers to the coming requests, in order; the last one stays. */
let answers: Answer[] = [{ status: 200 }]
const opened: Services[] = []

const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const header = (name: string) => String(request.headers[name])
  const [id, timestamp, signature] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  seen.push({ id, timestamp, signature, body, path: request.url ?? '' })
  const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 }
  if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end()
})

beforeAll(async () => {
  database = await createTestDatabase()
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  env = {
    DATABASE_URL: database.appUrl,
    SECRET_KEY: 'k'.repeat(40),
    SVC_ENV_FILE: '',
    ALERT_WEBHOOK_URL: `${origin}${PATH}`,
    ALERT_WEBHOOK_SECRET: SECRET,
    ALERT_WEBHOOK_ALLOW_INTERNAL: 'true',
    PUBLIC_URL: 'https://svc.example.org',
  }
  services = await open()
})
afterEach(() => {
  seen.length = 0
  answers = [{ status: 200 }]
})
afterAll(async () => {
  for (const each of opened) await each.close()
  receiver.closeAllConnections()
  receiver.close()
  await database.drop()
})

async function open(more: Record<string, string> = {}): Promise<Services> {
  const webhook = { waitsMs: Array.from({ length: 4 }, () => WAIT_MS), timeoutMs: TIMEOUT_MS }
  const each = await createServices(loadConfig({ ...env, ...more }, '/'), SILENT_LOGGING, 'test', { webhook })
  opened.push(each)
  return each
}

let made = 0
async function raise(by: Services = services): Promise<string> {
  const cveId = `CVE-2026-${20_000 + ++made}`
  const alert = { cveId, generation: 1, priority: 'P0', score: 90, title: 'A title' } as const
  await transact(by.db, SILENT_LOGGING.for('svc.cve'), async (tx) => await by.alerts.raise(tx, [alert]))
  const [row] = (await by.alerts.page({ cve_id: cveId })).items
  return row?.id ?? ''
}

/** Delivers until the delivery has ended, as the worker's schedule does. */
async function settle(id: string, by: Services = services): Promise<string> {
  for (const end = Date.now() + LONG_MS; Date.now() < end; await sleep(10)) {
    await by.deliveries.deliverDue(new AbortController().signal)
    const { notification } = await by.alerts.get(id)
    if (notification !== 'PENDING') return notification
  }
  throw new Error('The delivery never ended.')
}

const statusesOf = async (id: string) => (await services.deliveries.list(id)).map(({ status }) => status).reverse()
const isSigned = ({ id, timestamp, body, signature }: Seen) =>
  signature === `v1,${createHmac('sha256', 'secret of the tests').update(`${id}.${timestamp}.${body}`).digest('base64')}`

describe('B11: at most five attempts, an honest state, one id', () => {
  const fails = (status: number, headers?: Record<string, string>): Answer => (headers === undefined ? { status } : { status, headers })
  // biome-ignore format: one case per line
  test.each<{ title: string; given: Answer[]; ends: string; attempts: (number | null)[] }>([
    { title: '500 four times, then 200',       given: [fails(500), fails(502), fails(503), fails(500), fails(200)], ends: 'DELIVERED', attempts: [500, 502, 503, 500, 200] },
    { title: '500 for ever',                   given: [fails(500)],                                                  ends: 'FAILED',    attempts: [500, 500, 500, 500, 500] },
    { title: '410',                            given: [fails(410)],                                                  ends: 'FAILED',    attempts: [410] },
    { title: '429 with a wait, then 204',      given: [fails(429, { 'retry-after': '1' }), fails(204)],              ends: 'DELIVERED', attempts: [429, 204] },
    { title: 'redirects, which nobody follows', given: [fails(301, { location: '/elsewhere' }), fails(307, { location: '/elsewhere' }), fails(200)], ends: 'DELIVERED', attempts: [301, 307, 200] },
    { title: 'no answer in time, then 200',    given: ['hang', fails(200)],                                          ends: 'DELIVERED', attempts: [null, 200] },
  ])('$title', async ({ given, ends, attempts }) => {
    answers = given
    const id = await raise()
    expect(await settle(id)).toBe(ends)
    expect(await statusesOf(id)).toEqual(attempts)
    expect(seen).toHaveLength(attempts.length)
    expect(new Set(seen.map((request) => request.id))).toEqual(new Set([id]))
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1)
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set([PATH]))
    expect(seen.every(isSigned)).toBe(true)
    expect(await services.alerts.get(id)).toMatchObject({ attempts: attempts.length, next_attempt_at: null })
  })

  test('a wait that is asked for is kept', async () => {
    answers = [fails(429, { 'retry-after': '1' }), fails(200)]
    await settle(await raise())
    const [first, second] = seen
    // Timestamps are whole seconds, so a second apart is seen as at least one.
    expect(Number(second?.timestamp) - Number(first?.timestamp)).toBeGreaterThanOrEqual(1)
  })

  test('workers that are killed in the middle of attempts: the next goes on, and five is the end', { timeout: LONG_MS }, async () => {
    answers = ['hang']
    const id = await raise()
    for (let attempt = 1; attempt <= 4; attempt++) {
      const child = fork(CHILD, {
        env: { PATH: process.env['PATH'] ?? '', ...env, WAIT_MS: String(WAIT_MS), TIMEOUT_MS: String(TIMEOUT_MS) },
      })
      const exited = once(child, 'exit')
      await expect.poll(() => seen.length, { timeout: LONG_MS / 2, interval: 10 }).toBe(attempt)
      child.kill('SIGKILL')
      await exited
    }
    answers = [fails(200)]
    expect(await settle(id)).toBe('DELIVERED')
    expect(seen.map((request) => request.id)).toEqual(Array.from({ length: 5 }, () => id))
    const deliveries = await services.deliveries.list(id)
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['DELIVERED', 'UNDER_WAY', 'UNDER_WAY', 'UNDER_WAY', 'UNDER_WAY'])
  })

  test('a worker that is killed in the fifth attempt leaves a failure, not a wait', { timeout: LONG_MS }, async () => {
    answers = [fails(500), fails(500), fails(500), fails(500), 'hang']
    const id = await raise()
    const child = fork(CHILD, {
      env: { PATH: process.env['PATH'] ?? '', ...env, WAIT_MS: String(WAIT_MS), TIMEOUT_MS: String(TIMEOUT_MS) },
    })
    const exited = once(child, 'exit')
    await expect.poll(() => seen.length, { timeout: LONG_MS / 2, interval: 10 }).toBe(5)
    child.kill('SIGKILL')
    await exited
    expect(await settle(id)).toBe('FAILED')
    expect(seen).toHaveLength(5)
  })
})

test('four workers at once make each attempt once', async () => {
  answers = [{ status: 500 }, { status: 500 }, { status: 200 }]
  const workers = [services, await open(), await open(), await open()]
  const id = await raise()
  await Promise.all(workers.map(async (worker) => await settle(id, worker)))
  expect(await statusesOf(id)).toEqual([500, 500, 200])
  expect(seen).toHaveLength(3)
})

test('a delivery can be replayed with the same id, but not while it is under way', async () => {
  answers = [{ status: 410 }, { status: 200 }]
  const id = await raise()
  await expect(services.deliveries.replay(COMMAND_LINE_ACTOR, id)).rejects.toMatchObject({ code: 'conflict' })
  expect(await settle(id)).toBe('FAILED')
  await services.deliveries.replay(COMMAND_LINE_ACTOR, id)
  expect(await settle(id)).toBe('DELIVERED')
  expect(seen.map((request) => request.id)).toEqual([id, id])
  const row = await services.db.selectFrom('audit_events').select('action').where('target_id', '=', id).executeTakeFirst()
  expect(row).toEqual({ action: 'alert.replayed' })
})

describe('the address is judged', () => {
  test('an internal one is refused at the start unless the operator says that it is meant', async () => {
    await expect(open({ ALERT_WEBHOOK_ALLOW_INTERNAL: 'false' })).rejects.toMatchObject({
      code: 'setting_invalid',
      message: expect.not.stringContaining('capability'),
    })
  })

  test('a name that leads inside is not contacted, and no reason names the path', async () => {
    const inside = await open({ ALERT_WEBHOOK_ALLOW_INTERNAL: 'false', ALERT_WEBHOOK_URL: `https://internal.invalid${PATH}` })
    const id = await raise(inside)
    expect(await settle(id, inside)).toBe('FAILED')
    const reasons = (await inside.deliveries.list(id)).map(({ reason }) => reason)
    expect(reasons).toHaveLength(5)
    expect(reasons.join()).not.toContain('capability')
  })

  test('without a webhook nobody is told, and nothing waits', async () => {
    const mute = await open({ ALERT_WEBHOOK_URL: '' })
    const id = await raise(mute)
    expect(await mute.alerts.get(id)).toMatchObject({ notification: 'NONE' })
    expect(await mute.deliveries.deliverDue(new AbortController().signal)).toEqual({ delivered: 0, failed: 0, postponed: 0 })
  })
})
