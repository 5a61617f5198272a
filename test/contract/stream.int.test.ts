import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#kernel/actor.ts'
import { newId } from '#kernel/ids.ts'
import { transact } from '#platform/database/transact.ts'
import type { NewEvent } from '#platform/events/event.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { namesOf, type OpenStream, openStream } from '../support/event-stream.ts'
import { endingAt } from '../support/shorter-token.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const SECRET_KEY = randomBytes(32).toString('hex')
const COLLECTED: NewEvent = {
  name: 'feed.collected',
  data: { feed_id: newId(), new_count: 3 },
  adminData: { error: 'The server lists.example.org answered 500.' },
}

let app: TestApp
let url: string
const open: OpenStream[] = []
beforeAll(async () => {
  app = await createTestApp({ SECRET_KEY })
  url = `${await app.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stream`
})
afterAll(async () => await app.close())
afterEach(async () => {
  for (const stream of open.splice(0)) stream.close()
  await expect.poll(openStreams).toBe(0)
})

const openStreams = () => app.logLines.filter((line) => line.includes('"stream.opened"')).length - closedStreams()
const closedStreams = () => app.logLines.filter((line) => line.includes('"stream.closed"')).length

async function stream(role: Role = 'VIEWER', headers: Record<string, string> = {}): Promise<OpenStream> {
  const opened = await openStream(url, app.tokens[role], headers)
  if (opened.status === 200) open.push(opened)
  return opened
}

async function publish(...events: NewEvent[]): Promise<void> {
  await transact(app.services.db, SILENT_LOGGING.for('svc.worker'), async (tx) => {
    for (const event of events) await app.services.events.publish(tx, event)
  })
}

describe('what arrives', () => {
  test('an event with its id, its name, its time and its data', async () => {
    const viewer = await stream()
    await publish(COLLECTED)
    await viewer.until((messages) => messages.length === 1)
    const [message] = viewer.messages
    expect(message).toMatchObject({ event: 'feed.collected', data: { id: message?.id, ...COLLECTED.data } })
    expect(message?.data['at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('the error text for ADMIN alone', async () => {
    const [admin, analyst, viewer] = [await stream('ADMIN'), await stream('ANALYST'), await stream('VIEWER')]
    await publish(COLLECTED)
    for (const client of [admin, analyst, viewer]) await client.until((messages) => messages.length === 1)
    expect(admin.messages[0]?.data).toMatchObject({ ...COLLECTED.data, ...COLLECTED.adminData })
    for (const { messages } of [analyst, viewer]) expect(messages[0]?.data).not.toHaveProperty('error')
  })

  test('an event for some roles goes to those roles', async () => {
    const [admin, analyst, viewer] = [await stream('ADMIN'), await stream('ANALYST'), await stream('VIEWER')]
    await publish({ name: 'incident.updated', data: {}, roles: ['ADMIN', 'ANALYST'] }, { name: 'hunt.completed', data: {} })
    for (const client of [admin, analyst, viewer]) await client.until(() => namesOf(client).includes('hunt.completed'))
    expect([admin, analyst, viewer].map((client) => namesOf(client).includes('incident.updated'))).toEqual([true, true, false])
  })

  test('text of a publisher cannot end a line of the stream', async () => {
    const viewer = await stream()
    const hostile = 'a\n\nevent: expired\ndata: {}\n\n\r\r\u2028\u2029'
    await publish({ name: 'hunt.completed', data: { text: hostile } })
    await viewer.until((messages) => messages.length === 1)
    expect(viewer.messages[0]?.data['text']).toBe(hostile)
  })

  test('one resync for whoever comes back with a Last-Event-ID, and none for others', async () => {
    const [returning, fresh] = [await stream('VIEWER', { 'last-event-id': newId() }), await stream()]
    await publish({ name: 'hunt.completed', data: {} })
    for (const client of [returning, fresh]) await client.until(() => namesOf(client).includes('hunt.completed'))
    expect([namesOf(returning), namesOf(fresh)]).toEqual([['resync', 'hunt.completed'], ['hunt.completed']])
  })

  test('headers that keep proxies and caches from holding it back', async () => {
    const { headers } = await stream()
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\w.-]{8,64}$/),
    })
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test('HEAD has the headers and an end', async () => {
    const answer = await app.call('HEAD', '/api/v1/stream', 'VIEWER')
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'text/event-stream', ''])
  })
})

