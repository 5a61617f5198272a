import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makeTempFolder } from '#test/support/temp-folder.ts'
import { openDecodedFile } from './decoded-file.ts'
import { XZ_LINES, xzArchive } from './xz.test-support.ts'
import { startXz, unxzBy } from './xz-program.ts'

/** Archives in a row are one file; this many of them are a large one. */
const LARGE = 2200
const large = Buffer.concat(new Array<Buffer>(LARGE).fill(xzArchive('crc64')))

async function readText(bytes: Buffer): Promise<{ text: string; bytesRead: number }> {
  const { folder, remove } = makeTempFolder('svc-decoded')
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const file = await openDecodedFile(path)
  try {
    const chunks: Buffer[] = []
    for await (const chunk of file.read()) chunks.push(Buffer.from(chunk))
    return { text: Buffer.concat(chunks).toString(), bytesRead: file.bytesRead() }
  } finally {
    await file.close()
    remove()
  }
}

// biome-ignore format: one case per line
describe.each([
  { title: 'a plain file',    bytes: Buffer.from(XZ_LINES),          text: XZ_LINES },
  { title: 'a gzip file',     bytes: gzipSync(XZ_LINES),             text: XZ_LINES },
  { title: 'a small xz file', bytes: xzArchive('crc64'),             text: XZ_LINES },
  { title: 'a large xz file', bytes: large,                          text: XZ_LINES.repeat(LARGE) },
  { title: 'an empty file',   bytes: Buffer.alloc(0),                text: '' },
])('$title', ({ bytes, text }) => {
  test('is read to its end, and tells how far it has come', async () => {
    const read = await readText(bytes)
    expect(read.text === text).toBe(true)
    expect(read.bytesRead).toBe(bytes.length)
  })
})

// biome-ignore format: one case per line
test.each([
  { title: 'a gzip file that was cut off',     bytes: gzipSync(XZ_LINES).subarray(0, -9),                                            says: 'ends in the middle' },
  { title: 'a small xz file that was cut off', bytes: xzArchive('crc64').subarray(0, -40),                                           says: 'ends in the middle' },
  { title: 'a large xz file that was cut off', bytes: large.subarray(0, -40),                                                        says: 'ends in the middle' },
  { title: 'a large xz file that is damaged',  bytes: Buffer.concat([large.subarray(0, -100), Buffer.alloc(60), large.subarray(-40)]), says: 'damaged' },
  { title: 'a large xz file with more behind', bytes: Buffer.concat([large, Buffer.from('more, and more')]),                          says: 'cannot be unpacked' },
  { title: 'a large xz file of a large dictionary', bytes: Buffer.concat([large, xzArchive('dict256')]),                              says: 'more memory' },
])('$title is refused with what is wrong', async ({ bytes, says }) => {
  await expect(readText(bytes)).rejects.toThrow(says)
})

test('what is no file is refused', async () => {
  await expect(openDecodedFile('/nowhere/at/all')).rejects.toThrow('does not exist')
  await expect(openDecodedFile('/')).rejects.toThrow('not a regular file')
})

test('a program that the system does not have is none', async () => {
  expect(await startXz('no-such-program')).toBeUndefined()
})

const running = await startXz()
test.skipIf(running === undefined)('a reader that leaves ends the program (where the system has xz)', async () => {
  if (running === undefined) return
  const chunks = unxzBy(running, endless())
  await chunks.next()
  await chunks.return(undefined)
  await expect.poll(() => running.exitCode ?? running.signalCode).not.toBeNull()
})

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield xzArchive('bomb8')
}
