import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseOrigins } from '#platform/http/web-origins.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const LISTED = 'https://portal.example.org'
const LISTED_TOO = 'http://localhost:5173'
const SECONDS_PER_YEAR = 31_536_000

const web = makeTempFolder('web')
let app: TestApp
let production: TestApp
beforeAll(async () => {
  mkdirSync(join(web.folder, 'assets'))
  writeFileSync(join(web.folder, 'index.html'), '<!doctype html><script nonce="__CSP_NONCE__" src="/assets/app-1.js"></script>')
  writeFileSync(join(web.folder, 'assets', 'app-1.js'), 'export {}')
  app = await createTestApp({ WEB_DIR: web.folder, CORS_ORIGINS: `${LISTED}, ${LISTED_TOO}` })
  production = await createTestApp({ WEB_DIR: web.folder, ENVIRONMENT: 'production' })
})
afterAll(async () => {
  await Promise.all([app.close(), production.close()])
  web.remove()
})

type Answer = Awaited<ReturnType<TestApp['app']['inject']>>
type Operation = { method: string; url: string }

const JSON_CONTENT = /^application\/(problem\+)?json/
/** What answers in another form when all is well. */
const TEXTS: Readonly<Record<string, RegExp>> = { '/metrics': /^text\/plain/, '/api/v1/dashboard/soc/csv': /^text\/csv/ }

/** Every operation of the API, with a well-formed id where one belongs; not the stream, whose answer has no end (D6 looks at its headers). */
function operations(): Operation[] {
  const { paths = {} } = app.app.swagger() as { paths?: Record<string, Record<string, unknown>> }
  const ending = Object.entries(paths).filter(([path]) => !path.endsWith('/stream'))
  return ending.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      url: path.replace(/\{[^}]+\}/g, '00000000-0000-7000-8000-0000000000ee'),
    })),
  )
}

function expectSafe(answer: Answer, title: string): void {
  const headers = answer.headers
  expect(headers['x-content-type-options'], title).toBe('nosniff')
  expect(headers['referrer-policy'], title).toBe('no-referrer')
  expect(headers['x-request-id'], title).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
  const policy = String(headers['content-security-policy'])
  expect(policy, title).toContain("frame-ancestors 'none'")
  expect(policy, title).toMatch(/^default-src '(none|self)'/)
  expect(policy, title).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
  expect(headers, title).not.toHaveProperty('x-powered-by')
  expect(headers, title).not.toHaveProperty('server')
}

