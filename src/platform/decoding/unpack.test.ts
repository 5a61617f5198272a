import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DecodingError } from './decoding-error.ts'
import { unpack } from './unpack.ts'
import { XZ_LINES, xzArchive } from './xz.test-support.ts'
import { buildZip } from './zip.test-support.ts'

const list = Buffer.from(XZ_LINES)
const zip = buildZip({ entries: [{ content: list }] })

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function unpacked(bytes: Buffer, size = bytes.length): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of unpack(pieces(bytes, size))) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** The fault that unpacking must end in. */
async function faultOf(bytes: Buffer): Promise<DecodingError> {
  const error = await unpacked(bytes).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(DecodingError)
  return error as DecodingError
}

// biome-ignore format: one case per line
const GOOD: { title: string; bytes: Buffer }[] = [
  { title: 'no archive',                                   bytes: list },
  { title: 'gzip',                                         bytes: gzipSync(list) },
  { title: 'gzip in two members',                          bytes: Buffer.concat([gzipSync(list.subarray(0, 99)), gzipSync(list.subarray(99))]) },
  { title: 'zstd',                                         bytes: zstdCompressSync(list) },
  { title: 'xz',                                           bytes: xzArchive('crc64') },
  { title: 'xz with a 32-bit check',                       bytes: xzArchive('crc32') },
  { title: 'xz without a check',                           bytes: xzArchive('none') },
  { title: 'xz with the largest usual dictionary',         bytes: xzArchive('dict64') },
  { title: 'zip',                                          bytes: zip },
  { title: 'zip, stored',                                  bytes: buildZip({ entries: [{ content: list, method: 0 }] }) },
  { title: 'zip with a comment',                           bytes: buildZip({ entries: [{ content: list }], comment: 'PK\u0005\u0006 none' }) },
  { title: 'zip beside a folder',                          bytes: buildZip({ entries: [{ name: 'lists/', content: Buffer.alloc(0), method: 0 }, { name: 'lists/a.csv', content: list }] }) },
  { title: 'zip for large files',                          bytes: buildZip({ entries: [{ content: list, zip64: true }] }) },
  { title: 'zip, its lengths behind the file',             bytes: buildZip({ entries: [{ content: list, descriptor: 'signed' }] }) },
  { title: 'zip, its lengths behind without a signature',  bytes: buildZip({ entries: [{ content: list, descriptor: 'bare' }] }) },
  { title: 'zip, its lengths behind in 64 bits',           bytes: buildZip({ entries: [{ content: list, descriptor: 'wide' }] }) },
  { title: 'zip with a name of no use',                    bytes: buildZip({ entries: [{ name: '../../etc/passwd', content: list }] }) },
]

describe.each(GOOD)('$title', ({ bytes }) => {
  test.each([1, 2, 3, 7, 64, 1000, 1_000_000])('is unpacked when it comes in pieces of %i bytes', async (size) => {
    expect((await unpacked(bytes, size)).equals(list)).toBe(true)
  })
})

test('two xz archives in a row are one file, and an empty one is an empty file', async () => {
  expect((await unpacked(Buffer.concat([xzArchive('crc64'), xzArchive('crc32')]))).toString()).toBe(XZ_LINES + XZ_LINES)
  expect(await unpacked(xzArchive('empty'))).toHaveLength(0)
  expect(await unpacked(buildZip({ entries: [{ content: Buffer.alloc(0) }] }))).toHaveLength(0)
})

test('a file as large as several buffers passes', async () => {
  const large = Buffer.from(Array.from({ length: 300_000 }, (_, n) => `n${(n * 7919) % 1_000_003}\n`).join(''))
  for (const method of [0, 8]) expect((await unpacked(buildZip({ entries: [{ content: large, method }] }), 4096)).equals(large)).toBe(true)
  expect((await unpacked(xzArchive('bomb8'), 100)).equals(Buffer.alloc(8_388_608))).toBe(true)
})

test('what is packed twice is unpacked once', async () => {
  expect((await unpacked(buildZip({ entries: [{ content: zip }] }))).equals(zip)).toBe(true)
  expect((await unpacked(gzipSync(zip))).equals(zip)).toBe(true)
})

test('what only looks like an archive from afar is left as it is', async () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('P'),
    Buffer.from('PK'),
    Buffer.from('PK,list\n'),
    brotliCompressSync(list),
    Buffer.from([0xfd, 0x37]),
  ])
    expect((await unpacked(bytes)).equals(bytes)).toBe(true)
})

