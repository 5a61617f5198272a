import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type ListServer, startListServer } from '#test/support/list-server.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }

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

const create = async (name: string, fields: Record<string, unknown> = {}) =>
  await services.feeds.create(ADMIN, { name, url: lists.urlOf(encodeURIComponent(name)), format: 'CSV', ...fields })

async function auditActions(targetId: string): Promise<string[]> {
  const rows = await services.db.selectFrom('audit_events').select('action').where('target_id', '=', targetId).orderBy('id').execute()
  return rows.map(({ action }) => action)
}

describe('adding a feed', () => {
  test('gives it the defaults of the specification, PENDING, and journals it', async () => {
    const feed = await create('plain')
    expect(feed).toMatchObject({
      status: 'PENDING',
      is_active: true,
      reliability: 'C',
      frequency: 3600,
      feed_type: 'other',
      tlp: 'CLEAR',
      version: 1,
      listed: 0,
    })
    expect(await auditActions(feed.id)).toEqual(['feed.created'])
  })

  test('takes enumerations in any case', async () => {
    expect(await create('cases', { format: 'csv', reliability: 'a', tlp: 'amber+strict', feed_type: 'C2' })).toMatchObject({
      format: 'CSV',
      reliability: 'A',
      tlp: 'AMBER+STRICT',
      feed_type: 'c2',
    })
  })

  test.each([
    { title: 'a name that is taken, in another case', fields: { name: 'PLAIN' }, code: 'duplicate_name', field: 'name' },
    { title: 'a name of blanks', fields: { name: '   ' }, code: 'validation_failed', field: 'name' },
    { title: 'an internal address', fields: { url: 'https://10.0.0.1/list' }, code: 'feed_url_forbidden', field: 'url' },
    { title: 'plain http', fields: { url: 'http://lists.example.com/a.txt' }, code: 'feed_url_forbidden', field: 'url' },
    {
      title: 'a pulse feed elsewhere than at its provider',
      fields: { format: 'PULSE', url: 'https://lists.example.com/pulses' },
      code: 'pulse_host_required',
      field: 'url',
    },
    { title: 'credentials in the URL', fields: { url: 'https://me:secret@lists.example.com/a' }, code: 'feed_url_forbidden', field: 'url' },
    { title: 'a format that is not collected', fields: { format: 'XML' }, code: 'validation_failed', field: 'format' },
    { title: 'a reliability beyond F', fields: { reliability: 'G' }, code: 'validation_failed', field: 'reliability' },
    { title: 'an unknown parser setting', fields: { parser: { colour: 'red' } }, code: 'validation_failed', field: 'parser.colour' },
  ])('is refused with $title, naming the field, and nothing is stored', async ({ fields, code, field }) => {
    const before = (await services.feeds.page(ADMIN, {})).total
    const input = { name: 'refused', url: lists.urlOf('refused'), format: 'CSV', ...fields }
    await expect(services.feeds.create(ADMIN, input)).rejects.toMatchObject({ code, fields: [expect.objectContaining({ field })] })
    expect((await services.feeds.page(ADMIN, {})).total).toBe(before)
  })
})

describe('changing a feed', () => {
  test('raises its version; a change that names the old one conflicts and changes nothing', async () => {
    const feed = await create('versioned')
    const changed = await services.feeds.change(ADMIN, feed.id, { version: 1, reliability: 'B', frequency: 600 })
    expect(changed).toMatchObject({ version: 2, reliability: 'B', frequency: 600 })
    await expect(services.feeds.change(ADMIN, feed.id, { version: 1, name: 'other', reliability: 'D' })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await services.feeds.get(ADMIN, feed.id)).toMatchObject({ version: 2, name: 'versioned', reliability: 'B' })
  })

  test.each([
    { title: 'another URL makes it PENDING and forgets the last body', change: { url: true }, status: 'PENDING', known: false },
    { title: 'another parser does so too', change: { parser: { header: 'none' } }, status: 'PENDING', known: false },
    { title: 'another interval does not', change: { frequency: 900 }, status: 'HEALTHY', known: true },
  ])('$title', async ({ change, status, known }) => {
    const name = `restart-${JSON.stringify(change).length}`
    lists.publish(name, 'restart.example.com\n')
    const feed = await create(name)
    await services.collect.collect(ADMIN, feed.id)
    const fields = 'url' in change ? { url: lists.urlOf(`${name}-moved`) } : change
    expect(await services.feeds.change(ADMIN, feed.id, { version: 1, ...fields })).toMatchObject({ status })
    const { body_digest } = await services.db
      .selectFrom('threat_feeds')
      .select('body_digest')
      .where('id', '=', feed.id)
      .executeTakeFirstOrThrow()
    expect(body_digest !== null).toBe(known)
  })

  test('20 edits at once leave one winner each round', async () => {
    const feed = await create('raced')
    const edits = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, n) => await services.feeds.change(ADMIN, feed.id, { version: 1, frequency: 300 + n })),
    )
    expect(edits.filter((edit) => edit.status === 'fulfilled')).toHaveLength(1)
    expect(await services.feeds.get(ADMIN, feed.id)).toMatchObject({ version: 2 })
  })
})

