import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#kernel/actor.ts'
import { type FeedProduct, openFeedProduct } from '#test/support/feed-product.ts'
import { type PulseServer, pulseOf, startPulseServer } from '#test/support/pulse-server.ts'
import { countWritesSince, markWrites } from '#test/support/row-writes.ts'
import { makeTempFolder } from '#test/support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const KEY = 'canary-pulse-key-0815'
const HOUR_MS = 3_600_000

let database: TestDatabase
let server: PulseServer
let product: FeedProduct
let maxPages = 100
const place = makeTempFolder('svc-pulse')

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startPulseServer()
  product = openFeedProduct({
    databaseUrl: database.appUrl,
    hosts: [server.host],
    pulse: { base: server.base, key: KEY, maxPages: () => maxPages },
  })
})
afterAll(async () => {
  await product.close()
  await server.close()
  await database.drop()
  place.remove()
})

let made = 0
let prefix = ''
let nowMs = 0
beforeEach(() => {
  prefix = `case-${++made}`
  nowMs = Date.now() - 100 * HOUR_MS
  maxPages = 100
  server.pulses.length = 0
  server.requests.length = 0
  server.configure({ key: KEY })
  server.failWhen(() => undefined)
})

/** Adds pulses of one value each, an hour apart. @returns their values, oldest first */
function add(count: number, more: Record<string, unknown> = {}): string[] {
  return Array.from({ length: count }, () => {
    const value = `n${server.pulses.length}-${Math.round(nowMs)}.${prefix}.example.com`
    nowMs += HOUR_MS
    server.add(pulseOf([value], new Date(nowMs).toISOString(), more))
    return value
  })
}

async function addFeed(fields: Record<string, unknown> = {}): Promise<string> {
  return (await product.feeds.create(ADMIN, { name: prefix, url: server.url, format: 'pulse', ...fields })).id
}

async function hitsOf(feedId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ value: string; hits: number; listed: boolean }>`
    select known.value, seen.hits, seen.listed from source_sightings seen join indicators known on known.id = seen.indicator_id
    where seen.source_id = ${feedId}`.execute(product.db)
  expect(rows.filter(({ listed }) => listed)).toEqual([])
  return Object.fromEntries(rows.map(({ value, hits }) => [value, hits]))
}

async function cursorOf(feedId: string): Promise<Record<string, unknown> | undefined> {
  const row = await product.db.selectFrom('collector_state').select('cursor').where('entry', '=', `pulse:${feedId}`).executeTakeFirst()
  return row?.cursor as Record<string, unknown> | undefined
}

const once = (values: string[]): Record<string, number> => Object.fromEntries(values.map((value) => [value, 1]))
const pagesAsked = () => server.requests.map(({ query }) => `${query.get('page')}/${query.get('limit')}`)

test('a list is read to its end, then only for what is new, and a pulse that has changed is one more sighting', async () => {
  const values = add(50)
  const id = await addFeed()
  expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 50, rejected_count: 0 })
  expect(pagesAsked()).toEqual(['1/20', '2/20', '3/20'])
  expect(server.requests.every(({ query }) => !query.has('modified_since'))).toBe(true)

  const mark = await markWrites(product.db)
  expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'UNCHANGED', row_count: 0, new_count: 0, updated_count: 0 })
  expect(await countWritesSince(product.db, mark)).toBe(0)
  // A quarter of an hour before the latest pulse.
  expect(server.requests.at(-1)?.query.get('modified_since')).toBe(new Date(nowMs - HOUR_MS / 4).toISOString().slice(0, 19))

  const fresh = add(2)
  const changed = server.pulses[10]
  if (changed === undefined) throw new Error('There is no such pulse.')
  server.pulses.splice(10, 1)
  nowMs += HOUR_MS
  server.add({ ...changed, modified: new Date(nowMs).toISOString().replace('Z', '') })
  expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 2, updated_count: 1 })
  const again = (changed['indicators'] as { indicator: string }[])[0]?.indicator ?? ''
  expect(await hitsOf(id)).toEqual({ ...once([...values, ...fresh]), [again]: 2 })
})

