import { crc32, createInflateRaw } from 'node:zlib'
import type { ByteSource } from './byte-source.ts'
import { DecodingError } from './decoding-error.ts'
import { DECODED_CHUNK_BYTES, decompress } from './decompress.ts'

// Source of all offsets and numbers: APPNOTE.TXT 6.3, 4.3 to 4.5.
const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const END = 0x06054b50
const DESCRIPTOR = 0x08074b50
const STORED = 0
const DEFLATED = 8
/** Encrypted, patched, strongly encrypted, masked header. */
const ENCRYPTED_FLAGS = 0x2041
const PATCH_FLAG = 0x0020
const DESCRIPTOR_FLAG = 0x0008
const IN_EXTRA_32 = 0xffffffff
const IN_EXTRA_16 = 0xffff
const ZIP64_EXTRA = 0x0001
/** Entries that are looked at: one file, and folders. Assumption. */
const MAX_ENTRIES = 100

/** What an archive says of one entry; `crc`, `packed` and `bytes` are what was met. */
type Entry = { offset: number; name: Buffer; crc: number; packed: number; bytes: number }
type LocalHeader = { flags: number; method: number; crc: number; packed: number; bytes: number; name: Buffer }

/**
 * The one file of a zip archive, as a stream from its beginning; folders beside it are passed over. What the archive says of the file, before it,
 * behind it and in its directory, must fit what is met: a reader that begins at the end must find the same file.
 *
 * @throws DecodingError for several files or none, encryption, other methods than stored and deflate, contradictions, and an early end
 */
export async function* decodeZip(source: ByteSource): AsyncGenerator<Buffer> {
  const entries: Entry[] = []
  let files = 0
  for (;;) {
    const offset = source.position
    if ((await source.peek(4)).length === 4 && (await source.peek(4)).readUInt32LE() !== LOCAL_HEADER) break
    await source.take(4)
    const header = await readLocalHeader(source)
    if (!isFolder(header)) files++
    if (files > 1) throw new DecodingError('unsupported', 'the zip archive holds several files, and one is read')
    if (entries.length === MAX_ENTRIES) throw new DecodingError('unsupported', `the zip archive holds more than ${MAX_ENTRIES} folders`)
    entries.push(yield* readEntry(source, header, offset))
  }
  if (files === 0) throw new DecodingError('unsupported', 'the zip archive holds no file')
  await checkDirectory(source, entries)
}

function isFolder({ name }: LocalHeader): boolean {
  return name.at(-1) === 0x2f
}

async function readLocalHeader(source: ByteSource): Promise<LocalHeader> {
  const fixed = await source.take(26)
  const flags = fixed.readUInt16LE(2)
  const method = fixed.readUInt16LE(4)
  if ((flags & ENCRYPTED_FLAGS) !== 0) throw new DecodingError('unsupported', 'the zip archive is encrypted')
  if ((flags & PATCH_FLAG) !== 0) throw new DecodingError('unsupported', 'the zip archive holds a patch, not a file')
  if (method !== STORED && method !== DEFLATED)
    throw new DecodingError('unsupported', `the zip archive is packed by a method that is not read (${method})`)
  if (method === STORED && (flags & DESCRIPTOR_FLAG) !== 0)
    throw new DecodingError('unsupported', 'the zip archive does not say how long its stored file is')
  const crc = fixed.readUInt32LE(10)
  const said = [fixed.readUInt32LE(18), fixed.readUInt32LE(14)]
  const nameBytes = fixed.readUInt16LE(22)
  const extraBytes = fixed.readUInt16LE(24)
  const name = Buffer.from(await source.take(nameBytes))
  const [bytes = 0, packed = 0] = withZip64(said, await source.take(extraBytes))
  return { flags, method, crc, packed, bytes, name }
}

/** Numbers that did not fit stand in an extra field, in their order. */
function withZip64(said: readonly number[], extra: Buffer): number[] {
  let field: Buffer = Buffer.alloc(0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === ZIP64_EXTRA) field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  }
  let at = 0
  return said.map((value) => {
    if (value !== IN_EXTRA_32) return value
    if (at + 8 > field.length) throw contradiction()
    at += 8
    return Number(field.readBigUInt64LE(at - 8))
  })
}

