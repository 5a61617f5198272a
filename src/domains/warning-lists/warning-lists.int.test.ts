import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import type { PublishedList } from './parse-warning-list.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }

let database: TestDatabase
let services: Services
beforeAll(async () => {
  database = await createTestDatabase()
  services = await createServices(
    loadConfig({ DATABASE_URL: database.appUrl, SECRET_KEY: 'k'.repeat(40), SVC_ENV_FILE: '' }, '/'),
    SILENT_LOGGING,
    'test',
  )
})
afterAll(async () => {
  await services.close()
  await database.drop()
})

const importList = async (list: PublishedList) => await services.warningLists.import(ADMIN, list)
/** What is told of one value, as `list: how (entry)`. */
async function warningsOn(value: string): Promise<string[]> {
  const [item] = await services.indicators.lookup([value])
  return (item?.warnings ?? []).map(({ list_name, match, entry }) => `${list_name}: ${match} (${entry})`)
}

const LISTS: PublishedList[] = [
  {
    name: 'ranges',
    type: 'cidr',
    list: ['198.51.100.0/24', '2001:db8:1::/48', '203.0.113.9'],
    matching_attributes: ['ip-src', 'ip-dst', 'url'],
  },
  {
    name: 'hosts',
    type: 'hostname',
    list: ['cdn.example.com', '.dyn.example.net', 'example.co.uk'],
    matching_attributes: ['domain', 'url'],
  },
  { name: 'names only', type: 'hostname', list: ['cdn.example.com'], matching_attributes: ['domain'] },
  { name: 'values', type: 'string', list: ['198.51.100.7', 'http://known.example.org/a', 'da39a3ee5e6b4b0d3255bfef95601890afd80700'] },
  { name: 'parts', type: 'substring', list: ['@mailbox.example'], matching_attributes: ['email-src'] },
  { name: 'patterns', type: 'regex', list: ['/^ns\\d+\\.example\\.org$/i'], matching_attributes: ['domain'] },
]

describe('what a value meets', () => {
  beforeAll(async () => {
    for (const list of LISTS) await importList(list)
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'an address in a range, and the address itself', value: '198.51.100.7',              want: ['ranges: in_network (198.51.100.0/24)', 'values: exact (198.51.100.7)'] },
    { title: 'an IPv6 address in a range',                    value: '2001:db8:1:2::3',           want: ['ranges: in_network (2001:db8:1::/48)'] },
    { title: 'an address that is listed without a range',     value: '203.0.113.9',               want: ['ranges: in_network (203.0.113.9/32)'] },
    { title: 'the address beside it',                         value: '203.0.113.10',              want: [] },
    { title: 'a range inside a range',                        value: '198.51.100.128/25',         want: ['ranges: in_network (198.51.100.0/24)'] },
    { title: 'a range around a range',                        value: '198.51.0.0/16',             want: ['ranges: around_network (198.51.100.0/24)'] },
    { title: 'a range around an address',                     value: '203.0.113.0/28',            want: ['ranges: around_network (203.0.113.9/32)'] },
    { title: 'a range beside both',                           value: '203.0.112.0/24',            want: [] },
    { title: 'a URL with an address in a range as its host',  value: 'http://198.51.100.9:8080/', want: ['ranges: in_network (198.51.100.0/24)'] },
    { title: 'a URL with an IPv6 address as its host',        value: 'http://[2001:db8:1::5]/x',  want: ['ranges: in_network (2001:db8:1::/48)'] },
    { title: 'a host itself',                                 value: 'cdn.example.com',           want: ['hosts: host (cdn.example.com)', 'names only: host (cdn.example.com)'] },
    { title: 'a name below a host',                           value: 'a.b.cdn.example.com',       want: ['hosts: above_host (cdn.example.com)', 'names only: above_host (cdn.example.com)'] },
    { title: 'a name that only ends alike',                   value: 'badcdn.example.com',        want: [] },
    { title: 'a URL on a host; lists that speak of domains alone say nothing', value: 'https://user:pw@cdn.example.com:8443/x?y@z', want: ['hosts: host (cdn.example.com)'] },
    { title: 'a name below an entry with a leading dot',      value: 'evil.dyn.example.net',      want: ['hosts: above_host (dyn.example.net)'] },
    { title: 'that entry itself, which speaks of names below', value: 'dyn.example.net',          want: [] },
    { title: 'an e-mail address that contains a part',        value: 'Someone@Mailbox.example.com', want: ['parts: substring (@mailbox.example)'] },
    { title: 'a domain that fits a pattern',                  value: 'ns12.example.org',          want: ['patterns: pattern (^ns\\d+\\.example\\.org$)'] },
    { title: 'a hash on a list of values',                    value: 'DA39A3EE5E6B4B0D3255BFEF95601890AFD80700', want: ['values: exact (da39a3ee5e6b4b0d3255bfef95601890afd80700)'] },
    { title: 'a URL on a list of values',                     value: 'hxxp://known[.]example[.]org/a', want: ['values: exact (http://known.example.org/a)'] },
    { title: 'a value that is refused',                       value: 'no value',                  want: [] },
  ])('$title', async ({ value, want }) => {
    expect((await warningsOn(value)).sort()).toEqual(want)
  })

  test('many values at once are told apart', async () => {
    const answers = await services.indicators.lookup(['cdn.example.com', 'nothing.example', 'a@mailbox.example.org', '203.0.113.9'])
    expect(answers.map(({ warnings }) => warnings.map(({ list_name }) => list_name).sort())).toEqual([
      ['hosts', 'names only'],
      [],
      ['parts'],
      ['ranges'],
    ])
  })

  test('the detail of an IOC says it as a note, and no figure changes', async () => {
    await services.indicators.submit(ADMIN, [{ value: 'noted.example.co.uk' }, { value: 'unnoted.example.com' }])
    const detail = async (value: string) => await services.indicators.get((await services.indicators.page({ value })).items[0]?.id ?? '')
    const [noted, unnoted] = [await detail('noted.example.co.uk'), await detail('unnoted.example.com')]
    expect(noted.notes).toEqual(['Stands on the warning list "hosts" (its host is below example.co.uk): it may be harmless.'])
    expect(unnoted.notes).toEqual([])
    expect({ ...noted.confidence_breakdown, freshness: null }).toEqual({ ...unnoted.confidence_breakdown, freshness: null })
    expect(noted.confidence).toBe(unnoted.confidence)
  })
})

