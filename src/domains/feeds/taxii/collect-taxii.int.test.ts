import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#kernel/actor.ts'
import type { Db } from '#platform/database/database.ts'
import { type FeedProduct, openFeedProduct } from '#test/support/feed-product.ts'
import { countWritesSince, markWrites } from '#test/support/row-writes.ts'
import { COLLECTION, type Fault, indicatorObject, startTaxiiServer, type TaxiiServer } from '#test/support/taxii-server.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const SECRET = 'canary-secret-0815'
const FIRST_MOMENT = Date.parse('2026-11-01T08:00:00Z') * 1000

let database: TestDatabase
let server: TaxiiServer
let other: TaxiiServer
let db: Db
let product: FeedProduct
let logged: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startTaxiiServer()
  other = await startTaxiiServer()
  product = openFeedProduct({
    databaseUrl: database.appUrl,
    hosts: [server.host, other.host],
    taxiiAuth: { [server.host]: { username: 'reader', password: SECRET } },
  })
  db = product.db
  logged = product.logged
})

afterAll(async () => {
  await product.close()
  await server.close()
  await other.close()
  await database.drop()
})

let made = 0
let prefix = ''
beforeEach(() => {
  prefix = `case-${++made}`
  server.configure({})
  server.failWhen(() => undefined)
  server.objects().length = 0
  server.setDiscovery({ title: 'Test server', default: '/root/', api_roots: ['/root/'] })
  server.setCollections([{ id: COLLECTION, title: 'Indicators', can_read: true, can_write: false }])
  server.requests.length = 0
  other.requests.length = 0
})

/** Adds `count` objects, each at a moment of its own unless `stepMicros` is 0. @returns their values */
function add(count: number, stepMicros = 1): string[] {
  const store = server.objects()
  const values: string[] = []
  for (let n = 0; n < count; n++) {
    const value = `n${store.length}.${prefix}.example.com`
    const before = store.at(-1)?.addedMicros ?? FIRST_MOMENT
    store.push({ object: indicatorObject(value), addedMicros: before + stepMicros })
    values.push(value)
  }
  return values
}

async function addFeed(url = server.collectionUrl(), fields: Record<string, unknown> = {}): Promise<string> {
  return (await product.feeds.create(ADMIN, { name: prefix, url, format: 'TAXII', ...fields })).id
}

async function hitsOf(feedId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ value: string; hits: number; listed: boolean }>`
    select known.value, seen.hits, seen.listed from source_sightings seen join indicators known on known.id = seen.indicator_id
    where seen.source_id = ${feedId}`.execute(db)
  expect(rows.filter(({ listed }) => listed)).toEqual([])
  return Object.fromEntries(rows.map(({ value, hits }) => [value, hits]))
}

async function cursorOf(feedId: string): Promise<Record<string, unknown> | undefined> {
  const row = await db.selectFrom('collector_state').select(['entry', 'cursor']).where('feed_id', '=', feedId).executeTakeFirst()
  if (row !== undefined) expect(row.entry).toBe(`taxii:${feedId}`)
  return row?.cursor as Record<string, unknown> | undefined
}

const once = (values: string[]): Record<string, number> => Object.fromEntries(values.map((value) => [value, 1]))

