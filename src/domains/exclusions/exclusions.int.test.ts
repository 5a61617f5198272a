import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { MS_PER_DAY } from '#kernel/clock.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type ListServer, startListServer } from '#test/support/list-server.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const REASON = 'a false positive'

let database: TestDatabase
let lists: ListServer
let services: Services
/** How far the service's clock is ahead, ms. */
let aheadMs = 0

beforeAll(async () => {
  database = await createTestDatabase()
  lists = await startListServer()
  services = await createServices(
    loadConfig({ DATABASE_URL: database.appUrl, SECRET_KEY: 'k'.repeat(40), OUTBOUND_ALLOW_HOSTS: lists.host, SVC_ENV_FILE: '' }, '/'),
    SILENT_LOGGING,
    'test',
    { clock: () => new Date(Date.now() + aheadMs) },
  )
})
afterAll(async () => {
  await services.close()
  await lists.close()
  await database.drop()
})
beforeEach(async () => {
  aheadMs = 0
  for (const table of ['exclusions', 'indicator_sources', 'indicators']) await sql`delete from ${sql.table(table)}`.execute(services.db)
})

const submit = async (...values: string[]) =>
  await services.indicators.submit(
    ADMIN,
    values.map((value) => ({ value })),
  )
/** Excludes without being asked again. */
const exclude = async (value: string, kind?: string, days?: number) =>
  await services.exclusions.exclude(ADMIN, {
    value,
    reason: REASON,
    confirm_count: 1_000_000,
    ...(kind === undefined ? {} : { kind }),
    ...(days === undefined ? {} : { days }),
  })
const valuesOf = async (query: Parameters<Services['indicators']['page']>[0]) =>
  (await services.indicators.page(query)).items.map(({ value }) => value).sort()
const excludedValues = async () => await valuesOf({ excluded: true })
const code = async (attempt: Promise<unknown>) =>
  await attempt.then(
    () => 'none',
    (error: { code?: string }) => error.code,
  )

const VALUES = [
  'example.org',
  'a.example.org',
  'b.a.example.org',
  'badexample.org',
  'example.org.example.net',
  'a.x_y.example.com',
  'a.xzy.example.com',
  'http://example.org/x',
  'https://user:pw@example.org:8443/y?z=http://other.example/',
  'http://a.example.org/x',
  'http://other.example.net/?u=example.org',
  'someone@example.org',
  '198.51.100.7',
  '198.51.101.7',
  '198.51.100.128/25',
  '198.51.0.0/16',
  '2001:db8:1::9',
  'http://198.51.100.7/',
  'http://[2001:db8:1::9]/a',
  '0123456789abcdef0123456789abcdee',
]

