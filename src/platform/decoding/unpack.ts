import { ByteSource } from './byte-source.ts'
import { createDecoder, decompress, requireEnd } from './decompress.ts'
import { decodeXz, XZ_MAGIC } from './xz.ts'
import { decodeZip } from './zip.ts'

/** Kinds of archive that are undone. */
export type PackingName = 'gzip' | 'zstd' | 'xz' | 'zip'

// biome-ignore format: one table
const PACKINGS: readonly { name: PackingName; magic: readonly number[]; decode: (source: ByteSource, head: Buffer) => AsyncGenerator<Buffer> }[] = [
  { name: 'gzip', magic: [0x1f, 0x8b],                         decode: (source, head) => decompress(source, createDecoder('gzip', head)) },
  { name: 'zstd', magic: [0x28, 0xb5, 0x2f, 0xfd],             decode: (source, head) => decompress(source, createDecoder('zstd', head)) },
  { name: 'xz',   magic: XZ_MAGIC,                             decode: decodeXz },
  { name: 'zip',  magic: [0x50, 0x4b, 0x03, 0x04],             decode: decodeZip },
  { name: 'zip',  magic: [0x50, 0x4b, 0x05, 0x06],             decode: decodeZip },
]
const HEAD_BYTES = 6

/**
 * The one file that the bytes hold: unpacked when they begin like gzip, zstd, xz or zip, whatever their name; else as they are. An archive inside
 * is not unpacked again. Streams, so that the caller can stop at its limit of unpacked bytes.
 *
 * @param onPacking told how it was packed, if it was
 * @throws DecodingError; whatever the source throws, as it is
 */
export async function* unpack(packed: AsyncIterable<Buffer>, onPacking?: (name: PackingName) => void): AsyncGenerator<Buffer> {
  const source = new ByteSource(packed)
  try {
    const head = Buffer.from(await source.peek(HEAD_BYTES))
    const packing = PACKINGS.find(({ magic }) => magic.every((byte, at) => head[at] === byte))
    if (packing === undefined) {
      for (let piece = await source.next(); piece !== undefined; piece = await source.next()) yield piece
      return
    }
    onPacking?.(packing.name)
    yield* packing.decode(source, head)
    await requireEnd(source)
  } finally {
    await source.close()
  }
}
