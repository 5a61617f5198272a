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

async function collect(name: string, body: string, fields: Record<string, unknown> = {}): Promise<string> {
  lists.publish(name, body)
  const { id } = await services.feeds.create(ADMIN, { name, url: lists.urlOf(name), format: 'CSV', ...fields })
  await services.collect.collect(ADMIN, id)
  return id
}
const find = async (value: string) => (await services.indicators.page({ value })).items[0]
const detail = async (value: string) => await services.indicators.get((await find(value))?.id ?? '')

/** Moves everything that a feed has said into the past. */
async function age(feedId: string, days: number): Promise<void> {
  await sql`update sources set run_at = run_at - ${`${days} days`}::interval where id = ${feedId}`.execute(services.db)
  await sql`update indicator_sources set last_listed_at = last_listed_at - ${`${days} days`}::interval where source_id = ${feedId}`.execute(
    services.db,
  )
}

describe('confidence', () => {
  // Figures by hand: sources 60 * (1 - product of (1 - w)), freshness 30 * 0.5^(age / half-life), recurrence min(10, 2 log2 hits).
  test.each([
    { title: 'one fresh C feed gives 60', feeds: ['C'], want: 60, level: 'MEDIUM' },
    { title: 'one fresh A feed gives 84', feeds: ['A'], want: 84, level: 'HIGH' },
    { title: 'one fresh E feed gives 36', feeds: ['E'], want: 36, level: 'LOW' },
    // 60 * (1 - 0.5 * 0.5) + 30 + 2 log2 2
    { title: 'two C feeds give 77, with their two sightings', feeds: ['C', 'C'], want: 77, level: 'HIGH' },
    // 60 * (1 - 0.1 * 0.1) + 30 + 2
    { title: 'two A feeds give 91', feeds: ['A', 'A'], want: 91, level: 'HIGH' },
  ])('$title', async ({ title, feeds, want, level }) => {
    const value = `${title.replaceAll(/[^a-z0-9]/gi, '')}.example.com`.toLowerCase()
    for (const [n, reliability] of feeds.entries()) await collect(`${title} ${n}`.replaceAll(/[ ,]/g, '-'), `${value}\n`, { reliability })
    const shown = await detail(value)
    expect(shown).toMatchObject({ confidence: want, confidence_level: level, source_count: feeds.length, hit_count: feeds.length })
    const { sources, freshness, recurrence, total } = shown.confidence_breakdown
    expect(Math.floor(sources.points + freshness.points + recurrence.points + 0.5)).toBe(total)
    expect(total).toBe(want)
  })

  test('halves its freshness with the half-life of its kind, and phishing ages faster', async () => {
    const plain = await collect('ageing', 'ageing.example.com\n203.0.113.9\n')
    const phishing = await collect('phish', 'phish.example.com\n', { feed_type: 'phishing' })
    await age(plain, 45)
    await age(phishing, 3)
    expect((await detail('ageing.example.com')).confidence_breakdown.freshness).toMatchObject({ half_life_days: 45, ttl_days: 180 })
    expect((await detail('ageing.example.com')).confidence_breakdown.freshness.points).toBeCloseTo(15, 3)
    expect((await detail('phish.example.com')).confidence_breakdown.freshness.points).toBeCloseTo(15, 3)
    // 30 * 0.5^(45/14) for an address.
    expect((await detail('203.0.113.9')).confidence_breakdown.freshness.points).toBeCloseTo(3.23, 2)
  })

  test('a change of a lifetime applies to what is stored', async () => {
    const before = await find('ageing.example.com')
    const { default: pg } = await import('pg')
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    await owner.query("update indicator_lifetimes set ttl_days = 200 where type = 'DOMAIN' and not phishing")
    const after = await find('ageing.example.com')
    await owner.query("update indicator_lifetimes set ttl_days = 180 where type = 'DOMAIN' and not phishing")
    await owner.end()
    expect((after?.expires_at.getTime() ?? 0) - (before?.expires_at.getTime() ?? 0)).toBe(20 * 86_400_000)
  })
})