describe('deleting a feed', () => {
  test('keeps its values, says where they came from, and frees its name; a purge removes what nobody else reported', async () => {
    lists.publish('doomed', 'only-here.example.com\nshared.example.com\n')
    lists.publish('sibling', 'shared.example.com\n')
    const doomed = await create('doomed')
    const sibling = await create('sibling')
    await services.collect.collect(ADMIN, doomed.id)
    await services.collect.collect(ADMIN, sibling.id)

    expect(await services.feeds.remove(ADMIN, doomed.id, { purge: true, dryRun: true })).toMatchObject({
      deleted: false,
      listed: 2,
      orphans: 1,
      kept: 1,
      examples: [{ type: 'DOMAIN', value: 'only-here.example.com' }],
    })
    expect(await services.feeds.remove(ADMIN, doomed.id, { purge: false, dryRun: false })).toMatchObject({
      deleted: true,
      listed: 2,
      orphans: 0,
    })
    const kept = (await services.indicators.page({ value: 'only-here.example.com' })).items[0]
    expect(await services.indicators.get(kept?.id ?? '')).toMatchObject({ sources: [{ name: 'doomed', listed: false, hits: 1 }] })
    await expect(services.feeds.get(ADMIN, doomed.id)).rejects.toMatchObject({ code: 'not_found' })

    const again = await create('doomed')
    await services.collect.collect(ADMIN, again.id)
    lists.publish('doomed', 'brand-new.example.com\n')
    await services.collect.collect(ADMIN, again.id)
    expect(await services.feeds.remove(ADMIN, again.id, { purge: true, dryRun: false })).toMatchObject({ deleted: true, orphans: 1 })
    expect((await services.indicators.page({ value: 'brand-new.example.com' })).items).toEqual([])
    expect((await services.indicators.page({ value: 'only-here.example.com' })).items).toHaveLength(1)
    expect(await auditActions(again.id)).toEqual(['feed.created', 'feed.collected', 'feed.collected', 'feed.purge_started', 'feed.deleted'])
  })
})

describe('the list of feeds', () => {
  test('is sorted by name ignoring case, and filters by state, activity and type', async () => {
    await create('aaa off', { is_active: false, feed_type: 'tor' })
    await create('Zzz last')
    const { items } = await services.feeds.page(ADMIN, {})
    const names = items.map(({ name }) => name.toLowerCase())
    expect(names).toEqual([...names].sort())
    expect((await services.feeds.page(ADMIN, { is_active: false })).items.map(({ name }) => name)).toEqual(['aaa off'])
    expect((await services.feeds.page(ADMIN, { feed_type: 'TOR' })).total).toBe(1)
    expect((await services.feeds.page(ADMIN, { limit: 2, offset: 1 })).items).toHaveLength(2)
    await expect(services.feeds.page(ADMIN, { status: 'SICK' })).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('those that are due come the longest waiting first; inactive ones never', async () => {
    const due = await services.feeds.listDue()
    expect(due.length).toBeGreaterThan(0)
    expect(due.map(({ name }) => name)).not.toContain('aaa off')
  })
})

describe('runs', () => {
  test('older than 90 days are purged, to the second', async () => {
    const feed = await create('aged')
    const insert = async (id: string, age: string) =>
      await sql`insert into collection_runs (id, feed_id, started_at, outcome) values (${id}, ${feed.id}, now() - ${age}::interval, 'SUCCEEDED')`.execute(
        services.db,
      )
    await insert('01900000-0000-7000-8000-000000000001', '90 days 5 seconds')
    await insert('01900000-0000-7000-8000-000000000002', '89 days 23 hours 59 minutes')
    expect(await services.feeds.purgeOldRuns()).toBe(1)
    expect(await services.feeds.runs(ADMIN, feed.id, 10)).toHaveLength(1)
  })

  test('that a killed collector left open are marked by the next one', async () => {
    lists.publish('killed', 'killed.example.com\n')
    const feed = await create('killed')
    await sql`insert into collection_runs (id, feed_id, started_at, outcome) values ('01900000-0000-7000-8000-000000000003', ${feed.id}, now(), 'RUNNING')`.execute(
      services.db,
    )
    await services.collect.collect(ADMIN, feed.id)
    expect((await services.feeds.runs(ADMIN, feed.id, 10)).map(({ outcome }) => outcome)).toEqual(['SUCCEEDED', 'INTERRUPTED'])
  })
})

describe('a probe', () => {
  test('shows what would be read and what refused, and stores nothing', async () => {
    lists.publish('probed', 'date,host,kind\n2026-11-20,evil[.]example[.]org,domain\n2026-11-20,127.0.0.1,ip\n2026-11-20,mutex-7,mutex\n')
    const counts = async () => (await services.indicators.page({})).total
    const before = await counts()
    const result = await services.probe.probe(ADMIN, { url: lists.urlOf('probed'), format: 'CSV', parser: { value: 'host', type: 'kind' } })
    expect(result).toMatchObject({ row_count: 3, accepted_count: 1, rejected_count: 1, unsupported_count: 1, types: { DOMAIN: 1 } })
    expect(result.samples[0]).toMatchObject({ raw: 'evil[.]example[.]org', type: 'DOMAIN', value: 'evil.example.org' })
    expect(await counts()).toBe(before)
  })

  test('of a forbidden or failing address says why at the field', async () => {
    await expect(services.probe.probe(ADMIN, { url: 'https://192.168.0.1/x', format: 'CSV' })).rejects.toMatchObject({
      code: 'feed_url_forbidden',
    })
    await expect(services.probe.probe(ADMIN, { url: lists.urlOf('absent'), format: 'CSV' })).rejects.toMatchObject({
      code: 'upstream_unavailable',
      fields: [expect.objectContaining({ field: 'url' })],
    })
  })
})