describe('what a pattern covers, of what is stored and of what arrives later', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'a value covers itself alone',                          value: 'example.org',        kind: 'VALUE',   want: ['example.org'] },
    { title: 'a domain covers the names below it, and no URL',       value: 'example.org',        kind: 'DOMAIN',  want: ['a.example.org', 'b.a.example.org', 'example.org'] },
    { title: 'a deeper domain does not cover the one above',         value: 'a.example.org',      kind: 'DOMAIN',  want: ['a.example.org', 'b.a.example.org'] },
    { title: 'a host covers its URLs, and no name',                  value: 'example.org',        kind: 'HOST',    want: ['http://example.org/x', 'https://user:pw@example.org:8443/y?z=http://other.example/'] },
    { title: 'a host can be an address',                             value: '198.51.100.7',       kind: 'HOST',    want: ['http://198.51.100.7/'] },
    { title: 'a host can be an IPv6 address',                        value: '2001:db8:1::9',      kind: 'HOST',    want: ['http://[2001:db8:1::9]/a'] },
    { title: 'a range covers addresses and ranges inside',           value: '198.51.100.0/24',    kind: 'NETWORK', want: ['198.51.100.128/25', '198.51.100.7'] },
    { title: 'a wide range covers all of them',                      value: '198.0.0.0/8',        kind: 'NETWORK', want: ['198.51.0.0/16', '198.51.100.128/25', '198.51.100.7', '198.51.101.7'] },
    { title: 'a range of IPv6',                                      value: '2001:db8::/32',      kind: 'NETWORK', want: ['2001:db8:1::9'] },
    { title: 'a range of one address',                               value: '198.51.100.7/32',    kind: 'NETWORK', want: ['198.51.100.7'] },
    { title: 'an underscore in a domain is itself alone',            value: 'x_y.example.com',    kind: 'DOMAIN',  want: ['a.x_y.example.com'] },
    { title: 'a hash',                                               value: '0123456789abcdef0123456789abcdee', kind: 'VALUE', want: ['0123456789abcdef0123456789abcdee'] },
  ])('$title', async ({ value, kind, want }) => {
    await submit(...VALUES)
    const { effect: foreseen } = await services.exclusions.preview({ value, kind })
    const { exclusion, effect } = await exclude(value, kind)
    expect(await excludedValues()).toEqual([...want].sort())
    expect(await valuesOf({})).toEqual(VALUES.filter((stored) => !want.includes(stored)).sort())
    expect([foreseen.touched, effect.touched]).toEqual([want.length, want.length])
    expect(foreseen.examples.map((example) => example.value).sort()).toEqual([...want].sort())

    const { comeback } = await services.exclusions.remove(ADMIN, exclusion?.id ?? '')
    expect(comeback).toMatchObject({ active: want.length, expired: 0, still_excluded: 0 })
    expect(await excludedValues()).toEqual([])

    for (const table of ['indicator_sources', 'indicators']) await sql`delete from ${sql.table(table)}`.execute(services.db)
    await exclude(value, kind)
    await submit(...VALUES)
    expect(await excludedValues()).toEqual([...want].sort())
    const answers = await services.indicators.lookup(VALUES)
    expect(answers.filter(({ status }) => status === 'excluded').map((item) => item.value).sort()).toEqual([...want].sort())
  })

  test('values that a collection brings later are kept out, and the next collection of the same list does not change that', async () => {
    await exclude('example.org', 'DOMAIN')
    lists.publish('later', 'a.example.org\nb.example.org\nexample.com\n')
    const { id } = await services.feeds.create(ADMIN, { name: 'later', url: lists.urlOf('later'), format: 'CSV' })
    await services.collect.collect(ADMIN, id)
    expect(await excludedValues()).toEqual(['a.example.org', 'b.example.org'])
    lists.publish('later', 'a.example.org\nb.example.org\nc.example.org\nexample.com\n')
    await services.collect.collect(ADMIN, id)
    expect(await excludedValues()).toEqual(['a.example.org', 'b.example.org', 'c.example.org'])
    expect(await valuesOf({ active: true })).toEqual(['example.com'])
  })

  test('a value that is stored at the very moment of its exclusion is kept out, whoever is first', async () => {
    for (let round = 0; round < 20; round++) {
      const names = Array.from({ length: 5 }, (_, n) => `n${n}.race${round}.example.org`)
      await Promise.all([
        submit(...names.slice(0, 3)),
        exclude(`race${round}.example.org`, 'DOMAIN'),
        submit(...names.slice(3)),
        exclude(names[0] ?? ''),
      ])
      const items = await services.indicators.lookup(names)
      expect(items.map(({ indicator }) => indicator?.active)).toEqual(names.map(() => false))
    }
  })
})

describe('how long', () => {
  test('an exclusion with days ends by itself, stays as history, and can be made anew', async () => {
    await submit('example.org')
    await exclude('example.org', 'VALUE', 3)
    aheadMs = 3 * MS_PER_DAY - 60_000
    expect(await valuesOf({ active: true })).toEqual([])
    aheadMs = 3 * MS_PER_DAY + 60_000
    expect(await valuesOf({ active: true })).toEqual(['example.org'])
    expect((await services.indicators.lookup(['example.org']))[0]).toMatchObject({ status: 'known', exclusion: null })
    expect((await services.exclusions.page({})).items).toMatchObject([{ state: 'ENDED' }])
    expect((await services.exclusions.page({ state: 'active' })).items).toEqual([])
    await exclude('example.org')
    expect(await valuesOf({ active: true })).toEqual([])
    expect((await services.exclusions.page({})).items).toMatchObject([{ state: 'ACTIVE' }])
  })

  test('of several exclusions the last end counts, and removing one brings back only what no other covers', async () => {
    await submit('example.org', 'a.example.org', 'b.example.org')
    await exclude('a.example.org', 'VALUE', 30)
    const { exclusion } = await exclude('example.org', 'DOMAIN')
    expect((await services.exclusions.previewRemoval(exclusion?.id ?? '')).comeback).toMatchObject({ active: 2, still_excluded: 1 })
    const { comeback } = await services.exclusions.remove(ADMIN, exclusion?.id ?? '')
    expect(comeback).toMatchObject({ active: 2, still_excluded: 1 })
    expect(comeback.examples.map(({ value }) => value).sort()).toEqual(['b.example.org', 'example.org'])
    expect(await excludedValues()).toEqual(['a.example.org'])
    aheadMs = 31 * MS_PER_DAY
    expect(await excludedValues()).toEqual([])
  })

  test('what has expired meanwhile does not come back', async () => {
    await submit('198.51.100.7')
    const { exclusion } = await exclude('198.51.100.7')
    aheadMs = 46 * MS_PER_DAY
    expect((await services.exclusions.remove(ADMIN, exclusion?.id ?? '')).comeback).toMatchObject({ active: 0, expired: 1 })
    expect(await valuesOf({ active: true })).toEqual([])
  })
})