describe('expiry', () => {
  test('a value past its time is inactive at once, marked by the job, and comes back with the next sighting', async () => {
    const id = await collect('expiring', 'expiring.example.com\n')
    await age(id, 181)
    expect(await find('expiring.example.com')).toMatchObject({ active: false })
    const active = async () => (await services.indicators.page({ active: true, feed_id: id })).items.map(({ value }) => value)
    expect(await active()).toEqual([])
    expect((await services.indicators.markExpired(new AbortController().signal)).marked).toBeGreaterThanOrEqual(1)
    // The same body again: no row of the listing is written, and still the value is back.
    await services.collect.collect(ADMIN, id)
    expect(await find('expiring.example.com')).toMatchObject({ active: true, hit_count: 2 })
    expect(await active()).toEqual(['expiring.example.com'])
  })

  test('a marked value that another feed or an analyst brings again is active again', async () => {
    const first = await collect('expired-a', 'revived-by-feed.example.com\nrevived-by-hand.example.com\n')
    await age(first, 300)
    await services.indicators.markExpired(new AbortController().signal)
    await collect('expired-b', 'revived-by-feed.example.com\n')
    await services.indicators.submit(ADMIN, [{ value: 'revived-by-hand.example.com' }])
    const { items } = await services.indicators.page({ active: true, feed_id: first })
    expect(items.map(({ value }) => value).sort()).toEqual(['revived-by-feed.example.com', 'revived-by-hand.example.com'])
  })
})

describe('submission', () => {
  test('stores good values, folds repeats, and rejects bad ones alone with their place and reason', async () => {
    const result = await services.indicators.submit(ADMIN, [
      { value: 'hxxps://Evil[.]example[.]net/a', severity: 'high', tags: ['apt'] },
      { value: 'EVIL.example.net.' },
      { value: 'evil.example.net', severity: 'critical' },
      { value: 'not an indicator' },
      { value: '198.51.100.77', type: 'DOMAIN' },
      { value: 'mutex-1', type: 'mutex' },
    ])
    expect(result).toMatchObject({ created: 2, updated: 0, duplicates: 1, rejected: 3 })
    expect(result.rejections.map(({ index, code }) => [index, code])).toEqual([
      [3, 'not_an_indicator'],
      [4, 'type_mismatch'],
      [5, 'unsupported'],
    ])
    expect(await find('evil.example.net')).toMatchObject({ severity: 'CRITICAL', hit_count: 1 })
    expect(await detail('https://evil.example.net/a')).toMatchObject({
      severity: 'HIGH',
      tags: ['apt'],
      sources: [{ kind: 'ANALYST', reliability: 'B' }],
    })
  })

  test('a re-sight raises the count, keeps the highest severity and adds tags', async () => {
    await services.indicators.submit(ADMIN, [{ value: 'again.example.com', severity: 'high', tags: ['one'] }])
    expect(await services.indicators.submit(ADMIN, [{ value: 'again.example.com', severity: 'low', tags: ['two'] }])).toMatchObject({
      created: 0,
      updated: 1,
    })
    expect(await find('again.example.com')).toMatchObject({ hit_count: 2, severity: 'HIGH', tags: ['one', 'two'] })
  })

  test('1000 at once are taken, 1001 refused with nothing stored', async () => {
    const items = Array.from({ length: 1001 }, (_, n) => ({ value: `batch-${n}.example.com` }))
    await expect(services.indicators.submit(ADMIN, items)).rejects.toMatchObject({ code: 'batch_too_large' })
    expect(await find('batch-0.example.com')).toBeUndefined()
    expect(await services.indicators.submit(ADMIN, items.slice(0, 1000))).toMatchObject({ created: 1000 })
  })

  test('of 1000 bad values counts all and shows 100', async () => {
    const result = await services.indicators.submit(
      ADMIN,
      Array.from({ length: 1000 }, () => ({ value: '127.0.0.1' })),
    )
    expect(result.rejected).toBe(1000)
    expect(result.rejections).toHaveLength(100)
  })

  test('20 overlapping submissions at once, beside a collection of the same values, lose and double nothing', async () => {
    const values = Array.from({ length: 400 }, (_, n) => `race-${n}.example.com`)
    const shuffled = (seed: number) =>
      [...values].sort((a, b) => ((a.length * seed + a.charCodeAt(6)) % 17) - ((b.length * seed + b.charCodeAt(6)) % 17))
    await Promise.all([
      collect('race', values.join('\n')),
      ...Array.from(
        { length: 20 },
        async (_, n) =>
          await services.indicators.submit(
            ADMIN,
            shuffled(n).map((value) => ({ value, severity: n % 2 === 0 ? 'LOW' : 'HIGH' })),
          ),
      ),
    ])
    const { rows } = await sql<{ values: number; hits: number; high: number }>`
      select count(*)::int as values, min(standing.hit_count)::int as hits, count(*) filter (where severity = 'HIGH')::int as high
      from indicators cross join lateral indicator_standing(id, type, now()) standing where value like 'race-%'`.execute(services.db)
    expect(rows[0]).toEqual({ values: 400, hits: 21, high: 400 })
  })

  test('a URL of 4096 characters is stored and found; one that differs only at its end is another', async () => {
    const long = `https://long.example.com/${'a'.repeat(4000)}`
    expect(await services.indicators.submit(ADMIN, [{ value: `${long}1` }, { value: `${long}2` }])).toMatchObject({ created: 2 })
    expect(await find(`${long}2`)).toMatchObject({ value: `${long}2` })
  })
})

