import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

// Attacks that no row of docs/promises.md names: what somebody would try next.

const ADMIN = { name: 'test', role: 'ADMIN' } as const
const OLD_PASSWORD = 'an earlier passphrase of this test'
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

type Tokens = { access_token: string; refresh_token: string }

let named = 0
let places = 0
async function newUser(role: 'ADMIN' | 'ANALYST' | 'VIEWER' = 'VIEWER'): Promise<{ id: string; username: string }> {
  named++
  return await app.services.accounts.createUser(ADMIN, { username: `attacked${named}`, password: OLD_PASSWORD, role })
}

async function logIn(username: string, password = OLD_PASSWORD, extra: Record<string, string> = {}, headers: Record<string, string> = {}) {
  return await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    // Each from a place of its own: refused logins of one test must not lock out the next.
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': `203.0.113.${places++ % 250}`, ...headers },
    payload: new URLSearchParams({ username, password, ...extra }).toString(),
  })
}

async function tokensOf(username: string): Promise<Tokens> {
  const answer = await logIn(username)
  expect(answer.statusCode).toBe(200)
  return answer.json() as Tokens
}

async function refresh(token: string) {
  return await app.app.inject({ method: 'POST', url: '/api/v1/auth/refresh', payload: { refresh_token: token } })
}

async function me(token: string): Promise<number> {
  return (await app.app.inject({ method: 'GET', url: '/api/v1/users/me', headers: { authorization: `Bearer ${token}` } })).statusCode
}

describe('sessions', () => {
  test('logging in over another session in the same browser ends that one: nobody keeps a session that its browser forgot', async () => {
    const [first, second] = [await newUser(), await newUser()]
    const origin = { origin: 'http://localhost', host: 'localhost' }
    const before = await logIn(first.username, OLD_PASSWORD, { transport: 'cookie' }, origin)
    const cookie = before.cookies.find(({ name }) => name === 'svc_refresh')?.value ?? ''
    expect(cookie).not.toBe('')
    const after = await logIn(second.username, OLD_PASSWORD, { transport: 'cookie' }, { ...origin, cookie: `svc_refresh=${cookie}` })
    expect(after.statusCode).toBe(200)
    expect(await me((before.json() as Tokens).access_token)).toBe(401)
    expect(await me((after.json() as Tokens).access_token)).toBe(200)
  })

  test('a refresh that races a logout, 60 times: no session outlives the logout', async () => {
    const user = await newUser()
    for (let round = 0; round < 60; round++) {
      const tokens = await tokensOf(user.username)
      const [refreshed, left] = await Promise.all([
        refresh(tokens.refresh_token),
        app.app.inject({ method: 'POST', url: '/api/v1/auth/logout', headers: { authorization: `Bearer ${tokens.access_token}` } }),
      ])
      expect(left.statusCode).toBe(204)
      const alive = refreshed.statusCode === 200 ? (refreshed.json() as Tokens) : tokens
      expect(await me(alive.access_token)).toBe(401)
      expect((await refresh(alive.refresh_token)).statusCode).toBe(401)
    }
  })

  test('a login that races the disabling of its account, 30 times: no session is left', async () => {
    for (let round = 0; round < 30; round++) {
      const user = await newUser()
      const [answer] = await Promise.all([
        logIn(user.username),
        app.call('PATCH', `/api/v1/users/${user.id}`, 'ADMIN', { status: 'DISABLED' }),
      ])
      if (answer.statusCode !== 200) continue
      const tokens = answer.json() as Tokens
      expect(await me(tokens.access_token)).toBe(401)
      expect((await refresh(tokens.refresh_token)).statusCode).toBe(401)
      // Enabled again, what was opened before stays closed.
      await app.call('PATCH', `/api/v1/users/${user.id}`, 'ADMIN', { status: 'ACTIVE' })
      expect(await me(tokens.access_token)).toBe(401)
      expect((await refresh(tokens.refresh_token)).statusCode).toBe(401)
    }
  })

  test('a login with the old password that races its reset, 30 times: the old password opens nothing afterwards', async () => {
    for (let round = 0; round < 30; round++) {
      const user = await newUser()
      const [answer, reset] = await Promise.all([
        logIn(user.username),
        app.call('POST', `/api/v1/users/${user.id}/password`, 'ADMIN', { password: `${OLD_PASSWORD} ${round}` }),
      ])
      expect(reset.statusCode).toBe(200)
      if (answer.statusCode !== 200) continue
      const tokens = answer.json() as Tokens
      expect(await me(tokens.access_token)).toBe(401)
      expect((await refresh(tokens.refresh_token)).statusCode).toBe(401)
    }
  })

  test('two cookies of one name, a cookie of 8 kB, and one that is no token: refused in words, never 500', async () => {
    const headers = { origin: 'http://localhost', host: 'localhost' }
    for (const cookie of [
      'svc_refresh=a; svc_refresh=b',
      `svc_refresh=${'a'.repeat(8000)}`,
      'svc_refresh="%00"',
      'svc_refresh=',
      'svc_refresh=__proto__',
    ]) {
      const answer = await app.app.inject({ method: 'POST', url: '/api/v1/auth/refresh', headers: { ...headers, cookie }, payload: {} })
      expect([401, 422], cookie.slice(0, 40)).toContain(answer.statusCode)
    }
  })
})

