import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { createServices } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { startFaultProxy } from '../support/bad-server.ts'
import { startRedisServer } from '../support/redis-server.ts'
import { findFreePort } from '../support/svc-process.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'
import { withClient } from '../support/with-client.ts'

/** What no answer may tell: how the service is built, where it runs, and what it asks its servers. */
const INSIDE =
  /\bat \S+ \(|\.(ts|js|mjs|cjs):\d|node_modules|node:internal|\/(work|tmp|home|usr|srv|root)\/|\bselect\b.*\bfrom\b|insert into|\bupdate\b.*\bset\b|relation "|column "|constraint|SQLSTATE|permission denied|postgres|redis|kysely|fastify|ajv|typebox|undici|\bpg\b|127\.0\.0\.1|localhost|svc_app|ECONN|FST_|HPE_|ERR_|Error:/i
const UNEXPECTED = 'Something unexpected went wrong. Name the request id when you report it.'
const AWAY = 'The database cannot be reached at the moment. Try again shortly.'
const ABSENT_ID = '00000000-0000-7000-8000-0000000000ee'
const SIGNING_KEY = randomBytes(32).toString('hex')

type Answer = { statusCode: number; body: string; headers: Record<string, unknown> }
type Operation = { title: string; method: string; url: string }
/** Bodies that pass the schema, so that the request gets as far as the servers. Others get `{}`. */
const BODIES: Record<string, object> = {
  'POST /api/v1/indicators': { indicators: [{ value: '45.77.12.13' }] },
  'POST /api/v1/indicators/lookup': { values: ['45.77.12.13'] },
  'POST /api/v1/feeds': { name: 'a list', url: 'https://lists.example.org/a.txt', format: 'CSV' },
  'PATCH /api/v1/feeds/{id}': { name: 'another' },
  'POST /api/v1/auth/refresh': { refresh_token: 'a'.repeat(43) },
  'POST /api/v1/users': { username: 'somebody', role: 'VIEWER' },
  'PATCH /api/v1/users/{id}': { role: 'VIEWER' },
  'POST /api/v1/users/me/password': { current_password: 'not that of this account', new_password: 'four hills over one lake' },
}

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ SECRET_KEY: SIGNING_KEY })
})
afterAll(async () => await app.close())

/** The service beside that of the test, with the same key, on other servers. */
async function appWith(env: Record<string, string>): Promise<{ server: HttpServer; services: Awaited<ReturnType<typeof createServices>> }> {
  const settings = {
    SVC_ENV_FILE: '',
    SECRET_KEY: SIGNING_KEY,
    DATABASE_URL: app.database.appUrl,
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_PER_USER: '0',
    ...env,
  }
  const config = loadConfig(settings, '/')
  const services = await createServices(config, SILENT_LOGGING, 'test')
  const server = await buildApp(services, config, SILENT_LOGGING)
  await server.ready()
  onTestFinished(async () => {
    await server.close()
    await services.close()
  })
  return { server, services }
}

type Described = { responses: Record<string, { content?: Record<string, unknown> }> }

/** Every operation; of one whose answer does not end, the head. */
function operations(): Operation[] {
  const document: unknown = app.app.swagger()
  const { paths } = document as { paths: Record<string, Record<string, Described>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      const isStream = responses['200']?.content?.['text/event-stream'] !== undefined
      return {
        title: `${method.toUpperCase()} ${path}`,
        method: isStream ? 'HEAD' : method.toUpperCase(),
        url: path.replace(/\{[^}]+\}/g, ABSENT_ID),
      }
    }),
  )
}

async function call(server: HttpServer, { title, method, url }: Operation, token: string): Promise<Answer> {
  const isLogin = url.endsWith('/auth/token')
  const body = isLogin
    ? new URLSearchParams({ username: 'viewer', password: TEST_PASSWORD }).toString()
    : JSON.stringify(BODIES[title] ?? {})
  const type = isLogin ? 'application/x-www-form-urlencoded' : 'application/json'
  const hasBody = !['GET', 'HEAD', 'DELETE'].includes(method)
  return await server.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, ...(hasBody ? { 'content-type': type } : {}) },
    ...(hasBody ? { payload: body } : {}),
  })
}