describe('D15: every answer of the API has the headers of one', () => {
  const ask = async (method: string, url: string, headers: Record<string, string> = {}, payload?: string) =>
    await app.app.inject({ method: method as 'GET', url, headers, ...(payload === undefined ? {} : { payload }) })

  test('every operation, without a login, as administrator with nothing, and with rubbish', async () => {
    const all = operations()
    expect(all.length).toBeGreaterThan(15)
    const statuses = new Set<number>()
    for (const { method, url } of all) {
      // A logout would end the session that the others need.
      const admin: Record<string, string> = url.endsWith('/logout') ? {} : { authorization: `Bearer ${app.tokens.ADMIN}` }
      const answers = [
        await ask(method, url),
        await ask(method, `${url}?unknown=1`, admin),
        await ask(method, url, { ...admin, 'content-type': 'application/json' }, '{"rubbish": true}'),
        await ask(method, url, { ...admin, 'content-type': 'application/xml' }, '<a/>'),
      ]
      for (const answer of answers) {
        const title = `${method} ${url}: ${answer.statusCode}`
        expectSafe(answer, title)
        expect(answer.headers['content-security-policy'], title).toBe("default-src 'none'; frame-ancestors 'none'")
        expect(answer.headers['cache-control'], title).toBe('no-store')
        const content = answer.statusCode === 200 ? (TEXTS[url] ?? JSON_CONTENT) : JSON_CONTENT
        if (answer.statusCode !== 204) expect(answer.headers['content-type'], title).toMatch(content)
        statuses.add(answer.statusCode)
      }
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 401, 415, 422]))
  })

  test.each([
    { title: 'an unknown route', method: 'GET', url: '/api/v1/nothing', status: 404 },
    { title: 'broken percent encoding in the path', method: 'GET', url: '/api/v1/%E0%A4%A', status: 404 },
    { title: 'a path part that is too long', method: 'GET', url: `/api/v1/feeds/${'a'.repeat(2000)}`, status: 404 },
    { title: 'a method that does not exist here', method: 'DELETE', url: '/api/v1/auth/token', status: 404 },
    { title: 'a body that is too large', method: 'POST', url: '/api/v1/auth/token', status: 413 },
  ])('$title: $status, as a problem', async ({ method, url, status }) => {
    const tooLarge = status === 413
    const answer = await ask(
      method,
      url,
      tooLarge ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
      tooLarge ? `username=${'a'.repeat(1_000_000)}` : undefined,
    )
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.body).not.toMatch(/FST_|fastify/i)
    expectSafe(answer, url)
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('D15: pages and assets', () => {
  test.each(['/', '/login', '/iocs/00000000-0000-7000-8000-0000000000ee', '/index.html'])(
    '%s is a page that runs nothing but its own',
    async (url) => {
      const answer = await app.app.inject({ method: 'GET', url })
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expectSafe(answer, url)
      const policy = String(answer.headers['content-security-policy'])
      const nonce = /script-src 'self' 'nonce-([A-Za-z0-9+/=]{20,})'/.exec(policy)?.[1]
      expect(answer.body).toContain(`nonce="${nonce}"`)
      expect(policy).toContain("object-src 'none'")
      expect(policy).toContain("base-uri 'none'")
      expect(answer.headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    },
  )

  test('no two pages share a nonce', async () => {
    const policies = await Promise.all(
      Array.from({ length: 20 }, async () => (await app.app.inject({ method: 'GET', url: '/' })).headers['content-security-policy']),
    )
    expect(new Set(policies).size).toBe(20)
  })

  test('an asset may be kept, and an absent one is a problem that may not', async () => {
    const asset = await app.app.inject({ method: 'GET', url: '/assets/app-1.js' })
    expectSafe(asset, 'asset')
    expect(asset.headers['cache-control']).toContain('immutable')
    const absent = await app.app.inject({ method: 'GET', url: '/assets/app-2.js' })
    expect([absent.statusCode, absent.headers['cache-control']]).toEqual([404, 'no-store'])
  })
})

describe('D15: production asks browsers to stay with TLS for a year', () => {
  test.each(['/', '/assets/app-1.js', '/api/v1/users/me', '/api/v1/nothing', '/api/v1/%E0%A4%A', '/health', '/openapi.json'])(
    '%s',
    async (url) => {
      const inProduction = (await production.app.inject({ method: 'GET', url })).headers['strict-transport-security']
      expect(Number(/max-age=(\d+)/.exec(String(inProduction))?.[1])).toBeGreaterThanOrEqual(SECONDS_PER_YEAR)
      expect((await app.app.inject({ method: 'GET', url })).headers['strict-transport-security']).toBeUndefined()
    },
  )
})

describe('D15: other origins', () => {
  const foreign = [
    'https://evil.example.org',
    'null',
    'http://portal.example.org',
    'https://portal.example.org:8443',
    'https://portal.example.org.evil.example',
    'https://evil.example/https://portal.example.org',
    'https://sub.portal.example.org',
    'HTTPS://PORTAL.EXAMPLE.ORG',
    'https://portal.example.org/',
    '*',
    '',
  ]
  const readable = (answer: Answer) => Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))

  test.each(foreign)('"%s" gets nothing that its page could read, asking first or not', async (origin) => {
    for (const url of ['/api/v1/users/me', '/api/v1/auth/token', '/api/v1/nothing', '/health']) {
      const plain = await app.app.inject({ method: 'GET', url, headers: { origin } })
      const preflight = await app.app.inject({
        method: 'OPTIONS',
        url,
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      })
      expect([...readable(plain), ...readable(preflight)]).toEqual([])
      expect(preflight.statusCode).toBe(404)
    }
  })

  test.each([LISTED, LISTED_TOO])('%s is on the list, with its cookies', async (origin) => {
    const answer = await app.app.inject({
      method: 'GET',
      url: '/api/v1/users/me',
      headers: { origin, authorization: `Bearer ${app.tokens.VIEWER}` },
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })
    expect(String(answer.headers['vary'])).toMatch(/origin/i)
    const preflight = await app.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/feeds',
      headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' },
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH')
    expectSafe(preflight, 'preflight')
  })

  test('refusals of a listed origin can be read by its page', async () => {
    const answer = await app.app.inject({ method: 'GET', url: '/api/v1/users/me', headers: { origin: LISTED } })
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([401, LISTED])
  })

  test('with no list, every origin is foreign', async () => {
    const answer = await production.app.inject({ method: 'GET', url: '/health', headers: { origin: LISTED } })
    expect(readable(answer)).toEqual([])
  })

  test.each([
    'null',
    'https://portal.example.org/',
    'https://portal.example.org/app',
    'portal.example.org',
    'https://*.example.org',
    'ftp://a.example',
    'https://u:p@a.example',
    'https://A.example',
  ])('CORS_ORIGINS %s is refused', (setting) => {
    expect(() => parseOrigins(setting)).toThrow('CORS_ORIGINS')
  })

  test('* lets every origin read what needs no cookie', async () => {
    const open = await createTestApp({ CORS_ORIGINS: '*' })
    const answer = await open.app.inject({ method: 'GET', url: '/health', headers: { origin: 'https://evil.example.org' } })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    await open.close()
  })
})
