import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListServer, startListServer } from '../support/list-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const ADMIN = { name: 'admin', role: 'ADMIN' } as const

let lists: ListServer
let app: TestApp
beforeAll(async () => {
  lists = await startListServer()
  app = await createTestApp({ OUTBOUND_ALLOW_HOSTS: lists.host })
})
afterAll(async () => {
  await app.close()
  await lists.close()
})

async function addFeed(name: string, format = 'CSV', parser = {}): Promise<string> {
  return (await app.services.feeds.create(ADMIN, { name, url: lists.urlOf(name), format, parser })).id
}

describe('C1: one record per value, and every sighting counted', () => {
  const ROUNDS = 50
  const INGESTERS = 18
  const VALUES = 60
  const BATCH = 40

  test(`${INGESTERS} submissions and 2 collections at once, overlapping, ${ROUNDS} times: nothing is doubled and every count agrees with the ledger`, async () => {
    const { services } = app
    const feeds = [await addFeed('race-one'), await addFeed('race-two')]
    const ledger = new Map<string, number>()
    const count = (values: readonly string[]) => {
      for (const value of values) ledger.set(value, (ledger.get(value) ?? 0) + 1)
    }
    for (let round = 0; round < ROUNDS; round++) {
      const valueAt = (n: number) => `v${(n * 7919) % VALUES}-${round % 5}.race.example.com`
      const all = Array.from({ length: VALUES }, (_, n) => valueAt(n))
      lists.publish('race-one', all.join('\n'))
      lists.publish('race-two', [...all].reverse().join('\n'))
      const batches = Array.from({ length: INGESTERS }, (_, n) =>
        Array.from({ length: BATCH }, (_, k) => valueAt(k * (n % 2 === 0 ? 1 : VALUES - 1) + n * 5)),
      )
      const outcomes = await Promise.all([
        ...feeds.map(async (id) => (await services.collect.collect(ADMIN, id, { acceptShrink: true })).outcome),
        ...batches.map(
          async (batch) =>
            (
              await services.indicators.submit(
                ADMIN,
                batch.map((value) => ({ value })),
              )
            ).rejected,
        ),
      ])
      expect(outcomes).toEqual(['SUCCEEDED', 'SUCCEEDED', ...batches.map(() => 0)])
      for (const batch of batches) count([...new Set(batch)])
      count(all)
      count(all)
    }
    const { rows } = await sql<{ value: string; hits: number }>`
      select value, standing.hit_count::int as hits from indicators cross join lateral indicator_standing(id, type, now()) standing
      where value like '%.race.example.com'`.execute(services.db)
    expect(rows).toHaveLength(ledger.size)
    expect(rows.filter(({ value, hits }) => ledger.get(value) !== hits)).toEqual([])
  }, 180_000)
})

