import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newRowTally, toListedValues } from '#domains/feeds/collecting/feed-values.ts'
import { inShort, readWhole } from '#domains/feeds/parsers/read-whole.test-support.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

let app: TestApp
let feedId = ''
let port = 0
const BUILT_IN = { object: Object.getOwnPropertyNames(Object.prototype), array: Object.getOwnPropertyNames(Array.prototype) }

beforeAll(async () => {
  app = await createTestApp()
  const answer = await app.call('POST', '/api/v1/feeds', 'ADMIN', { name: 'whole', url: 'https://lists.example.org/a.txt', format: 'CSV' })
  feedId = answer.json().id
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => await app.close())
afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(BUILT_IN.object)
  expect(Object.getOwnPropertyNames(Array.prototype)).toEqual(BUILT_IN.array)
  const { admin, polluted } = {} as { admin?: unknown; polluted?: unknown }
  expect([admin, polluted]).toEqual([undefined, undefined])
})

const FORM = 'application/x-www-form-urlencoded'
async function send(method: string, url: string, payload: string, contentType = 'application/json') {
  return await app.app.inject({
    method: method as 'POST',
    url: url.replace('{feed}', feedId),
    headers: { authorization: `Bearer ${app.tokens.ADMIN}`, 'content-type': contentType },
    payload,
  })
}

const ROUTES = [
  { route: 'POST /api/v1/indicators', body: '"indicators": [{"value": "polluted.example.org"}]' },
  { route: 'POST /api/v1/indicators/lookup', body: '"values": ["polluted.example.org"]' },
  { route: 'POST /api/v1/feeds', body: '"name": "polluted", "url": "https://lists.example.org/b.txt", "format": "CSV"' },
  { route: 'PATCH /api/v1/feeds/{feed}', body: '"version": 1, "name": "polluted"' },
  { route: 'POST /api/v1/auth/token', body: `"username": "viewer", "password": "${TEST_PASSWORD}"` },
]
const POISONS = [
  { poison: 'a prototype', text: '"__proto__": {"admin": true, "polluted": 1}' },
  { poison: 'a prototype, escaped', text: '"\\u005f\\u005fproto\\u005f\\u005f": {"admin": true}' },
  { poison: 'a prototype that is a value', text: '"__proto__": null' },
  { poison: 'a constructor', text: '"constructor": {"prototype": {"admin": true}}' },
]

