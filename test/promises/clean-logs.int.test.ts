import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Canary, findCanaries } from '../support/canaries.ts'
import { startListServer } from '../support/list-server.ts'
import { startSvc } from '../support/svc-process.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'
import { withClient } from '../support/with-client.ts'

const canary = (name: string): Canary => ({ name, secret: `Vx${randomBytes(14).toString('hex')}Qj` })
const PASSWORD = canary('password')
const WRONG_PASSWORD = canary('wrong password')
const NEW_PASSWORD = canary('new password')
const TOKEN = canary('token in a header')
const PATH_TOKEN = canary('token in a path')
const QUERY_TOKEN = canary('token in a query')
const COOKIE = canary('cookie')
const HEADER = canary('header')
const BODY = canary('body')
const FEED_KEY = canary('access key of a feed')
const REFRESH = canary('refresh token')
const CANARIES = [PASSWORD, WRONG_PASSWORD, NEW_PASSWORD, TOKEN, PATH_TOKEN, QUERY_TOKEN, COOKIE, HEADER, BODY, FEED_KEY, REFRESH]

const HOSTILE_NAMES = [
  'evil\r\n{"level":"info","event":"forged"}',
  'evil\n2026-11-21 forged line',
  '\u001b[31mred\u001b[0m\u0007',
  '\u2028\u2029\u0085 separators',
  '\u202egnp.exe',
  '"}\n{"event":"forged","level":"info"',
  '\u0024{jndi:ldap://127.0.0.1/a}',
  '%0d%0aforged',
]

const FORM = 'application/x-www-form-urlencoded'
let app: TestApp
let port = 0
let lists: Awaited<ReturnType<typeof startListServer>>
beforeAll(async () => {
  lists = await startListServer()
  app = await createTestApp({ FEED_KEY_SITE: FEED_KEY.secret, OUTBOUND_ALLOW_HOSTS: lists.host })
  port = Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await app.close()
  await lists.close()
})

/** Every line so far is one JSON object, and holds no canary, no issued token, and nobody's forged record. */
function expectCleanLog(lines: readonly string[], issued: readonly string[] = []): void {
  for (const line of lines) {
    expect(line.endsWith('\n'), line).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(line.slice(0, -1), line).not.toMatch(/[\u0000-\u001f\u007f]/)
    const record = JSON.parse(line) as Record<string, unknown>
    expect(record, line).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      logger: expect.stringMatching(/^svc\./),
      event: expect.any(String),
    })
    expect(record['event'], line).not.toBe('forged')
  }
  const all = lines.join('')
  expect(findCanaries(CANARIES, all)).toEqual([])
  for (const token of issued) expect(all).not.toContain(token.slice(-20))
}

const login = async (username: string, password: string, more: Record<string, string> = {}) =>
  await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: { 'content-type': FORM, ...more },
    payload: new URLSearchParams({ username, password }).toString(),
  })