const plain = (text: string) => text
const everyDot = (dot: string) => (text: string) => text.replaceAll('.', dot)
const lastDot = (dot: string) => (text: string) => text.slice(0, text.lastIndexOf('.')) + dot + text.slice(text.lastIndexOf('.') + 1)
const OUTER = [plain, (text: string) => `  ${text} `, (text: string) => `\u200b${text}`, (text: string) => `${text}\u00ad`]
const DOTS = ['[.]', '(.)', '{.}', '[dot]', '(dot)', '[DOT]', '\\.', ' [.] '].map(everyDot)
const SPELLINGS: { type: string; values: string[]; ways: ((text: string) => string)[] }[] = [
  {
    type: 'DOMAIN',
    values: ['evil.spelling.example.com', 'xn--bcher-kva.example.net', 'a-1.sub_domain.example.org', 'evil.example.museum'],
    ways: [
      ...OUTER,
      ...DOTS,
      lastDot('[.]'),
      (text) => text.toUpperCase(),
      (text) => `${text}.`,
      (text) => `*.${text}`,
      (text) => `.${text}`,
    ],
  },
  {
    type: 'URL',
    values: ['http://evil.example.com/a', 'https://evil.example.com/a?b=1&c=D', 'ftp://files.example.net/x', 'https://198.51.100.9/Login'],
    ways: [
      ...OUTER,
      (text) => text.replace(/^http/, 'hxxp').replace(/^ftp/, 'fxp'),
      (text) => text.replace('://', '[:]//'),
      (text) => text.replace('example.', 'example[.]'),
      (text) => text.replace(/^[a-z]+/, (scheme) => scheme.toUpperCase()),
      (text) => `${text}#fragment`,
      (text) => text.replace('example.com/', 'EXAMPLE.com/'),
    ],
  },
  {
    type: 'IPV4',
    values: ['198.51.100.77', '203.0.113.200', '192.0.2.1'],
    ways: [...OUTER, ...DOTS, lastDot('[.]'), (text) => `::ffff:${text}`],
  },
  {
    type: 'IPV6',
    values: ['2001:db8::1', '2001:db8:0:1::ff', '2a00:1450:4001:81b::200e'],
    ways: [...OUTER, (text) => text.toUpperCase(), (text) => text.replaceAll(':', '[:]'), (text) => `[${text}]`],
  },
  {
    type: 'NETWORK',
    values: ['198.51.100.0/24', '203.0.113.128/25', '2001:db8:5::/48'],
    ways: [...OUTER, (text) => text.replaceAll('.', '[.]'), (text) => text.toUpperCase()],
  },
  {
    type: 'EMAIL',
    values: ['bad.guy@example.com', 'x+y@mail.example.org'],
    ways: [
      ...OUTER,
      (text) => text.replace('@', '[@]'),
      (text) => text.replace('@', '[at]'),
      (text) => text.replaceAll('.', '[.]'),
      (text) => text.toUpperCase(),
      (text) => `mailto:${text}`,
      (text) => `<${text}>`,
    ],
  },
  {
    type: 'HASH',
    values: [
      '0cc175b9c0f1b6a831c399e269772661',
      '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8',
      'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afeeab48',
    ],
    ways: [
      ...OUTER,
      (text) => text.toUpperCase(),
      (text) => `${text.length === 32 ? 'md5' : text.length === 40 ? 'sha1' : 'sha256'}:${text}`,
    ],
  },
]
const LINES = SPELLINGS.flatMap(({ type, values, ways }) =>
  values.flatMap((value) => ways.map((way) => ({ type, value, written: way(value) }))),
)
const NORMAL = [...new Set(LINES.map(({ type, value }) => `${type} ${value}`))].sort()

