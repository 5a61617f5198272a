import { afterEach, expect, test } from 'vitest'
import { type Answerer, type BadServer, inTurn, reply, startBadServer } from '#test/support/bad-server.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { parseAllowedHosts } from './allowed-hosts.ts'
import { attemptGapMs, MAX_ATTEMPTS } from './attempt-gap.ts'
import { tryParseRetryAfter } from './retry-after.ts'
import { bodyText, get, openTrial, refusal } from './trial.test-support.ts'

const servers: BadServer[] = []
async function serve(...args: Parameters<typeof startBadServer>): Promise<BadServer> {
  const server = await startBadServer(...args)
  servers.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const reset: Answerer = (socket) => void socket.resetAndDestroy()
const silent: Answerer = () => undefined
const dnsFault = (code: string) => async () => {
  throw Object.assign(new Error(`queryA ${code} feed.example.com`), { code })
}

// biome-ignore format: one case per line
const ANSWERS: { title: string; answer: Answerer; code: string; attempts: number }[] = [
  { title: 'a reset',                   answer: reset,           code: 'reset',       attempts: 3 },
  { title: 'no answer',                 answer: silent,          code: 'timeout',     attempts: 3 },
  { title: 'status 500',                answer: reply(500),      code: 'http_status', attempts: 3 },
  { title: 'status 502',                answer: reply(502),      code: 'http_status', attempts: 3 },
  { title: 'status 503',                answer: reply(503),      code: 'http_status', attempts: 3 },
  { title: 'status 401',                answer: reply(401),      code: 'http_status', attempts: 1 },
  { title: 'status 404',                answer: reply(404),      code: 'http_status', attempts: 1 },
  { title: 'status 410',                answer: reply(410),      code: 'http_status', attempts: 1 },
]

test.each(ANSWERS)('$title: $attempts attempts', async ({ answer, code, attempts }) => {
  const server = await serve(answer)
  const { outbound, gaps, records } = openTrial({ limits: { headersMs: 150 } })
  expect(await refusal(outbound.download(get(server.origin)))).toMatchObject({ code, attempts })
  expect(server.requests).toHaveLength(attempts)
  expect(gaps).toEqual(attempts === 3 ? [1250, 3750] : [])
  expect(records.filter((record) => record.includes('outbound.attempt_failed'))).toHaveLength(attempts)
})

test('a refused connection: 3 attempts', async () => {
  const server = await startBadServer(silent)
  await server.close()
  const { outbound, gaps } = openTrial()
  expect(await refusal(outbound.download(get(server.origin)))).toMatchObject({
    code: 'connect_failed',
    attempts: 3,
    message: expect.stringContaining('ECONNREFUSED'),
  })
  expect(gaps).toHaveLength(2)
})

test.each(['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL'])('a name server that answers %s: 3 attempts', async (code) => {
  const { outbound, gaps } = openTrial({ resolve: dnsFault(code) })
  expect(await refusal(outbound.download(get('https://feed.example.com/a')))).toMatchObject({
    code: 'dns_failed',
    attempts: 3,
    message: expect.stringContaining(code),
  })
  expect(gaps).toHaveLength(2)
})

// biome-ignore format: one case per line
test.each([
  { title: 'an unknown issuer',      names: ['feed.example.com'],  days: 30,  trusted: false, detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  { title: 'another name',           names: ['other.example.com'], days: 30,  trusted: true,  detail: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  { title: 'a date that has passed', names: ['feed.example.com'],  days: -30, trusted: true,  detail: 'CERT_HAS_EXPIRED' },
])('a certificate of $title: 3 attempts', async ({ names, days, trusted, detail }) => {
  const certificate = selfSigned(names, days)
  const server = await serve(reply(200, 'never'), certificate)
  const host = `feed.example.com:${server.port}`
  const trust = trusted ? { ca: certificate.cert } : {}
  const { outbound } = openTrial({ allowHosts: parseAllowedHosts(host), resolve: async () => ['127.0.0.1'], ...trust })
  const error = await refusal(outbound.download(get(`https://${host}/a`)))
  expect(error).toMatchObject({ code: 'tls_failed', attempts: 3, message: expect.stringContaining(detail) })
  expect(server.requests).toEqual([])
})

test('plain text where TLS is meant: 3 attempts', async () => {
  const server = await serve(reply(200))
  server.greet('220 mail.example ESMTP\r\n')
  expect(await refusal(openTrial().outbound.download(get(`https://${server.host}/`)))).toMatchObject({ code: 'tls_failed', attempts: 3 })
})

test('a success on the third attempt is a success, with nothing of the first two in it', async () => {
  const half: Answerer = (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf a list')
  const server = await serve(inTurn(half, reply(500), reply(200, 'whole')))
  const downloaded = openTrial().outbound.download(get(server.origin))
  expect(await bodyText(downloaded)).toBe('whole')
  expect((await downloaded).attempts).toBe(3)
})

test('each gap is at least 1.8 times the one before, and no two runs need be alike', () => {
  const seen = new Set<number>()
  for (let round = 0; round < 1000; round += 1) {
    const first = attemptGapMs(1, Math.random)
    seen.add(first)
    expect(attemptGapMs(2, Math.random) / first).toBeGreaterThanOrEqual(1.8)
  }
  expect(seen.size).toBeGreaterThan(100)
  expect(MAX_ATTEMPTS).toBe(3)
})

const NOW = new Date('2026-03-01T12:00:00Z')
const WEEK_MS = 604_800_000
// biome-ignore format: one case per line
const RETRY_AFTER: { title: string; header: string | undefined; want: number | undefined }[] = [
  { title: 'seconds',               header: '120',                            want: 120_000 },
  { title: 'zero',                  header: '0',                              want: 0 },
  { title: 'an HTTP date',          header: 'Sun, 01 Mar 2026 12:10:00 GMT',  want: 600_000 },
  { title: 'a date that has passed', header: 'Sun, 01 Mar 2026 11:00:00 GMT', want: 0 },
  { title: 'nothing',               header: undefined,                        want: undefined },
  { title: 'a negative number',     header: '-1',                             want: undefined },
  { title: 'text',                  header: 'tomorrow',                       want: undefined },
  { title: 'a huge number',         header: '1000000000',                     want: WEEK_MS },
]

test.each(RETRY_AFTER)('429 with $title: one attempt, and the wait for the caller', async ({ header, want }) => {
  const server = await serve(reply(429, 'slow down', header === undefined ? {} : { 'Retry-After': header }))
  const { outbound, gaps } = openTrial({ clock: () => NOW })
  expect(await refusal(outbound.download(get(server.origin)))).toMatchObject({
    code: 'rate_limited',
    attempts: 1,
    status: 429,
    retryAfterMs: want,
  })
  expect(server.requests).toHaveLength(1)
  expect(gaps).toEqual([])
})

test.each(['1e9', '1.5', '+5', '', ' ', '0x10', '2026', 'Sun, 99 Foo 2026', '12 0'])('Retry-After %j is no wait', (header) => {
  expect(tryParseRetryAfter(header, 0)).toBe(header === '2026' ? 2_026_000 : undefined)
})

// biome-ignore format: one case per line
test.each([
  { title: '304 to a request with an ETag',          status: 304, more: { etag: '"a"' },                                     want: 'not_modified' },
  { title: '304 to a request with a date',           status: 304, more: { lastModified: 'Sun, 01 Mar 2026 12:00:00 GMT' },   want: 'not_modified' },
  { title: '304 to a request without a validator',   status: 304, more: {},                                                  want: 'http_status' },
  { title: '204, which holds no list',               status: 204, more: {},                                                  want: 'http_status' },
  { title: '206, which holds a part',                status: 206, more: {},                                                  want: 'http_status' },
])('$title: $want', async ({ status, more, want }) => {
  const server = await serve(reply(status))
  const outcome = await openTrial().outbound.download(get(server.origin, more)).catch((error: unknown) => error)
  expect(outcome).toMatchObject(want === 'not_modified' ? { kind: want } : { code: want })
  expect(server.requests[0]?.headers['if-none-match']).toBe('etag' in more ? more.etag : undefined)
})

test('validators come back with the body; hostile ones do not', async () => {
  const server = await serve(
    inTurn(
      reply(200, 'a', { ETag: '"v1"', 'Last-Modified': 'x', 'Content-Type': 'text/csv' }),
      reply(200, 'b', { ETag: `"${'x'.repeat(600)}"` }),
    ),
  )
  const { outbound } = openTrial()
  const [first, second] = [await outbound.download(get(server.origin)), await outbound.download(get(server.origin))]
  expect(first).toMatchObject({ kind: 'ok', etag: '"v1"', lastModified: 'x', contentType: 'text/csv' })
  expect(second).not.toHaveProperty('etag')
  for (const downloaded of [first, second]) if (downloaded.kind === 'ok') await downloaded.body.dispose()
})

test('the caller stops a download with its own reason; closing the door stops all', async () => {
  const server = await serve(silent)
  const { outbound, gaps } = openTrial()
  const stop = new AbortController()
  const stopped = outbound.download(get(server.origin, { signal: stop.signal }))
  stop.abort(new Error('The lock was lost.'))
  await expect(stopped).rejects.toThrow('The lock was lost.')
  const left = refusal(outbound.download(get(server.origin)))
  await outbound.close()
  expect(await left).toMatchObject({ code: 'aborted' })
  expect(gaps).toEqual([])
})
