import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type ListServer, startListServer } from '#test/support/list-server.ts'
import { countWritesSince, markWrites } from '#test/support/row-writes.ts'
import { makeTempFolder } from '#test/support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const VIEWER: Actor = { name: 'viewer', role: 'VIEWER' }

let database: TestDatabase
let lists: ListServer
let services: Services
let other: Services

beforeAll(async () => {
  database = await createTestDatabase()
  lists = await startListServer()
  const config = loadConfig(
    {
      DATABASE_URL: database.appUrl,
      SECRET_KEY: 'k'.repeat(40),
      OUTBOUND_ALLOW_HOSTS: lists.host,
      FEED_KEY_MINE: 'canary-key-4711',
      SVC_ENV_FILE: '',
    },
    '/',
  )
  services = await createServices(config, SILENT_LOGGING, 'test')
  other = await createServices(config, SILENT_LOGGING, 'test-other')
})

afterAll(async () => {
  await services.close()
  await other.close()
  await lists.close()
  await database.drop()
})

let made = 0
async function addFeed(body: string, fields: Record<string, unknown> = {}): Promise<{ id: string; name: string }> {
  const name = `feed-${++made}`
  lists.publish(name, body)
  const { id } = await services.feeds.create(ADMIN, { name, url: lists.urlOf(name), format: 'CSV', ...fields })
  return { id, name }
}

/** Value, hits, and whether it is listed, of everything that one feed has ever reported. */
async function sightingsOf(feedId: string): Promise<Record<string, [hits: number, listed: boolean]>> {
  const { rows } = await sql<{ value: string; hits: number; listed: boolean }>`
    select known.value, seen.hits, seen.listed from source_sightings seen join indicators known on known.id = seen.indicator_id
    where seen.source_id = ${feedId}`.execute(services.db)
  return Object.fromEntries(rows.map(({ value, hits, listed }) => [value, [hits, listed]]))
}

describe('a complete list', () => {
  test('stores what is new, counts what is repeated, and closes what is gone', async () => {
    const { id, name } = await addFeed('evil.com\nbad.example.org\n198.51.100.7\n')
    const first = await services.collect.collect(ADMIN, id)
    expect(first).toMatchObject({ outcome: 'SUCCEEDED', row_count: 3, new_count: 3, updated_count: 0, gone_count: 0, rejected_count: 0 })

    lists.publish(name, 'evil.com\nbad.example.org\nfresh.example.net\n')
    const second = await services.collect.collect(ADMIN, id)
    expect(second).toMatchObject({ outcome: 'SUCCEEDED', new_count: 1, updated_count: 2, gone_count: 1 })

    lists.publish(name, 'evil.com\n198.51.100.7\nfresh.example.net\n')
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ new_count: 0, updated_count: 3, gone_count: 1 })
    expect(await sightingsOf(id)).toEqual({
      'evil.com': [3, true],
      'bad.example.org': [2, false],
      '198.51.100.7': [2, true],
      'fresh.example.net': [2, true],
    })
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ status: 'HEALTHY', listed: 3, collecting: false, last_error: null })
  })

  test.each([
    { title: 'the same body', again: 'one.example.com\ntwo.example.com\n', outcome: 'UNCHANGED' },
    { title: 'another body with the same values', again: '# made today\ntwo.example.com\none.example.com\n', outcome: 'SUCCEEDED' },
    {
      title: 'the values written in another way and twice',
      again: 'one[.]example.com\nTWO.example.com.\ntwo.example.com\n',
      outcome: 'SUCCEEDED',
    },
  ])('$title is a re-sight of every value without a row being written', async ({ again, outcome }) => {
    const { id, name } = await addFeed('one.example.com\ntwo.example.com\n')
    await services.collect.collect(ADMIN, id)
    const mark = await markWrites(services.db)
    lists.publish(name, again)
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome, new_count: 0, updated_count: 2, gone_count: 0 })
    expect(await countWritesSince(services.db, mark)).toBe(0)
    expect(await sightingsOf(id)).toEqual({ 'one.example.com': [2, true], 'two.example.com': [2, true] })
  })

  test('a 304 is a re-sight too, and asks with the validators of the last answer', async () => {
    const { id, name } = await addFeed('')
    lists.publish(name, { body: 'cached.example.com\n', headers: { etag: '"v1"', 'last-modified': 'Sat, 21 Nov 2026 08:00:00 GMT' } })
    await services.collect.collect(ADMIN, id)
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'UNCHANGED', updated_count: 1 })
    expect(lists.asked(name).at(-1)?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Sat, 21 Nov 2026 08:00:00 GMT',
    })
    expect(await sightingsOf(id)).toEqual({ 'cached.example.com': [2, true] })
  })

  test('what a list says about a value is kept, merged when it says it twice, and taken over when it changes', async () => {
    const { id, name } = await addFeed('value,severity,tags\nsaid.example.com,high,alpha\nsaid.example.com,low,beta\nquiet.example.com,,\n')
    await services.collect.collect(ADMIN, id)
    const find = async (value: string) => (await services.indicators.page({ value })).items[0]
    expect(await find('said.example.com')).toMatchObject({ severity: 'HIGH', tags: ['alpha', 'beta'] })
    expect(await find('quiet.example.com')).toMatchObject({ severity: 'MEDIUM', tags: [] })
    lists.publish(name, 'value,severity,tags\nsaid.example.com,low,gamma\nquiet.example.com,critical,\n')
    await services.collect.collect(ADMIN, id)
    expect(await find('said.example.com')).toMatchObject({ severity: 'HIGH', tags: ['gamma'] })
    expect(await find('quiet.example.com')).toMatchObject({ severity: 'CRITICAL' })
  })

  test('an empty list removes everything when there was little', async () => {
    const { id, name } = await addFeed('few.example.com\n')
    await services.collect.collect(ADMIN, id)
    lists.publish(name, '# nothing today\n')
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', gone_count: 1 })
  })
})