describe.each([{ paging: 'next' as const }, { paging: 'date' as const }])('a server that pages by $paging', ({ paging }) => {
  test('is read to its end, then only for what is new, and what it sends again is one more sighting', async () => {
    server.configure({ paging, pageObjects: 7 })
    const values = add(30)
    const id = await addFeed()
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({
      outcome: 'SUCCEEDED',
      new_count: 30,
      updated_count: 0,
      gone_count: 0,
      rejected_count: 0,
    })
    expect(await hitsOf(id)).toEqual(once(values))
    expect(await cursorOf(id)).toEqual({ added_after: '2026-11-01T08:00:00.000030Z' })

    const mark = await markWrites(db)
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'UNCHANGED', row_count: 0, new_count: 0, updated_count: 0 })
    expect(await countWritesSince(db, mark)).toBe(0)

    const store = server.objects()
    const [again = ''] = values
    store.push({ object: indicatorObject(again), addedMicros: FIRST_MOMENT + 100 })
    const fresh = add(1)
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 1, updated_count: 1 })
    expect(await hitsOf(id)).toEqual({ ...once([...values, ...fresh]), [again]: 2 })
    expect(await product.feeds.get(ADMIN, id)).toMatchObject({ status: 'HEALTHY', listed: 0, last_error: null })
  })

  test('with a thousand objects of one moment across its pages loses none', async () => {
    server.configure({ paging, pageObjects: 100_000 })
    const values = [...add(5), ...add(1), ...add(1400, 0), ...add(7)]
    const id = await addFeed()
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: values.length })
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('sends the filters of the address and of the walk with every page', async () => {
    server.configure({ paging, pageObjects: 10 })
    add(25)
    const id = await addFeed(`${server.collectionUrl()}objects/?match[type]=indicator&limit=3`)
    await product.collect.collect(ADMIN, id)
    add(25)
    server.requests.length = 0
    await product.collect.collect(ADMIN, id)
    expect(server.requests.length).toBeGreaterThanOrEqual(3)
    for (const { query } of server.requests) {
      expect(query.get('match[type]')).toBe('indicator')
      expect(query.getAll('limit')).toEqual(['1000'])
      if (paging === 'next') expect(query.get('added_after')).toBe('2026-11-01T08:00:00.000025Z')
    }
  })

  test('that does not date its answers is read to its end all the same', async () => {
    server.configure({ paging, pageObjects: paging === 'next' ? 10 : 1000, undated: true })
    const values = add(35)
    const id = await addFeed()
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 35 })
    expect(await hitsOf(id)).toEqual(once(values))
    const { added_after } = (await cursorOf(id)) as { added_after: string }
    expect(Date.parse(added_after)).toBeLessThan(Date.now() - 600_000)
  })
})

describe('a server that misbehaves', () => {
  test('with more objects of one moment than it gives at once is read on behind them, with a warning', async () => {
    server.configure({ paging: 'date', pageObjects: 1000 })
    const values = [...add(5), ...add(1), ...add(999, 0), ...add(7)]
    const id = await addFeed()
    const run = await product.collect.collect(ADMIN, id)
    expect(run).toMatchObject({ outcome: 'SUCCEEDED', new_count: values.length })
    expect(run.warning).toMatch(/more objects at 2026-11-01T08:00:00\.000006Z than it gives at once/)
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('with the same "next" for ever is read by date instead', async () => {
    server.configure({ pageObjects: 10, fixedNext: 'again' })
    const values = add(20)
    const id = await addFeed()
    const run = await product.collect.collect(ADMIN, id)
    expect(run).toMatchObject({ outcome: 'INTERRUPTED', new_count: 20 })
    expect(run.error).toMatch(/same "next"/)
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('with the same "next" for ever and no dates is told, after the pages that it gave, and counts nothing twice', async () => {
    server.configure({ pageObjects: 10, fixedNext: 'again', undated: true })
    const values = add(20)
    const id = await addFeed()
    for (let n = 0; n < 2; n++) expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'INTERRUPTED' })
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test('that says "more" and gives neither "next" nor dates keeps its page and is told', async () => {
    server.configure({ paging: 'date', pageObjects: 10, undated: true })
    const values = add(20)
    const id = await addFeed()
    const run = await product.collect.collect(ADMIN, id)
    expect(run).toMatchObject({ outcome: 'INTERRUPTED', new_count: 10 })
    expect(run.error).toMatch(/no "next".*1 page before/s)
    expect(await hitsOf(id)).toEqual(once(values.slice(0, 10)))
    expect(await product.feeds.get(ADMIN, id)).toMatchObject({ status: 'DEGRADED', last_error: run.error })
  })

  test('that never ends is left after the limit of pages, and gone on with the next time', async () => {
    server.configure({ pageObjects: 1 })
    const values = add(60)
    const id = await addFeed()
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'INTERRUPTED', new_count: 40 })
    expect(await product.feeds.get(ADMIN, id)).toMatchObject({ status: 'PENDING', last_error: null })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 20 })
    expect(await hitsOf(id)).toEqual(once(values))
  })

  test.each([
    { title: 'answers in another media type', options: { mediaType: 'text/html' }, says: /text\/html/ },
    { title: 'speaks TAXII 2.0', options: { mediaType: 'application/taxii+json;version=2.0' }, says: /another version of TAXII/ },
    { title: 'wants other credentials', options: { authorization: 'Basic other' }, says: /TAXII_AUTH has for it/ },
  ])('that $title is told so', async ({ options, says }) => {
    add(3)
    server.configure(options)
    const id = await addFeed()
    const run = await product.collect.collect(ADMIN, id)
    expect(run).toMatchObject({ outcome: 'FAILED', new_count: 0 })
    expect(run.error).toMatch(says)
    expect(await cursorOf(id)).toBeUndefined()
  })

  test.each([
    { status: 406, says: /does not speak TAXII 2\.1/ },
    { status: 404, says: /svc taxii discover/ },
  ])('that answers $status is told so', async ({ status, says }) => {
    server.failWhen(() => ({ kind: 'status', status }))
    expect((await product.collect.collect(ADMIN, await addFeed())).error).toMatch(says)
  })

  test('that has forgotten a "next" is read from the beginning of the walk, and nothing counts twice', async () => {
    server.configure({ pageObjects: 10 })
    const values = add(40)
    const id = await addFeed()
    server.failWhen((_, count) => (count >= 3 ? { kind: 'status', status: 503 } : undefined))
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'INTERRUPTED', new_count: 20 })
    server.failWhen((request) =>
      request.query.get('next') === '20' && server.requests.at(-2)?.query.get('next') !== '10'
        ? { kind: 'status', status: 400 }
        : undefined,
    )
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 20, updated_count: 0 })
    expect(await hitsOf(id)).toEqual(once(values))
  })
})

