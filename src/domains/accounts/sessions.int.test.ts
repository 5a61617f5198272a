import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MS_PER_DAY } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '#test/support/test-app.ts'

const HOST = 'svc.example.org'
const LISTED = 'https://portal.example.net'
const PUBLIC = 'https://watch.example.com'

let plain: TestApp
let overTls: TestApp
let production: TestApp

beforeAll(async () => {
  plain = await createTestApp({ CORS_ORIGINS: LISTED })
  overTls = await createTestApp({ PUBLIC_URL: PUBLIC })
  production = await createTestApp({ ENVIRONMENT: 'production' })
})
afterAll(async () => await Promise.all([plain.close(), overTls.close(), production.close()]))

type Headers = Record<string, string>
const OWN: Headers = { host: HOST, origin: `http://${HOST}` }

async function logIn(app: TestApp, headers: Headers = OWN, { transport = 'cookie', password = TEST_PASSWORD } = {}) {
  return await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ username: 'viewer', password, transport }).toString(),
  })
}

async function post(app: TestApp, path: 'refresh' | 'logout', headers: Headers, body?: object) {
  const payload = body === undefined ? {} : { payload: body }
  return await app.app.inject({ method: 'POST', url: `/api/v1/auth/${path}`, headers, ...payload })
}

type Answer = Awaited<ReturnType<typeof logIn>>
const cookieIn = (answer: Answer): string => answer.cookies.find(({ name }) => name === 'svc_refresh')?.value ?? ''
const carrying = (token: string, headers: Headers = OWN): Headers => ({ ...headers, cookie: `svc_refresh=${token}` })
const isCleared = (answer: Answer): boolean =>
  answer.cookies.some(
    ({ name, value, path, expires }) => name === 'svc_refresh' && value === '' && path === '/api/v1/auth' && expires?.getTime() === 0,
  )

async function reads(app: TestApp, answer: Answer): Promise<number> {
  const headers = { authorization: `Bearer ${answer.json().access_token}` }
  return (await app.app.inject({ method: 'GET', url: '/api/v1/users/me', headers })).statusCode
}

describe('the cookie', () => {
  test.each([
    { title: 'over http', of: () => plain, headers: OWN, secure: false },
    {
      title: 'over TLS that a trusted proxy ends',
      of: () => plain,
      headers: { ...OWN, origin: `https://${HOST}`, 'x-forwarded-proto': 'https' },
      secure: true,
    },
    { title: 'with an https PUBLIC_URL', of: () => overTls, headers: { host: '127.0.0.1:8000', origin: PUBLIC }, secure: true },
    { title: 'in production', of: () => production, headers: OWN, secure: true },
  ])('$title is for the login routes alone, unseen by scripts, Secure: $secure', async ({ of, headers, secure }) => {
    const before = Date.now()
    const answer = await logIn(of(), headers)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 900 })
    const [name, ...flags] = String(answer.headers['set-cookie']).split('; ')
    expect(name).toMatch(/^svc_refresh=[\w-]{43}$/)
    const expires = flags.find((flag) => flag.startsWith('Expires=')) ?? ''
    expect(flags.filter((flag) => flag !== expires).toSorted()).toEqual(
      ['HttpOnly', 'Path=/api/v1/auth', 'SameSite=Strict', ...(secure ? ['Secure'] : [])].toSorted(),
    )
    const lasts = Date.parse(expires.slice('Expires='.length)) - before
    expect(lasts / MS_PER_DAY).toBeCloseTo(7, 2)

    const renewed = await post(of(), 'refresh', carrying(cookieIn(answer), headers))
    expect(renewed.statusCode).toBe(200)
    expect(renewed.json()).not.toHaveProperty('refresh_token')
    expect(String(renewed.headers['set-cookie']).includes('Secure')).toBe(secure)
    expect(cookieIn(renewed)).not.toBe(cookieIn(answer))
  })

  test('is not set when the token is asked for in the answer', async () => {
    const answer = await logIn(plain, {}, { transport: 'body' })
    expect(answer.headers['set-cookie']).toBeUndefined()
    const renewed = await post(plain, 'refresh', {}, { refresh_token: answer.json().refresh_token })
    expect(renewed.json()).toHaveProperty('refresh_token')
    expect(renewed.headers['set-cookie']).toBeUndefined()
  })

  test('of before: logging in again in the same browser ends that session', async () => {
    const first = await logIn(plain)
    const second = await logIn(plain, carrying(cookieIn(first)))
    expect([await reads(plain, first), await reads(plain, second)]).toEqual([401, 200])
    const { rows } = await sql<{ revoked_reason: string }>`
      select revoked_reason from sessions where revoked_at is not null order by revoked_at desc limit 1`.execute(plain.services.db)
    expect(rows).toEqual([{ revoked_reason: 'replaced' }])
  })

  test('of before stays good when the new login fails', async () => {
    const first = await logIn(plain)
    expect((await logIn(plain, carrying(cookieIn(first)), { password: 'not the right one' })).statusCode).toBe(401)
    expect(await reads(plain, first)).toBe(200)
  })

  test('is cleared when it opens nothing any more', async () => {
    const used = cookieIn(await logIn(plain))
    await post(plain, 'refresh', carrying(used))
    const reused = await post(plain, 'refresh', carrying(used))
    expect(reused.json()).toMatchObject({ status: 401, code: 'refresh_reused' })
    expect(isCleared(reused)).toBe(true)
    for (const token of ['nonsense', 'A'.repeat(43)]) {
      const answer = await post(plain, 'refresh', carrying(token))
      expect(answer.json()).toMatchObject({ status: 401, code: 'refresh_invalid' })
      expect(isCleared(answer)).toBe(true)
    }
  })

  test('is cleared by a logout, which ends the session and may be repeated', async () => {
    const answer = await logIn(plain)
    for (let n = 0; n < 2; n++) {
      const out = await post(plain, 'logout', carrying(cookieIn(answer)))
      expect(out.statusCode).toBe(204)
      expect(isCleared(out)).toBe(true)
    }
    expect(await reads(plain, answer)).toBe(401)
    expect((await post(plain, 'logout', {})).statusCode).toBe(204)
  })

  test('a renewal without cookie and body says what to send', async () =>
    expect((await post(plain, 'refresh', OWN)).json()).toMatchObject({ status: 401, code: 'refresh_invalid' }))
})