describe('the list', () => {
  test('finds a defanged value, and says what it searched for', async () => {
    const page = await services.indicators.page({ value: 'again[.]example[.]com' })
    expect(page).toMatchObject({
      searched_value: 'again.example.com',
      total: 1,
      total_exact: true,
      items: [{ value: 'again.example.com' }],
    })
  })

  test('walks every row once, newest first, however the pages are cut', async () => {
    const feedId = await collect('walked', Array.from({ length: 1000 }, (_, n) => `walk-${n}.example.com`).join('\n'))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await services.indicators.page({ feed_id: feedId, ...(cursor === null ? {} : { cursor }) })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.next
    } while (cursor !== null)
    expect(seen).toHaveLength(1000)
    expect(new Set(seen).size).toBe(1000)
    expect(seen).toEqual([...seen].sort().reverse())
  })

  test.each([
    { title: 'type', query: { type: 'url' }, every: { type: 'URL' } },
    { title: 'several types', query: { type: 'ipv4,url' }, every: { type: expect.stringMatching(/^(IPV4|URL)$/) } },
    { title: 'severity', query: { severity: 'critical' }, every: { severity: 'CRITICAL' } },
    { title: 'least severity', query: { min_severity: 'HIGH' }, every: { severity: expect.stringMatching(/^(HIGH|CRITICAL)$/) } },
    { title: 'expired', query: { active: false }, every: { active: false } },
    { title: 'least confidence', query: { min_confidence: 80 }, every: { confidence_level: 'HIGH' } },
  ])('filters by $title', async ({ query, every }) => {
    const { items } = await services.indicators.page(query)
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) expect(item).toMatchObject(every)
  })

  test.each([
    { title: 'an unknown type', query: { type: 'mutex' }, field: 'type' },
    { title: 'an unknown severity', query: { min_severity: 'awful' }, field: 'min_severity' },
    { title: 'a value that can be none', query: { value: 'two words' }, field: 'value' },
    { title: 'a forged cursor', query: { cursor: 'abc' }, field: 'cursor' },
  ])('refuses $title, naming the field', async ({ query, field }) => {
    await expect(services.indicators.page(query)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [expect.objectContaining({ field })],
    })
  })
})

describe('lookup', () => {
  test('answers in input order with the closest relation', async () => {
    await collect(
      'ranges',
      '198.18.0.0/15\n203.0.112.0/22\n203.0.113.0/24\n2001:db8:1::/48\nparent.example.org\nhost-of.example.org\n192.0.2.200\n',
    )
    const answers = await services.indicators.lookup([
      'parent[.]example[.]org',
      'deep.below.parent.example.org',
      'https://host-of.example.org/login?x=1',
      'https://sub.parent.example.org/',
      '203.0.113.77',
      '203.0.112.5',
      '2001:db8:1::42',
      'http://192.0.2.200:8080/x',
      'http://203.0.113.99/x',
      'unheard-of.example.org',
      'example.org',
      '127.0.0.1',
    ])
    expect(answers.map(({ status, relation, indicator }) => [status, relation, indicator?.value ?? null])).toEqual([
      ['known', 'exact', 'parent.example.org'],
      ['known', 'subdomain_of', 'parent.example.org'],
      ['known', 'host_of_url', 'host-of.example.org'],
      ['known', 'subdomain_of', 'parent.example.org'],
      ['known', 'in_range', '203.0.113.0/24'],
      ['known', 'in_range', '203.0.112.0/22'],
      ['known', 'in_range', '2001:db8:1::/48'],
      ['known', 'host_of_url', '192.0.2.200'],
      ['known', 'in_range', '203.0.113.0/24'],
      ['unknown', null, null],
      ['unknown', null, null],
      ['rejected', null, null],
    ])
  })

  test('never climbs through a public or a shared-hosting suffix', async () => {
    await services.indicators.submit(ADMIN, [{ value: 'github.io' }, { value: 'duckdns.org' }])
    const answers = await services.indicators.lookup(['innocent.github.io', 'innocent.duckdns.org', 'github.io'])
    expect(answers.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'known'])
  })

  test('of 10 000 values gives 10 000 answers', async () => {
    const values = Array.from({ length: 10_000 }, (_, n) => `batch-${n}.example.com`)
    const answers = await services.indicators.lookup(values)
    expect(answers).toHaveLength(10_000)
    expect(answers.filter(({ status }) => status === 'known')).toHaveLength(1000)
  })
})
