import { inspect } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { type Answerer, type BadServer, head, reply, startBadServer } from '#test/support/bad-server.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { parseAllowedHosts } from './allowed-hosts.ts'
import type { OutboundOptions } from './outbound.ts'
import { createMask, fillPlaceholders, placeholderNames } from './placeholders.ts'
import { bodyText, get, openTrial, refusal } from './trial.test-support.ts'

/** Characters that change under URL-encoding and under base64 alike. */
const CANARY = 'Canary/4711+key="ü" %41&x'
const FORMS = [
  CANARY,
  encodeURIComponent(CANARY),
  encodeURIComponent(CANARY).toLowerCase(),
  encodeURI(CANARY),
  ...[0, 1, 2].map(base64Middle),
]

function base64Middle(offset: number): string {
  return Buffer.from('x'.repeat(offset) + CANARY)
    .toString('base64')
    .slice(2, 28)
}

const servers: BadServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** Gives the key back wherever an answer can hold text. */
const leaky =
  (status: number, headers: Record<string, string> = {}): Answerer =>
  (socket, request) => {
    const key = request.path.slice(request.path.indexOf('=') + 1)
    socket.end(
      `HTTP/1.1 ${status} ${key}\r\nX-Echo: ${key}\r\nETag: "${key}"\r\nContent-Length: 9999\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value.replace('KEY', key)}\r\n`)
        .join('')}\r\n${key}`,
    )
  }

type Failing = {
  title: string
  answer?: Answerer
  code: string
  url?: (server: BadServer) => string
  options?: (server: BadServer) => Partial<OutboundOptions>
  tls?: boolean
}
const limits = { headersMs: 150 }
const nameServerFault = async () => {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${CANARY}`), { code: 'ENOTFOUND', hostname: CANARY })
}

// biome-ignore format: one case per line
const FAILING: Failing[] = [
  { title: 'the name server',     code: 'dns_failed', url: () => 'https://feed.example.com/l?key={KEY}', options: () => ({ resolve: nameServerFault }) },
  { title: 'TLS',                 code: 'tls_failed', tls: true },
  { title: 'status 401',          code: 'http_status', answer: leaky(401) },
  { title: 'status 429',          code: 'rate_limited', answer: leaky(429, { 'Retry-After': 'KEY' }) },
  { title: 'status 500',          code: 'http_status', answer: leaky(500) },
  { title: 'a time-out',          code: 'timeout', answer: () => undefined },
  { title: 'a reset',             code: 'reset', answer: (socket) => void socket.resetAndDestroy() },
  { title: 'an answer that is no HTTP', code: 'bad_response', answer: (socket, { path }) => void socket.end(`${path}\r\n\r\n`) },
  { title: 'too many bytes',      code: 'too_large', answer: reply(200, Buffer.alloc(2_000_000)) },
  { title: 'a redirect that carries the key elsewhere', code: 'redirect_forbidden', answer: leaky(302, { Location: 'http://127.0.0.1:1/?k=KEY' }) },
  { title: 'gzip that is none',   code: 'bad_encoding', answer: (socket, { path }) => void socket.end(head(200, { 'Content-Encoding': 'gzip', Connection: 'close' }) + path) },
  { title: 'a refused connection', code: 'connect_failed', url: () => 'http://127.0.0.1:1/list?key={KEY}' },
]

test.each(FAILING)(
  'no form of the key is in error or log when the fetch fails by $title',
  async ({ answer = reply(200), code, url, options, tls }) => {
    const server = await startBadServer(answer, tls ? selfSigned(['feed.example.com']) : undefined)
    servers.push(server)
    const { outbound, records } = openTrial({ limits, ...options?.(server) })
    const credentialHeaders = { authorization: `Basic ${Buffer.from(`user:${CANARY}`).toString('base64')}` }
    const error = await refusal(
      outbound.download(get(url?.(server) ?? `${server.origin}/list?key={KEY}`, { keys: { KEY: CANARY }, credentialHeaders })),
    )
    expect(error.code).toBe(code)
    const sinks = [error.message, error.stack ?? '', JSON.stringify(error), inspect(error, { depth: 9, showHidden: true }), ...records]
    expect(records.length).toBeGreaterThan(0)
    for (const sink of sinks) for (const form of FORMS) expect(sink.toLowerCase()).not.toContain(form.toLowerCase())
    expect(error.cause).toBeUndefined()
  },
)

