import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram } from '#entrypoints/cli/program.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const NEW_PASSWORD = 'seven herons under one bridge'
const HOST = 'svc.example.org'

let app: TestApp
let places = 0

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

type User = { id: string; username: string }
/** One login of each kind: its refresh token in the answer, and in the cookie. */
type Open = { body: { access_token: string; refresh_token: string }; cookie: { access_token: string; refresh: string } }

async function newUser(): Promise<User> {
  return await app.services.accounts.createUser(COMMAND_LINE_ACTOR, {
    username: `user-${++places}`,
    password: TEST_PASSWORD,
    role: 'ANALYST',
  })
}

async function logIn(username: string, password: string, transport: 'body' | 'cookie') {
  return await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `2001:db8:${(places++).toString(16)}::1`,
      origin: `http://${HOST}`,
      host: HOST,
    },
    payload: new URLSearchParams({ username, password, transport }).toString(),
  })
}

async function open({ username }: User): Promise<Open> {
  const body = (await logIn(username, TEST_PASSWORD, 'body')).json()
  const inCookie = await logIn(username, TEST_PASSWORD, 'cookie')
  return { body, cookie: { access_token: inCookie.json().access_token, refresh: inCookie.cookies[0]?.value ?? '' } }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const withCookie = (refresh: string) => ({ cookie: `svc_refresh=${refresh}`, origin: `http://${HOST}`, host: HOST })

/** The ways in which a session is used. Each says how it was answered. */
const DOORS: Record<string, (session: Open) => Promise<{ statusCode: number; json(): { code?: string } }>> = {
  API: async ({ body }) => await app.app.inject({ method: 'GET', url: '/api/v1/indicators', headers: bearer(body.access_token) }),
  'a stream': async ({ body }) => await app.app.inject({ method: 'GET', url: '/api/v1/stream', headers: bearer(body.access_token) }),
  'own sessions': async ({ cookie }) =>
    await app.app.inject({ method: 'GET', url: '/api/v1/users/me/sessions', headers: bearer(cookie.access_token) }),
  'refresh by body': async ({ body }) =>
    await app.app.inject({ method: 'POST', url: '/api/v1/auth/refresh', payload: { refresh_token: body.refresh_token } }),
  'refresh by cookie': async ({ cookie }) =>
    await app.app.inject({ method: 'POST', url: '/api/v1/auth/refresh', headers: withCookie(cookie.refresh) }),
}

async function onCommandLine(...args: string[]): Promise<void> {
  const out = { note() {}, line() {}, json() {}, table() {}, progress() {}, mark() {}, exitCode: 0 }
  const context = { out, services: async () => app.services, signal: () => new AbortController().signal }
  await buildProgram(context as unknown as Parameters<typeof buildProgram>[0]).parseAsync(['users', ...args], { from: 'user' })
}

type Action = { end(user: User, session: Open): Promise<unknown>; journal: string; rows: number; password: string }

async function logOut({ body, cookie }: Open): Promise<void> {
  const byBody = { method: 'POST' as const, url: '/api/v1/auth/logout', payload: { refresh_token: body.refresh_token } }
  const byCookie = { method: 'POST' as const, url: '/api/v1/auth/logout', headers: withCookie(cookie.refresh) }
  for (const request of [byBody, byCookie]) expect((await app.app.inject(request)).statusCode).toBe(204)
}

async function logOutByAccessToken({ body, cookie }: Open): Promise<void> {
  for (const { access_token } of [body, cookie])
    expect((await app.app.inject({ method: 'POST', url: '/api/v1/auth/logout', headers: bearer(access_token) })).statusCode).toBe(204)
}

async function asAdmin(url: string, body?: object): Promise<void> {
  expect((await app.call('POST', url, 'ADMIN', body)).statusCode).toBe(200)
}

const ACTIONS: Record<string, Action> = {
  'a password set over the API': {
    end: async ({ id }) => await asAdmin(`/api/v1/users/${id}/password`, { password: NEW_PASSWORD }),
    journal: 'user.password_reset',
    rows: 1,
    password: NEW_PASSWORD,
  },
  'a password set on the command line': {
    end: async ({ username }) => await onCommandLine('set-password', username, '--password', NEW_PASSWORD),
    journal: 'user.password_reset',
    rows: 1,
    password: NEW_PASSWORD,
  },
  'sessions revoked over the API': {
    end: async ({ id }) => await asAdmin(`/api/v1/users/${id}/revoke-sessions`),
    journal: 'user.sessions_revoked',
    rows: 1,
    password: TEST_PASSWORD,
  },
  'sessions revoked on the command line': {
    end: async ({ username }) => await onCommandLine('revoke-sessions', username),
    journal: 'user.sessions_revoked',
    rows: 1,
    password: TEST_PASSWORD,
  },
  'logout with the refresh tokens': {
    end: async (_, session) => await logOut(session),
    journal: 'auth.logout',
    rows: 2,
    password: TEST_PASSWORD,
  },
  'logout with the access tokens': {
    end: async (_, session) => await logOutByAccessToken(session),
    journal: 'auth.logout',
    rows: 2,
    password: TEST_PASSWORD,
  },
}

async function rowsAbout(user: User, action: string, reason?: string): Promise<number> {
  const rows = await app.services.db
    .selectFrom('audit_events')
    .select(['actor_id', 'target_id', 'details'])
    .where('action', '=', action)
    .execute()
  return rows.filter(
    ({ actor_id, target_id, details }) =>
      (actor_id === user.id || target_id === user.id) && (reason === undefined || JSON.stringify(details).includes(`"${reason}"`)),
  ).length
}

describe('A14: a new password, revoked sessions and a logout end what is open', () => {
  test.each(Object.entries(ACTIONS))(
    `%s: ${Object.keys(DOORS).length} doors are closed at the next request, and it is journalled`,
    async (_, action) => {
      for (const [door, ask] of Object.entries(DOORS)) {
        const user = await newUser()
        const session = await open(user)
        const bystander = await open(await newUser())
        // In use until then.
        for (const token of [session.body.access_token, session.cookie.access_token])
          expect((await app.app.inject({ method: 'GET', url: '/api/v1/users/me', headers: bearer(token) })).statusCode, door).toBe(200)

        await action.end(user, session)

        const answer = await ask(session)
        const code = door.startsWith('refresh') ? 'refresh_invalid' : 'token_invalid'
        expect({ door, status: answer.statusCode, code: answer.json().code }).toEqual({ door, status: 401, code })
        expect(await rowsAbout(user, action.journal), door).toBe(action.rows)
        expect(await rowsAbout(user, 'auth.refresh', 'session_revoked'), door).toBe(door.startsWith('refresh') ? 1 : 0)
        // Nobody else's session, and no login to come.
        expect((await ask(bystander)).statusCode, door).toBe(200)
        expect((await logIn(user.username, action.password, 'body')).statusCode, door).toBe(200)
        if (action.password !== TEST_PASSWORD) expect((await logIn(user.username, TEST_PASSWORD, 'body')).statusCode, door).toBe(401)
      }
    },
  )
})
