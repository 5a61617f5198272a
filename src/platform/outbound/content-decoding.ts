import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { AttemptFailure } from './attempt-failure.ts'

/** A coding that can be undone as a stream. */
export type Coding = 'gzip' | 'br' | 'zstd' | 'deflate'

/** Asked for with every request. Source: RFC 9110, 12.5.3. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Codings stacked in one answer. Assumption: one is the rule, two happen behind careless caches, more are an attack. */
const MAX_CODINGS = 2
/** Size of one decoded chunk, in bytes; what a bomb can exceed the limit by. */
const DECODED_CHUNK_BYTES = 65_536
/** Window of a zstd frame, as a power of two: 8 MiB over HTTP. Source: RFC 9659. */
const ZSTD_WINDOW_LOG = 23
const CODING_NAMES: Readonly<Record<string, Coding>> = { gzip: 'gzip', 'x-gzip': 'gzip', br: 'br', zstd: 'zstd', deflate: 'deflate' }
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * The codings of a `Content-Encoding` header in the order in which they must be undone.
 *
 * Source: RFC 9110, 8.4. @throws AttemptFailure bad_encoding for an unknown coding or more than two
 */
export function parseContentEncoding(header: string | undefined): Coding[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  const codings = names.filter((name) => name !== '' && name !== 'identity').map((name) => CODING_NAMES[name])
  if (codings.length > MAX_CODINGS) throw new AttemptFailure('bad_encoding', { detail: `more than ${MAX_CODINGS} codings` })
  return codings.reverse().map((coding) => {
    if (coding === undefined) throw new AttemptFailure('bad_encoding', { detail: 'an unknown content coding' })
    return coding
  })
}

/** The body with each coding undone in turn. Streams with backpressure, so memory is bounded by the windows of the codings. */
export function decodeBody(source: AsyncIterable<Buffer>, codings: readonly Coding[]): AsyncIterable<Buffer> {
  let body = source
  for (const coding of codings) body = decodeOne(body, () => coding)
  return body
}

/** The body unpacked when its first bytes are those of gzip or zstd, else as it is. */
export function unpackByMagic(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return decodeOne(source, (head) => {
    if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return 'gzip'
    return head.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC) ? 'zstd' : undefined
  })
}

async function* decodeOne(source: AsyncIterable<Buffer>, choose: (head: Buffer) => Coding | undefined): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    const head = await readHead(iterator)
    const coding = choose(head)
    if (coding === undefined) yield* withHead(head, iterator)
    else yield* decompress(withHead(head, iterator), createDecoder(coding, head))
  } finally {
    await iterator.return?.()
  }
}

/** Reads until the first four bytes are there, or the end. */
async function readHead(iterator: AsyncIterator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < ZSTD_MAGIC.length) {
    const next = await iterator.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  return head
}

async function* withHead(head: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
}

/** A fault of the source passes through as it is; a fault of the coded data becomes an AttemptFailure. */
async function* decompress(source: AsyncIterable<Buffer>, decoder: Transform & { bytesWritten: number }): AsyncGenerator<Buffer> {
  let fedBytes = 0
  let sourceFault: { error: unknown } | undefined
  async function* watched(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source) {
        fedBytes += chunk.length
        yield chunk
      }
    } catch (error) {
      sourceFault = { error }
      throw error
    }
  }
  const feeding = pipeline(watched(), decoder)
  // The loop below meets the same error; without this line it would also count as unhandled.
  feeding.catch(() => undefined)
  try {
    for await (const chunk of decoder) yield chunk
    await feeding
  } catch (error) {
    throw sourceFault === undefined ? toDecodingFailure(error) : sourceFault.error
  } finally {
    decoder.destroy()
  }
  // All decoders but gzip stop silently at the end of the first frame: what follows would be lost without a word.
  if (decoder.bytesWritten < fedBytes) throw new AttemptFailure('bad_encoding', { detail: 'data after the end of the compressed body' })
}

function createDecoder(coding: Coding, head: Buffer): Transform & { bytesWritten: number } {
  const chunkSize = DECODED_CHUNK_BYTES
  if (coding === 'gzip') return createGunzip({ chunkSize })
  if (coding === 'br') return createBrotliDecompress({ chunkSize })
  if (coding === 'zstd') return createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })
  return hasZlibHeader(head) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
}

/** Some servers send raw deflate where zlib is meant. Source: RFC 9110, 8.4.1.2; RFC 1950, 2.2 for the check. */
function hasZlibHeader(head: Buffer): boolean {
  const [first = 0, second = 0] = head
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}

function toDecodingFailure(error: unknown): AttemptFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return new AttemptFailure('truncated', { detail: 'the compressed body ends too early' })
  return new AttemptFailure('bad_encoding', { detail: 'the compressed body is damaged' })
}