/** A failure says one of two sentences and nothing else. */
function expectSilent({ statusCode, body, headers }: Answer, title: string): void {
  if (statusCode >= 400) expect(body, title).not.toMatch(INSIDE)
  if (statusCode < 500) return
  if (/^\/(health|ready)/.test(title.split(' ')[1] ?? '') || body === '') return
  const problem = JSON.parse(body) as Record<string, unknown>
  expect(headers['content-type'], title).toContain('application/problem+json')
  expect(Object.keys(problem).sort(), title).toEqual(['code', 'detail', 'request_id', 'status', 'title', 'type'])
  expect([UNEXPECTED, AWAY], title).toContain(problem['detail'])
}

/** Every operation at once, and then the one that ends the session. @returns how many of them failed with 5xx, by status */
async function callAll(server: HttpServer): Promise<Map<number, string[]>> {
  const login = await app.services.sessions.login(
    { username: 'admin', password: TEST_PASSWORD },
    { clientIp: '127.0.0.1', requestId: 'test-walk' },
  )
  const failed = new Map<number, string[]>()
  const walk = async (some: Operation[]) =>
    await Promise.all(
      some.map(async (operation) => {
        const answer = await call(server, operation, login.access_token)
        expectSilent(answer, operation.title)
        if (answer.statusCode >= 500) failed.set(answer.statusCode, [...(failed.get(answer.statusCode) ?? []), operation.title])
      }),
    )
  const isLogout = ({ url }: Operation) => url.endsWith('/auth/logout')
  await walk(operations().filter((operation) => !isLogout(operation)))
  await walk(operations().filter(isLogout))
  return failed
}

describe('D9: every operation, with a dependency that is broken', () => {
  const databasePort = () => Number(new URL(app.database.appUrl).port)
  const through = (port: number) => app.database.appUrl.replace(`:${databasePort()}/`, `:${port}/`)
  /** Everything but what needs no database: health and metrics say that it is away. */
  const expectAllAway = (failed: Map<number, string[]>) => {
    expect([...failed.keys()]).toEqual([503])
    expect(failed.get(503)?.length).toBeGreaterThanOrEqual(operations().length - 2)
  }

  test('the database is down', async () => {
    const { server } = await appWith({ DATABASE_URL: through(await findFreePort()) })
    expectAllAway(await callAll(server))
  })

  test('the database refuses the password', async () => {
    const { server } = await appWith({ DATABASE_URL: app.database.appUrl.replace(/:[^:@]+@/, ':not-the-password@') })
    expectAllAway(await callAll(server))
  })

  test('the database does not exist', async () => {
    const { server } = await appWith({ DATABASE_URL: `${app.database.appUrl}_gone` })
    expectAllAway(await callAll(server))
  })

  test.each(['timeout', 'down'] as const)('the connection to the database suffers: %s', async (kind) => {
    const proxy = await startFaultProxy(databasePort())
    proxy.set({ kind })
    const { server } = await appWith({ DATABASE_URL: through(proxy.port) })
    onTestFinished(async () => await proxy.close())
    expectAllAway(await callAll(server))
  })

  test('every connection of the pool is in use', async () => {
    const { server, services } = await appWith({})
    const taken = await Promise.all(Array.from({ length: services.pool.options.max }, async () => await services.pool.connect()))
    expectAllAway(await callAll(server))
    for (const client of taken) client.release()
  })

  test('the store is down, and hangs: nothing fails', async () => {
    const redis = await startRedisServer()
    const { server } = await appWith({ REDIS_URL: redis.url })
    onTestFinished(async () => await redis.stop())
    redis.pause()
    const hanging = await callAll(server)
    redis.resume()
    await redis.stop()
    const down = await callAll(server)
    expect([...hanging.values(), ...down.values()].flat()).toEqual([])
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'tables are gone',              breaks: (table: string) => `alter table ${table} rename to gone_${table}`,               mends: (table: string) => `alter table gone_${table} rename to ${table}` },
    { title: 'rights are missing',           breaks: (table: string) => `revoke all on ${table} from svc_app`,                        mends: (table: string) => `grant select, insert, update, delete on ${table} to svc_app` },
  ])('$title', async ({ breaks, mends }) => {
    const { server } = await appWith({})
    // What a login needs stays, so that requests get past it.
    const kept = ['users', 'sessions', 'refresh_tokens', 'audit_events', 'kysely_migration', 'kysely_migration_lock']
    await withClient(app.database.ownerUrl, async (run) => {
      const tables = (await run("select tablename from pg_tables where schemaname = 'public'")).map(({ tablename }) => String(tablename)).filter((table) => !kept.includes(table))
      for (const table of tables) await run(breaks(table))
      try {
        const failed = await callAll(server)
        expect([...failed.keys()]).toEqual([500])
        expect(failed.get(500)?.length).toBeGreaterThan(5)
      } finally {
        for (const table of tables) await run(mends(table))
      }
    })
  })

  test('a value that the database refuses does not come back', async () => {
    await withClient(app.database.ownerUrl, async (run) => {
      await run(
        'create function refuse_row() returns trigger language plpgsql as $$ begin raise exception \'refused % of relation "feeds"\', new::text; end $$',
      )
      await run('create trigger refuse_row before insert on threat_feeds for each row execute function refuse_row()')
      try {
        const answer = await app.call('POST', '/api/v1/feeds', 'ADMIN', {
          name: 'canary-4711',
          url: 'https://lists.example.org/a.txt',
          format: 'CSV',
        })
        expect(answer.statusCode).toBe(500)
        expectSilent(answer, 'POST /api/v1/feeds')
        expect(app.logLines.filter((line) => line.includes('http.unexpected')).at(-1)).toContain('SQLSTATE P0001')
        expect(app.logLines.join('')).not.toContain('canary-4711')
      } finally {
        await run('drop trigger refuse_row on threat_feeds; drop function refuse_row')
      }
    })
  })
})