describe('D11: nothing that was sent in confidence is logged', () => {
  test('logins, right and wrong, with hostile names and at every door', async () => {
    await app.services.accounts.createUser(
      { name: 'test', role: 'ADMIN' },
      { username: 'canary', password: PASSWORD.secret, role: 'VIEWER' },
    )
    const answer = await login('canary', PASSWORD.secret)
    expect(answer.statusCode).toBe(200)
    const issued = Object.values(answer.json() as Record<string, unknown>).filter(
      (value) => typeof value === 'string' && value.length > 20,
    ) as string[]
    expect(issued.length).toBeGreaterThan(0)
    await login('canary', WRONG_PASSWORD.secret)
    for (const name of HOSTILE_NAMES) await login(name, WRONG_PASSWORD.secret, { 'user-agent': HEADER.secret })
    await login('canary', PASSWORD.secret, { 'content-type': 'application/json' })
    for (const url of [`/api/v1/auth/token?password=${PASSWORD.secret}`, `/api/v1/auth/token/${PASSWORD.secret}`])
      await app.call('POST', url, undefined, {})
    const logged = app.logLines.filter((line) => line.includes('auth.login'))
    expect(logged.length).toBeGreaterThan(HOSTILE_NAMES.length)
    expectCleanLog(app.logLines, issued)
  })

  test('tokens in headers, cookies, addresses and queries', async () => {
    const bearers = [
      `Bearer ${TOKEN.secret}`,
      `Basic ${Buffer.from(`canary:${PASSWORD.secret}`).toString('base64')}`,
      TOKEN.secret,
      `Bearer ${app.tokens.ADMIN}x`,
      `bearer ${TOKEN.secret} ${TOKEN.secret}`,
    ]
    for (const authorization of bearers)
      for (const url of ['/api/v1/users/me', '/api/v1/feeds', '/api/v1/settings', '/nothing'])
        await app.app.inject({
          method: 'GET',
          url,
          headers: {
            authorization,
            cookie: `svc_refresh=${COOKIE.secret}`,
            'x-api-key': HEADER.secret,
            referer: `https://a.example.org/?t=${HEADER.secret}`,
          },
        })
    const urls = [
      `/api/v1/${PATH_TOKEN.secret}`,
      `/api/v1/indicators/${PATH_TOKEN.secret}`,
      `/${PATH_TOKEN.secret}`,
      `/assets/${PATH_TOKEN.secret}.js`,
      `/docs/${PATH_TOKEN.secret}`,
      `/%ff${PATH_TOKEN.secret}`,
      `/api/v1/feeds?access_token=${QUERY_TOKEN.secret}`,
      `/api/v1/users/me?access_token=${QUERY_TOKEN.secret}`,
      `/api/v1/stream?access_token=${QUERY_TOKEN.secret}`,
      `/health?token=${QUERY_TOKEN.secret}`,
      `/api/v1/indicators?value=${QUERY_TOKEN.secret}&password=${PASSWORD.secret}`,
      `/api/v1/audit/requests/${PATH_TOKEN.secret}`,
    ]
    for (const method of ['GET', 'POST', 'DELETE', 'PUT'])
      for (const url of urls) await app.call(method, url, url.includes('stream') ? undefined : 'ADMIN')
    await app.app.inject({ method: 'GET', url: '/health', headers: { 'x-request-id': `${HEADER.secret} ${HEADER.secret}` } })
    for (const route of ['refresh', 'logout']) {
      await app.call('POST', `/api/v1/auth/${route}`, undefined, { refresh_token: REFRESH.secret })
      await app.app.inject({
        method: 'POST',
        url: `/api/v1/auth/${route}`,
        headers: { cookie: `svc_refresh=${REFRESH.secret}`, origin: `https://${HEADER.secret}.example.org` },
      })
    }
    expectCleanLog(app.logLines, Object.values(app.tokens))
  })

  test('bodies: passwords of accounts, rubbish, and what is refused', async () => {
    const created = await app.call('POST', '/api/v1/users', 'ADMIN', { username: 'somebody', role: 'VIEWER', password: PASSWORD.secret })
    expect(created.statusCode).toBe(201)
    const { id } = created.json() as { id: string }
    await app.call('POST', `/api/v1/users/${id}/password`, 'ADMIN', { password: NEW_PASSWORD.secret })
    await app.call('POST', '/api/v1/users', 'ADMIN', { username: 'generated', role: 'VIEWER' })
    await app.call('POST', '/api/v1/users/me/password', 'VIEWER', {
      current_password: WRONG_PASSWORD.secret,
      new_password: NEW_PASSWORD.secret,
    })
    await app.call('POST', '/api/v1/users/me/password', 'ANALYST', { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD.secret })
    for (const url of ['/api/v1/indicators', '/api/v1/indicators/lookup', '/api/v1/feeds', '/api/v1/feeds/probe', '/api/v1/users']) {
      await app.call('POST', url, 'ADMIN', { [BODY.secret]: BODY.secret })
      await app.app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${app.tokens.ADMIN}`, 'content-type': 'application/json' },
        payload: `{"${BODY.secret}": `,
      })
      await app.app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${app.tokens.ADMIN}`, 'content-type': BODY.secret },
        payload: BODY.secret,
      })
    }
    expectCleanLog(app.logLines, Object.values(app.tokens))
  })

  test('access keys of feeds, in collections that work and that fail', async () => {
    const feeds = [
      { name: 'keyed', url: `http://${lists.host}/good?key={SITE}` },
      { name: 'refused', url: `http://${lists.host}/missing/{SITE}` },
    ]
    lists.publish('good', '45.77.12.13\n')
    for (const feed of feeds) {
      const answer = await app.call('POST', '/api/v1/feeds', 'ADMIN', { ...feed, format: 'CSV' })
      expect(answer.statusCode).toBe(201)
      await app.call('POST', `/api/v1/feeds/${(answer.json() as { id: string }).id}/fetch`, 'ADMIN', {})
      await app.call('POST', '/api/v1/feeds/probe', 'ADMIN', { url: feed.url, format: 'CSV' })
    }
    await app.services.collect.stop()
    expect(lists.asked('good').length).toBeGreaterThan(0)
    expectCleanLog(app.logLines)
  })

  test('failures of the database, which repeat the values that it refuses', async () => {
    await withClient(app.database.ownerUrl, async (run) => {
      await run("create function tell_row() returns trigger language plpgsql as $$ begin raise exception 'refused %', new::text; end $$")
      for (const table of ['threat_feeds', 'users', 'indicators'])
        await run(`create trigger tell_row before insert or update on ${table} for each row execute function tell_row()`)
    })
    const before = app.logLines.length
    await app.call('POST', '/api/v1/feeds', 'ADMIN', { name: BODY.secret, url: `https://lists.example.org/${BODY.secret}`, format: 'CSV' })
    await app.call('POST', '/api/v1/users', 'ADMIN', {
      username: 'another',
      role: 'VIEWER',
      password: PASSWORD.secret,
      email: `${BODY.secret}@example.org`,
    })
    await app.call('POST', '/api/v1/indicators', 'ADMIN', { indicators: [{ value: `${BODY.secret}.example.org` }] })
    await login('viewer', TEST_PASSWORD)
    expect(app.logLines.slice(before).filter((line) => line.includes('http.unexpected')).length).toBeGreaterThan(1)
    expectCleanLog(app.logLines)
  })

  test('connections that never became a request', async () => {
    for (const bytes of [
      `GET /${PATH_TOKEN.secret} HTTP/9.9\r\n\r\n`,
      `${TOKEN.secret}\r\n\r\n`,
      `GET / HTTP/1.1\r\nAuthorization: ${TOKEN.secret}\0\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${HEADER.secret.repeat(3000)}\r\n\r\n`,
    ]) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
      socket.on('close', () => resolve()).on('error', () => resolve())
      socket.resume()
      await promise
    }
    expect(app.logLines.some((line) => line.includes('http.connection_refused'))).toBe(true)
    expectCleanLog(app.logLines)
  })

  test('the processes themselves write JSON lines and nothing else', async () => {
    const env = {
      DATABASE_URL: app.database.appUrl,
      SECRET_KEY: randomBytes(32).toString('hex'),
      PORT: '0',
      LOG_LEVEL: 'trace',
      FEED_KEY_SITE: FEED_KEY.secret,
      OUTBOUND_ALLOW_HOSTS: lists.host,
    }
    const api = startSvc(['serve'], env)
    const worker = startSvc(['feeds', 'worker'], env)
    const url = await api.until((stdout) => /running at (\S+)/.exec(stdout)?.[1])
    await fetch(`${url}/api/v1/${PATH_TOKEN.secret}`, { headers: { authorization: `Bearer ${TOKEN.secret}` } })
    await fetch(`${url}/api/v1/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ username: HOSTILE_NAMES[0] ?? '', password: WRONG_PASSWORD.secret }),
    })
    await worker.until(() => (worker.stderr().includes('worker.ready') ? true : undefined))
    for (const { child, ended } of [api, worker]) {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    const lines = (api.stderr() + worker.stderr()).split('\n').filter(Boolean)
    expect(lines.length).toBeGreaterThan(3)
    expectCleanLog(lines.map((line) => `${line}\n`))
    expect(findCanaries(CANARIES, api.stdout() + worker.stdout())).toEqual([])
  })
})