describe('safety', () => {
  test('a pattern that would silence more than 1 % of the base asks again with the number, and a value never does', async () => {
    await submit(...Array.from({ length: 198 }, (_, n) => `filler-${n}.example.com`), 'a.example.org', 'b.example.org')
    const { effect } = await services.exclusions.preview({ value: 'example.org', kind: 'DOMAIN' })
    expect(effect).toMatchObject({ touched: 2, base: 200, asks_again: false })
    await submit('c.example.org')
    expect((await services.exclusions.preview({ value: 'example.org', kind: 'DOMAIN' })).effect.asks_again).toBe(true)
    const input = { value: 'example.org', kind: 'DOMAIN', reason: REASON }
    await expect(services.exclusions.exclude(ADMIN, input)).rejects.toThrow(/3 of 201 IOCs.*confirm_count 3/)
    // A number that was right a moment ago.
    expect(await code(services.exclusions.exclude(ADMIN, { ...input, confirm_count: 2 }))).toBe('confirmation_required')
    expect(await excludedValues()).toEqual([])
    expect((await services.exclusions.page({})).total).toBe(0)
    await services.exclusions.exclude(ADMIN, { ...input, confirm_count: 3 })
    expect(await excludedValues()).toHaveLength(3)
  })

  test('what is excluded already is not excluded twice, and the refusal says by whom and why', async () => {
    await exclude('example.org')
    await expect(exclude('EXAMPLE[.]org')).rejects.toThrow(/by admin since .*because: a false positive/)
    expect(await code(exclude('example.org'))).toBe('conflict')
  })

  test.each([
    { title: 'no reason', reason: '  ' },
    { title: 'a reason of two characters', reason: 'no' },
    { title: 'a reason that is too long', reason: 'x'.repeat(2001) },
  ])('$title is refused', async ({ reason }) => {
    expect(await code(services.exclusions.exclude(ADMIN, { value: 'example.org', reason }))).toBe('validation_failed')
  })

  test('a preview writes nothing', async () => {
    await submit('example.org')
    await services.exclusions.preview({ value: 'example.org' })
    expect(await valuesOf({ active: true })).toEqual(['example.org'])
    expect((await services.exclusions.page({})).total).toBe(0)
  })
})

describe('lookup', () => {
  test('says what keeps a value out, known or not, instead of calling it unknown', async () => {
    await submit('example.org', 'http://example.com/a')
    await exclude('example.org')
    await exclude('198.51.100.0/24', 'NETWORK')
    const items = await services.indicators.lookup(['example.org', '198.51.100.9', 'a.example.org', 'http://example.com/a', '203.0.113.1'])
    const told = items.map(({ status, relation, exclusion }) => ({ status, relation, by: exclusion?.created_by, value: exclusion?.value }))
    expect(told).toEqual([
      { status: 'excluded', relation: 'exact', by: 'admin', value: 'example.org' },
      { status: 'excluded', relation: null, by: 'admin', value: '198.51.100.0/24' },
      { status: 'excluded', relation: 'subdomain_of', by: 'admin', value: 'example.org' },
      { status: 'known', relation: 'exact', by: undefined, value: undefined },
      { status: 'unknown', relation: null, by: undefined, value: undefined },
    ])
    expect(items[0]?.exclusion).toMatchObject({ reason: REASON, kind: 'VALUE', ends_at: null })
  })

  test('prefers a relative that counts to a closer one that is excluded', async () => {
    await submit('example.org', 'a.example.org')
    await exclude('a.example.org')
    expect((await services.indicators.lookup(['x.a.example.org']))[0]).toMatchObject({
      status: 'known',
      indicator: { value: 'example.org' },
    })
  })

  test('an excluded IOC tells in its details and in a list that asks for it', async () => {
    await submit('example.org')
    await exclude('example.org')
    const { items } = await services.indicators.page({ value: 'example.org' })
    expect(items).toMatchObject([{ active: false, exclusion: { reason: REASON, created_by: 'admin' } }])
    expect(await services.indicators.get(items[0]?.id ?? '')).toMatchObject({ active: false, exclusion: { reason: REASON } })
    expect(await valuesOf({ active: false })).toEqual(['example.org'])
    expect(await valuesOf({ active: false, excluded: false })).toEqual([])
  })
})

