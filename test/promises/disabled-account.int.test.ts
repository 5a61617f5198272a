import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram } from '#entrypoints/cli/program.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const ROUNDS = 200

let app: TestApp
let places = 0
let user: { id: string; username: string }

/** A new account: the logins that one of them is refused count until the limiter knows only one answer. */
async function newUser(): Promise<void> {
  user = await app.services.accounts.createUser(COMMAND_LINE_ACTOR, {
    username: `consumer-${++places}`,
    password: TEST_PASSWORD,
    role: 'ANALYST',
  })
}

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

/** The ways in which an account is used. Each says how it was answered. */
const DOORS: Record<string, (tokens: { access_token: string; refresh_token: string }) => Promise<number>> = {
  read: async ({ access_token }) => await call('GET', '/api/v1/indicators', access_token),
  write: async ({ access_token }) =>
    await call('POST', '/api/v1/indicators', access_token, {
      indicators: [{ value: `${Math.random().toString(36).slice(2)}.example.com` }],
    }),
  'own account': async ({ access_token }) => await call('GET', '/api/v1/users/me', access_token),
  'a stream': async ({ access_token }) => await call('GET', '/api/v1/stream', access_token),
  refresh: async ({ refresh_token }) => await call('POST', '/api/v1/auth/refresh', undefined, { refresh_token }),
  login: async () =>
    (
      await app.app.inject({
        method: 'POST',
        url: '/api/v1/auth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': `2001:db8:${(places++).toString(16)}::1` },
        payload: new URLSearchParams({ username: user.username, password: TEST_PASSWORD }).toString(),
      })
    ).statusCode,
}

async function call(method: string, url: string, token?: string, body?: object): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return (await app.app.inject({ method: method as 'GET', url, headers, ...(body === undefined ? {} : { payload: body }) })).statusCode
}

/** `svc users <verb> consumer`, with the services of this process. */
async function onCommandLine(verb: 'disable' | 'enable'): Promise<void> {
  const out = { note() {}, line() {}, json() {}, table() {}, progress() {}, mark() {}, exitCode: 0 }
  const context = { out, services: async () => app.services, signal: () => new AbortController().signal }
  await buildProgram(context as unknown as Parameters<typeof buildProgram>[0]).parseAsync(['users', verb, user.username], { from: 'user' })
}

async function overApi(verb: 'disable' | 'enable'): Promise<void> {
  const answer = await app.call('PATCH', `/api/v1/users/${user.id}`, 'ADMIN', { status: verb === 'disable' ? 'DISABLED' : 'ACTIVE' })
  expect(answer.statusCode).toBe(200)
}

describe('A4: a disabled account', () => {
  test(`${ROUNDS} rounds x ${Object.keys(DOORS).length} doors under load: what is asked after the disabling is refused`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await newUser()
      const change = round % 2 === 0 ? overApi : onCommandLine
      const origin = { clientIp: `198.51.100.${round % 250}`, requestId: `round-${round}` }
      const tokens = await app.services.sessions.login({ username: user.username, password: TEST_PASSWORD }, origin)
      // In use while it is disabled: these may still be answered.
      const during = ['read', 'own account', 'write'].map(async (door) => await DOORS[door]?.(tokens))
      await change('disable')
      const after = await Promise.all(Object.entries(DOORS).map(async ([door, ask]) => [door, await ask(tokens)]))
      expect(after, `round ${round}`).toEqual(Object.keys(DOORS).map((door) => [door, 401]))
      await Promise.all(during)
      await change('enable')
      // What was open before stays closed; only a new login opens again.
      expect(await DOORS['own account']?.(tokens)).toBe(401)
    }
  }, 120_000)

  test('says so to whoever presents its token, and not to whoever tries its password', async () => {
    await newUser()
    const tokens = await app.services.sessions.login(
      { username: user.username, password: TEST_PASSWORD },
      { clientIp: '198.51.100.1', requestId: 'r' },
    )
    await overApi('disable')
    const answer = await app.app.inject({
      method: 'GET',
      url: '/api/v1/users/me',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(answer.json()).toMatchObject({ status: 401, code: 'account_disabled' })
    await overApi('enable')
  })
})