describe('D17: no prototype pollution', () => {
  test.each(ROUTES.flatMap((route) => POISONS.map((poison) => ({ ...route, ...poison }))))(
    '$poison in $route',
    async ({ route, body, text }) => {
      const [method = '', url = ''] = route.split(' ')
      for (const payload of [`{${body}, ${text}}`, `{${text}, ${body}}`]) {
        const answer = await send(method, url, payload)
        expect([answer.statusCode, answer.json().code]).toEqual([422, 'validation_failed'])
      }
    },
  )

  test.each([
    {
      title: 'in an indicator',
      method: 'POST',
      url: '/api/v1/indicators',
      payload: '{"indicators": [{"value": "a.example.org", "__proto__": {"severity": "LOW"}}]}',
    },
    {
      title: 'in its tags',
      method: 'POST',
      url: '/api/v1/indicators',
      payload: '{"indicators": [{"value": "a.example.org", "tags": {"__proto__": ["x"]}}]}',
    },
    {
      title: 'in reader settings',
      method: 'POST',
      url: '/api/v1/feeds',
      payload: '{"name": "p", "url": "https://lists.example.org/c.txt", "format": "CSV", "parser": {"__proto__": {"polluted": 1}}}',
    },
    {
      title: 'deep in reader settings',
      method: 'POST',
      url: '/api/v1/feeds',
      payload:
        '{"name": "p", "url": "https://lists.example.org/c.txt", "format": "CSV", "parser": {"type_map": {"a": {"constructor": {"prototype": {"polluted": 1}}}}}}',
    },
    { title: 'as the whole body', method: 'POST', url: '/api/v1/indicators', payload: '{"__proto__": {"indicators": []}}' },
    { title: 'in a list as the body', method: 'POST', url: '/api/v1/indicators', payload: '[{"__proto__": {"polluted": 1}}]' },
  ])('a prototype $title', async ({ method, url, payload }) => {
    expect((await send(method, url, payload)).statusCode).toBe(422)
  })

  test.each([
    '__proto__=x',
    '__proto__[admin]=true',
    '__proto__.admin=true',
    'constructor[prototype][admin]=true',
    'constructor.prototype.admin=true',
  ])('%s in a form and in a query', async (text) => {
    const form = await send('POST', '/api/v1/auth/token', `username=viewer&password=${encodeURIComponent(TEST_PASSWORD)}&${text}`, FORM)
    expect(form.statusCode).toBe(422)
    for (const url of ['/api/v1/indicators', '/api/v1/feeds'])
      expect((await app.call('GET', `${url}?${text}`, 'ADMIN')).statusCode).toBe(422)
  })

  test('__proto__, constructor and hasOwnProperty as columns of a list', async () => {
    const body = '__proto__,constructor,hasOwnProperty,domain\nx,y,z,one.example.org\nx,y,z,two.example.org\n'
    const { rows, error } = await readWhole(body, 'CSV', { header: 'first', value: 'domain' })
    expect([error, inShort(rows)]).toEqual([undefined, ['one.example.org', 'two.example.org']])
    const named = await readWhole(body, 'CSV', { header: 'first', value: '__proto__' })
    expect(inShort(named.rows)).toEqual(['x', 'x'])
  })

  test('__proto__ and constructor as members of a JSON list', async () => {
    const body = '[{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"admin": true}}, "domain": "one.example.org"}]'
    const { rows } = await readWhole(body, 'JSON', { mode: 'array', value: 'domain' })
    expect(inShort(rows)).toEqual(['one.example.org'])
  })

  const MEMBERS = '"__proto__": {"polluted": 1, "revoked": true}, "constructor": {"prototype": {"admin": true}}'
  const INDICATOR = `"type": "indicator", "id": "indicator--00000000-0000-4000-8000-000000000001", "pattern": "[domain-name:value = 'one.example.org']"`
  test.each([
    { title: 'members of a bundle', body: `{"type": "bundle", ${MEMBERS}, "objects": [{${INDICATOR}}]}` },
    { title: 'members of an object', body: `{"type": "bundle", "objects": [{${INDICATOR}, ${MEMBERS}}]}` },
    { title: 'members of a bare object', body: `{${INDICATOR}, ${MEMBERS}}` },
  ])('__proto__ and constructor as $title of STIX', async ({ body }) => {
    const { rows, error } = await readWhole(body, 'STIX')
    expect([error, inShort(rows)]).toEqual([undefined, ['one.example.org/DOMAIN']])
  })

  test('__proto__ and constructor as types, ids and names of STIX are counted like every other', async () => {
    const ids = ['__proto__', 'constructor', 'toString']
    const objects = ids.flatMap((id) => [
      { type: id, id },
      { type: 'malware', id: `malware--${id}`, name: id },
      { type: 'relationship', relationship_type: 'indicates', source_ref: id, target_ref: `malware--${id}` },
      {
        type: 'indicator',
        id,
        modified: '2026-11-01T00:00:00.000Z',
        labels: [id],
        pattern: `[domain-name:value = 'of-${id.replaceAll('_', '')}.example.org']`,
      },
    ])
    const { rows } = await readWhole(JSON.stringify({ type: 'bundle', objects }), 'STIX')
    const tally = newRowTally()
    const values = toListedValues(rows, tally)
    expect(values.map(({ value, tags }) => [value, tags])).toEqual([
      ['of-proto.example.org', ['__proto__', 'malware:__proto__']],
      ['of-constructor.example.org', ['constructor', 'malware:constructor']],
      ['of-tostring.example.org', ['toString', 'malware:toString']],
    ])
    // A name that is no ordinary property is counted among the others.
    expect(tally.unsupportedByKind).toEqual({ other: 1, malware: 3, relationship: 3, constructor: 1, toString: 1 })
  })
})