describe('credentials', () => {
  const BASIC = `Basic ${Buffer.from(`reader:${SECRET}`).toString('base64')}`

  test('of a host go to that host', async () => {
    server.configure({ authorization: BASIC })
    const values = add(3)
    const id = await addFeed()
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: values.length })
  })

  test('follow neither a redirect nor a root nor a "next" to another host', async () => {
    add(3)
    server.failWhen(() => ({ kind: 'redirect', location: `${other.collectionUrl()}objects/` }))
    const redirected = await product.collect.collect(ADMIN, await addFeed())
    expect(redirected).toMatchObject({ outcome: 'FAILED', error: expect.stringContaining('not for these credentials') })

    server.failWhen(() => undefined)
    server.setDiscovery({ title: 'Elsewhere', default: `http://${other.host}/root/`, api_roots: [`http://${other.host}/root/`] })
    const away = await product.collect.collect(
      ADMIN,
      (await product.feeds.create(ADMIN, { name: `${prefix}-root`, url: server.discoveryUrl, format: 'TAXII' })).id,
    )
    expect(away.error).toContain('other hosts')
    expect(other.requests).toHaveLength(0)

    server.configure({ pageObjects: 1, fixedNext: `http://${other.host}/root/collections/${COLLECTION}/objects/` })
    await product.collect.collect(
      ADMIN,
      (await product.feeds.create(ADMIN, { name: `${prefix}-next`, url: server.collectionUrl(), format: 'TAXII' })).id,
    )
    expect(other.requests).toHaveLength(0)
  })

  test('stand in no message, row, audit event or log line', async () => {
    server.configure({ authorization: 'Basic other', mediaType: `text/x-${SECRET}` })
    const id = await addFeed()
    const runs = [await product.collect.collect(ADMIN, id)]
    server.configure({ mediaType: `text/x-${SECRET}` })
    runs.push(await product.collect.collect(ADMIN, id))
    server.configure({})
    server.failWhen(() => ({ kind: 'redirect', location: `/nowhere/${SECRET}/` }))
    runs.push(await product.collect.collect(ADMIN, id))
    server.setDiscovery({ title: `I know ${SECRET}`, api_roots: [] })
    const seen = await product.taxii.discover(server.discoveryUrl)
    expect(seen.title).toBe('I know ***')
    const { rows } = await sql<{ everything: string }>`
      select string_agg(t, ' ') as everything from (
        select audit_events::text t from audit_events union all select collection_runs::text from collection_runs
        union all select threat_feeds::text from threat_feeds union all select collector_state::text from collector_state) t`.execute(db)
    expect(runs.map(({ outcome }) => outcome)).toEqual(['FAILED', 'FAILED', 'FAILED'])
    for (const text of [JSON.stringify(runs), rows[0]?.everything ?? '', logged.join('\n')]) {
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain(Buffer.from(`reader:${SECRET}`).toString('base64').slice(0, 20))
    }
  })
})

