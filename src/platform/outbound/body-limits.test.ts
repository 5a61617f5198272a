import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answerer, type BadServer, head, reply, startBadServer } from '#test/support/bad-server.ts'
import { writeSpool } from './spool.ts'
import { bodyText, get, openTrial, refusal } from './trial.test-support.ts'

const MIB = 1_048_576
const LIMIT = MIB
const BOMB_BYTES = 64 * MIB
/** Source: reliability promise, ASVS 5.2.3. */
const MAX_RSS_GROWTH_BYTES = 150 * MIB
const zeros = Buffer.alloc(BOMB_BYTES)
const list = Buffer.from('198.51.100.7,evil.example\n'.repeat(2000))

let server: BadServer
beforeAll(async () => {
  server = await startBadServer(reply(200))
})
afterAll(() => server.close())

const encoded = (coding: string, body: Buffer): Answerer => reply(200, body, { 'Content-Encoding': coding })
/** Writes for ever, as fast as the other side reads. */
const endless =
  (headers: Record<string, string>, piece: Buffer): Answerer =>
  (socket) => {
    socket.write(head(200, headers))
    const pump = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', pump)
    pump()
  }
const chunk = (bytes: Buffer) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

// biome-ignore format: one case per line
const TOO_LARGE: { title: string; answer: () => Answerer; code?: string; attempts?: number }[] = [
  { title: 'an endless body without Content-Length',   answer: () => endless({ Connection: 'close' }, Buffer.alloc(65_536, 97)) },
  { title: 'an endless chunked body',                  answer: () => endless({ 'Transfer-Encoding': 'chunked' }, chunk(Buffer.alloc(65_536, 97))) },
  { title: 'a Content-Length above the limit',         answer: () => endless({ 'Content-Length': String(100 * MIB) }, Buffer.alloc(65_536)) },
  { title: 'a Content-Length below what comes',        answer: () => reply(200, Buffer.alloc(5 * MIB), { 'Content-Length': '10' }), code: 'truncated', attempts: 3 },
  { title: 'one byte more than the limit',             answer: () => reply(200, Buffer.alloc(LIMIT + 1)) },
  { title: 'a gzip bomb',                              answer: () => encoded('gzip', gzipSync(zeros)) },
  { title: 'a brotli bomb',                            answer: () => encoded('br', brotliCompressSync(zeros)) },
  { title: 'a zlib bomb',                              answer: () => encoded('deflate', deflateSync(zeros)) },
  { title: 'a raw deflate bomb',                       answer: () => encoded('deflate', deflateRawSync(zeros)) },
  { title: 'a zstd bomb',                              answer: () => encoded('zstd', zstdCompressSync(zeros)) },
  { title: 'a bomb in two layers',                     answer: () => encoded('gzip, br', brotliCompressSync(gzipSync(zeros))) },
  { title: 'a bomb in three layers',                   answer: () => encoded('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(zeros)))), code: 'bad_encoding' },
  { title: 'members that decode to nothing, for ever', answer: () => endless({ 'Content-Encoding': 'gzip', Connection: 'close' }, Buffer.concat(new Array<Buffer>(4000).fill(gzipSync(Buffer.alloc(0))))) },
  { title: 'an unknown coding',                        answer: () => encoded('lzma', list), code: 'bad_encoding' },
]

test('14 bodies are tried', () => expect(TOO_LARGE).toHaveLength(14))

test.each(TOO_LARGE)('$title is stopped, in bounded memory', async ({ answer, code = 'too_large', attempts = 1 }) => {
  server.answer(answer())
  const before = process.memoryUsage.rss()
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  const error = await refusal(openTrial().outbound.download(get(server.origin, { maxBytes: LIMIT })))
  clearInterval(sampler)
  expect(error).toMatchObject({ code, attempts })
  expect(Math.max(peak, process.memoryUsage.rss()) - before).toBeLessThan(MAX_RSS_GROWTH_BYTES)
})

test('a bomb inside the file itself is stopped as well', async () => {
  server.answer(reply(200, gzipSync(zeros), { 'Content-Type': 'application/gzip' }))
  expect(await refusal(openTrial().outbound.download(get(server.origin, { maxBytes: LIMIT, unpackArchive: true })))).toMatchObject({
    code: 'too_large',
  })
})

test('the source is asked for one chunk beyond the limit at most', async () => {
  let asked = 0
  async function* source(): AsyncGenerator<Buffer> {
    for (;;) {
      asked += 1
      yield Buffer.alloc(65_536)
    }
  }
  await expect(writeSpool(source(), { maxBytes: LIMIT })).rejects.toMatchObject({ code: 'too_large' })
  expect(asked).toBe(LIMIT / 65_536 + 1)
})

test('exactly the limit passes', async () => {
  server.answer(reply(200, Buffer.alloc(LIMIT, 97)))
  expect((await bodyText(openTrial().outbound.download(get(server.origin, { maxBytes: LIMIT })))).length).toBe(LIMIT)
})

// biome-ignore format: one case per line
test.each([
  { title: 'nothing',             coding: 'identity',        body: list },
  { title: 'gzip',                coding: 'gzip',            body: gzipSync(list) },
  { title: 'gzip in capitals',    coding: 'GZIP',            body: gzipSync(list) },
  { title: 'gzip, two members',   coding: 'x-gzip',          body: Buffer.concat([gzipSync(list.subarray(0, 99)), gzipSync(list.subarray(99))]) },
  { title: 'brotli',              coding: 'br',              body: brotliCompressSync(list) },
  { title: 'zlib',                coding: 'deflate',         body: deflateSync(list) },
  { title: 'raw deflate',         coding: 'deflate',         body: deflateRawSync(list) },
  { title: 'zstd',                coding: 'zstd',            body: zstdCompressSync(list) },
  { title: 'gzip, then brotli',   coding: 'gzip, br',        body: brotliCompressSync(gzipSync(list)) },
  { title: 'identity, then gzip', coding: 'identity, gzip',  body: gzipSync(list) },
])('$title is undone', async ({ coding, body }) => {
  server.answer(encoded(coding, body))
  expect(await bodyText(openTrial().outbound.download(get(server.origin)))).toBe(list.toString())
})

const cut = (body: Buffer) => body.subarray(0, body.length - 20)
const raw =
  (text: string): Answerer =>
  (socket) =>
    void socket.end(text)

// biome-ignore format: one case per line
const INCOMPLETE: { title: string; answer: Answerer; code?: string; attempts?: number }[] = [
  { title: 'a body shorter than Content-Length',       answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na,b\nc,d\n') },
  { title: 'a body longer than Content-Length',        answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\na,b\nc,d\n') },
  { title: 'the same on a connection kept open',       answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na,b\nc,d\n') },
  { title: 'a second answer behind the first',         answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na,b\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx') },
  { title: 'a missing last chunk',                     answer: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na,b\n\r\n') },
  { title: 'a chunk cut short',                        answer: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\na,b\n') },
  { title: 'gzip cut short, its length right',         answer: encoded('gzip', cut(gzipSync(list))) },
  { title: 'brotli cut short, its length right',       answer: encoded('br', cut(brotliCompressSync(list))) },
  { title: 'zstd cut short, its length right',         answer: encoded('zstd', cut(zstdCompressSync(list))) },
  { title: 'zlib cut short, its length right',         answer: encoded('deflate', cut(deflateSync(list))) },
  { title: 'an empty body that should be gzip',        answer: encoded('gzip', Buffer.alloc(0)) },
  { title: 'a second zstd frame, which would be lost', answer: encoded('zstd', Buffer.concat([zstdCompressSync(list), zstdCompressSync(list)])), code: 'bad_encoding', attempts: 1 },
  { title: 'bytes behind the gzip end',                answer: encoded('gzip', Buffer.concat([gzipSync(list), Buffer.from('trailing bytes')])), code: 'bad_encoding', attempts: 1 },
  { title: 'text that should be gzip',                 answer: encoded('gzip', list), code: 'bad_encoding', attempts: 1 },
  { title: 'a broken chunk size',                      answer: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\na,b\n'), code: 'bad_response' },
  { title: 'Content-Length beside chunks',             answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na,b\n\r\n0\r\n\r\n') },
  { title: 'two Content-Lengths',                      answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 8\r\n\r\na,b\nc,d\n') },
  { title: 'headers of 100 kB',                        answer: raw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`), code: 'bad_response' },
  { title: 'no HTTP at all',                           answer: raw('220 mail.example ESMTP\r\n'), code: 'bad_response' },
  { title: 'a reset in a body without length',         answer: (socket) => { socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na,b\n'); setTimeout(() => socket.resetAndDestroy(), 50) } },
  { title: 'a close before any answer',                answer: raw(''), code: 'reset' },
]

test.each(INCOMPLETE)('$title is never a success', async ({ answer, code = 'truncated', attempts = 3 }) => {
  server.answer(answer)
  expect(await refusal(openTrial().outbound.download(get(server.origin)))).toMatchObject({ code, attempts })
})