describe('a hostile archive', () => {
  const one = (entry: Partial<Parameters<typeof buildZip>[0]['entries'][number]>) => buildZip({ entries: [{ content: list, ...entry }] })
  const folder = (n: number) => ({ name: `f${n}/`, content: Buffer.alloc(0), method: 0 })

  // biome-ignore format: one case per line
  test.each([
    { title: 'of two files',                                       bytes: buildZip({ entries: [{ content: list }, { name: 'b', content: list }] }), fault: 'unsupported', says: 'several files' },
    { title: 'of no file',                                         bytes: buildZip({ entries: [] }),                                             fault: 'unsupported', says: 'no file' },
    { title: 'of folders alone',                                   bytes: buildZip({ entries: [folder(1)] }),                                    fault: 'unsupported', says: 'no file' },
    { title: 'of folders without end',                             bytes: buildZip({ entries: Array.from({ length: 101 }, (_, n) => folder(n)) }), fault: 'unsupported', says: 'more than 100' },
    { title: 'whose folder has content',                           bytes: buildZip({ entries: [{ name: 'f/', content: list }] }),                fault: 'damaged',     says: 'contradicts' },
    { title: 'that is encrypted',                                  bytes: one({ flags: 0x0001 }),                                                fault: 'unsupported', says: 'encrypted' },
    { title: 'that is strongly encrypted',                         bytes: one({ flags: 0x0040 }),                                                fault: 'unsupported', says: 'encrypted' },
    { title: 'whose headers are encrypted',                        bytes: one({ flags: 0x2000 }),                                                fault: 'unsupported', says: 'encrypted' },
    { title: 'that holds a patch',                                 bytes: one({ flags: 0x0020 }),                                                fault: 'unsupported', says: 'patch' },
    { title: 'packed by bzip2',                                    bytes: one({ method: 12 }),                                                   fault: 'unsupported', says: '(12)' },
    { title: 'packed by deflate64',                                bytes: one({ method: 9 }),                                                    fault: 'unsupported', says: '(9)' },
    { title: 'stored without its length',                          bytes: one({ method: 0, descriptor: 'signed' }),                              fault: 'unsupported', says: 'how long' },
    { title: 'with a wrong checksum before the file',              bytes: one({ says: { crc: 1 } }),                                             fault: 'damaged',     says: 'contradicts' },
    { title: 'with a wrong checksum in the directory',             bytes: one({ directorySays: { crc: 1 } }),                                    fault: 'damaged',     says: 'contradicts' },
    { title: 'that says that it is shorter than it is',            bytes: one({ says: { bytes: 10 } }),                                          fault: 'damaged',     says: 'contradicts' },
    { title: 'that says that it is longer than it is',             bytes: one({ says: { bytes: 1_000_000 } }),                                   fault: 'damaged',     says: 'contradicts' },
    { title: 'that says less packed bytes than there are',         bytes: one({ says: { packed: 10 } }),                                         fault: 'damaged',     says: 'contradicts' },
    { title: 'whose stored file reaches into the directory',       bytes: one({ method: 0, says: { packed: list.length + 9, bytes: list.length + 9 } }), fault: 'damaged', says: 'contradicts' },
    { title: 'whose stored file reaches behind the end',           bytes: one({ method: 0, says: { packed: 4_000_000, bytes: 4_000_000 } }),     fault: 'truncated',   says: 'too early' },
    { title: 'of an endless length in 64 bits',                    bytes: one({ zip64: true, says: { bytes: Number.MAX_SAFE_INTEGER } }),        fault: 'damaged',     says: 'contradicts' },
    { title: 'whose directory names another file',                 bytes: one({ directorySays: { name: 'other.csv' } }),                         fault: 'damaged',     says: 'contradicts' },
    { title: 'whose directory points elsewhere',                   bytes: one({ directorySays: { offset: 5 } }),                                 fault: 'damaged',     says: 'contradicts' },
    { title: 'whose directory has another length',                 bytes: one({ directorySays: { bytes: 5 } }),                                  fault: 'damaged',     says: 'contradicts' },
    { title: 'whose end counts more files',                        bytes: buildZip({ entries: [{ content: list }], count: 2 }),                  fault: 'damaged',     says: 'contradicts' },
    { title: 'without a directory',                                bytes: zip.subarray(0, zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))),         fault: 'truncated',   says: 'too early' },
    { title: 'with something else where the directory begins',     bytes: Buffer.concat([zip.subarray(0, zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))), list]), fault: 'damaged', says: 'contradicts' },
    { title: 'with data behind its end',                           bytes: Buffer.concat([zip, list]),                                            fault: 'damaged',     says: 'after the end' },
    { title: 'with another archive behind its end',                bytes: Buffer.concat([zip, zip]),                                             fault: 'damaged',     says: 'after the end' },
    { title: 'of gzip with data behind its end',                   bytes: Buffer.concat([gzipSync(list), list]),                                 fault: 'damaged',     says: 'damaged' },
    { title: 'of zstd with data behind its end',                   bytes: Buffer.concat([zstdCompressSync(list), list]),                         fault: 'damaged',     says: 'after the end' },
    { title: 'of xz with data behind its end',                     bytes: Buffer.concat([xzArchive('crc64'), list]),                             fault: 'damaged',     says: 'damaged' },
    { title: 'of xz that wants 256 MiB of memory',                 bytes: xzArchive('dict256'),                                                  fault: 'unsupported', says: 'more memory' },
    { title: 'of xz with a filter that is not read',               bytes: xzArchive('delta'),                                                    fault: 'unsupported', says: 'not read' },
    { title: 'of xz with a check that is not read',                bytes: xzArchive('sha256'),                                                   fault: 'unsupported', says: 'not read' },
  ])('$title is refused', async ({ bytes, fault, says }) => {
    expect(await faultOf(bytes)).toMatchObject({ fault, message: expect.stringContaining(says) })
  })

  test.each([
    { title: 'gzip', bytes: gzipSync(list) },
    { title: 'zip', bytes: zip },
    { title: 'zip with its lengths behind the file', bytes: one({ descriptor: 'signed' }) },
    { title: 'xz', bytes: xzArchive('crc64'), stride: 11 },
  ])('$title cut anywhere is never a success', async ({ bytes, stride = 1 }) => {
    // Every place; of xz, whose decoder is made anew each time, every eleventh. Shorter than its first bytes, it cannot be told from a list.
    for (let length = 6; length < bytes.length; length += stride)
      expect((await faultOf(bytes.subarray(0, length))).fault, `${length}`).toBe('truncated')
  })

  test.each([
    { title: 'zip', bytes: zip },
    { title: 'zip with its lengths behind the file', bytes: one({ descriptor: 'signed' }) },
    { title: 'xz', bytes: xzArchive('crc64'), stride: 11 },
  ])('$title with any byte changed gives the same file or none', async ({ bytes, stride = 1 }) => {
    for (let at = 6; at < bytes.length; at += stride) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x41
      const got = await unpacked(changed).catch((error: unknown) => error)
      if (got instanceof Error) expect(got, `byte ${at}`).toBeInstanceOf(DecodingError)
      else expect((got as Buffer).equals(list), `byte ${at}`).toBe(true)
    }
  })

  test.each([
    { title: 'zip', bytes: buildZip({ entries: [{ content: Buffer.alloc(64_000_000) }] }) },
    { title: 'xz', bytes: xzArchive('bomb8') },
    { title: 'gzip', bytes: gzipSync(Buffer.alloc(64_000_000)) },
  ])('a bomb of $title gives small chunks, and stops when its reader does', async ({ bytes }) => {
    let isOpen = true
    async function* source(): AsyncGenerator<Buffer> {
      try {
        yield* pieces(bytes, 50)
      } finally {
        isOpen = false
      }
    }
    let read = 0
    for await (const chunk of unpack(source())) {
      expect(chunk.length).toBeLessThanOrEqual(65_536)
      read += chunk.length
      if (read > 1_000_000) break
    }
    expect(read).toBeLessThan(1_000_000 + 65_537)
    expect(isOpen).toBe(false)
  })
})

test('a fault of the source passes as it is', async () => {
  for (const bytes of [gzipSync(list), zip, xzArchive('crc64'), list]) {
    async function* broken(): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, 60)
      throw new RangeError('the line is cut')
    }
    const read = async () => {
      for await (const _ of unpack(broken()));
    }
    await expect(read()).rejects.toThrow(new RangeError('the line is cut'))
  }
})
