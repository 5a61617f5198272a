import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR, type Role } from '#kernel/actor.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '#test/support/test-app.ts'
import type { Session } from './accounts.model.ts'

const NEW_PASSWORD = 'seven herons under one bridge'
const USERS = '/api/v1/users'

let app: TestApp
let made = 0

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

type Account = { id: string; username: string }
type Login = { access_token: string; refresh_token: string }

async function newUser(role: Role = 'VIEWER'): Promise<Account> {
  return await app.services.accounts.createUser(COMMAND_LINE_ACTOR, { username: `user-${++made}`, password: TEST_PASSWORD, role })
}

/** Each login from an address of its own, unless one is given. */
async function logIn(username: string, password = TEST_PASSWORD, address = `2001:db8:${(++made).toString(16)}::1`) {
  return await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address, 'user-agent': 'Test\tBrowser 1' },
    payload: new URLSearchParams({ username, password }).toString(),
  })
}

async function open(username: string): Promise<Login> {
  return (await logIn(username)).json()
}

type Sent = { body?: object; address?: string | undefined }
async function as(token: string, method: string, url: string, { body, address = '127.0.0.1' }: Sent = {}) {
  return await app.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    ...(body === undefined ? {} : { payload: body }),
  })
}

const statusOf = async ({ access_token }: Login): Promise<number> => (await as(access_token, 'GET', `${USERS}/me`)).statusCode

async function journalOf(action: string, id: string): Promise<unknown[]> {
  const rows = await app.services.db
    .selectFrom('audit_events')
    .select(['outcome', 'actor_name', 'details'])
    .where('action', '=', action)
    .where('target_id', '=', id)
    .orderBy('at')
    .execute()
  return rows
}

describe('POST /users', () => {
  test('makes an account with a chosen password, which is not said again', async () => {
    const body = { username: 'Ana.Analyst', role: ' analyst ', email: 'ana@example.org', password: NEW_PASSWORD }
    const answer = await app.call('POST', USERS, 'ADMIN', body)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.any(String),
      username: 'Ana.Analyst',
      email: 'ana@example.org',
      role: 'ANALYST',
      status: 'ACTIVE',
      version: 1,
      created_at: expect.any(String),
      last_login_at: null,
      generated_password: null,
    })
    expect(answer.body).not.toContain(NEW_PASSWORD)
    expect((await logIn('ana.analyst', NEW_PASSWORD)).statusCode).toBe(200)
    expect(await journalOf('user.created', answer.json().id)).toEqual([
      { outcome: 'SUCCESS', actor_name: 'admin', details: { role: 'ANALYST' } },
    ])
  })

  test('without a password generates one that opens the account, and keeps it nowhere else', async () => {
    const answer = await app.call('POST', USERS, 'ADMIN', { username: 'generated', role: 'VIEWER' })
    const { generated_password: password } = answer.json()
    expect(password).toMatch(/^\w{20}$/)
    expect((await logIn('generated', password)).statusCode).toBe(200)
    expect(app.logLines.filter((line) => line.includes(password))).toEqual([])
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'a taken name in another case',  change: { username: 'ADMIN' },               status: 409, code: 'duplicate_name',    field: 'username' },
    { title: 'a name with a blank',           change: { username: 'two words' },           status: 422, code: 'validation_failed', field: 'username' },
    { title: 'a name in another script',      change: { username: 'аdmin' },               status: 422, code: 'validation_failed', field: 'username' },
    { title: 'a name that ends with a dot',   change: { username: 'dot.' },                status: 422, code: 'validation_failed', field: 'username' },
    { title: 'no such role',                  change: { role: 'OWNER' },                   status: 422, code: 'validation_failed', field: 'role' },
    { title: 'an address that is none',       change: { email: 'nowhere' },                status: 422, code: 'validation_failed', field: 'email' },
    { title: 'a short password',              change: { password: 'short' },               status: 422, code: 'password_policy',   field: 'password' },
    { title: 'a common password',             change: { password: 'Password-12345' },      status: 422, code: 'password_policy',   field: 'password' },
    { title: 'the name as the password',      change: { username: 'herons-bridge', password: 'Herons-Bridge' }, status: 422, code: 'password_policy', field: 'password' },
    { title: 'a field that does not exist',   change: { status: 'ACTIVE' },                status: 422, code: 'validation_failed', field: 'status' },
    { title: 'a hash instead of a password',  change: { password_hash: 'x' },              status: 422, code: 'validation_failed', field: 'password_hash' },
  ])('refuses $title', async ({ change, status, code, field }) => {
    const answer = await app.call('POST', USERS, 'ADMIN', { username: 'refused', role: 'VIEWER', ...change })
    expect(answer.json()).toMatchObject({ status, code, errors: [{ field }] })
  })
})

