import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IN_MEMORY_BYTES, type Spool, spoolFile, writeSpool } from './spool.ts'
import { readSpool } from './trial.test-support.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-spool-test-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const list = Buffer.from('evil.example\n'.repeat(50_000))
async function* chunks(...parts: Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}

function file(name: string, bytes: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

async function readTwice(spool: Spool, body = list): Promise<void> {
  expect(spool).toMatchObject({ bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') })
  expect((await readSpool(spool)).equals(body)).toBe(true)
  expect((await readSpool(spool)).equals(body)).toBe(true)
}

const large = Buffer.from('evil.example\n'.repeat(100_000))

// biome-ignore format: one case per line
test.each([
  { title: 'a small body',                    body: list },
  { title: 'one that just stays in memory',   body: large.subarray(0, IN_MEMORY_BYTES) },
  { title: 'one that is just too large',      body: large.subarray(0, IN_MEMORY_BYTES + 1) },
  { title: 'a large one',                     body: large },
])('$title is read as often as needed, in bounded chunks, and leaves no name in the folder', async ({ body }) => {
  const empty = mkdtempSync(join(folder, 'spool-'))
  const parts = [body.subarray(0, 7), body.subarray(7, -1), body.subarray(-1)]
  const spool = await writeSpool(chunks(...parts), { maxBytes: body.length, folder: empty })
  expect(readdirSync(empty)).toEqual([])
  await readTwice(spool, body)
  for await (const chunk of spool.read()) expect(chunk.length).toBeLessThanOrEqual(131_072)
  await spool.dispose()
  await spool.dispose()
  await expect(readSpool(spool)).rejects.toThrow()
})

test('a source that uses its buffer again does no harm', async () => {
  async function* reusing() {
    const buffer = Buffer.alloc(3)
    for (const text of ['one', 'two', 'six']) {
      buffer.write(text)
      yield buffer
    }
  }
  const spool = await writeSpool(reusing(), { maxBytes: 9 })
  expect(String(await readSpool(spool))).toBe('onetwosix')
})

test.each([list, large])('two readers at once do not disturb each other', async (body) => {
  const spool = await writeSpool(chunks(body), { maxBytes: body.length })
  const [first, second] = await Promise.all([readSpool(spool), readSpool(spool)])
  expect(first.equals(body) && second.equals(body)).toBe(true)
  await spool.dispose()
})

test('a folder that cannot be written is told as such', async () => {
  await expect(writeSpool(chunks(large), { maxBytes: large.length, folder: join(folder, 'absent') })).rejects.toMatchObject({
    code: 'spool_failed',
    facts: { detail: 'ENOENT' },
  })
})

// biome-ignore format: one case per line
test.each([
  { title: 'a plain file',                          name: 'list.csv',     bytes: list },
  { title: 'gzip',                                  name: 'list.csv.gz',  bytes: gzipSync(list) },
  { title: 'gzip under another name',               name: 'list',         bytes: gzipSync(list) },
  { title: 'zstd',                                  name: 'list.csv.zst', bytes: zstdCompressSync(list) },
  { title: 'brotli by name',                        name: 'list.csv.br',  bytes: brotliCompressSync(list) },
  { title: 'a plain file with the name of an archive', name: 'plain.gz',  bytes: list },
])('a local copy: $title', async ({ name, bytes }) => {
  const spool = await spoolFile(file(name, bytes), list.length)
  await readTwice(spool)
  await spool.dispose()
})

test('an empty file is an empty spool', async () => {
  expect(await spoolFile(file('empty.csv', Buffer.alloc(0)), 1)).toMatchObject({ bytes: 0 })
})

// biome-ignore format: one case per line
test.each([
  { title: 'a file that is not there',  path: () => join(folder, 'absent.csv'),                        code: 'feed_file_unreadable', says: 'does not exist' },
  { title: 'a folder',                  path: () => folder,                                            code: 'feed_file_unreadable', says: 'not a regular file' },
  { title: 'a device',                  path: () => '/dev/zero',                                       code: 'feed_file_unreadable', says: 'not a regular file' },
  { title: 'a file below a file',       path: () => join(file('f', list), 'x'),                        code: 'feed_file_unreadable', says: 'ENOTDIR' },
  { title: 'a file above the limit',    path: () => file('big.csv', Buffer.alloc(list.length + 1)),    code: 'payload_too_large',    says: 'FEED_MAX_BYTES' },
  { title: 'a bomb',                    path: () => file('bomb.gz', gzipSync(Buffer.alloc(5_000_000))), code: 'payload_too_large',   says: 'FEED_MAX_BYTES' },
  { title: 'a gzip file cut short',     path: () => file('cut.gz', gzipSync(list).subarray(0, 500)),   code: 'feed_malformed',       says: 'ends too early' },
  { title: 'text named .br',            path: () => file('text.br', list),                             code: 'feed_malformed',       says: 'damaged' },
])('$title is refused with a reason', async ({ path, code, says }) => {
  await expect(spoolFile(path(), list.length)).rejects.toMatchObject({ code, message: expect.stringContaining(says) })
})

test('a stopped read ends', async () => {
  await expect(spoolFile(file('stopped.csv', list), list.length, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
})