describe('D17: no mass assignment', () => {
  const EXTRA = [
    '"role": "ADMIN"',
    '"status": "ACTIVE"',
    '"id": "00000000-0000-7000-8000-000000000001"',
    '"hit_count": 999',
    '"active": true',
    '"created_at": "2020-01-01T00:00:00Z"',
  ]
  test.each(ROUTES.flatMap(({ route, body }) => EXTRA.map((extra) => ({ route, body, extra }))))(
    '$extra in $route',
    async ({ route, body, extra }) => {
      const [method = '', url = ''] = route.split(' ')
      const answer = await send(method, url, `{${body}, ${extra}}`)
      expect([answer.statusCode, answer.json().code]).toEqual([422, 'validation_failed'])
      expect(answer.json().errors[0].message).toBe('Unknown field.')
    },
  )

  test.each(['"hit_count": 999', '"active": true', '"confidence": 100', '"id": "00000000-0000-7000-8000-000000000001"'])(
    '%s in an indicator',
    async (extra) => {
      expect((await send('POST', '/api/v1/indicators', `{"indicators": [{"value": "a.example.org", ${extra}}]}`)).statusCode).toBe(422)
    },
  )
})

describe('D17: no parameter pollution', () => {
  test.each([
    { title: 'the last of two counts', query: 'limit=9999&limit=1', status: 200 },
    { title: 'the last of two counts, when it is refused', query: 'limit=1&limit=9999', status: 422 },
    { title: 'the last of many', query: `${'limit=5&'.repeat(500)}limit=2`, status: 200 },
    { title: 'brackets make no list', query: 'limit[]=1', status: 422 },
    { title: 'an index makes no list', query: 'limit[0]=1', status: 422 },
    { title: 'a list in one value', query: 'limit=1,9999', status: 422 },
    { title: 'a name in another case', query: 'LIMIT=1', status: 422 },
    { title: 'a semicolon separates nothing', query: 'limit=1;limit=9999', status: 422 },
  ])('$title: ?$query', async ({ query, status }) => {
    expect((await app.call('GET', `/api/v1/feeds?${query}`, 'ADMIN')).statusCode).toBe(status)
  })

  test('a field twice in a form is refused, so that nobody logs in as the other', async () => {
    const password = encodeURIComponent(TEST_PASSWORD)
    for (const form of [`username=viewer&username=admin&password=${password}`, `username=viewer&password=${password}&password=x`])
      expect((await send('POST', '/api/v1/auth/token', form, FORM)).statusCode).toBe(422)
  })

  test('a member twice in JSON counts once, the last, and is checked', async () => {
    expect((await send('POST', '/api/v1/indicators/lookup', '{"values": ["a.example.org"], "values": 5}')).statusCode).toBe(422)
    const answer = await send('POST', '/api/v1/indicators/lookup', '{"values": 5, "values": ["a.example.org"]}')
    expect([answer.statusCode, answer.json().items.length]).toEqual([200, 1])
  })
})