describe('warning lists', () => {
  test('a list is excluded and given back as a whole, with what it would do said first', async () => {
    const { list } = await services.warningLists.import(ADMIN, {
      name: 'harmless',
      type: 'hostname',
      list: ['cdn.example.com', 'example.net', '.dyn.example.org'],
    })
    await submit('a.cdn.example.com', 'example.net', 'x.dyn.example.org', 'http://example.net/malware')
    await exclude('example.net')
    const terms = { reason: 'well known', confirm_count: 10 }
    const dry = await services.exclusions.excludeList(ADMIN, list.id, { ...terms, dryRun: true })
    expect(dry).toMatchObject({
      added: 2,
      already: 0,
      effect: { touched: 1, base: 3 },
      skipped: [{ count: 1, example: 'dyn.example.org' }],
    })
    expect((await services.exclusions.page({})).total).toBe(1)
    expect(await code(services.exclusions.excludeList(ADMIN, list.id, { reason: 'well known' }))).toBe('confirmation_required')
    await services.exclusions.excludeList(ADMIN, list.id, terms)
    expect(await excludedValues()).toEqual(['a.cdn.example.com', 'example.net'])
    // A second time there is nothing left to add.
    expect(await services.exclusions.excludeList(ADMIN, list.id, terms)).toMatchObject({ added: 0, already: 2 })
    await services.warningLists.remove(ADMIN, list.id)
    expect((await services.exclusions.removeList(ADMIN, list.id, { dryRun: true })).comeback).toMatchObject({
      active: 1,
      still_excluded: 1,
    })
    expect(await services.exclusions.removeList(ADMIN, list.id)).toMatchObject({ removed: true, exclusions: 2, comeback: { active: 1 } })
    expect(await excludedValues()).toEqual(['example.net'])
    expect(await code(services.exclusions.removeList(ADMIN, list.id))).toBe('not_found')
  })

  test('a list of parts of texts cannot be excluded', async () => {
    const { list } = await services.warningLists.import(ADMIN, { name: 'parts', type: 'substring', list: ['mailbox'] })
    expect(await code(services.exclusions.excludeList(ADMIN, list.id, { reason: 'parts' }))).toBe('validation_failed')
  })
})

test('exclusions are journalled and told to every client', async () => {
  await submit('example.org')
  const told: unknown[] = []
  const stop = services.events.subscribe({ onEvent: ({ name, data }) => void told.push({ name, ...data }), onResync: () => {} })
  const { exclusion } = await exclude('example.org')
  await services.exclusions.remove({ name: 'boss', role: 'ADMIN' }, exclusion?.id ?? '')
  await expect.poll(() => told.length).toBe(2)
  stop()
  expect(told).toEqual([
    { name: 'exclusions.changed', change: 'created', touched: 1, actor: 'admin' },
    { name: 'exclusions.changed', change: 'removed', touched: 1, actor: 'boss' },
  ])
  const { rows } = await sql<{ action: string; actor_name: string; target_name: string; reason: string }>`
    select action, actor_name, target_name, details ->> 'reason' as reason from audit_events
    where target_id = ${exclusion?.id ?? ''} order by id`.execute(services.db)
  expect(rows).toEqual([
    { action: 'exclusion.created', actor_name: 'admin', target_name: 'example.org', reason: REASON },
    { action: 'exclusion.removed', actor_name: 'boss', target_name: 'example.org', reason: REASON },
  ])
})
