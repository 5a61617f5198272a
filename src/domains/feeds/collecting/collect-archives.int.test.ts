import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#kernel/actor.ts'
import { XZ_LINES, xzArchive } from '#platform/decoding/xz.test-support.ts'
import { buildZip } from '#platform/decoding/zip.test-support.ts'
import { type FeedProduct, openFeedProduct } from '#test/support/feed-product.ts'
import { type ListServer, startListServer } from '#test/support/list-server.ts'
import { makeTempFolder } from '#test/support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const ROWS = 200
const list = Buffer.from(XZ_LINES)
const zip = buildZip({ entries: [{ content: list }] })

let database: TestDatabase
let lists: ListServer
let product: FeedProduct
const place = makeTempFolder('svc-archives')

beforeAll(async () => {
  database = await createTestDatabase()
  lists = await startListServer()
  product = openFeedProduct({ databaseUrl: database.appUrl, hosts: [lists.host], maxBytes: 1_000_000 })
})
afterAll(async () => {
  await product.close()
  await lists.close()
  await database.drop()
  place.remove()
})

let made = 0
async function addFeed(body: Buffer, fields: Record<string, unknown> = {}): Promise<{ id: string; name: string }> {
  const name = `feed-${++made}`
  lists.publish(name, { body, headers: { 'content-type': 'application/octet-stream' } })
  const { id } = await product.feeds.create(ADMIN, { name, url: lists.urlOf(name), format: 'CSV', ...fields })
  return { id, name }
}

// biome-ignore format: one case per line
describe.each([
  { title: 'gzip', body: gzipSync(list) },
  { title: 'zstd', body: zstdCompressSync(list) },
  { title: 'xz',   body: xzArchive('crc64') },
  { title: 'zip',  body: zip },
])('a list in $title', ({ title, body }) => {
  test('is collected, tried, and read as a local copy, whatever its name', async () => {
    const { id, name } = await addFeed(body)
    const arrived = { fetched_bytes: body.length, decoded_bytes: list.length }
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({
      ...{ outcome: 'SUCCEEDED', row_count: ROWS, rejected_count: 0 },
      ...{ ...arrived, decoding: [title, 'utf-8'] },
    })
    // An unchanged list is not read as text.
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'UNCHANGED', updated_count: ROWS, ...arrived, decoding: [title] })
    expect(await product.probe.probe(ADMIN, { url: lists.urlOf(name), format: 'CSV' })).toMatchObject({ accepted_count: ROWS, bytes: list.length })
    const file = join(place.folder, 'copy')
    writeFileSync(file, body)
    expect(await product.probe.probe(ADMIN, { url: lists.urlOf(name), format: 'CSV' }, file)).toMatchObject({ accepted_count: ROWS })
    // The same bytes once unpacked, so nothing has changed.
    expect(await product.collect.collect(ADMIN, id, { file })).toMatchObject({ outcome: 'UNCHANGED', updated_count: ROWS })
  })
})

test('the run tells how a list was packed, each way once, and in which encoding it was written', async () => {
  const body = gzipSync(gzipSync(Buffer.from('caf\u00e9.example.com\n', 'latin1')))
  const { id, name } = await addFeed(list, { parser: { encoding: 'windows-1252' } })
  lists.publish(name, { body, headers: { 'content-encoding': 'gzip' } })
  await product.collect.collect(ADMIN, id)
  expect(await product.feeds.runs(ADMIN, id, 1)).toMatchObject([
    { outcome: 'SUCCEEDED', row_count: 1, fetched_bytes: body.length, decoded_bytes: 17, decoding: ['gzip', 'windows-1252'] },
  ])
})

test('a run to which nothing came tells of no bytes', async () => {
  const { id, name } = await addFeed(list)
  lists.publish(name, { status: 404 })
  await product.collect.collect(ADMIN, id)
  expect(await product.feeds.runs(ADMIN, id, 1)).toMatchObject([
    { outcome: 'FAILED', fetched_bytes: null, decoded_bytes: null, decoding: null },
  ])
})

test('records in an archive are read as well', async () => {
  const json = Buffer.from(JSON.stringify([{ domain: 'a.example.com' }, { domain: 'b.example.com' }]))
  const { id } = await addFeed(buildZip({ entries: [{ content: json }] }), { format: 'JSON' })
  expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', row_count: 2 })
})

// biome-ignore format: one case per line
describe.each([
  { title: 'of several files',    body: buildZip({ entries: [{ content: list }, { name: 'b', content: list }] }), says: 'several files' },
  { title: 'that is encrypted',   body: buildZip({ entries: [{ content: list, flags: 1 }] }),                     says: 'encrypted' },
  { title: 'that lies',           body: buildZip({ entries: [{ content: list, says: { bytes: 5 } }] }),           says: 'contradicts itself' },
  { title: 'cut short',           body: zip.subarray(0, 300),                                                      says: 'ends too early' },
  { title: 'inside another',      body: gzipSync(zip),                                                             says: 'a zip archive, inside another one' },
  { title: 'that is a bomb (zip)', body: buildZip({ entries: [{ content: Buffer.alloc(20_000_000) }] }),           says: 'FEED_MAX_BYTES' },
  { title: 'that is a bomb (xz)', body: xzArchive('bomb8'),                                                        says: 'FEED_MAX_BYTES' },
  { title: 'of another kind',     body: Buffer.from('7z\u00bc\u00af\u0027\u001c', 'latin1'),                      says: '7z archive' },
])('an archive $title', ({ body, says }) => {
  test('fails with the reason, over HTTP and as a local copy, and removes nothing', async () => {
    const { id, name } = await addFeed(list)
    await product.collect.collect(ADMIN, id)
    lists.publish(name, { body })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'FAILED', error: expect.stringContaining(says), gone_count: 0 })
    const file = join(place.folder, 'bad')
    writeFileSync(file, body)
    expect(await product.collect.collect(ADMIN, id, { file })).toMatchObject({ outcome: 'FAILED', error: expect.stringContaining(says) })
    expect(await product.feeds.get(ADMIN, id)).toMatchObject({ listed: ROWS, status: 'DEGRADED' })
  })
})

test('an archive that is to stay packed is refused as what it is', async () => {
  const { id } = await addFeed(zip, { parser: { archive: 'none' } })
  expect(await product.collect.collect(ADMIN, id)).toMatchObject({
    outcome: 'FAILED',
    error: expect.stringContaining('left packed by "archive": "none"'),
  })
})