describe('a collection', () => {
  test('that is cut short by PULSE_MAX_PAGES is interrupted, keeps its pages and goes on behind them', async () => {
    const values = add(50)
    const id = await addFeed()
    maxPages = 2
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({
      outcome: 'INTERRUPTED',
      new_count: 40,
      error: expect.stringContaining('PULSE_MAX_PAGES'),
    })
    expect((await cursorOf(id))?.['modified_since']).toBeUndefined()
    expect(await product.feeds.get(ADMIN, id)).toMatchObject({ status: 'PENDING' })
    server.requests.length = 0
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 10 })
    expect(pagesAsked()).toEqual(['3/20'])
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('of a server that cannot make a page in time asks for smaller ones, and misses nothing', async () => {
    const values = add(50)
    const id = await addFeed()
    server.failWhen(({ query }) =>
      Number(query.get('limit')) > 5 && query.get('page') !== '1' ? { kind: 'status', status: 504 } : undefined,
    )
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 50, updated_count: 0 })
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('of a list from which pulses go while it is read misses none of the others', async () => {
    const values = add(70)
    const id = await addFeed()
    server.failWhen((_, asked) => {
      if (asked === 3) server.pulses.splice(0, 15)
      return undefined
    })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 70 })
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('of a list that has become shorter than its place is read from the beginning, and nothing counts twice', async () => {
    const values = add(50)
    const id = await addFeed()
    maxPages = 2
    await product.collect.collect(ADMIN, id)
    maxPages = 100
    server.pulses.splice(0, 20)
    server.requests.length = 0
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 10 })
    expect(pagesAsked()[0]).toBe('3/20')
    expect(pagesAsked()[1]).toBe('1/20')
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('of a server that always says there is more ends after the limit of pages', async () => {
    add(3)
    const [page] = server.pulses
    server.failWhen(() => ({ kind: 'body', body: { results: [page], next: `${server.url}?page=2` } }))
    const id = await addFeed()
    maxPages = 7
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'INTERRUPTED', new_count: 1 })
    expect(server.requests).toHaveLength(7)
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'a wrong key',               fault: { kind: 'status', status: 403 } as const,                                    says: 'does not take the key in PULSE_API_KEY' },
    { title: 'no such list',              fault: { kind: 'status', status: 404 } as const,                                    says: 'no such list of pulses' },
    { title: 'an answer of another kind', fault: { kind: 'body', body: { detail: 'Throttled' } } as const,                    says: 'nothing at "results.*"' },
    { title: 'another host',              fault: { kind: 'redirect', location: 'https://elsewhere.example.org/' } as const,   says: 'not for these credentials' },
  ])('that meets $title fails with a sentence', async ({ fault, says }) => {
    add(3)
    const id = await addFeed()
    server.failWhen(() => fault)
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'FAILED', error: expect.stringContaining(says) })
    expect(await cursorOf(id)).toBeUndefined()
    expect(await product.feeds.get(ADMIN, id)).toMatchObject({ status: 'DEGRADED' })
  })
})

describe('what a pulse says', () => {
  test('is kept: attribution, validity, kinds that are not held, and marks of sharing above the feed', async () => {
    const at = new Date(nowMs).toISOString()
    server.add(pulseOf([`tagged.${prefix}.example.com`], at, { adversary: 'Grey Team', malware_families: ['Loader'], tags: ['phishing'] }))
    server.add(pulseOf([`red.${prefix}.example.com`], at, { tlp: 'red' }))
    server.add(
      pulseOf([], at, {
        indicators: [
          { indicator: 'x', type: 'Mutex' },
          { indicator: '192.168.113.98', type: 'IPv4' },
          { indicator: '127.0.0.1', type: 'IPv4' },
          { indicator: `over.${prefix}.example.com`, type: 'hostname', expiration: '2026-01-01T00:00:00' },
        ],
      }),
    )
    const id = await addFeed({ feed_type: 'malware' })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({
      outcome: 'SUCCEEDED',
      new_count: 2,
      rejected_by_code: { tlp_above_feed: 1, ip_not_routable: 1 },
      unsupported_by_kind: { Mutex: 1, 'no longer valid': 1 },
    })
    const { rows } = await sql<{ tags: string[] }>`
      select link.tags from indicator_sources link join indicators known on known.id = link.indicator_id
      where link.source_id = ${id} and known.value = ${`tagged.${prefix}.example.com`}`.execute(product.db)
    expect(rows[0]?.tags.toSorted()).toEqual(['malware:Loader', 'phishing', 'threat-actor:Grey Team'])
  })

  test('of sharing no longer keeps it out once the feed may store that level', async () => {
    const values = add(30, { tlp: 'green' })
    const id = await addFeed()
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ new_count: 0, rejected_by_code: { tlp_above_feed: 30 } })
    const { version } = await product.feeds.get(ADMIN, id)
    await product.feeds.change(ADMIN, id, { version, tlp: 'green' })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 30, rejected_count: 0 })
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('of an indicator that is no longer active ends it at once and keeps its sightings', async () => {
    const [value = '', other = ''] = add(2)
    const id = await addFeed()
    await product.collect.collect(ADMIN, id)
    nowMs += HOUR_MS
    server.add(pulseOf([], new Date(nowMs).toISOString(), { indicators: [{ indicator: value, type: 'domain', is_active: 0 }] }))
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({
      new_count: 0,
      updated_count: 0,
      unsupported_by_kind: { 'inactive indicator': 1 },
    })
    const { rows } = await sql<{ value: string; isOver: boolean }>`
      select known.value, standing.expires_at <= now() as "isOver" from indicators known
      join indicator_sources link on link.indicator_id = known.id and link.source_id = ${id},
      lateral indicator_standing(known.id, known.type, now()) standing`.execute(product.db)
    expect(Object.fromEntries(rows.map((row) => [row.value, row.isOver]))).toEqual({ [value]: true, [other]: false })
    expect(await hitsOf(id)).toEqual(once([value, other]))
  })
})

