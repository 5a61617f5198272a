import { ByteSource } from './byte-source.ts'
import { createDecoder, decompress, requireEnd } from './decompress.ts'
import { decodeXz } from './xz.ts'
import { decodeZip } from './zip.ts'

// biome-ignore format: one table
const PACKINGS: readonly { magic: readonly number[]; decode: (source: ByteSource, head: Buffer) => AsyncGenerator<Buffer> }[] = [
  { magic: [0x1f, 0x8b],                         decode: (source, head) => decompress(source, createDecoder('gzip', head)) },
  { magic: [0x28, 0xb5, 0x2f, 0xfd],             decode: (source, head) => decompress(source, createDecoder('zstd', head)) },
  { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], decode: decodeXz },
  { magic: [0x50, 0x4b, 0x03, 0x04],             decode: decodeZip },
  { magic: [0x50, 0x4b, 0x05, 0x06],             decode: decodeZip },
]
const HEAD_BYTES = 6

/**
 * The one file that the bytes hold: unpacked when they begin like gzip, zstd, xz or zip, whatever their name; else as they are. An archive inside
 * is not unpacked again. Streams, so that the caller can stop at its limit of unpacked bytes.
 *
 * @throws DecodingError; whatever the source throws, as it is
 */
export async function* unpack(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = new ByteSource(packed)
  try {
    const head = Buffer.from(await source.peek(HEAD_BYTES))
    const packing = PACKINGS.find(({ magic }) => magic.every((byte, at) => head[at] === byte))
    if (packing === undefined) {
      for (let piece = await source.next(); piece !== undefined; piece = await source.next()) yield piece
      return
    }
    yield* packing.decode(source, head)
    await requireEnd(source)
  } finally {
    await source.close()
  }
}
