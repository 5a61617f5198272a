import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type ListServer, startListServer } from '#test/support/list-server.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
/** More than two stretches of a purge. */
const MANY = 11_000

let database: TestDatabase
let lists: ListServer
let services: Services
let config: ReturnType<typeof loadConfig>
beforeAll(async () => {
  database = await createTestDatabase()
  lists = await startListServer()
  config = loadConfig(
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

const label = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}.example.com`)

async function collect(name: string, values: readonly string[]): Promise<string> {
  lists.publish(name, `${values.join('\n')}\n`)
  const { id } = await services.feeds.create(ADMIN, { name, url: lists.urlOf(name), format: 'CSV' })
  await services.collect.collect(ADMIN, id)
  return id
}
const purge = async (id: string, dryRun = false) => await services.feeds.remove(ADMIN, id, { purge: true, dryRun })
const isKnown = async (value: string) => (await services.indicators.page({ value })).items.length === 1

async function actsOn(id: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`select action from audit_events where target_id = ${id} order by id`.execute(services.db)
  return rows.map(({ action }) => action)
}

/** Links to indicators that do not exist, and indicators that nobody links: both must never be. */
async function countLoose(): Promise<{ dangling: number; unlinked: number }> {
  const { rows } = await sql<{ dangling: number; unlinked: number }>`
    select (select count(*)::int from indicator_sources where not exists (select from indicators where id = indicator_id)) as dangling,
      (select count(*)::int from indicators where not exists (select from indicator_sources where indicator_id = indicators.id)) as unlinked`.execute(
    services.db,
  )
  return rows[0] ?? { dangling: -1, unlinked: -1 }
}

describe('a purge', () => {
  test('removes what only this feed has ever reported; a second feed, a deleted one and a submission each keep a value', async () => {
    const doomed = await collect('doomed', [...label('own', 12), 'shared.example.com', 'once.example.com', 'hand.example.com'])
    await collect('other', ['shared.example.com', 'others.example.com'])
    const former = await collect('former', ['once.example.com'])
    await services.feeds.remove(ADMIN, former, { purge: false, dryRun: false })
    await services.indicators.submit(ADMIN, [{ value: 'hand.example.com' }])

    const dry = await purge(doomed, true)
    expect(dry).toMatchObject({ deleted: false, listed: 15, orphans: 12, kept: 3 })
    expect(dry.examples).toHaveLength(10)
    for (const { type, value } of dry.examples) expect([type, value]).toEqual(['DOMAIN', expect.stringMatching(/^own-\d+\.example\.com$/)])
    expect(await isKnown('own-3.example.com')).toBe(true)

    expect(await purge(doomed)).toEqual({ deleted: true, listed: 15, orphans: 12, kept: 3, examples: [] })
    expect(await isKnown('own-3.example.com')).toBe(false)
    for (const value of ['shared', 'once', 'hand', 'others']) expect(await isKnown(`${value}.example.com`), value).toBe(true)
    expect(await actsOn(doomed)).toEqual(['feed.created', 'feed.collected', 'feed.purge_started', 'feed.deleted'])
    expect(await countLoose()).toEqual({ dangling: 0, unlinked: 0 })
    await expect(purge(doomed)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that is cut off leaves the feed standing and switched off, and the next one finishes it', async () => {
    const id = await collect('cut-off', label('cut', MANY))
    const cutting = await createServices(config, SILENT_LOGGING, 'test to be cut off')
    // Somebody holds the last value, so that the last stretch has to wait.
    const holder = new pg.Client({ connectionString: database.ownerUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query(
      'select id from indicators where id = (select indicator_id from indicator_sources where source_id = $1 order by indicator_id desc limit 1) for update',
      [id],
    )
    const done = cutting.feeds.remove(ADMIN, id, { purge: true, dryRun: false }).then(
      () => 'done',
      () => 'cut off',
    )
    await expect.poll(async () => await countOf(id), { timeout: 60_000 }).toBeLessThan(MANY / 2)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test to be cut off' and datname = current_database()`.execute(
      services.db,
    )
    expect(await done).toBe('cut off')
    await holder.end()
    await cutting.close()

    const left = await countOf(id)
    expect(left).toBeGreaterThan(0)
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ is_active: false, listed: left })
    expect(await purge(id)).toMatchObject({ deleted: true, orphans: left })
    expect(await actsOn(id)).toEqual(['feed.created', 'feed.collected', 'feed.purge_started', 'feed.purge_started', 'feed.deleted'])
    expect(await isKnown('cut-0.example.com')).toBe(false)
    expect(await countLoose()).toEqual({ dangling: 0, unlinked: 0 })
  })

  test('beside collections and submissions of the same values leaves no link without its indicator', async () => {
    const values = label('busy', MANY)
    const id = await collect('busy', values)
    lists.publish('busy-too', `${values.join('\n')}\n`)
    const rival = await services.feeds.create(ADMIN, { name: 'busy-too', url: lists.urlOf('busy-too'), format: 'CSV' })
    const submissions = async () => {
      for (let from = 0; from < MANY; from += 1000)
        await services.indicators.submit(
          ADMIN,
          values.slice(from, from + 100).map((value) => ({ value })),
        )
    }
    const [removal, run] = await Promise.all([purge(id), services.collect.collect(ADMIN, rival.id), submissions()])
    expect(removal.deleted).toBe(true)
    expect(run.outcome).toBe('SUCCEEDED')
    expect(await countLoose()).toEqual({ dangling: 0, unlinked: 0 })
    expect(await services.feeds.get(ADMIN, rival.id)).toMatchObject({ listed: MANY })
    expect(await countOf(rival.id)).toBe(MANY)
    for (const n of [0, 1, 99, 5000, MANY - 1]) expect(await isKnown(`busy-${n}.example.com`), String(n)).toBe(true)
  })

  test('of a feed that is being collected is refused, and changes nothing', async () => {
    const id = await collect('collecting', ['collecting.example.com'])
    await services.locks.withLock(`feed:${id}`, async () => {
      await expect(purge(id)).rejects.toMatchObject({ code: 'already_collecting' })
    })
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ is_active: true, collecting: false })
    expect(await isKnown('collecting.example.com')).toBe(true)
  })
})

test('a plain deletion keeps every value, and of two at once one finds nothing', async () => {
  const id = await collect('plain', ['plain.example.com'])
  const outcomes = await Promise.allSettled([1, 2].map(async () => await services.feeds.remove(ADMIN, id, { purge: false, dryRun: false })))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await isKnown('plain.example.com')).toBe(true)
  expect(await actsOn(id)).toEqual(['feed.created', 'feed.collected', 'feed.deleted'])
})

async function countOf(sourceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from indicator_sources where source_id = ${sourceId}`.execute(
    services.db,
  )
  return rows[0]?.count ?? 0
}
