import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type ListServer, startListServer } from '#test/support/list-server.ts'
import { countWritesSince, markWrites } from '#test/support/row-writes.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const MS_PER_DAY = 86_400_000

let database: TestDatabase
let lists: ListServer
let services: Services

beforeAll(async () => {
  database = await createTestDatabase()
  lists = await startListServer()
  const config = loadConfig(
    { DATABASE_URL: database.appUrl, SECRET_KEY: 'k'.repeat(40), OUTBOUND_ALLOW_HOSTS: lists.host, SVC_ENV_FILE: '' },
    '/',
  )
  services = await createServices(config, SILENT_LOGGING, 'test')
})

afterAll(async () => {
  await services.close()
  await lists.close()
  await database.drop()
})

const id = (type: string, n: number) => `${type}--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** An indicator of a name; `host` is the first label of it. */
function indicator(n: number, host: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const pattern = `[domain-name:value = '${host}.example.com']`
  const at = '2026-01-01T00:00:00Z'
  return { type: 'indicator', id: id('indicator', n), created: at, modified: at, pattern, pattern_type: 'stix', valid_from: at, ...fields }
}

/** The id stands last, so that a bundle may have another body and the same content. */
let bundles = 0
const bundle = (...objects: unknown[]) => JSON.stringify({ type: 'bundle', objects, id: id('bundle', ++bundles) })

let made = 0
async function addFeed(body: string, fields: Record<string, unknown> = {}): Promise<{ id: string; name: string }> {
  const name = `feed-${++made}`
  lists.publish(name, body)
  const feed = await services.feeds.create(ADMIN, { name, url: lists.urlOf(name), format: 'STIX', ...fields })
  return { id: feed.id, name }
}

const collect = async (feedId: string) => await services.collect.collect(ADMIN, feedId)

async function listedOf(feedId: string): Promise<Record<string, boolean>> {
  const { rows } = await sql<{ value: string; listed: boolean }>`
    select known.value, seen.listed from source_sightings seen join indicators known on known.id = seen.indicator_id
    where seen.source_id = ${feedId}`.execute(services.db)
  return Object.fromEntries(rows.map(({ value, listed }) => [value, listed]))
}

/** Everything that every source has said of one value. */
async function saidOf(value: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select seen.* from source_sightings seen join indicators known on known.id = seen.indicator_id where known.value = ${value}`.execute(
    services.db,
  )
  return rows
}

/** Where an indicator stands at a moment, as lists and details work it out. */
async function standingOf(value: string, at: Date): Promise<{ active: boolean; expires_at: Date } | undefined> {
  const { rows } = await sql<{ active: boolean; expires_at: Date }>`
    select standing.expires_at > ${at} as active, standing.expires_at
    from indicators known cross join lateral indicator_standing(known.id, known.type, ${at}) standing where known.value = ${value}`.execute(
    services.db,
  )
  return rows[0]
}