describe('an interruption', () => {
  /** Small and seeded, so that a failing story can be told again. */
  function random(seed: number): () => number {
    let state = seed
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
  }
  const FAULTS: Fault[] = [
    { kind: 'reset' },
    { kind: 'cut' },
    { kind: 'json' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429 },
  ]

  /** Objects that name values of earlier walks again; those of this walk are left out. @returns their values */
  function addAgain(known: string[]): string[] {
    const store = server.objects()
    const fresh = new Set(store.slice(-50).map(({ object }) => String(object['name'])))
    const again = known.filter((value) => !fresh.has(value))
    for (const value of again) store.push({ object: indicatorObject(value), addedMicros: (store.at(-1)?.addedMicros ?? 0) + 1 })
    return again
  }

  /** Collects until a walk is complete, with a fault at a random page of each run. @returns the last outcome */
  async function collectToTheEnd(id: string, next: () => number): Promise<string> {
    for (let runs = 0; runs < 100; runs++) {
      const stop = new AbortController()
      const at = 1 + Math.floor(next() * 4)
      const kind = Math.floor(next() * (FAULTS.length + 2))
      server.failWhen((_, asked) => {
        if (asked < at) return undefined
        if (kind === FAULTS.length) stop.abort(new Error('killed'))
        return FAULTS[kind]
      })
      const before = await cursorOf(id)
      const { outcome, row_count } = await product.collect.collect(ADMIN, id, { signal: stop.signal })
      if (outcome === 'SUCCEEDED') return outcome
      expect(['INTERRUPTED', 'FAILED', 'POSTPONED']).toContain(outcome)
      // A collection that stored no page has not moved the cursor.
      if (row_count === 0) expect(await cursorOf(id)).toEqual(before)
    }
    return 'never'
  }

  test.each([
    { paging: 'next' as const, seed: 1 },
    { paging: 'next' as const, seed: 2 },
    { paging: 'date' as const, seed: 3 },
    { paging: 'date' as const, seed: 4 },
  ])('at any page, of any kind, loses nothing and counts nothing twice (by $paging, story $seed)', async ({ paging, seed }) => {
    const next = random(seed)
    server.configure({ paging, pageObjects: 5 })
    const id = await addFeed()
    const ledger: Record<string, number> = {}
    const count = (values: string[]) => {
      for (const value of values) ledger[value] = (ledger[value] ?? 0) + 1
    }
    for (let walk = 0; walk < 3; walk++) {
      count(add(20 + Math.floor(next() * 30)))
      // Some values come once more: one more sighting each, however often this walk says it.
      if (walk > 0) count(addAgain(Object.keys(ledger).filter((_, n) => n % 7 === walk)))
      expect(await collectToTheEnd(id, next)).toBe('SUCCEEDED')
      expect(await hitsOf(id)).toEqual(ledger)
    }
  })

  test('by another collector that has taken over writes neither the page nor its place', async () => {
    server.configure({ pageObjects: 5 })
    const values = add(5)
    const id = await addFeed()
    await product.collect.collect(ADMIN, id)
    const before = await cursorOf(id)
    add(10)
    const { default: pg } = await import('pg')
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    try {
      await owner.query(`
        create function steal() returns trigger language plpgsql as $$ begin
          if new.collecting_run is not null then new.collecting_run := '00000000-0000-7000-8000-00000000dead'; end if; return new; end $$;
        create trigger steal before update on threat_feeds for each row execute function steal()`)
      await expect(product.collect.collect(ADMIN, id)).rejects.toThrow('taken over')
    } finally {
      await owner.query('drop trigger steal on threat_feeds; drop function steal()')
      await owner.end()
    }
    expect(await hitsOf(id)).toEqual(once(values))
    expect(await cursorOf(id)).toEqual(before)
  })

  test('while a page is written takes back the page and its place together', async () => {
    server.configure({ pageObjects: 5 })
    const values = add(15)
    const id = await addFeed()
    let stored = 0
    const { default: pg } = await import('pg')
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    try {
      await owner.query(`
        create function refuse_third() returns trigger language plpgsql as $$ begin
          if new.cursor -> 'walk' ->> 'next' is null then raise 'the disk is full'; end if; return new; end $$;
        create trigger refuse_third before insert or update on collector_state for each row execute function refuse_third()`)
      const run = await product.collect.collect(ADMIN, id)
      // The second page is written alone or with the third, as the two arrive.
      stored = run.new_count
      expect([5, 10]).toContain(stored)
      expect(run).toMatchObject({ outcome: 'INTERRUPTED', row_count: stored })
    } finally {
      await owner.query('drop trigger refuse_third on collector_state; drop function refuse_third()')
      await owner.end()
    }
    expect(await hitsOf(id)).toEqual(once(values.slice(0, stored)))
    expect(await cursorOf(id)).toMatchObject({ walk: { next: String(stored) } })
    server.requests.length = 0
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 15 - stored })
    expect(server.requests[0]?.query.get('next')).toBe(String(stored))
    expect(await hitsOf(id)).toEqual(once(values))
  })
})