describe('a list that cannot be believed', () => {
  const many = Array.from({ length: 200 }, (_, n) => `host-${n}.shrink.example.com`).join('\n')

  test('one that lost more than nine tenths keeps its values until that is accepted', async () => {
    const { id, name } = await addFeed(many)
    await services.collect.collect(ADMIN, id)
    lists.publish(name, 'host-0.shrink.example.com\nnew.shrink.example.com\n')
    const shrunk = await services.collect.collect(ADMIN, id)
    expect(shrunk).toMatchObject({ outcome: 'PARTIAL', new_count: 1, gone_count: 0, updated_count: 1 })
    expect(shrunk.warning).toContain('--accept-shrink')
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ status: 'DEGRADED', listed: 201 })
    expect(await services.collect.collect(ADMIN, id, { acceptShrink: true })).toMatchObject({ outcome: 'SUCCEEDED', gone_count: 199 })
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ status: 'HEALTHY', listed: 2 })
  })

  test('one that breaks off in the middle adds what came before and removes nothing', async () => {
    const { id, name } = await addFeed('[{"ioc":"a.broken.example.com"},{"ioc":"b.broken.example.com"}]', { format: 'JSON' })
    await services.collect.collect(ADMIN, id)
    lists.publish(name, '[{"ioc":"c.broken.example.com"},{"ioc":')
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'PARTIAL', new_count: 1, gone_count: 0 })
    expect(await sightingsOf(id)).toEqual({
      'a.broken.example.com': [1, true],
      'b.broken.example.com': [1, true],
      'c.broken.example.com': [1, true],
    })
  })

  test('a web page in place of the list is refused as a whole', async () => {
    const { id, name } = await addFeed('page.example.com\n')
    await services.collect.collect(ADMIN, id)
    lists.publish(name, '<!doctype html><html><body>Please log in</body></html>')
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'FAILED', new_count: 0, gone_count: 0 })
    expect(await sightingsOf(id)).toEqual({ 'page.example.com': [1, true] })
  })
})

describe('rows that are refused', () => {
  test('are counted exactly, by reason, with at most 100 examples that name their line', async () => {
    const bad = Array.from({ length: 150 }, () => '127.0.0.1').join('\n')
    const { id } = await addFeed(`198.51.100.20\n${bad}\n198.51.100.21\n`)
    const run = await services.collect.collect(ADMIN, id)
    expect(run).toMatchObject({ outcome: 'SUCCEEDED', new_count: 2, rejected_count: 150, rejected_by_code: { ip_not_routable: 150 } })
    expect(run.rejections).toHaveLength(100)
    expect(run.rejections[0]).toMatchObject({ line: 2, value: '127.0.0.1', code: 'ip_not_routable' })
  })
})