test('12 failures are tried', () => expect(FAILING).toHaveLength(12))

test('the key reaches the server it is for, URL-encoded', async () => {
  const server = await startBadServer(reply(200, 'ok'))
  servers.push(server)
  expect(await bodyText(openTrial().outbound.download(get(`${server.origin}/{KEY}/l?a=b&key={KEY}`, { keys: { KEY: CANARY } })))).toBe('ok')
  const key = encodeURIComponent(CANARY)
  expect(server.requests[0]?.path).toBe(`/${key}/l?a=b&key=${key}`)
})

test('a missing key is refused before any packet and names the setting', async () => {
  const { outbound } = openTrial({ allowHosts: parseAllowedHosts('127.0.0.1') })
  expect(await refusal(outbound.download(get('http://127.0.0.1:1/?key={ABUSE_KEY}', { keys: { OTHER: 'x' } })))).toMatchObject({
    code: 'feed_key_missing',
    attempts: 0,
    message: expect.stringContaining('FEED_KEY_ABUSE_KEY'),
  })
})

test('a secret written into the query of an address never shows', async () => {
  const server = await startBadServer(reply(500))
  servers.push(server)
  const { outbound, records } = openTrial()
  const error = await refusal(outbound.download(get(`${server.origin}/path-secret?apikey=query-secret`)))
  expect([inspect(error), ...records].join()).not.toMatch(/query-secret|path-secret/)
})

test.each(['__proto__', 'constructor', 'toString'])('{%s} is no placeholder or names no key', (name) => {
  const filled = () => fillPlaceholders(`https://example.com/{${name}}/{CONSTRUCTOR}`, {})
  expect(filled).toThrow('FEED_KEY_CONSTRUCTOR')
})

test('placeholder names are listed once', () => expect(placeholderNames('https://a/{A}?b={B_2}&c={A}&d={d}')).toEqual(['A', 'B_2']))

// biome-ignore format: one case per line
test.each([
  { title: 'plain',                         text: 'key s3cret+/x here' },
  { title: 'URL-encoded',                   text: `?key=${encodeURIComponent('s3cret+/x')}` },
  { title: 'URL-encoded in lower case',     text: '?key=s3cret%2b%2fx' },
  { title: 'URL-encoded twice',             text: encodeURIComponent(encodeURIComponent('s3cret+/x')) },
  { title: 'in lower case',                 text: 'S3CRET+/X' },
  { title: 'base64',                        text: Buffer.from('s3cret+/x').toString('base64') },
  { title: 'base64 behind one character',   text: Buffer.from(':s3cret+/x').toString('base64') },
  { title: 'base64 behind a user name',     text: Buffer.from('user:s3cret+/x:more').toString('base64') },
  { title: 'base64 for URLs',               text: Buffer.from('ab:s3cret+/x').toString('base64url') },
  { title: 'hexadecimal',                   text: Buffer.from('s3cret+/x').toString('hex') },
])('a secret is masked $title', ({ text }) => {
  const masked = createMask(['s3cret+/x'])(text)
  expect(masked).toContain('***')
  expect(masked).not.toContain('s3cret')
  expect(Buffer.from(masked.replaceAll('***', '').trim(), 'base64').toString()).not.toContain('s3cret')
})

test('without secrets, and for empty ones, nothing is masked', () => {
  expect(createMask([])('a b')).toBe('a b')
  expect(createMask(['', 'a'])('a b')).toBe('a b')
})