describe('the Origin of a request with the cookie', () => {
  // biome-ignore format: one case per line
  const ORIGINS: { title: string; headers: Headers; allowed: boolean; tls?: true }[] = [
    { title: 'the same host',                  headers: { host: HOST, origin: `http://${HOST}` },                allowed: true },
    { title: 'the same host over TLS',         headers: { host: HOST, origin: `https://${HOST}` },               allowed: true },
    { title: 'the same host and port',         headers: { host: 'a.example:8000', origin: 'http://a.example:8000' }, allowed: true },
    { title: 'a listed one',                   headers: { host: HOST, origin: LISTED },                          allowed: true },
    { title: 'that of PUBLIC_URL',             headers: { host: '127.0.0.1:8000', origin: PUBLIC },              allowed: true, tls: true },
    { title: 'missing',                        headers: { host: HOST },                                          allowed: false },
    { title: 'empty',                          headers: { host: HOST, origin: '' },                              allowed: false },
    { title: 'null',                           headers: { host: HOST, origin: 'null' },                          allowed: false },
    { title: 'foreign',                        headers: { host: HOST, origin: 'https://evil.example.com' },      allowed: false },
    { title: 'a name that begins like ours',   headers: { host: HOST, origin: `https://${HOST}.evil.example` },  allowed: false },
    { title: 'a name that ends like ours',     headers: { host: HOST, origin: `https://evil-${HOST}` },          allowed: false },
    { title: 'ours as a user name',            headers: { host: HOST, origin: `https://${HOST}@evil.example` },  allowed: false },
    { title: 'another port',                   headers: { host: HOST, origin: `http://${HOST}:8080` },           allowed: false },
    { title: 'another scheme',                 headers: { host: HOST, origin: `ftp://${HOST}` },                 allowed: false },
    { title: 'the listed one over http',       headers: { host: HOST, origin: LISTED.replace('https', 'http') }, allowed: false },
    { title: 'two at once',                    headers: { host: HOST, origin: `http://${HOST}, https://evil.example` }, allowed: false },
    { title: 'a Referer alone',                headers: { host: HOST, referer: `http://${HOST}/` },              allowed: false },
  ]

  test.each(ORIGINS)('$title: allowed $allowed, at login, renewal and logout', async ({ headers, allowed, tls }) => {
    const app = tls === true ? overTls : plain
    const session = await logIn(app, tls === true ? headers : OWN)
    const answers = [
      await logIn(app, headers),
      await post(app, 'refresh', carrying(cookieIn(session), headers)),
      await post(app, 'logout', carrying(cookieIn(await logIn(app, tls === true ? headers : OWN)), headers)),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(allowed ? [200, 200, 204] : [403, 403, 403])
    if (allowed) return
    expect(answers.map((answer) => answer.json().code)).toEqual(Array.from({ length: 3 }, () => 'origin_forbidden'))
    expect(answers.map((answer) => answer.headers['set-cookie'])).toEqual([undefined, undefined, undefined])
    // Nothing was done: the session is open, and its token still unused.
    expect(await reads(app, session)).toBe(200)
    expect((await post(app, 'refresh', carrying(cookieIn(session)))).statusCode).toBe(200)
  })

  test('does not matter to a token in the body', async () => {
    const headers = { host: HOST, origin: 'https://evil.example.com' }
    const { refresh_token } = (await logIn(plain, headers, { transport: 'body' })).json()
    const renewed = await post(plain, 'refresh', headers, { refresh_token })
    expect(renewed.statusCode).toBe(200)
    expect((await post(plain, 'logout', {}, { refresh_token: renewed.json().refresh_token })).statusCode).toBe(204)
  })
})

describe('the end of a session', () => {
  async function age(token: string, days: number): Promise<void> {
    await sql`update sessions set created_at = created_at - make_interval(days => ${days}),
        expires_at = expires_at - make_interval(days => ${days})
      where id = (select session_id from refresh_tokens where digest = sha256(convert_to(${token}, 'UTF8')))`.execute(plain.services.db)
  }

  test('moves with each renewal, and never beyond 30 days after the login', async () => {
    const { refresh_token: first } = (await logIn(plain, {}, { transport: 'body' })).json()
    await age(first, 28)
    const { refresh_token: second } = (await post(plain, 'refresh', {}, { refresh_token: first })).json()
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from s.expires_at - s.created_at)::float8 / 86400 as days
      from sessions s join refresh_tokens t on t.session_id = s.id where t.digest = sha256(convert_to(${second}, 'UTF8'))`.execute(
      plain.services.db,
    )
    expect(rows[0]?.days).toBeCloseTo(30, 3)
    await sql`update refresh_tokens set expires_at = now() - interval '1 second'
      where digest = sha256(convert_to(${second}, 'UTF8'))`.execute(plain.services.db)
    expect((await post(plain, 'refresh', {}, { refresh_token: second })).json()).toMatchObject({ status: 401, code: 'refresh_invalid' })
  })
})

describe('purgeEnded', () => {
  /** A session that was revoked, or ran out, this long ago; with one token. */
  async function leave(agoMs: number, revoked: boolean): Promise<string> {
    const { db } = plain.services
    const id = newId()
    const at = new Date(Date.now() - agoMs)
    const { id: user_id } = await plain.services.accounts.getUserByName('viewer')
    const times = { created_at: new Date(at.getTime() - MS_PER_DAY), last_used_at: new Date(at.getTime() - MS_PER_DAY) }
    await db
      .insertInto('sessions')
      .values({
        id,
        user_id,
        ...times,
        expires_at: revoked ? new Date(at.getTime() + 6 * MS_PER_DAY) : at,
        ...(revoked ? { revoked_at: at, revoked_reason: 'logout' } : {}),
      })
      .execute()
    await sql`insert into refresh_tokens (digest, session_id, issued_at, expires_at)
      values (sha256(convert_to(${id}, 'UTF8')), ${id}, ${at}, ${at})`.execute(db)
    return id
  }

  test.each([
    { title: 'revoked 29 days ago', agoMs: 29 * MS_PER_DAY, revoked: true, kept: true },
    { title: 'run out 29 days ago', agoMs: 29 * MS_PER_DAY, revoked: false, kept: true },
    { title: 'revoked 30 days and a second ago', agoMs: 30 * MS_PER_DAY + 1000, revoked: true, kept: false },
    { title: 'run out 30 days and a second ago', agoMs: 30 * MS_PER_DAY + 1000, revoked: false, kept: false },
    { title: 'open', agoMs: -MS_PER_DAY, revoked: false, kept: true },
  ])('a session $title is kept: $kept, with its tokens', async ({ agoMs, revoked, kept }) => {
    const id = await leave(agoMs, revoked)
    expect(await plain.services.sessions.purgeEnded(new AbortController().signal)).toBe(kept ? 0 : 1)
    const { db } = plain.services
    expect(await db.selectFrom('sessions').select('id').where('id', '=', id).execute()).toHaveLength(kept ? 1 : 0)
    expect(await db.selectFrom('refresh_tokens').select('issued_at').where('session_id', '=', id).execute()).toHaveLength(kept ? 1 : 0)
  })
})
