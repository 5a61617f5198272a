import { expect, test } from 'vitest'
import { type Answerer, head, reply, startBadServer, startFaultProxy, trickle } from '#test/support/bad-server.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { OUTBOUND_LIMITS } from './outbound.ts'
import type { Spool } from './spool.ts'
import { bodyText, get, openTrial, refusal } from './trial.test-support.ts'

const limits = { connectMs: 300, headersMs: 400, bodyIdleMs: 400, totalMs: 900 }
/** Three attempts of 0.9 s, with a wide margin for a busy machine. */
const WIDE_MARGIN_MS = 20_000

// biome-ignore format: one case per line
const HANGING: { title: string; answer: Answerer; scheme?: string }[] = [
  { title: 'headers one byte at a time',   answer: (socket) => { socket.write('HTTP/1.1 200 OK\r\nX: '); trickle(socket, 'a', 50) } },
  { title: 'silence after the headers',    answer: (socket) => void socket.write(head(200, { 'Content-Length': '10' })) },
  { title: 'silence before the headers',   answer: () => undefined },
  { title: 'a body one byte at a time',    answer: (socket) => { socket.write(head(200, { 'Content-Length': '100000' })); trickle(socket, 'a', 50) } },
  { title: 'a body without an end',        answer: (socket) => { socket.write(head(200, { 'Transfer-Encoding': 'chunked' })); trickle(socket, '1\r\na\r\n', 20) } },
  { title: 'a TLS handshake that stalls',  answer: () => undefined, scheme: 'https' },
]

test('the limits are those that the product promises', () => {
  expect(OUTBOUND_LIMITS).toEqual({ connectMs: 10_000, headersMs: 10_000, bodyIdleMs: 20_000, totalMs: 60_000 })
})

test('six hanging servers end in time while six good ones beside them are read', async () => {
  const { outbound } = openTrial({ limits })
  const started = Date.now()
  const bad = await Promise.all(HANGING.map(({ answer }) => startBadServer(answer)))
  const good = await Promise.all(HANGING.map(({ title }) => startBadServer(reply(200, title))))
  const refusals = bad.map((server, index) => refusal(outbound.download(get(`${HANGING[index]?.scheme ?? 'http'}://${server.host}/`))))
  const bodies = await Promise.all(good.map((server) => bodyText(outbound.download(get(server.origin)))))
  expect(bodies).toEqual(HANGING.map(({ title }) => title))
  for (const error of await Promise.all(refusals)) expect(error).toMatchObject({ code: 'timeout', attempts: 3 })
  expect(Date.now() - started).toBeLessThan(WIDE_MARGIN_MS)
  await Promise.all([...bad, ...good].map((server) => server.close()))
}, 30_000)

test('a name server that never answers ends in time', async () => {
  const { outbound } = openTrial({ limits, resolve: () => new Promise(() => undefined) })
  expect(await refusal(outbound.download(get('https://feed.example.com/')))).toMatchObject({ code: 'timeout', attempts: 3 })
})

// biome-ignore format: one case per line
test.each([
  { title: 'nothing',            fault: { kind: 'none' as const },                             want: 'ok' },
  { title: 'slices of one byte', fault: { kind: 'slicer' as const, bytes: 1 },                 want: 'ok' },
  { title: 'latency',            fault: { kind: 'latency' as const, ms: 100 },                 want: 'ok' },
  { title: 'a slow close',       fault: { kind: 'slow_close' as const, ms: 100 },              want: 'ok' },
  { title: 'low bandwidth',      fault: { kind: 'bandwidth' as const, bytesPerSecond: 100 },   want: 'timeout' },
  { title: 'a time-out',         fault: { kind: 'timeout' as const },                          want: 'timeout' },
  { title: 'a reset mid-body',   fault: { kind: 'reset_peer' as const, afterBytes: 200 }, want: 'truncated' },
  { title: 'a cut mid-body',     fault: { kind: 'limit_data' as const, bytes: 200 },           want: 'truncated' },
  { title: 'a server gone down', fault: { kind: 'down' as const }, want: expect.stringMatching(/^(reset|connect_failed)$/) },
])('through a proxy with $title', async ({ fault, want }) => {
  const server = await startBadServer(reply(200, 'x'.repeat(400)))
  const proxy = await startFaultProxy(server.port)
  proxy.set(fault)
  const outcome = await openTrial({ limits }).outbound.download(get(`http://127.0.0.1:${proxy.port}/`)).catch((error: unknown) => error)
  expect(outcome).toMatchObject(want === 'ok' ? { kind: 'ok', body: { bytes: 400 } } : { code: want })
  if (outcome !== null && typeof outcome === 'object' && 'body' in outcome) await (outcome as { body: Spool }).body.dispose() // the cast: `catch` widens the outcome to unknown
  await Promise.all([proxy.close(), server.close()])
})

test('TLS garbage instead of a handshake is an error of TLS', async () => {
  const proxy = await startBadServer(() => undefined, selfSigned(['a.example.com']))
  expect(await refusal(openTrial().outbound.download(get(`${proxy.origin}/`)))).toMatchObject({ code: 'tls_failed', attempts: 3 })
  await proxy.close()
})
