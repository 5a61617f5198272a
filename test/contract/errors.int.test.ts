import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

/** Words that would tell an attacker how the service is built. */
const INSIDE = /at \w+ \(|\.ts:\d|node_modules|select |kysely|fastify|postgres:\/\//i

async function send(
  headers: Record<string, string>,
  payload: string,
  url = '/api/v1/indicators',
): Promise<{ statusCode: number; body: string; json: () => { code: string } }> {
  return await app.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${app.tokens.ADMIN}`, ...headers }, payload })
}

describe('bad requests get a problem that says what is wrong, and nothing of the inside', () => {
  const json = { 'content-type': 'application/json' }
  test.each([
    { title: 'broken JSON', headers: json, payload: '{"indicators": [', status: 422, code: 'validation_failed' },
    { title: 'an empty body', headers: json, payload: '', status: 422, code: 'validation_failed' },
    { title: 'XML', headers: { 'content-type': 'application/xml' }, payload: '<a/>', status: 415, code: 'unsupported_media_type' },
    {
      title: 'a content type with a tab behind it',
      headers: { 'content-type': 'application/json\t' },
      payload: '{"indicators": 5}',
      status: 422,
      code: 'validation_failed',
    },
    {
      title: 'a body that is too large',
      headers: json,
      payload: `{"indicators": [{"value": "${'a'.repeat(2_200_000)}"}]}`,
      status: 413,
      code: 'payload_too_large',
    },
    {
      title: 'an unknown field',
      headers: json,
      payload: '{"indicators": [{"value": "a.example.com", "hit_count": 9}]}',
      status: 422,
      code: 'validation_failed',
    },
    {
      title: 'a number where text belongs',
      headers: json,
      payload: '{"indicators": [{"value": 5}]}',
      status: 422,
      code: 'validation_failed',
    },
    {
      title: 'a prototype in the body',
      headers: json,
      payload: '{"indicators": [{"value": "a.example.com", "__proto__": {"admin": true}}]}',
      status: 422,
      code: 'validation_failed',
    },
    {
      title: 'a constructor in the body',
      headers: json,
      payload: '{"constructor": {"prototype": {"admin": true}}, "indicators": []}',
      status: 422,
      code: 'validation_failed',
    },
    { title: 'a bare address as the body', headers: json, payload: '"http://127.0.0.1/"', status: 422, code: 'validation_failed' },
  ])('$title: $status', async ({ headers, payload, status, code }) => {
    const answer = await send(headers, payload)
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
    expect(answer.body).not.toMatch(INSIDE)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test.each([
    { title: 'an unknown route', url: '/api/v1/nothing', status: 404 },
    { title: 'an unknown route with a token in it', url: '/api/v1/secret-token-4711', status: 404 },
    { title: 'a malformed id', url: '/api/v1/indicators/not-an-id', status: 422 },
    { title: 'an absent id', url: '/api/v1/indicators/00000000-0000-7000-8000-0000000000ee', status: 404 },
    { title: 'an unknown parameter', url: '/api/v1/indicators?colour=red', status: 422 },
    { title: 'a number that is none', url: '/api/v1/feeds?limit=many', status: 422 },
    { title: 'more than a page', url: '/api/v1/feeds?limit=201', status: 422 },
    { title: 'SQL in a filter', url: `/api/v1/indicators?type=${encodeURIComponent("URL'; drop table users; --")}`, status: 422 },
    { title: 'a NUL in a value', url: '/api/v1/indicators?value=a%00b.example.com', status: 422 },
    { title: 'broken percent encoding', url: '/api/v1/indicators?value=%E0%A4%A', status: 422 },
  ])('$title: $status', async ({ url, status }) => {
    const answer = await app.call('GET', url, 'ADMIN')
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.body).not.toMatch(INSIDE)
  })

  test('a repeated parameter counts once, the last', async () => {
    expect((await app.call('GET', '/api/v1/feeds?limit=1&limit=9999', 'ADMIN')).statusCode).toBe(422)
    expect((await app.call('GET', '/api/v1/feeds?limit=9999&limit=1', 'ADMIN')).statusCode).toBe(200)
  })
})

describe('request ids', () => {
  test.each([
    { title: 'a harmless one is kept', given: 'client-1234.A_b', kept: true },
    { title: 'a short one is replaced', given: 'short', kept: false },
    { title: 'one with blanks is replaced', given: 'two words here', kept: false },
    { title: 'a very long one is replaced', given: 'x'.repeat(65), kept: false },
  ])('$title', async ({ given, kept }) => {
    const answer = await app.app.inject({ method: 'GET', url: '/health', headers: { 'x-request-id': given } })
    expect(answer.headers['x-request-id'] === given).toBe(kept)
  })
})

describe('login', () => {
  const login = async (username: string, password: string) =>
    await app.app.inject({
      method: 'POST',
      url: '/api/v1/auth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username, password }).toString(),
    })

  test('gives a token that opens the account, in any case of the name', async () => {
    const answer = await login('Viewer', TEST_PASSWORD)
    expect(answer.json()).toMatchObject({ token_type: 'bearer', expires_in: 900 })
    const me = await app.app.inject({
      method: 'GET',
      url: '/api/v1/users/me',
      headers: { authorization: `Bearer ${answer.json().access_token}` },
    })
    expect(me.json()).toMatchObject({ username: 'viewer', role: 'VIEWER', status: 'ACTIVE' })
    expect(me.body).not.toContain('argon2')
  })

  test('answers an unknown name, a wrong password and a disabled account alike', async () => {
    await app.services.accounts.createUser({ name: 'test', role: 'ADMIN' }, { username: 'gone', password: TEST_PASSWORD, role: 'VIEWER' })
    await app.services.db.updateTable('users').set({ status: 'DISABLED' }).where('username', '=', 'gone').execute()
    const answers = await Promise.all([
      login('nobody', TEST_PASSWORD),
      login('viewer', 'wrong password here'),
      login('gone', TEST_PASSWORD),
    ])
    const bodies = answers.map((answer) => ({ ...answer.json(), request_id: '' }))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
    expect(bodies[1]).toEqual(bodies[0])
    expect(bodies[2]).toEqual(bodies[0])
  })

  test('a disabled account loses access at its next request', async () => {
    const { access_token } = await app.services.sessions.login(
      { username: 'analyst', password: TEST_PASSWORD },
      { clientIp: '127.0.0.1', requestId: 'disable-test' },
    )
    const me = async () =>
      (await app.app.inject({ method: 'GET', url: '/api/v1/users/me', headers: { authorization: `Bearer ${access_token}` } })).statusCode
    expect(await me()).toBe(200)
    await app.services.db.updateTable('users').set({ status: 'DISABLED' }).where('username', '=', 'analyst').execute()
    expect(await me()).toBe(401)
    await app.services.db.updateTable('users').set({ status: 'ACTIVE' }).where('username', '=', 'analyst').execute()
  })

  test('success and failure are journalled; neither password nor token is logged, and hostile names stay on one line', async () => {
    await login('evil\r\n{"level":"info"}\u001b[31m', 'canary-password-4711')
    await app.call('GET', '/api/v1/canary-token-4711', 'ADMIN')
    const rows = await app.services.db.selectFrom('audit_events').select(['action', 'outcome']).where('action', '=', 'auth.login').execute()
    expect(rows.some(({ outcome }) => outcome === 'SUCCESS') && rows.some(({ outcome }) => outcome === 'FAILURE')).toBe(true)
    for (const line of app.logLines) {
      expect(() => JSON.parse(line)).not.toThrow()
      expect(line.trimEnd()).not.toContain('\n')
      expect(line).not.toMatch(/canary-(password|token)-4711/)
      expect(line).not.toContain(app.tokens.ADMIN)
    }
  })
})

test('the journal takes new rows and refuses every change, from the application and from the owner', async () => {
  const { default: pg } = await import('pg')
  const changes = [
    "update audit_events set action = 'x'",
    'delete from audit_events',
    'truncate audit_events',
    "insert into audit_events (id, at, action, outcome, actor_name) select id, at, action, outcome, actor_name from audit_events limit 1 on conflict (id) do update set action = 'x'",
    'with gone as (delete from audit_events returning 1) select * from gone',
    "merge into audit_events a using audit_events b on a.id = b.id when matched then update set action = 'x'",
  ]
  const asApplication = [
    ...changes,
    'alter table audit_events disable trigger all',
    'drop table audit_events',
    'set session_replication_role = replica',
    'create table mine (x int)',
    'set role svc',
  ]
  for (const [url, statements] of [
    [app.database.appUrl, asApplication],
    [app.database.ownerUrl, changes],
  ] as const) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const statement of statements) await expect(client.query(statement), statement).rejects.toThrow()
    await client.query(
      "insert into audit_events (id, at, action, outcome, actor_name) values (gen_random_uuid(), now(), 'test', 'SUCCESS', 'test')",
    )
    await client.end()
  }
})

test('a change whose journal row cannot be written does not happen', async () => {
  const { default: pg } = await import('pg')
  const owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
  await owner.query('revoke insert on audit_events from svc_app')
  const answer = await app.call('POST', '/api/v1/feeds', 'ADMIN', {
    name: 'unjournalled',
    url: 'https://lists.example.org/a.txt',
    format: 'CSV',
  })
  await owner.query('grant insert on audit_events to svc_app')
  await owner.end()
  expect(answer.statusCode).toBe(500)
  expect((await app.call('GET', '/api/v1/feeds', 'ADMIN')).json().items.map(({ name }: { name: string }) => name)).not.toContain(
    'unjournalled',
  )
})