describe(`C2: ${LINES.length} spellings of ${NORMAL.length} values are the same values at every door`, () => {
  async function valuesOf(feedId: string): Promise<string[]> {
    const { rows } = await sql<{ line: string }>`
      select known.type || ' ' || known.value as line from indicator_sources said join indicators known on known.id = said.indicator_id where said.source_id = ${feedId}`.execute(
      app.services.db,
    )
    return rows.map(({ line }) => line).sort()
  }

  test('there are at least 215', () => expect(LINES.length).toBeGreaterThanOrEqual(215))

  test('a CSV feed', async () => {
    lists.publish('spelled-csv', `ioc,kind\n${LINES.map(({ type, written }) => `"${written}",${type.toLowerCase()}`).join('\n')}\n`)
    const id = await addFeed('spelled-csv', 'CSV', { value: 'ioc', header: 'first' })
    expect(await app.services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', rejected_by_code: {}, rejected_count: 0 })
    expect(await valuesOf(id)).toEqual(NORMAL)
  })

  test('a JSON feed', async () => {
    lists.publish('spelled-json', JSON.stringify(LINES.map(({ written }) => ({ ioc: written }))))
    const id = await addFeed('spelled-json', 'JSON', { value: 'ioc' })
    expect(await app.services.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', rejected_by_code: {}, rejected_count: 0 })
    expect(await valuesOf(id)).toEqual(NORMAL)
  })

  test('a submission over the API', async () => {
    const answer = await app.call('POST', '/api/v1/indicators', 'ANALYST', { indicators: LINES.map(({ written }) => ({ value: written })) })
    expect(answer.json()).toMatchObject({ created: 0, updated: NORMAL.length, duplicates: LINES.length - NORMAL.length, rejected: 0 })
  })

  test('the search', async () => {
    for (const { type, value, written } of LINES) {
      const { items } = (await app.call('GET', `/api/v1/indicators?value=${encodeURIComponent(written)}`, 'VIEWER')).json() as {
        items: { type: string; value: string }[]
      }
      expect(
        items.map((item) => `${item.type} ${item.value}`),
        written,
      ).toEqual([`${type} ${value}`])
    }
  })

  test('the lookup', async () => {
    const answer = await app.call('POST', '/api/v1/indicators/lookup', 'VIEWER', { values: LINES.map(({ written }) => written) })
    const { items } = answer.json() as { items: { status: string; type: string; value: string }[] }
    expect(items.map(({ status, type, value }) => `${status} ${type} ${value}`)).toEqual(
      LINES.map(({ type, value }) => `known ${type} ${value}`),
    )
  })
})

describe('C3: a batch isolates what is bad, counts exactly, and has at most 1000 values', () => {
  const good = (n: number, batch: string) => ({ value: `v${n}.${batch}.batch.example.com` })
  const bad = () => ({ value: '127.0.0.1' })
  const many = <Item>(length: number, item: (n: number) => Item) => Array.from({ length }, (_, n) => item(n))
  // biome-ignore format: one case per line
  test.each([
    { title: '1',                       items: many(1, (n) => good(n, 'one')),                                      want: { created: 1, duplicates: 0, rejected: 0 },      examples: 0 },
    { title: '999',                     items: many(999, (n) => good(n, 'below')),                                  want: { created: 999, duplicates: 0, rejected: 0 },    examples: 0 },
    { title: '1000',                    items: many(1000, (n) => good(n, 'full')),                                  want: { created: 1000, duplicates: 0, rejected: 0 },   examples: 0 },
    { title: '1000 of which 1 is bad',  items: many(1000, (n) => (n === 500 ? bad() : good(n, 'almost'))),          want: { created: 999, duplicates: 0, rejected: 1 },    examples: 1 },
    { title: '1000 of which half',      items: many(1000, (n) => (n % 2 === 0 ? bad() : good(n, 'half'))),          want: { created: 500, duplicates: 0, rejected: 500 },  examples: 100 },
    { title: '1000 bad ones',           items: many(1000, bad),                                                     want: { created: 0, duplicates: 0, rejected: 1000 },   examples: 100 },
    { title: '100 bad ones',            items: many(100, bad),                                                      want: { created: 0, duplicates: 0, rejected: 100 },    examples: 100 },
    { title: '101 bad ones',            items: many(101, bad),                                                      want: { created: 0, duplicates: 0, rejected: 101 },    examples: 100 },
    { title: '1000 equal ones',         items: many(1000, () => good(0, 'equal')),                                  want: { created: 1, duplicates: 999, rejected: 0 },    examples: 0 },
    { title: 'a URL whose port is bad', items: [{ value: 'http://a.batch.example.com:99999/' }, good(1, 'port')],    want: { created: 1, duplicates: 0, rejected: 1 },      examples: 1 },
  ])('$title', async ({ items, want, examples }) => {
    const answer = await app.call('POST', '/api/v1/indicators', 'ANALYST', { indicators: items })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject(want)
    expect((answer.json() as { rejections: unknown[] }).rejections).toHaveLength(examples)
  })

  test.each([
    { title: 'none', items: [] },
    { title: '1001', items: many(1001, (n) => good(n, 'above')) },
  ])('$title: refused, and nothing is written', async ({ items }) => {
    expect((await app.call('POST', '/api/v1/indicators', 'ANALYST', { indicators: items })).statusCode).toBe(422)
    expect((await app.services.indicators.page({ value: 'v0.above.batch.example.com' })).items).toEqual([])
  })
})

describe('C4: a malformed body costs its run alone', () => {
  // biome-ignore format: one case per line
  const BODIES: { title: string; format?: string; body: string | Buffer; headers?: Record<string, string> }[] = [
    { title: 'a web page',                          body: '<!doctype html><html><body>evil.example.com</body></html>' },
    { title: 'prose',                               body: 'Service temporarily unavailable, please try later\n' },
    { title: 'JSON in place of CSV',                body: '{"error": "quota exceeded"}' },
    { title: 'a line of a megabyte',                body: 'a'.repeat(1_000_000) },
    { title: 'NUL bytes',                           body: '\0'.repeat(5000) },
    { title: 'random bytes',                        body: Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)) },
    { title: 'a gzip that is none',                 body: 'not gzip', headers: { 'content-encoding': 'gzip' } },
    { title: 'a quote that never ends',             body: `"${'a,b\n'.repeat(2000)}` },
    { title: 'an empty document',                   format: 'JSON', body: '' },
    { title: 'a document cut in the middle',        format: 'JSON', body: '[{"ioc":"a.example.com"},{"ioc":' },
    { title: '200 000 opening brackets',            format: 'JSON', body: '['.repeat(200_000) },
    { title: 'records 200 000 levels deep',         format: 'JSON', body: `[${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}]` },
    { title: 'a member called __proto__',           format: 'JSON', body: '[{"__proto__":{"ioc":"x"},"constructor":{"prototype":1}}]' },
    { title: 'a bundle that is none',               format: 'STIX', body: '{"type":"bundle","objects":7}' },
    { title: 'a bundle cut in the middle',          format: 'STIX', body: '{"type":"bundle","objects":[{"type":"indicator","pattern":"[domain' },
    { title: 'a pattern 5000 brackets deep',        format: 'STIX', body: JSON.stringify({ type: 'bundle', id: 'bundle--1', objects: [{ type: 'indicator', id: 'indicator--1', pattern: '('.repeat(5000), pattern_type: 'stix' }] }) },
  ]

  test.each(BODIES)('$title', async ({ title, format = 'CSV', body, headers = {} }) => {
    const { services } = app
    const name = `malformed ${title}`.replaceAll(/[^a-z0-9]+/gi, '-')
    lists.publish(name, { body: body as string, headers })
    const id = await addFeed(name, format)
    const run = await services.collect.collect(ADMIN, id)
    expect(['FAILED', 'PARTIAL', 'SUCCEEDED']).toContain(run.outcome)
    if (run.outcome === 'SUCCEEDED') expect(run).toMatchObject({ new_count: 0 })
    else expect(run.error).toMatch(/^[A-Z"].+\.$/s)
    // The lock is free, and a good body makes the feed well.
    const value = `${name.toLowerCase()}.example.com`
    const indicator = {
      type: 'indicator',
      spec_version: '2.1',
      id: 'indicator--00000000-0000-4000-8000-000000000002',
      created: '2026-01-01T00:00:00.000Z',
      modified: '2026-01-01T00:00:00.000Z',
      pattern: `[domain-name:value = '${value}']`,
      pattern_type: 'stix',
      valid_from: '2026-01-01T00:00:00Z',
      indicator_types: ['malicious-activity'],
    }
    const good = {
      CSV: value,
      JSON: JSON.stringify([{ ioc: value }]),
      STIX: JSON.stringify({ type: 'bundle', id: 'bundle--00000000-0000-4000-8000-000000000001', objects: [indicator] }),
    }
    lists.publish(name, good[format as keyof typeof good])
    expect(await services.collect.collect(ADMIN, id, { acceptShrink: true })).toMatchObject({ outcome: 'SUCCEEDED', new_count: 1 })
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ status: 'HEALTHY', collecting: false })
  })
})