/** What a request of these very bytes is answered. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe('D9, D17: no content type passes by the checks', () => {
  const bad = '{"indicators": 5}'
  const TYPES = [
    { type: 'application/json\t', status: [422] },
    { type: ' application/json', status: [422] },
    { type: '\tapplication/json', status: [422] },
    { type: 'application/json ; charset=utf-8', status: [415, 422] },
    { type: 'application/json;', status: [415, 422] },
    { type: 'application/json; charset=utf-8; charset=utf-7', status: [415, 422] },
    { type: 'APPLICATION/JSON', status: [422] },
    { type: 'application/json, text/plain', status: [415, 422] },
    { type: 'text/plain, application/json', status: [415, 422] },
    { type: 'application/json\r\nContent-Type: text/plain', status: [415, 422] },
    { type: 'text/plain\r\nContent-Type: application/json', status: [415, 422] },
    { type: 'application/jsonp', status: [415] },
    { type: 'application/problem+json', status: [415] },
    { type: 'application/json\u0001', status: [400, 415] },
    { type: 'text/plain', status: [415] },
    { type: 'text/json', status: [415] },
    { type: 'multipart/form-data; boundary=x', status: [415] },
    { type: '', status: [415] },
    { type: '*/*', status: [415] },
  ]
  test.each(TYPES)('$type', async ({ type, status }) => {
    const answer = await sendRaw(
      `POST /api/v1/indicators HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app.tokens.ADMIN}\r\nContent-Type:${type}\r\nContent-Length: ${bad.length}\r\nConnection: close\r\n\r\n${bad}`,
    )
    expect(status).toContain(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]))
    expect(answer).toMatch(/content-type: application\/problem\+json/i)
    expect(answer).not.toMatch(/fastify|FST_|ajv|node_modules/i)
  })

  test('no type at all', async () => {
    const answer = await sendRaw(
      `POST /api/v1/indicators HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app.tokens.ADMIN}\r\nContent-Length: ${bad.length}\r\nConnection: close\r\n\r\n${bad}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 4(15|22)/)
  })
})

describe('D9: what is no request is answered as a problem, without a library’s name', () => {
  const HEAD = 'GET /health HTTP/1.1\r\nHost: localhost\r\n'
  test.each([
    { title: 'no HTTP', text: 'hello\r\n\r\n', status: 400 },
    { title: 'TLS', text: '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', status: 400 },
    { title: 'a method that does not exist', text: 'BREW /health HTTP/1.1\r\nHost: a\r\n\r\n', status: 400 },
    { title: 'another protocol', text: 'GET / HTTP/9.9\r\n\r\n', status: 400 },
    {
      title: 'HTTP/1.1 without a host',
      text: 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n',
      status: 400,
    },
    { title: 'a header without a colon', text: `${HEAD}broken\r\n\r\n`, status: 400 },
    { title: 'a bare line feed in a header', text: `${HEAD}X-A: a\u0000b\r\n\r\n`, status: 400 },
    {
      title: 'two lengths',
      text: 'POST /api/v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      status: 400,
    },
    {
      title: 'a length and chunks',
      text: 'POST /api/v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      status: 400,
    },
    { title: 'a negative length', text: 'POST /api/v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', status: 400 },
    { title: 'headers of 20 kB', text: `${HEAD}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, status: 431 },
    { title: 'headers of 64 kB', text: `${HEAD}X-A: ${'a'.repeat(65_536)}\r\n\r\n`, status: 431 },
    { title: 'a thousand headers', text: `${HEAD}${Array.from({ length: 1500 }, (_, n) => `X-${n}: aaaa\r\n`).join('')}\r\n`, status: 431 },
    { title: 'an address of 20 kB', text: `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, status: 431 },
  ])('$title: $status', async ({ text, status }) => {
    const answer = await sendRaw(text)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).not.toMatch(/fastify|FST_|HPE_|llhttp|node/i)
    const [, body = ''] = answer.split('\r\n\r\n')
    expect(answer).toMatch(/content-type: application\/problem\+json/i)
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status, code: expect.any(String), request_id: expect.any(String) })
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
  })

  test('the connection that was answered is in the log with its address, and the next request works', async () => {
    await sendRaw('hello\r\n\r\n')
    const line = app.logLines.map((text) => JSON.parse(text)).findLast(({ event }) => event === 'http.connection_refused')
    expect(line).toMatchObject({ logger: 'svc.http', status: 400, client: '127.0.0.1' })
    const id = `after-${randomUUID()}`
    expect(await sendRaw(`GET /health HTTP/1.1\r\nHost: a\r\nX-Request-ID: ${id}\r\nConnection: close\r\n\r\n`)).toContain(id)
  })
})
