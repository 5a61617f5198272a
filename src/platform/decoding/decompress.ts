import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import type { ByteSource } from './byte-source.ts'
import { DecodingError } from './decoding-error.ts'

/** A coding that can be undone as a stream. */
export type Coding = 'gzip' | 'br' | 'zstd' | 'deflate'

/** A decoder of `node:zlib`; `bytesWritten` counts what it has made use of. */
export type Decoder = Transform & { bytesWritten: number }

/** Size of one decoded chunk, in bytes; what a bomb can exceed the limit by. */
export const DECODED_CHUNK_BYTES = 65_536
/** Window of a zstd frame, as a power of two: 8 MiB over HTTP. Source: RFC 9659. */
const ZSTD_WINDOW_LOG = 23

/** @param head the first bytes of what is to be decoded */
export function createDecoder(coding: Coding, head: Buffer): Decoder {
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

/**
 * What a decoder makes of the source, up to the end of the compressed data; what follows that is put back. Streams with backpressure, so memory
 * is bounded by the decoder's window.
 *
 * @throws DecodingError truncated, damaged; whatever the source throws, as it is
 */
export async function* decompress(source: ByteSource, decoder: Decoder): AsyncGenerator<Buffer> {
  let fedBytes = 0
  let last: Buffer = Buffer.alloc(0)
  let sourceFault: { error: unknown } | undefined
  const over = Promise.withResolvers<void>()
  for (const event of ['error', 'close']) decoder.once(event, () => over.resolve())

  /** One piece at a time, so that all that the decoder leaves behind is in the last one. */
  async function feed(): Promise<void> {
    try {
      for (let piece = await source.next(); piece !== undefined; piece = await source.next()) {
        fedBytes += piece.length
        last = piece
        const taken = Promise.withResolvers<void>()
        decoder.write(piece, () => taken.resolve())
        await Promise.race([taken.promise, over.promise])
        // What it has left behind follows the end of the compressed data.
        if (decoder.bytesWritten < fedBytes || decoder.destroyed) return
      }
      decoder.end()
    } catch (error) {
      sourceFault = { error }
      decoder.destroy()
    }
  }

  const feeding = feed()
  try {
    for await (const chunk of decoder) yield chunk
    await feeding
  } catch (error) {
    throw sourceFault === undefined ? toDecodingError(error) : sourceFault.error
  } finally {
    decoder.destroy()
  }
  const surplus = fedBytes - decoder.bytesWritten
  if (surplus > 0) source.putBack(last.subarray(last.length - surplus))
}

/** @throws DecodingError damaged when something follows: it would be lost without a word */
export async function requireEnd(source: ByteSource): Promise<void> {
  if ((await source.next()) !== undefined) throw new DecodingError('damaged', 'data after the end of the compressed body')
}

function toDecodingError(error: unknown): DecodingError {
  if (error instanceof DecodingError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return new DecodingError('truncated', 'the compressed body ends too early')
  return new DecodingError('damaged', 'the compressed body is damaged')
}