describe('GET /users', () => {
  test('pages through all by name, with their open sessions', async () => {
    const { username } = await newUser()
    const [first, second] = [await open(username), await open(username)]
    await app.app.inject({ method: 'POST', url: '/api/v1/auth/logout', payload: { refresh_token: first.refresh_token } })
    const seen: { username: string; active_sessions: number }[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: { items: typeof seen; next: string | null; total: number } = (
        await app.call('GET', `${USERS}?limit=2${next === '' ? '' : `&cursor=${next}`}`, 'ADMIN')
      ).json()
      expect(page.items.length).toBeLessThanOrEqual(2)
      expect(page).toMatchObject({ total_exact: true })
      seen.push(...page.items)
      next = page.next
      if (next === null) expect(page.total).toBe(seen.length)
    }
    const names = seen.map((user) => user.username.toLowerCase())
    expect(names.length).toBeGreaterThan(4)
    expect(names).toEqual(names.toSorted((one, other) => (one < other ? -1 : 1)))
    expect(new Set(names).size).toBe(names.length)
    expect(seen.find((user) => user.username === username)?.active_sessions).toBe(1)
    expect(await statusOf(second)).toBe(200)
  })

  test.each(['cursor=nonsense', 'limit=0', 'limit=201', 'limit=x', 'sort=role'])('refuses ?%s', async (query) =>
    expect((await app.call('GET', `${USERS}?${query}`, 'ADMIN')).json()).toMatchObject({ status: 422, code: 'validation_failed' }),
  )
})

