import { ByteSource } from '../decoding/byte-source.ts'
import { DecodingError } from '../decoding/decoding-error.ts'
import { type Coding, createDecoder, decompress, requireEnd } from '../decoding/decompress.ts'
import { type PackingName, unpack } from '../decoding/unpack.ts'
import { AttemptFailure } from './attempt-failure.ts'

/** Asked for with every request. Source: RFC 9110, 12.5.3. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Codings stacked in one answer. Assumption: one is the rule, two happen behind careless caches, more are an attack. */
const MAX_CODINGS = 2
const CODING_NAMES: Readonly<Record<string, Coding>> = { gzip: 'gzip', 'x-gzip': 'gzip', br: 'br', zstd: 'zstd', deflate: 'deflate' }
/** Bytes by which the two forms of deflate are told apart. */
const HEAD_BYTES = 2

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

/** The body with each coding undone in turn. @throws AttemptFailure truncated, bad_encoding */
export function decodeBody(source: AsyncIterable<Buffer>, codings: readonly Coding[]): AsyncIterable<Buffer> {
  let body = source
  for (const coding of codings) body = undo(body, coding)
  return asAttempt(body)
}

/** The body unpacked when its first bytes are those of gzip, zstd, xz or zip, else as it is. @throws AttemptFailure truncated, bad_encoding */
export function unpackByMagic(source: AsyncIterable<Buffer>, onPacking?: (name: PackingName) => void): AsyncIterable<Buffer> {
  return asAttempt(unpack(source, onPacking))
}

async function* undo(body: AsyncIterable<Buffer>, coding: Coding): AsyncGenerator<Buffer> {
  const source = new ByteSource(body)
  try {
    yield* decompress(source, createDecoder(coding, Buffer.from(await source.peek(HEAD_BYTES))))
    await requireEnd(source)
  } finally {
    await source.close()
  }
}

async function* asAttempt(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    throw new AttemptFailure(error.fault === 'truncated' ? 'truncated' : 'bad_encoding', { detail: error.message })
  }
}