describe('a feed of pulses', () => {
  const refused = { code: 'pulse_host_required', fields: [{ field: 'url' }] }
  const elsewhere = 'https://lists.example.org/pulses'

  test('may point at the provider only: when it is registered, changed, or tried', async () => {
    await expect(addFeed({ url: elsewhere })).rejects.toMatchObject(refused)
    const id = await addFeed()
    const { version } = await product.feeds.get(ADMIN, id)
    await expect(product.feeds.change(ADMIN, id, { version, url: elsewhere })).rejects.toMatchObject(refused)
    const list = await product.feeds.create(ADMIN, { name: `${prefix} list`, url: elsewhere, format: 'CSV' })
    await expect(product.feeds.change(ADMIN, list.id, { version: list.version, format: 'PULSE' })).rejects.toMatchObject(refused)
    await expect(product.probe.probe(ADMIN, { url: elsewhere, format: 'PULSE' })).rejects.toMatchObject({ code: 'pulse_host_required' })
    expect(server.requests).toEqual([])
  })

  test('whose provider has changed since is not asked', async () => {
    const id = await addFeed()
    await sql`update threat_feeds set url = ${elsewhere} where id = ${id}`.execute(product.db)
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({
      outcome: 'FAILED',
      error: expect.stringContaining('may only point at'),
    })
  })

  test('forgets its place with its address or format, and keeps it under another name', async () => {
    add(2)
    const id = await addFeed()
    await product.collect.collect(ADMIN, id)
    const { version } = await product.feeds.get(ADMIN, id)
    const renamed = await product.feeds.change(ADMIN, id, { version, name: `${prefix} renamed` })
    expect(await cursorOf(id)).toBeDefined()
    await product.feeds.change(ADMIN, id, { version: renamed.version, url: `${server.base}/api/v1/pulses/user/someone` })
    expect(await cursorOf(id)).toBeUndefined()
  })

  test('is tried: the first rows of the first page, with nothing stored', async () => {
    const values = add(25)
    const result = await product.probe.probe(ADMIN, { url: server.base, format: 'PULSE' })
    expect(result).toMatchObject({ row_count: 20, accepted_count: 20, layout: { format: 'PULSE' } })
    expect(result.samples[0]).toMatchObject({ value: values.at(-1), type: 'DOMAIN' })
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/v1/pulses/subscribed'])
    expect(await product.db.selectFrom('indicators').select('id').where('value', 'in', values).execute()).toEqual([])
  })

  test('takes in a local copy, which leaves its place alone', async () => {
    const values = add(3)
    const id = await addFeed()
    const file = join(place.folder, 'pulses.json')
    writeFileSync(file, JSON.stringify({ results: server.pulses }))
    expect(await product.collect.collect(ADMIN, id, { file })).toMatchObject({ outcome: 'SUCCEEDED', new_count: 3 })
    expect(await hitsOf(id)).toEqual(once(values))
    expect(await cursorOf(id)).toEqual({})
    expect(server.requests).toEqual([])
  })
})