describe('a feed that fails', () => {
  test('is DEGRADED with its reason for ADMIN alone, waits longer each time, and recovers', async () => {
    const { id, name } = await addFeed('')
    lists.publish(name, { status: 404 })
    const run = await services.collect.collect(ADMIN, id)
    expect(run).toMatchObject({ outcome: 'FAILED' })
    expect(run.error).toContain('404')
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ status: 'DEGRADED', last_error: run.error, has_error: true })
    expect(await services.feeds.get(VIEWER, id)).toMatchObject({ last_error: null, has_error: true })
    expect((await services.feeds.runs(VIEWER, id, 5))[0]).toMatchObject({ error: null, has_error: true })
    await services.collect.collect(ADMIN, id)
    const health = (await services.feeds.health(ADMIN)).find((feed) => feed.feed_id === id)
    expect(health).toMatchObject({ consecutive_failures: 2, failures_7d: 2, collections_7d: 2 })
    const waitMs = (health?.next_attempt?.getTime() ?? 0) - (health?.last_attempt?.getTime() ?? 0)
    expect(waitMs).toBe(120_000)
    expect(health?.strip.at(-1)).toBe('failed')
    lists.publish(name, 'back.example.com\n')
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED' })
    expect((await services.feeds.health(ADMIN)).find((feed) => feed.feed_id === id)).toMatchObject({
      status: 'HEALTHY',
      consecutive_failures: 0,
    })
  })

  test('a 429 postpones it without blame, at most by its own interval', async () => {
    const { id, name } = await addFeed('')
    lists.publish(name, { status: 429, headers: { 'retry-after': '1000000' } })
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'POSTPONED', error: null })
    expect(lists.asked(name)).toHaveLength(1)
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ status: 'PENDING', last_error: null })
    expect((await services.feeds.listDue()).map((feed) => feed.id)).not.toContain(id)
  })

  test('its key never shows: not in the error, the run, the feed or the audit', async () => {
    const name = 'keyed'
    lists.publish(name, { status: 403 })
    const { id } = await services.feeds.create(ADMIN, { name, url: `${lists.urlOf(name)}?key={MINE}`, format: 'CSV' })
    const run = await services.collect.collect(ADMIN, id)
    expect(lists.asked(name)).toHaveLength(1)
    const { rows } = await sql<{ everything: string }>`
      select string_agg(t::text, ' ') as everything from (select audit_events::text t from audit_events union all select collection_runs::text from collection_runs union all select threat_feeds::text from threat_feeds) t`.execute(
      services.db,
    )
    expect(JSON.stringify(run) + JSON.stringify(await services.feeds.get(ADMIN, id)) + rows[0]?.everything).not.toContain('canary-key-4711')
  })
})