describe('what the objects of a page say', () => {
  test('is kept: validity, tags, kinds that are not held, and marks of sharing above the feed', async () => {
    const store = server.objects()
    const push = (object: Record<string, unknown>) => store.push({ object, addedMicros: FIRST_MOMENT + store.length })
    push(indicatorObject(`ends.${prefix}.example.com`, { valid_until: '2099-01-01T00:00:00Z', labels: ['one'] }))
    push(indicatorObject(`over.${prefix}.example.com`, { valid_until: '2026-11-02T00:00:00Z' }))
    push(
      indicatorObject(`red.${prefix}.example.com`, { object_marking_refs: ['marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed'] }),
    )
    push({ type: 'malware', id: 'malware--1b6f1ea8-0c4e-4d0a-8f0a-0a5e6b7c8d9e', name: 'thing', is_family: true })
    const id = await addFeed()
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({
      outcome: 'SUCCEEDED',
      new_count: 1,
      rejected_by_code: { tlp_above_feed: 1 },
      unsupported_by_kind: { malware: 1 },
    })
    push(indicatorObject(`ends.${prefix}.example.com`, { labels: ['two'] }))
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ new_count: 0, updated_count: 1 })
    const { rows } = await sql<{ tags: string[]; valid_until: Date | null; hits: number }>`
      select tags, valid_until, hits from indicator_sources where source_id = ${id}`.execute(db)
    expect(rows).toMatchObject([{ tags: ['one', 'two'], valid_until: null, hits: 2 }])
  })
})

test('a value that the server takes back ends at once, keeps its sightings, and may come again', async () => {
  const [first = '', second = '', third = ''] = add(3)
  const id = await addFeed()
  await product.collect.collect(ADMIN, id)
  const store = server.objects()
  const push = (value: string, more: Record<string, unknown>) =>
    store.push({ object: indicatorObject(value, more), addedMicros: FIRST_MOMENT + 100 + store.length })
  const standingOf = async () => {
    const { rows } = await sql<{ value: string; isOver: boolean }>`
      select known.value, standing.expires_at <= now() as "isOver" from indicators known
      join indicator_sources link on link.indicator_id = known.id and link.source_id = ${id},
      lateral indicator_standing(known.id, known.type, now()) standing`.execute(db)
    return Object.fromEntries(rows.map(({ value, isOver }) => [value, isOver]))
  }
  push(first, { revoked: true, modified: '2026-11-02T00:00:00Z' })
  push(second, { valid_until: '2026-11-02T00:00:00Z', modified: '2026-11-02T00:00:00Z' })
  push(`never.${prefix}.example.com`, { revoked: true })
  expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 0, updated_count: 0 })
  expect(await standingOf()).toEqual({ [first]: true, [second]: true, [third]: false })
  expect(await hitsOf(id)).toEqual(once([first, second, third]))
  push(first, { modified: '2026-11-03T00:00:00Z' })
  await product.collect.collect(ADMIN, id)
  expect(await standingOf()).toEqual({ [first]: false, [second]: true, [third]: false })
  expect(await hitsOf(id)).toEqual({ [first]: 2, [second]: 1, [third]: 1 })
})