describe('D9: requests that are broken', () => {
  let port = 0
  beforeAll(async () => {
    port = Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port)
  })

  /** Bytes as written, and the first answer. */
  async function send(bytes: string | Buffer): Promise<{ status: number; body: string }> {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('request_id')) socket.end()
    })
    socket.on('close', () => resolve(text)).on('error', () => resolve(text))
    const [head = '', ...body] = (await promise).split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), body: body.join('\r\n\r\n') }
  }
  const post = (headers: string[], body: string | Buffer) =>
    Buffer.concat([
      Buffer.from(
        [
          `POST /api/v1/indicators HTTP/1.1`,
          'Host: a',
          'Connection: close',
          `Authorization: Bearer ${app.tokens.ADMIN}`,
          ...headers,
          '',
          '',
        ].join('\r\n'),
        'latin1',
      ),
      Buffer.from(body),
    ])
  const sized = (type: string, body: string | Buffer, ...more: string[]) =>
    post([...(type === '' ? [] : [`Content-Type: ${type}`]), `Content-Length: ${Buffer.byteLength(body)}`, ...more], body)
  /** Valid JSON that no route takes: where it is accepted, validation was skipped. */
  const WRONG = '{"indicators": 5, "admin": true}'
  const JSON_TYPE = 'application/json'

  // biome-ignore format: one case per line
  const CASES: { title: string; bytes: () => Buffer | string; status: number[] }[] = [
    { title: 'broken JSON',                            bytes: () => sized(JSON_TYPE, '{"indicators": ['),                                                             status: [422] },
    { title: 'no body',                                bytes: () => sized(JSON_TYPE, ''),                                                                             status: [422] },
    { title: 'a body of blanks',                       bytes: () => sized(JSON_TYPE, '   '),                                                                          status: [422] },
    { title: 'UTF-8 that is none, in a body',          bytes: () => sized(JSON_TYPE, Buffer.from('{"indicators": [{"value": "\xff\xfe.example.org"}], "x": 1}', 'latin1')), status: [422] },
    { title: 'a body in UTF-16',                       bytes: () => sized('application/json; charset=utf-16', Buffer.from(WRONG, 'utf16le')),                         status: [415, 422] },
    { title: 'a byte order mark',                      bytes: () => sized(JSON_TYPE, `\ufeff${WRONG}`),                                                               status: [422] },
    { title: '100 000 brackets',                       bytes: () => sized(JSON_TYPE, '['.repeat(100_000)),                                                            status: [422] },
    { title: '20 000 nested arrays',                   bytes: () => sized(JSON_TYPE, `{"indicators": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`),                    status: [422] },
    { title: 'a body of 3 MiB',                        bytes: () => sized(JSON_TYPE, `{"indicators": "${'a'.repeat(3_145_728)}"}`),                                    status: [413] },
    { title: 'XML',                                    bytes: () => sized('application/xml', '<a/>'),                                                                 status: [415] },
    { title: 'plain text that is JSON',                bytes: () => sized('text/plain', WRONG),                                                                       status: [415] },
    { title: 'a form where JSON belongs',              bytes: () => sized('application/x-www-form-urlencoded', 'indicators=5'),                                       status: [415, 422] },
    { title: 'no content type',                        bytes: () => sized('', WRONG),                                                                                 status: [415, 422] },
    { title: 'a tab behind the content type',          bytes: () => sized('application/json\t', WRONG),                                                               status: [415, 422] },
    { title: 'a tab and a parameter',                  bytes: () => sized('application/json\t; a=b', WRONG),                                                          status: [415, 422] },
    { title: 'a blank before the content type',        bytes: () => post(['Content-Type:   application/json', `Content-Length: ${WRONG.length}`], WRONG),             status: [415, 422] },
    { title: 'a tab before the content type',          bytes: () => post(['Content-Type:\tapplication/json', `Content-Length: ${WRONG.length}`], WRONG),              status: [415, 422] },
    { title: 'an upper-case content type',             bytes: () => sized('APPLICATION/JSON', WRONG),                                                                 status: [415, 422] },
    { title: 'a semicolon without a parameter',        bytes: () => sized('application/json;', WRONG),                                                                status: [415, 422] },
    { title: 'a parameter that is broken',             bytes: () => sized('application/json; charset="', WRONG),                                                      status: [415, 422] },
    { title: 'two types in one header',                bytes: () => sized('application/json, text/plain', WRONG),                                                     status: [415, 422] },
    { title: 'two content types',                      bytes: () => sized('text/plain', WRONG, 'Content-Type: application/json'),                                     status: [400, 415, 422] },
    { title: 'a type with something behind it',        bytes: () => sized('application/jsonx', WRONG),                                                                status: [415] },
    { title: 'a prefix of another type',               bytes: () => sized('application/json+xml', WRONG),                                                             status: [415] },
    { title: 'headers of 64 kB',                       bytes: () => sized(JSON_TYPE, WRONG, `X-Filler: ${'a'.repeat(65_536)}`),                                       status: [431] },
    { title: '2000 headers',                           bytes: () => sized(JSON_TYPE, WRONG, ...Array.from({ length: 2000 }, (_, index) => `X-${index}: a`)),          status: [422, 431] },
    { title: 'an address of 64 kB',                    bytes: () => `GET /api/v1/${'a'.repeat(65_536)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,             status: [404, 414, 431] },
    { title: 'UTF-8 that is none, in an address',      bytes: () => 'GET /api/v1/indicators/%ff%fe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',                 status: [401, 404, 422] },
    { title: 'a NUL in a header',                      bytes: () => 'GET /health HTTP/1.1\r\nHost: a\r\nX-A: \0\r\nConnection: close\r\n\r\n',                        status: [400] },
    { title: 'a length and chunks at once',            bytes: () => post([`Content-Type: ${JSON_TYPE}`, 'Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n`), status: [400] },
    { title: 'a chunk that is none',                   bytes: () => post([`Content-Type: ${JSON_TYPE}`, 'Transfer-Encoding: chunked'], 'zz\r\n'),                     status: [400, 422] },
    { title: 'a length that is none',                  bytes: () => post([`Content-Type: ${JSON_TYPE}`, 'Content-Length: -1'], WRONG),                                status: [400] },
    { title: 'no host',                                bytes: () => 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n',                                              status: [400] },
    { title: 'another protocol',                       bytes: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',                                                   status: [400] },
  ]
  test.each(CASES)('$title', async ({ bytes, status }) => {
    const answer = await send(bytes())
    expect(status, answer.body).toContain(answer.status)
    expect(answer.body).not.toMatch(INSIDE)
    // Node itself answers a request without a host, with an empty body.
    if (answer.body.includes('{'))
      expect(JSON.parse(answer.body)).toMatchObject({ status: answer.status, code: expect.any(String), request_id: expect.any(String) })
  })
})