describe('PATCH /users/{id}', () => {
  test('changes role, address and status; the role counts at the next request', async () => {
    const { id, username } = await newUser('ANALYST')
    const session = await open(username)
    expect(
      (await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', { role: 'admin', email: 'a@example.org', version: 1 })).json(),
    ).toMatchObject({
      role: 'ADMIN',
      email: 'a@example.org',
      version: 2,
    })
    expect((await as(session.access_token, 'GET', USERS)).statusCode).toBe(200)
    await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', { role: 'VIEWER', email: null })
    expect((await as(session.access_token, 'GET', USERS)).statusCode).toBe(403)
    expect(await journalOf('user.updated', id)).toMatchObject([
      { details: { role_from: 'ANALYST', role_to: 'ADMIN', email_changed: true } },
      { details: { role_from: 'ADMIN', role_to: 'VIEWER', email_changed: true } },
    ])
  })

  test('disabling ends the sessions and enabling does not bring them back', async () => {
    const { id, username } = await newUser()
    const session = await open(username)
    expect((await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', { status: 'disabled' })).json()).toMatchObject({ status: 'DISABLED' })
    expect((await as(session.access_token, 'GET', `${USERS}/me`)).json()).toMatchObject({ status: 401, code: 'account_disabled' })
    await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', { status: 'ACTIVE' })
    expect((await as(session.access_token, 'GET', `${USERS}/me`)).json()).toMatchObject({ status: 401, code: 'token_invalid' })
    expect((await logIn(username)).statusCode).toBe(200)
    expect(await journalOf('user.disabled', id)).toMatchObject([{ details: { sessions_ended: 1 } }])
    expect(await journalOf('user.enabled', id)).toHaveLength(1)
  })

  test('what changes nothing is no change: same version, no row in the journal', async () => {
    const { id } = await newUser()
    for (const body of [{}, { role: 'VIEWER', status: 'ACTIVE' }])
      expect((await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', body)).json()).toMatchObject({ version: 1 })
    expect(await journalOf('user.updated', id)).toEqual([])
  })

  test('of two editors the second is told, and changes nothing', async () => {
    const { id } = await newUser()
    expect((await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', { version: 1, role: 'ANALYST' })).statusCode).toBe(200)
    const answer = await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', { version: 1, role: 'ADMIN' })
    expect(answer.json()).toMatchObject({ status: 409, code: 'conflict' })
    expect((await app.services.accounts.getUser(id)).role).toBe('ANALYST')
  })

  test('the last active administrator stays one', async () => {
    const { id } = await app.services.accounts.getUserByName('admin')
    for (const body of [{ role: 'VIEWER' }, { status: 'DISABLED' }])
      expect((await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', body)).json()).toMatchObject({ status: 409, code: 'last_admin' })
    expect((await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', { email: 'admin@example.org' })).statusCode).toBe(200)
  })

  test.each([{ password: NEW_PASSWORD }, { username: 'other' }, { id: randomUUID() }, { version: 0 }, { status: 'GONE' }, { role: '' }])(
    'refuses %j',
    async (body) => {
      const { id } = await newUser()
      expect((await app.call('PATCH', `${USERS}/${id}`, 'ADMIN', body)).json()).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )
})

describe('an account that does not exist', () => {
  const CALLS = [
    { method: 'PATCH', path: '', body: { role: 'VIEWER' } },
    { method: 'POST', path: '/password', body: {} },
    { method: 'POST', path: '/revoke-sessions', body: undefined },
  ]
  test.each(CALLS)('$method $path is not found by administrators, and not asked for by others', async ({ method, path, body }) => {
    const url = `${USERS}/${randomUUID()}${path}`
    expect((await app.call(method, url, 'ADMIN', body)).json()).toMatchObject({ status: 404, code: 'not_found' })
    for (const role of ['ANALYST', 'VIEWER'] as const)
      expect((await app.call(method, url, role, body)).json()).toMatchObject({ status: 403 })
    expect((await app.call(method, url, undefined, body)).json()).toMatchObject({ status: 401, code: 'token_missing' })
    expect((await app.call(method, `${USERS}/nobody${path}`, 'ADMIN', body)).statusCode).toBe(422)
  })
})

describe('the own password', () => {
  const change = async ({ access_token }: Login, body: object, address?: string) =>
    await as(access_token, 'POST', `${USERS}/me/password`, { body, address })

  test('is changed with the current one: the other sessions end, this one stays', async () => {
    const { id, username } = await newUser()
    const [here, there] = [await open(username), await open(username)]
    expect((await change(here, { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD })).statusCode).toBe(204)
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401])
    expect((await logIn(username)).statusCode).toBe(401)
    expect((await logIn(username, NEW_PASSWORD)).statusCode).toBe(200)
    expect(await journalOf('user.password_changed', id)).toMatchObject([{ outcome: 'SUCCESS', details: { sessions_ended: 1 } }])
  })

  test('a wrong current one is a fault of that field, is journalled, and counts as a failed login', async () => {
    const { id, username } = await newUser()
    const session = await open(username)
    const address = '203.0.113.77'
    const wrong = { current_password: 'not the right one', new_password: NEW_PASSWORD }
    for (let n = 0; n < 5; n++)
      expect((await change(session, wrong, address)).json()).toMatchObject({
        status: 422,
        code: 'validation_failed',
        errors: [{ field: 'current_password' }],
      })
    const blocked = await change(session, { ...wrong, current_password: TEST_PASSWORD }, address)
    expect(blocked.json()).toMatchObject({ status: 429, code: 'login_blocked' })
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await logIn(username, TEST_PASSWORD, address)).statusCode).toBe(429)
    // The session itself is untouched.
    expect(await statusOf(session)).toBe(200)
    expect(await journalOf('user.password_changed', id)).toMatchObject(Array.from({ length: 5 }, () => ({ outcome: 'FAILURE' })))
  })

  test('a new one that breaks the rules is a fault of its field, before anything is counted', async () => {
    const { username } = await newUser()
    const session = await open(username)
    for (let n = 0; n < 6; n++)
      expect((await change(session, { current_password: 'not the right one', new_password: 'short' })).json()).toMatchObject({
        status: 422,
        code: 'password_policy',
        errors: [{ field: 'new_password' }],
      })
    expect((await change(session, { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD })).statusCode).toBe(204)
  })
})

describe('the own sessions', () => {
  const list = async ({ access_token }: Login): Promise<(Session & { current: boolean })[]> =>
    (await as(access_token, 'GET', `${USERS}/me/sessions`)).json().items

  test('are listed with their browser, and one of them can be ended', async () => {
    const { username } = await newUser()
    const [here, there] = [await open(username), await open(username)]
    const items = await list(here)
    expect(items).toHaveLength(2)
    expect(items.filter(({ current }) => current)).toMatchObject([
      { user_agent: 'Test Browser 1', client_ip: expect.stringMatching(/^2001:db8:/) },
    ])
    const other = items.find(({ current }) => !current) ?? expect.fail('There is no other session.')
    expect((await as(here.access_token, 'DELETE', `${USERS}/me/sessions/${other.id}`)).statusCode).toBe(204)
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401])
    expect(await journalOf('user.sessions_revoked', other.id)).toMatchObject([{ actor_name: username, details: { revoked: 1 } }])
    expect((await as(here.access_token, 'DELETE', `${USERS}/me/sessions/${other.id}`)).json()).toMatchObject({ status: 404 })
    expect(await list(here)).toMatchObject([{ current: true }])
  })

  test("somebody else's is not found, and stays open", async () => {
    const [one, other] = [await newUser(), await newUser()]
    const [mine, theirs] = [await open(one.username), await open(other.username)]
    const [{ id } = expect.fail('No session is listed.')] = await list(theirs)
    for (const session of [id, randomUUID()])
      expect((await as(mine.access_token, 'DELETE', `${USERS}/me/sessions/${session}`)).json()).toMatchObject({
        status: 404,
        code: 'not_found',
      })
    expect((await app.call('DELETE', `${USERS}/me/sessions/${id}`, 'ADMIN')).statusCode).toBe(404)
    expect(await statusOf(theirs)).toBe(200)
  })
})