describe('an edit of the feed', () => {
  test.each([
    { title: 'its address', change: () => ({ url: `${server.collectionUrl()}objects/` }), dropped: true },
    { title: 'its format', change: () => ({ format: 'JSON' }), dropped: true },
    { title: 'its TLP', change: () => ({ tlp: 'GREEN' }), dropped: true },
    { title: 'its reader settings', change: () => ({ parser: { observables: true } }), dropped: true },
    { title: 'its name', change: () => ({ name: `${prefix} renamed` }), dropped: false },
  ])('of $title drops the place up to which it was read: $dropped', async ({ change, dropped }) => {
    add(3)
    const id = await addFeed()
    await product.collect.collect(ADMIN, id)
    const { version } = await product.feeds.get(ADMIN, id)
    await product.feeds.change(ADMIN, id, { version, ...change() })
    expect((await cursorOf(id)) === undefined).toBe(dropped)
  })

  test('from a list to a collection ends what was listed and keeps its sightings', async () => {
    const id = await addFeed(server.collectionUrl(), { format: 'JSON', parser: { items: 'objects', value: 'name' } })
    await sql`
      with made as (insert into indicators (id, type, value, severity, first_seen) values (gen_random_uuid(), 'DOMAIN', ${`old.${prefix}.example.com`}, 'LOW', now()) returning id)
      insert into indicator_sources (source_id, indicator_id, first_seen, listed_from, last_listed_at, hash_a, hash_b) select ${id}, id, now(), 1, now(), 1, 2 from made`.execute(
      db,
    )
    await sql`update sources set run_no = 3, run_at = now(), listed = 1 where id = ${id}`.execute(db)
    await product.feeds.change(ADMIN, id, { version: 1, format: 'TAXII', parser: {} })
    expect(await hitsOf(id)).toEqual({ [`old.${prefix}.example.com`]: 3 })
    expect(await product.feeds.get(ADMIN, id)).toMatchObject({ listed: 0 })
  })
})

describe('an address', () => {
  const SECOND = 'x-mitre-collection--1f5f1533-f617-4ca8-9ab4-6a02367fa019'

  test.each([
    { title: 'a discovery', url: () => server.discoveryUrl },
    { title: 'an API root', url: () => `http://${server.host}/root` },
    { title: 'a list of collections', url: () => `http://${server.host}/root/collections/` },
    { title: 'a collection', url: () => server.collectionUrl() },
    { title: 'its objects', url: () => `${server.collectionUrl()}objects/` },
  ])('may name $title', async ({ url }) => {
    add(2)
    expect(await product.collect.collect(ADMIN, await addFeed(url()))).toMatchObject({ outcome: 'SUCCEEDED', new_count: 2 })
  })

  test('that holds several collections lists them', async () => {
    server.setCollections([
      { id: COLLECTION, title: 'Indicators', can_read: true },
      { id: SECOND, title: 'Techniques', can_read: true },
      { id: 'hidden', title: 'Hidden', can_read: false },
    ])
    const run = await product.collect.collect(ADMIN, await addFeed(server.discoveryUrl))
    expect(run.error).toContain('2 collections')
    expect(run.error).toContain(`${server.collectionUrl()} (Indicators)`)
    expect(run.error).toContain(`${server.collectionUrl(SECOND)} (Techniques)`)
  })

  test('is described with its roots and collections', async () => {
    server.setDiscovery({ title: 'Both', api_roots: ['/root/', `http://${other.host}/root/`, '/absent/'] })
    const { roots, elsewhere } = await product.taxii.discover(server.discoveryUrl)
    expect(elsewhere).toEqual([`http://${other.host}/root/`])
    expect(roots[0]).toMatchObject({
      title: 'Root',
      error: null,
      collections: [{ id: COLLECTION, url: server.collectionUrl(), canRead: true }],
    })
    expect(roots[1]?.error).toMatch(/404/)
  })

  test('of a web page is told apart from a server', async () => {
    server.setDiscovery({ hello: 'world' })
    await expect(product.taxii.discover(server.discoveryUrl)).rejects.toMatchObject({ code: 'upstream_unavailable' })
    await expect(product.taxii.discover('https://127.0.0.1/taxii2/')).rejects.toMatchObject({ code: 'feed_url_forbidden' })
  })
})

test('a probe shows the first rows of the first page and stores nothing', async () => {
  server.configure({ pageObjects: 15 })
  const values = add(40)
  const result = await product.probe.probe(ADMIN, { url: server.collectionUrl(), format: 'TAXII' })
  expect(result).toMatchObject({ row_count: 15, accepted_count: 15 })
  expect(result.samples.map(({ value }) => value)).toEqual(values.slice(0, 10))
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from indicators where value like ${`%.${prefix}.example.com`}`.execute(db)
  expect(rows[0]?.count).toBe(0)
})