describe('administrators', () => {
  test('a demoted administrator whose requests wait for a password hash, 10 times: nothing that waits is done with rights that are gone', async () => {
    for (let round = 0; round < 10; round++) {
      const admin = await newUser('ADMIN')
      const { access_token } = await tokensOf(admin.username)
      const requests = Array.from(
        { length: 12 },
        async (_, n) =>
          await app.app.inject({
            method: 'POST',
            url: '/api/v1/users',
            headers: { authorization: `Bearer ${access_token}` },
            payload: { username: `planted-${round}-${n}`, role: 'ADMIN', password: OLD_PASSWORD },
          }),
      )
      const demoted = await app.call('PATCH', `/api/v1/users/${admin.id}`, 'ADMIN', { role: 'VIEWER' })
      expect(demoted.statusCode).toBe(200)
      const { rows: at } = { rows: await planted(round) }
      await Promise.all(requests)
      expect((await planted(round)).length).toBe(at.length)
    }
  })

  async function planted(round: number) {
    return await app.services.db.selectFrom('users').select('id').where('username', 'like', `planted-${round}-%`).execute()
  }

  test('names that a reader takes for another one are refused', async () => {
    for (const username of [
      'admin.',
      '.admin',
      'аdmin',
      'admin\u200b',
      'ADMIN',
      'admın',
      'ad min',
      'admin\u0000',
      'admin@',
      '-admin',
      'ａｄｍｉｎ',
    ]) {
      const answer = await app.call('POST', '/api/v1/users', 'ADMIN', { username, role: 'VIEWER', password: OLD_PASSWORD })
      expect([409, 422], JSON.stringify(username)).toContain(answer.statusCode)
    }
  })

  test('an account cannot be changed by a body of another shape', async () => {
    const user = await newUser()
    for (const body of [
      { role: ['ADMIN'] },
      { role: { $ne: 'VIEWER' } },
      { status: true },
      { version: 1e300 },
      { version: -1, role: 'ADMIN' },
      { password_hash: 'x' },
      { id: 'x' },
    ]) {
      const answer = await app.call('PATCH', `/api/v1/users/${user.id}`, 'ADMIN', body)
      expect([409, 422], JSON.stringify(body)).toContain(answer.statusCode)
    }
    expect(await app.services.accounts.getUser(user.id)).toMatchObject({ role: 'VIEWER', status: 'ACTIVE' })
  })
})