describe('an import', () => {
  test('replaces the list of the same name as a whole, counts the revision, and journals it', async () => {
    const first = await importList({ name: 'Replaced', type: 'string', list: ['old.example.com', 'kept.example.com'], version: 1 })
    expect(first).toMatchObject({ outcome: 'added', list: { entry_count: 2, revision: 1, list_version: 1 } })
    const second = await importList({
      name: 'REPLACED',
      type: 'hostname',
      list: ['kept.example.com'],
      version: 2,
      matching_attributes: ['domain'],
    })
    expect(second).toMatchObject({
      outcome: 'replaced',
      list: { id: first.list.id, name: 'REPLACED', type: 'HOSTNAME', entry_count: 1, revision: 2, list_version: 2, applies_to: ['DOMAIN'] },
    })
    expect(await warningsOn('old.example.com')).toEqual([])
    expect(await warningsOn('kept.example.com')).toEqual(['REPLACED: host (kept.example.com)'])
    const { rows } = await sql<{ action: string }>`select action from audit_events where target_id = ${first.list.id} order by id`.execute(
      services.db,
    )
    expect(rows.map(({ action }) => action)).toEqual(['warning_list.imported', 'warning_list.imported'])
  })

  test('of the same list again, in another order, changes nothing', async () => {
    await importList({ name: 'same', type: 'string', list: ['a.example.com', 'b.example.com'] })
    expect(await importList({ name: 'same', type: 'string', list: ['b.example.com', 'a.example.com', 'a.example.com'] })).toMatchObject({
      outcome: 'unchanged',
      list: { revision: 1 },
    })
  })

  test('that fails leaves the old list as it was', async () => {
    await importList({ name: 'firm', type: 'string', list: ['firm.example.com'] })
    await expect(importList({ name: 'firm', type: 'string', list: ['not an indicator'] })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect(await warningsOn('firm.example.com')).toEqual(['firm: exact (firm.example.com)'])
  })

  test('of one list 10 times at once leaves one whole list', async () => {
    const imports = Array.from(
      { length: 10 },
      async (_, n) => await importList({ name: 'raced', type: 'string', list: [`r${n}.example.com`, `s${n}.example.com`] }),
    )
    for (const outcome of await Promise.allSettled(imports))
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
    const { rows } = await sql<{ entry: string }>`
      select entry from warning_list_entries named join warning_lists list on list.id = named.list_id where list.name = 'raced' order by entry`.execute(
      services.db,
    )
    expect(rows.map(({ entry }) => entry.slice(1))).toEqual([rows[0]?.entry.slice(1), rows[0]?.entry.slice(1)])
  })

  test('says what was skipped, and why', async () => {
    const { list } = await importList({ name: 'mixed', type: 'cidr', list: ['198.51.100.0/24', 'nonsense', '300.1.1.1', '0.0.0.0/0', 7] })
    expect(list).toMatchObject({ entry_count: 1, skipped_count: 4 })
    expect(list.skipped.map(({ code, count, example }) => [code, count, example])).toEqual([
      ['not_a_network', 2, 'nonsense'],
      ['covers_everything', 1, '0.0.0.0/0'],
      ['not_text', 1, '7'],
    ])
  })
})

test('a list that is removed is told of no longer, and nothing of it stays', async () => {
  const { list } = await importList({ name: 'leaving', type: 'cidr', list: ['192.0.2.0/24'] })
  expect(await warningsOn('192.0.2.5')).toEqual(['leaving: in_network (192.0.2.0/24)'])
  await services.warningLists.remove(ADMIN, list.id)
  expect(await warningsOn('192.0.2.5')).toEqual([])
  for (const table of ['warning_list_entries', 'warning_list_lengths'] as const)
    expect(await services.db.selectFrom(table).selectAll().where('list_id', '=', list.id).execute()).toEqual([])
  await expect(services.warningLists.remove(ADMIN, list.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('a removal waits for an import that is under way, and takes its entries, too', async () => {
  const { list } = await importList({ name: 'contested', type: 'string', list: ['contested.example.com'] })
  const importing = new pg.Client({ connectionString: database.ownerUrl })
  await importing.connect()
  await importing.query('begin')
  await importing.query('select id from warning_lists where id = $1 for update', [list.id])
  await importing.query("insert into warning_list_entries (list_id, kind, entry) values ($1, 'EXACT', 'late.example.com')", [list.id])
  const removal = services.warningLists.remove(ADMIN, list.id)
  const countWaiting = async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
      services.db,
    )
    return rows[0]?.waiting
  }
  await expect.poll(countWaiting, { timeout: 30_000 }).toBe(1)
  await importing.query('commit')
  await importing.end()
  await removal
  expect(await services.db.selectFrom('warning_list_entries').selectAll().where('list_id', '=', list.id).execute()).toEqual([])
})

describe('many random values against many random entries', () => {
  const pick = <Item>(items: readonly Item[], at: number): Item => items[at % items.length] ?? expect.fail('no items')
  /** A small seeded generator, so that a failure comes again. */
  function numbers(seed: number): () => number {
    let state = seed
    return () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state >>> 8
    }
  }

  test('meet exactly where a plain reading of the rules says so', async () => {
    const next = numbers(7)
    const labels = ['a', 'b', 'ab', 'x-1']
    const name = () => `${Array.from({ length: 1 + (next() % 4) }, () => pick(labels, next())).join('.')}.example`
    const address = () => `45.77.${next() % 4}.${next() % 16}`
    const range = () => `45.77.${next() % 4}.${(next() % 4) * 4}/${pick([24, 26, 28, 30, 31, 32], next())}`
    const hosts = Array.from({ length: 30 }, () => `${next() % 3 === 0 ? '.' : ''}${name()}`)
    const ranges = Array.from({ length: 12 }, range)
    await importList({ name: 'random hosts', type: 'hostname', list: hosts, matching_attributes: ['domain', 'url'] })
    await importList({ name: 'random ranges', type: 'cidr', list: ranges, matching_attributes: ['ip-src', 'url'] })

    const meetsHost = (host: string) =>
      hosts.some((entry) => (entry.startsWith('.') ? host.endsWith(entry) : host === entry || host.endsWith(`.${entry}`)))
    const bits = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    const cut = (text: string) => {
      const [base = '', length = '32'] = text.split('/')
      const size = 2 ** (32 - Number(length))
      const first = Math.floor(bits(base) / size) * size
      return { first, last: first + size - 1 }
    }
    const meetsRange = (text: string) =>
      ranges.some((entry) => {
        const [one, other] = [cut(text), cut(entry)]
        return (one.first >= other.first && one.last <= other.last) || (one.first <= other.first && one.last >= other.last)
      })
    const asked = Array.from({ length: 400 }, () => {
      const host = name()
      const ip = address()
      return pick(
        [
          { value: host, want: meetsHost(host) },
          { value: `https://${host}/p?q=1`, want: meetsHost(host) },
          { value: ip, want: meetsRange(ip) },
          { value: `http://${ip}:81/`, want: meetsRange(ip) },
          ...[range()].map((text) => ({ value: text, want: meetsRange(text) })),
        ],
        next(),
      )
    })
    const answers = await services.indicators.lookup(asked.map(({ value }) => value))
    const got = answers.map(({ input, warnings }) => ({ input, met: warnings.some(({ list_name }) => list_name.startsWith('random')) }))
    expect(got).toEqual(asked.map(({ value, want }) => ({ input: value, met: want })))
    const met = asked.filter(({ want }) => want).length
    expect([met > 50, met < 350]).toEqual([true, true])
  })
})