/** Gives the bytes of an entry and what they amount to. @throws DecodingError when that is not what the archive says */
async function* readEntry(source: ByteSource, header: LocalHeader, offset: number): AsyncGenerator<Buffer, Entry> {
  const start = source.position
  const content =
    header.method === STORED ? readStored(source, header.packed) : decompress(source, createInflateRaw({ chunkSize: DECODED_CHUNK_BYTES }))
  let crc = 0
  let bytes = 0
  for await (const chunk of content) {
    crc = crc32(chunk, crc)
    bytes += chunk.length
    if (isFolder(header)) throw contradiction()
    yield chunk
  }
  const entry: Entry = { offset, name: header.name, crc, packed: source.position - start, bytes }
  if ((header.flags & DESCRIPTOR_FLAG) !== 0) await takeDescriptor(source, entry)
  else if (header.crc !== crc || header.packed !== entry.packed || header.bytes !== bytes) throw contradiction()
  return entry
}

async function* readStored(source: ByteSource, bytes: number): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0; ) {
    const chunk = await source.take(Math.min(left, DECODED_CHUNK_BYTES))
    left -= chunk.length
    yield chunk
  }
}

/** Takes what stands behind a file whose length was not known before: with or without a signature, in 32 or 64 bits. */
async function takeDescriptor(source: ByteSource, { crc, packed, bytes }: Entry): Promise<void> {
  const seen = await source.peek(24)
  for (const begin of [4, 0]) {
    if (begin === 4 && (seen.length < 4 || seen.readUInt32LE() !== DESCRIPTOR)) continue
    for (const wide of [false, true]) {
      const length = begin + 4 + (wide ? 16 : 8)
      if (seen.length < length || seen.readUInt32LE(begin) !== crc) continue
      const at = (offset: number) => (wide ? Number(seen.readBigUInt64LE(begin + 4 + 2 * offset)) : seen.readUInt32LE(begin + 4 + offset))
      if (at(0) !== packed || at(4) !== bytes) continue
      await source.take(length)
      return
    }
  }
  throw seen.length < 24 ? new DecodingError('truncated', 'the archive ends too early') : contradiction()
}

/** Reads the directory and the end of the archive. @throws DecodingError when they tell of anything but the entries that were met */
async function checkDirectory(source: ByteSource, entries: readonly Entry[]): Promise<void> {
  const expected = new Map(entries.map((entry) => [entry.offset, entry]))
  for (;;) {
    const signature = (await source.take(4)).readUInt32LE()
    if (signature === CENTRAL_HEADER) await checkCentralHeader(source, expected)
    else if (signature === END_64) await source.take(Number((await source.take(8)).readBigUInt64LE() & 0xffffn))
    else if (signature === LOCATOR_64) await source.take(16)
    else if (signature === END) break
    else throw contradiction()
  }
  const end = await source.take(18)
  const total = end.readUInt16LE(6)
  if (expected.size > 0 || (total !== entries.length && total !== IN_EXTRA_16) || end.readUInt16LE(0) !== end.readUInt16LE(2))
    throw contradiction()
  await source.take(end.readUInt16LE(16))
}

async function checkCentralHeader(source: ByteSource, expected: Map<number, Entry>): Promise<void> {
  const fixed = Buffer.from(await source.take(42))
  const name = Buffer.from(await source.take(fixed.readUInt16LE(24)))
  const extra = Buffer.from(await source.take(fixed.readUInt16LE(26)))
  await source.take(fixed.readUInt16LE(28))
  const [bytes, packed, offset = 0] = withZip64([fixed.readUInt32LE(20), fixed.readUInt32LE(16), fixed.readUInt32LE(38)], extra)
  const entry = expected.get(offset)
  if (entry === undefined || !entry.name.equals(name) || entry.crc !== fixed.readUInt32LE(12)) throw contradiction()
  if (entry.bytes !== bytes || entry.packed !== packed) throw contradiction()
  expected.delete(offset)
}

function contradiction(): DecodingError {
  return new DecodingError('damaged', 'the zip archive is damaged, or contradicts itself')
}