describe('the journal', () => {
  test('a request id that was used before does not hide what came under it first', async () => {
    const headers = { 'x-request-id': 'chosen-by-a-client' }
    const asRole = (role: 'ADMIN' | 'VIEWER') => ({ ...headers, authorization: `Bearer ${app.tokens[role]}` })
    await app.app.inject({ method: 'GET', url: '/api/v1/audit', headers: asRole('VIEWER') })
    for (let n = 0; n < 3; n++) await app.app.inject({ method: 'GET', url: '/api/v1/users/me', headers: asRole('VIEWER') })
    const trace = await app.call('GET', '/api/v1/audit/requests/chosen-by-a-client', 'ADMIN')
    expect(trace.statusCode).toBe(200)
    expect(trace.json()).toMatchObject({ items: [{ action: 'authz.denied', actor_name: 'viewer' }] })
  })

  test.each(['%', '_', '\\', "'; drop table users; --", 'auth.%', '\u0000', 'a'.repeat(65)])(
    'the action filter takes %j as it is',
    async (action) => {
      const answer = await app.call('GET', `/api/v1/audit?action=${encodeURIComponent(action)}`, 'ADMIN')
      expect([200, 422]).toContain(answer.statusCode)
      if (answer.statusCode === 200) expect(answer.json()).toMatchObject({ items: [], total: 0 })
    },
  )

  test.each([
    'since=-1',
    'since=1e999',
    'since=NaN',
    'since=',
    'limit=0',
    'limit=1e9',
    'cursor=%00',
    "cursor=' or 1=1",
    'outcome=ALL',
    'cursor=AAAA',
    'since=9007199254740993',
  ])('?%s is refused with its field', async (query) => {
    const answer = await app.call('GET', `/api/v1/audit?${query}`, 'ADMIN')
    expect(answer.statusCode, answer.body).toBe(422)
    expect(answer.json().errors?.length).toBeGreaterThan(0)
  })
})

describe('the connection', () => {
  let port: number
  beforeAll(async () => {
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.app.server.address() as AddressInfo).port
  })

  /** Everything that the server says to raw bytes. */
  async function say(bytes: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.setTimeout(3000, () => socket.destroy())
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(heard))
    socket.on('error', () => {})
    socket.write(bytes)
    return await promise
  }
  const answers = (heard: string) => heard.match(/^HTTP\/1\.1 \d{3}/gm) ?? []

  test.each([
    [
      'two lengths',
      'POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\nGET /api/v1/users/me HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    [
      'a length and chunks',
      'POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    [
      'a hidden encoding',
      'POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    [
      'a blank before the colon',
      'POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    [
      'a folded header',
      'GET /health HTTP/1.1\r\nHost: x\r\nX-Folded: a\r\n\tTransfer-Encoding: chunked\r\n\r\nGET /ready HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    ['no host', 'GET /health HTTP/1.1\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('smuggled request: %s gets one answer and an end', async (_title, bytes) => {
    const heard = await say(bytes)
    expect(answers(heard).length).toBeLessThanOrEqual(1)
    expect(heard).not.toContain(' 200 ')
  })

  test('a flood of 400 logins at once: the others are told to come back, and another route answers', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const flood = Array.from(
      { length: 400 },
      async (_, n) =>
        await fetch(`http://127.0.0.1:${port}/api/v1/auth/token`, {
          method: 'POST',
          headers: { ...headers, 'x-forwarded-for': `198.51.${n % 250}.${n}` },
          body: new URLSearchParams({ username: `nobody${n}`, password: 'x'.repeat(1000) }),
        }).then(({ status }) => status),
    )
    expect(
      (await fetch(`http://127.0.0.1:${port}/api/v1/users/me`, { headers: { authorization: `Bearer ${app.tokens.VIEWER}` } })).status,
    ).toBe(200)
    const statuses = await Promise.all(flood)
    expect([...new Set(statuses)].every((status) => status === 401 || status === 429)).toBe(true)
    expect((await logIn('viewer', TEST_PASSWORD)).statusCode).toBe(200)
  })
})