describe('collectors beside each other', () => {
  test('one feed is collected by one of them at a time', async () => {
    const { id } = await addFeed('alone.example.com\n')
    const outcomes = await Promise.allSettled([services.collect.collect(ADMIN, id), other.collect.collect(ADMIN, id)])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeLessThanOrEqual(1)
    if (refused[0] !== undefined) expect(refused[0].reason).toMatchObject({ code: 'already_collecting' })
    expect(Object.values(await sightingsOf(id)).every(([hits]) => hits === outcomes.length - refused.length)).toBe(true)
  })

  test('a feed that another worker has collected since the schedule was read is left alone, unless somebody asks for it', async () => {
    const { id, name } = await addFeed('just-now.example.com\n')
    expect(await other.collect.collect(ADMIN, id, { onlyIfDue: true })).toMatchObject({ outcome: 'SUCCEEDED' })
    await expect(services.collect.collect(ADMIN, id, { onlyIfDue: true })).rejects.toMatchObject({ code: 'already_collecting' })
    expect(lists.asked(name)).toHaveLength(1)
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'UNCHANGED' })
  })

  test('two feeds that bring the same new values at once neither deadlock nor double a value', async () => {
    const values = Array.from({ length: 3000 }, (_, n) => `both-${(n * 7919) % 3000}.example.com`)
    const one = await addFeed(values.join('\n'))
    const two = await addFeed([...values].reverse().join('\n'))
    const runs = await Promise.all([services.collect.collect(ADMIN, one.id), other.collect.collect(ADMIN, two.id)])
    expect(runs.map((run) => run.outcome)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
    expect(runs.reduce((sum, run) => sum + run.new_count, 0)).toBe(3000)
    expect(runs.reduce((sum, run) => sum + run.updated_count, 0)).toBe(3000)
    const { rows } = await sql<{ values: number; links: number }>`
      select count(distinct known.id)::int as values, count(*)::int as links from indicators known join indicator_sources link on link.indicator_id = known.id
      where known.value like 'both-%'`.execute(services.db)
    expect(rows[0]).toEqual({ values: 3000, links: 6000 })
  })

  test('one whose claim was taken over writes nothing more', async () => {
    const { id, name } = await addFeed('before.example.com\n')
    await services.collect.collect(ADMIN, id)
    lists.publish(name, 'after.example.com\nbefore.example.com\n')
    const stolen = '00000000-0000-7000-8000-00000000dead'
    const trigger = sql`create function steal() returns trigger language plpgsql as $$ begin
      if new.collecting_run is not null and new.collecting_run <> '${sql.raw(stolen)}' then new.collecting_run := '${sql.raw(stolen)}'; end if; return new; end $$`
    const { default: pg } = await import('pg')
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    try {
      await owner.query(trigger.compile(services.db).sql)
      await owner.query('create trigger steal before update on threat_feeds for each row execute function steal()')
      await expect(services.collect.collect(ADMIN, id)).rejects.toThrow('taken over')
      expect(await sightingsOf(id)).toEqual({ 'before.example.com': [1, true] })
    } finally {
      await owner.query('drop trigger steal on threat_feeds; drop function steal()')
      await owner.end()
    }
  })

  test('one whose feed gets another address meanwhile says so, and the new address is read from its beginning', async () => {
    const { id, name } = await addFeed('')
    const answered = Promise.withResolvers<void>()
    lists.publish(name, { body: 'old-place.example.com\n', after: answered.promise })
    const underWay = services.collect.collect(ADMIN, id)
    await expect.poll(() => lists.asked(name).length, { timeout: 30_000 }).toBe(1)
    const { version } = await services.feeds.find(id)
    lists.publish('moved', 'new-place.example.com\n')
    await services.feeds.change(ADMIN, id, { version, url: lists.urlOf('moved') })
    answered.resolve()
    await expect(underWay).rejects.toThrow('the feed was changed while it was being read')
    expect(await services.feeds.runs(ADMIN, id, 5)).toMatchObject([{ outcome: 'INTERRUPTED', new_count: 0 }])
    expect(await services.feeds.find(id)).toMatchObject({ status: 'PENDING', last_error: null })
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 1 })
    expect(Object.keys(await sightingsOf(id))).toEqual(['new-place.example.com'])
  })

  test('a run row that cannot be written costs neither the collection nor the lock', async () => {
    const { id, name } = await addFeed('kept.example.com\n')
    const { default: pg } = await import('pg')
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    try {
      await owner.query('revoke insert, update on collection_runs from svc_app')
      expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 1 })
    } finally {
      await owner.query('grant insert, update on collection_runs to svc_app')
      await owner.end()
    }
    lists.publish(name, 'kept.example.com\nmore.example.com\n')
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 1 })
  })
})

describe('a local copy', () => {
  test('is collected like the feed itself, with a run row', async () => {
    const { id } = await addFeed('')
    const { folder, remove } = makeTempFolder('list')
    const file = join(folder, 'list.txt')
    await writeFile(file, 'offline.example.com\n198.51.100.99\n')
    expect(await services.collect.collect(ADMIN, id, { file })).toMatchObject({ outcome: 'SUCCEEDED', new_count: 2 })
    expect(await services.feeds.runs(ADMIN, id, 5)).toHaveLength(1)
    expect(await services.collect.collect(ADMIN, id, { file: join(folder, 'absent.txt') })).toMatchObject({ outcome: 'FAILED' })
    remove()
  })
})
