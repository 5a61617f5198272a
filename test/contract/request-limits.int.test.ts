import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const PER_USER = 12
const PER_ADDRESS = 6
const EXPORTS = 3
const ORIGIN = 'https://portal.example.org'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({
    RATE_LIMIT_PER_USER: String(PER_USER),
    RATE_LIMIT_PER_ADDRESS: String(PER_ADDRESS),
    RATE_LIMIT_EXPORTS: String(EXPORTS),
    CORS_ORIGINS: ORIGIN,
  })
})
afterAll(async () => await app.close())

let addresses = 0
/** An address that nothing has been counted for. */
const freshAddress = (): string => `198.51.100.${++addresses}`

type Ask = {
  method?: 'GET' | 'POST' | 'OPTIONS'
  url?: string
  from: string
  token?: string
  headers?: Record<string, string>
  payload?: string
}
async function ask({ method = 'GET', url = '/api/v1/users/me', from, token, headers = {}, payload }: Ask) {
  return await app.app.inject({
    method,
    url,
    headers: { 'x-forwarded-for': from, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
}

async function exhaust(from: string, request: Omit<Ask, 'from'> = {}): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n <= PER_ADDRESS; n++) statuses.push((await ask({ ...request, from })).statusCode)
  return statuses
}

/** A login of an account of its own, so that the tests do not count for each other. */
async function logIn(username: string): Promise<string> {
  await app.services.accounts.createUser({ name: 'test', role: 'ADMIN' }, { username, password: TEST_PASSWORD, role: 'VIEWER' })
  const { access_token } = await app.services.sessions.login(
    { username, password: TEST_PASSWORD },
    { clientIp: '127.0.0.1', requestId: 'limits-test' },
  )
  return access_token
}

describe('requests without a valid login are limited per address', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  test.each([
    { title: 'without a token', request: {}, status: 401 },
    { title: 'with a token that is none', request: { token: 'not.a.token' }, status: 401 },
    { title: 'at an unknown route', request: { url: '/api/v1/nothing' }, status: 404 },
    { title: 'with another method', request: { method: 'OPTIONS' as const, url: '/api/v1/feeds' }, status: 404 },
    {
      title: 'at the login',
      request: { method: 'POST' as const, url: '/api/v1/auth/token', headers: form, payload: 'username=a' },
      status: 422,
    },
    { title: 'with an encoded path', request: { url: '/%61pi/v1/users/me' }, status: 401 },
  ])('$title', async ({ request, status }) => {
    const statuses = await exhaust(freshAddress(), request)
    expect(statuses).toEqual([...Array.from({ length: PER_ADDRESS }, () => status), 429])
  })

  test('the answer says how much is left, and how long to wait', async () => {
    const from = freshAddress()
    const first = await ask({ from })
    expect(first.headers).toMatchObject({
      'ratelimit-policy': `"address";q=${PER_ADDRESS};w=60`,
      ratelimit: `"address";r=${PER_ADDRESS - 1};t=60`,
    })
    await exhaust(from)
    const refused = await ask({ from })
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ code: 'rate_limited', title: 'Too many requests', status: 429 })
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds > 0 && seconds <= 60).toBe(true)
    expect(refused.headers['ratelimit']).toBe(`"address";r=0;t=${seconds}`)
  })

  test('who has a valid login is not held back by others behind the same address', async () => {
    const token = await logIn('behind-the-same-address')
    const from = freshAddress()
    expect((await exhaust(from)).at(-1)).toBe(429)
    const answer = await ask({ from, token })
    expect([answer.statusCode, answer.headers['ratelimit-policy']]).toEqual([200, `"account";q=${PER_USER};w=60`])
  })

  test('an IPv6 address counts with its /64', async () => {
    await exhaust('2001:db8:1:2::1')
    expect((await ask({ from: '2001:db8:1:2:ffff::9' })).statusCode).toBe(429)
    expect((await ask({ from: '2001:db8:1:3::1' })).statusCode).toBe(401)
  })

  test.each(['/health', '/ready', '/', '/openapi.json'])('%s is not limited', async (url) => {
    const from = freshAddress()
    await exhaust(from)
    const answers = await exhaust(from, { url })
    expect(answers).not.toContain(429)
  })

  test('asking first from a listed origin is not counted', async () => {
    const from = freshAddress()
    const preflight = { method: 'OPTIONS' as const, headers: { origin: ORIGIN, 'access-control-request-method': 'GET' } }
    expect(new Set(await exhaust(from, preflight))).toEqual(new Set([204]))
    expect((await ask({ from })).statusCode).toBe(401)
  })
})

describe('requests with a login are limited per account', () => {
  test('over all its addresses, refusals included, and for nobody else', async () => {
    const [token, other] = [await logIn('busy'), await logIn('calm')]
    const statuses: number[] = []
    for (let n = 0; n < PER_USER; n++) {
      // Every other request finds nothing, which counts like any.
      const url = n % 2 === 0 ? '/api/v1/users/me' : '/api/v1/feeds/00000000-0000-7000-8000-0000000000ee'
      statuses.push((await ask({ from: freshAddress(), token, url })).statusCode)
    }
    expect(statuses).not.toContain(429)
    const refused = await ask({ from: freshAddress(), token })
    expect([refused.statusCode, refused.json().code, refused.headers['ratelimit-policy']]).toEqual([
      429,
      'rate_limited',
      `"account";q=${PER_USER};w=60`,
    ])
    expect((await ask({ from: freshAddress(), token: other })).statusCode).toBe(200)
  })

  test('a burst is counted as exactly as a sequence', async () => {
    const token = await logIn('bursting')
    const answers = await Promise.all(Array.from({ length: 5 * PER_USER }, async () => await ask({ from: '192.0.2.9', token })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(PER_USER)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(4 * PER_USER)
  })
})

test('exports have a limit of their own, one for all of them, and leave everything else open', async () => {
  const [token, other] = [await logIn('exporting'), await logIn('exporting-as-well')]
  const csv = async (as: string) => await ask({ from: freshAddress(), token: as, url: '/api/v1/dashboard/soc/csv' })
  const report = { url: '/api/v1/incidents/00000000-0000-7000-8000-0000000000ee/report' }
  expect([(await csv(token)).statusCode, (await csv(token)).statusCode]).toEqual([200, 200])
  const third = await ask({ from: freshAddress(), token, ...report })
  expect([third.statusCode, third.headers['ratelimit-policy']]).toEqual([404, `"export";q=${EXPORTS};w=60`])
  for (const refused of [await csv(token), await ask({ from: freshAddress(), token, ...report })]) {
    expect(refused.json()).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining(`More than ${EXPORTS} exports a minute`) })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect((await ask({ from: freshAddress(), token, url: '/api/v1/dashboard/soc' })).statusCode).toBe(200)
  expect((await csv(other)).statusCode).toBe(200)
})

test('0 switches a limit off', async () => {
  const unlimited = await createTestApp()
  const answers = await Promise.all(Array.from({ length: 700 }, async () => await unlimited.call('GET', '/api/v1/nothing')))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
  expect(answers[0]?.headers['ratelimit']).toBeUndefined()
  await unlimited.close()
})