async function idOf(value: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from indicators where value = ${value}`.execute(services.db)
  return rows[0]?.id ?? ''
}

describe('a STIX feed', () => {
  test('brings in values with what is said of them, and counts what it does not hold by kind', async () => {
    const malware = { type: 'malware', id: id('malware', 1), name: 'Bad Bot', is_family: true }
    const feed = await addFeed(
      bundle(
        indicator(1, 'said', {
          labels: ['botnet', 'severity:critical'],
          confidence: 70,
          description: 'A host.',
          valid_until: '2099-01-01T00:00:00Z',
        }),
        indicator(2, 'process', { pattern: "[process:name = 'p']" }),
        indicator(3, 'liked', { pattern: "[url:value LIKE 'p%']" }),
        {
          type: 'relationship',
          id: id('relationship', 1),
          relationship_type: 'indicates',
          source_ref: id('indicator', 1),
          target_ref: malware.id,
        },
        malware,
      ),
    )
    const run = await collect(feed.id)
    expect(run).toMatchObject({
      outcome: 'SUCCEEDED',
      row_count: 5,
      new_count: 1,
      rejected_count: 1,
      rejected_by_code: { pattern_not_a_value: 1 },
      unsupported_count: 3,
      unsupported_by_kind: { 'process:name': 1, relationship: 1, malware: 1 },
    })
    const [stored] = await services.feeds.runs(ADMIN, feed.id, 1)
    expect(stored).toMatchObject({ unsupported_by_kind: { 'process:name': 1, relationship: 1, malware: 1 } })
    const [sighting] = await saidOf('said.example.com')
    expect(sighting).toMatchObject({
      severity: 'CRITICAL',
      tags: ['botnet', 'confidence:70', 'malware:Bad Bot'],
      description: 'A host.',
      reported_first_seen: new Date('2026-01-01T00:00:00Z'),
      valid_until: new Date('2099-01-01T00:00:00Z'),
    })
  })

  test('that brings the same content again, in another order, writes no row', async () => {
    const objects = Array.from({ length: 50 }, (_, n) =>
      indicator(100 + n, `same-${n}`, { labels: ['b', 'a'], valid_until: '2099-01-01T00:00:00Z' }),
    )
    const feed = await addFeed(bundle(...objects))
    expect(await collect(feed.id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 50 })
    const mark = await markWrites(services.db)
    lists.publish(feed.name, bundle(...objects.toReversed()))
    expect(await collect(feed.id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 0, updated_count: 50, gone_count: 0 })
    expect(await countWritesSince(services.db, mark)).toBe(0)
  })

  test('no longer lists what is revoked, and what it has left out', async () => {
    const feed = await addFeed(bundle(indicator(201, 'stays'), indicator(202, 'revoked'), indicator(203, 'absent')))
    await collect(feed.id)
    lists.publish(
      feed.name,
      bundle(indicator(201, 'stays'), indicator(202, 'revoked', { revoked: true, modified: '2026-02-01T00:00:00Z' })),
    )
    expect(await collect(feed.id)).toMatchObject({ updated_count: 1, gone_count: 2, unsupported_by_kind: { 'revoked indicator': 1 } })
    expect(await listedOf(feed.id)).toEqual({ 'stays.example.com': true, 'revoked.example.com': false, 'absent.example.com': false })
  })

  test('stores what is said by two indicators of one value together', async () => {
    const feed = await addFeed(
      bundle(
        indicator(301, 'twice', { labels: ['a'], valid_until: '2099-01-01T00:00:00Z' }),
        indicator(302, 'twice', { labels: ['b'] }),
        indicator(303, 'until', { valid_until: '2098-01-01T00:00:00Z' }),
        indicator(304, 'until', { valid_until: '2099-01-01T00:00:00Z' }),
      ),
    )
    expect(await collect(feed.id)).toMatchObject({ row_count: 4, new_count: 2 })
    const [twice] = await saidOf('twice.example.com')
    expect(twice).toMatchObject({ tags: ['a', 'b'], valid_until: null })
    const [until] = await saidOf('until.example.com')
    expect(until?.['valid_until']).toEqual(new Date('2099-01-01T00:00:00Z'))
  })

  test('is tested without being stored', async () => {
    lists.publish('probed', bundle(indicator(401, 'probed'), { type: 'identity', id: id('identity', 1), name: 'n' }))
    const result = await services.probe.probe(ADMIN, { url: lists.urlOf('probed'), format: 'STIX' })
    expect(result).toMatchObject({
      accepted_count: 1,
      unsupported_by_kind: { identity: 1 },
      types: { DOMAIN: 1 },
      layout: { format: 'STIX' },
    })
    expect(await idOf('probed.example.com')).toBe('')
  })

  test('that is no STIX changes nothing', async () => {
    const feed = await addFeed(bundle(indicator(501, 'kept')))
    await collect(feed.id)
    lists.publish(feed.name, '{"error": "try again later"}')
    expect(await collect(feed.id)).toMatchObject({ outcome: 'FAILED', error: expect.stringContaining('no STIX') })
    expect(await listedOf(feed.id)).toEqual({ 'kept.example.com': true })
  })

  test('that breaks off adds what came before, and removes nothing', async () => {
    const feed = await addFeed(bundle(indicator(601, 'first')))
    await collect(feed.id)
    lists.publish(feed.name, bundle(indicator(602, 'second'), indicator(603, 'third')).slice(0, -80))
    expect(await collect(feed.id)).toMatchObject({ outcome: 'PARTIAL', new_count: 1, gone_count: 0 })
    expect(await listedOf(feed.id)).toEqual({ 'first.example.com': true, 'second.example.com': true })
  })
})

describe('the end of validity that a source states', () => {
  test('ends an indicator to the second, before its lifetime would', async () => {
    const until = new Date(Math.floor((Date.now() + 2 * MS_PER_DAY) / 1000) * 1000)
    const feed = await addFeed(bundle(indicator(701, 'short', { valid_until: until.toISOString() }), indicator(702, 'long')))
    await collect(feed.id)
    const justBefore = new Date(until.getTime() - 1)
    expect(await standingOf('short.example.com', justBefore)).toEqual({ active: true, expires_at: until })
    expect(await standingOf('short.example.com', until)).toEqual({ active: false, expires_at: until })
    expect(await standingOf('long.example.com', until)).toMatchObject({ active: true })
  })

  test('does not lengthen a lifetime', async () => {
    const feed = await addFeed(bundle(indicator(711, 'eternal', { valid_until: '2099-01-01T00:00:00Z' })))
    await collect(feed.id)
    const found = await standingOf('eternal.example.com', new Date())
    expect(found?.expires_at.getTime()).toBeLessThan(Date.now() + 181 * MS_PER_DAY)
  })

  test('ends only that source’s word: an indicator that another source reports goes on', async () => {
    const soon = new Date(Date.now() + MS_PER_DAY)
    const feed = await addFeed(bundle(indicator(721, 'shared', { valid_until: soon.toISOString() })))
    const other = await addFeed(bundle(indicator(721, 'shared')))
    await collect(feed.id)
    expect((await standingOf('shared.example.com', soon))?.active).toBe(false)
    await collect(other.id)
    expect((await standingOf('shared.example.com', soon))?.active).toBe(true)
  })

  test('that is over leaves the value out, and one that is moved is taken over', async () => {
    const feed = await addFeed(
      bundle(
        indicator(731, 'over', { valid_until: '2026-01-02T00:00:00Z' }),
        indicator(732, 'moved', { valid_until: '2098-01-01T00:00:00Z' }),
      ),
    )
    expect(await collect(feed.id)).toMatchObject({ new_count: 1, rejected_count: 0, unsupported_by_kind: { 'no longer valid': 1 } })
    lists.publish(feed.name, bundle(indicator(732, 'moved', { valid_until: '2097-01-01T00:00:00Z' })))
    expect(await collect(feed.id)).toMatchObject({ new_count: 0, updated_count: 1, gone_count: 0 })
    const [moved] = await saidOf('moved.example.com')
    expect(moved?.['valid_until']).toEqual(new Date('2097-01-01T00:00:00Z'))
  })
})

describe('the level of sharing of a feed', () => {
  const marks = {
    clear: '613f2e26-407d-48c7-9eca-b8e91df99dc9',
    green: 'bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
    amber: 'f88d31f6-486f-44da-b317-01333bde0b82',
  }
  const strict = '939a9414-2ddd-4d32-a0cd-375ea402b003'
  const red = '5e57c739-391a-4eb3-b6be-7d15ca92d5ed'
  const marked = (prefix: string, n: number) =>
    bundle(
      indicator(n, `${prefix}-none`),
      ...Object.entries({ ...marks, strict, red }).map(([word, ref], at) =>
        indicator(n + 1 + at, `${prefix}-${word}`, { object_marking_refs: [`marking-definition--${ref}`] }),
      ),
    )

  // biome-ignore format: one case per line
  test.each([
    { tlp: undefined,      stored: ['none', 'clear'],                                    refused: 4 },
    { tlp: 'GREEN',        stored: ['none', 'clear', 'green'],                           refused: 3 },
    { tlp: 'AMBER',        stored: ['none', 'clear', 'green', 'amber'],                  refused: 2 },
    { tlp: 'AMBER+STRICT', stored: ['none', 'clear', 'green', 'amber', 'strict'],        refused: 1 },
    { tlp: 'RED',          stored: ['none', 'clear', 'green', 'amber', 'strict', 'red'], refused: 0 },
  ])('$tlp lets in what is marked up to it', async ({ tlp, stored, refused }) => {
    const prefix = `tlp${made}`
    const feed = await addFeed(marked(prefix, 800 + made * 10), tlp === undefined ? {} : { tlp })
    const run = await collect(feed.id)
    expect(run).toMatchObject({ new_count: stored.length, rejected_count: refused, rejected_by_code: refused === 0 ? {} : { tlp_above_feed: refused } })
    expect(Object.keys(await listedOf(feed.id)).sort()).toEqual(stored.map((word) => `${prefix}-${word}.example.com`).sort())
  })

  test('that is lowered takes the values off the list that it no longer lets in, though the list is the same', async () => {
    const feed = await addFeed(marked('lowered', 900), { tlp: 'GREEN' })
    await collect(feed.id)
    const { version } = await services.feeds.get(ADMIN, feed.id)
    await services.feeds.change(ADMIN, feed.id, { version, tlp: 'CLEAR' })
    expect(await collect(feed.id)).toMatchObject({ gone_count: 1, rejected_by_code: { tlp_above_feed: 4 } })
  })
})