describe('who gets in', () => {
  test.each([
    ['no token', {}],
    ['a token in the address', {}, 'access_token'],
    ['a broken token', { authorization: 'Bearer a.b.c' }],
  ])('%s is refused', async (_title, headers, parameter = '') => {
    const at = parameter === '' ? url : `${url}?${parameter}=${app.tokens.VIEWER}`
    const answer = await fetch(at, { headers })
    expect(answer.status).toBe(401)
  })

  test('five streams of one account, and the next when one has ended', async () => {
    const five = await Promise.all(Array.from({ length: 5 }, async () => await stream('ANALYST')))
    expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const sixth = await stream('ANALYST')
    expect([sixth.status, sixth.headers['retry-after'], JSON.parse(sixth.refusal).code]).toEqual([429, '15', 'rate_limited'])
    expect((await stream('VIEWER')).status).toBe(200)
    five[0]?.close()
    await expect.poll(async () => (await stream('ANALYST')).status).toBe(200)
  })
})

describe('when it ends', () => {
  test('with the presented token, by the event expired', async () => {
    const endsAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000)
    const client = await openStream(url, endingAt(app.tokens.VIEWER, SECRET_KEY, endsAt))
    await client.until(() => client.isEnded())
    expect(Math.abs(Date.now() - endsAt.getTime())).toBeLessThan(1000)
    expect(namesOf(client)).toEqual(['expired'])
  })

  test('within 15 s when its session is revoked, while others of the account stay', { timeout: 40_000 }, async () => {
    const login = { username: 'viewer', password: TEST_PASSWORD }
    const { access_token } = await app.services.sessions.login(login, { clientIp: '127.0.0.1', requestId: 'test-second' })
    const [ended, other] = [await openStream(url, access_token), await stream('VIEWER')]
    const startMs = performance.now()
    await app.services.sessions.logout({ accessToken: access_token }, { clientIp: '127.0.0.1', requestId: 'test-second' })
    await ended.until(() => ended.isEnded(), 20_000)
    expect((ended.endedAtMs() ?? Number.POSITIVE_INFINITY) - startMs).toBeLessThan(15_000)
    expect(other.isEnded()).toBe(false)
  })

  test('within 15 s when the account is disabled; the others stay, and a new role counts', { timeout: 40_000 }, async () => {
    const [disabled, demoted, other] = [await stream('VIEWER'), await stream('ADMIN'), await stream('ANALYST')]
    const startMs = performance.now()
    const { db } = app.services
    await db.updateTable('users').set({ status: 'DISABLED' }).where('username', '=', 'viewer').execute()
    await db.updateTable('users').set({ role: 'ANALYST' }).where('username', '=', 'admin').execute()
    await disabled.until(() => disabled.isEnded(), 20_000)
    expect((disabled.endedAtMs() ?? Number.POSITIVE_INFINITY) - startMs).toBeLessThan(15_000)
    expect(disabled.messages).toEqual([])
    await publish(COLLECTED)
    for (const client of [demoted, other]) await client.until((messages) => messages.length === 1)
    expect(demoted.messages[0]?.data).not.toHaveProperty('error')
    await db.updateTable('users').set({ status: 'ACTIVE' }).where('username', '=', 'viewer').execute()
    await db.updateTable('users').set({ role: 'ADMIN' }).where('username', '=', 'admin').execute()
  })
})

test('a stop of the service ends the streams at once', async () => {
  const stopping = await createTestApp()
  const at = `${await stopping.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stream`
  const clients = await Promise.all(
    (['ADMIN', 'ANALYST', 'VIEWER'] as const).map(async (role) => await openStream(at, stopping.tokens[role])),
  )
  const startMs = performance.now()
  await stopping.close()
  expect(performance.now() - startMs).toBeLessThan(3000)
  for (const client of clients) await client.until(() => client.isEnded())
})

test('a collection in another process arrives', async () => {
  const { createServices } = await import('#entrypoints/services.ts')
  const { loadConfig } = await import('#platform/config/load-config.ts')
  const config = loadConfig({ DATABASE_URL: app.database.appUrl, SECRET_KEY, SVC_ENV_FILE: '' }, '/')
  const worker = await createServices(config, SILENT_LOGGING, 'test worker')
  const [admin, viewer] = [await stream('ADMIN'), await stream('VIEWER')]
  const feed = { name: 'nowhere', url: 'https://127.0.0.1.example.invalid/list.txt', format: 'CSV', feed_type: 'malware' } as const
  const { id } = await worker.feeds.create({ name: 'test', role: 'ADMIN' }, feed)
  const run = await worker.collect.collect({ name: 'test', role: 'ADMIN' }, id, { signal: AbortSignal.abort() })
  await worker.close()
  for (const client of [admin, viewer]) await client.until(() => namesOf(client).includes('feed.collected'))
  const figures = {
    feed_id: id,
    run_id: run.run_id,
    outcome: 'INTERRUPTED',
    new_count: 0,
    updated_count: 0,
    gone_count: 0,
    rejected_count: 0,
  }
  expect(admin.messages[0]?.data).toMatchObject({ ...figures, error: run.error })
  expect(viewer.messages[0]?.data).toMatchObject(figures)
  expect(viewer.messages[0]?.data).not.toHaveProperty('error')
})
