import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import type { Actor } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type ListServer, startListServer } from '#test/support/list-server.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const HOUR_S = 3600

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

const ids: Record<string, string> = {}
const names = (...labels: string[]) => labels.map((label) => `${label}.example.com`).join('\n')

async function collect(feed: string, body: string): Promise<void> {
  lists.publish(feed, body)
  ids[feed] ??= (await services.feeds.create(ADMIN, { name: feed, url: lists.urlOf(feed), format: 'CSV' })).id
  await services.collect.collect(ADMIN, ids[feed] ?? '')
}

/** Moves the moment at which a feed brought a value. */
async function brought(feed: string, label: string, hoursAgo: number): Promise<void> {
  await sql`
    update indicator_sources set first_seen = now() - make_interval(hours => ${hoursAgo}::int)
    where source_id = ${ids[feed]} and indicator_id = (select id from indicators where value = ${`${label}.example.com`})`.execute(
    services.db,
  )
}

describe('the report', () => {
  beforeAll(async () => {
    await collect('alpha', names('a1', 'a2', 'shared1', 'shared2', 'shared3', 'hand'))
    await collect('beta', names('b1', 'shared1', 'shared2', 'shared3'))
    await collect('gamma', `${names('shared1', 'g1', 'g2', 'g3')}\nnot a value\n127.0.0.1\n`)
    // Three of four values leave, two come.
    await collect('gamma', `${names('shared1', 'g4', 'g5')}\n`)
    await collect('delta', '192.0.2.1\n')
    await services.indicators.submit(ADMIN, [{ value: 'hand.example.com' }])
    await services.warningLists.import(ADMIN, { name: 'harmless', type: 'hostname', list: ['a1.example.com', 'shared1.example.com'] })
    // First days end 24 hours after the oldest value.
    for (const [feed, label] of [
      ['alpha', 'a1'],
      ['beta', 'b1'],
      ['gamma', 'shared1'],
    ] as const)
      await brought(feed, label, 1000)
    await brought('alpha', 'shared1', 10)
    await brought('beta', 'shared1', 4)
    await brought('alpha', 'shared2', 10)
    await brought('beta', 'shared2', 12)
    await brought('alpha', 'shared3', 20)
    await brought('beta', 'shared3', 10)
    await services.quality.compute(ADMIN)
  })

  const of = async (feed: string) => {
    const { quality } = await services.quality.ofFeed(ids[feed] ?? '')
    return quality
  }

  test('counts what each feed holds, and what nobody else does: other feeds and submissions count', async () => {
    expect(await of('alpha')).toMatchObject({ held: 6, unique_count: 2, unique_share: 2 / 6 })
    expect(await of('beta')).toMatchObject({ held: 4, unique_count: 1 })
    expect(await of('gamma')).toMatchObject({ held: 3, unique_count: 2 })
    expect(await of('delta')).toMatchObject({ held: 1, unique_count: 1, unique_share: 1 })
  })

  test('compares when feeds brought what they share, without what they brought on their first day', async () => {
    // alpha leads by 6, -2 and 10 hours.
    expect(await of('alpha')).toMatchObject({
      compared_count: 3,
      first_count: 2,
      first_share: 2 / 3,
      lead_seconds: expect.closeTo(6 * HOUR_S, -1),
    })
    expect(await of('beta')).toMatchObject({ compared_count: 3, first_count: 1, lead_seconds: expect.closeTo(-6 * HOUR_S, -1) })
    // Its only shared value came on its first day.
    expect(await of('gamma')).toMatchObject({ compared_count: 0, first_count: 0, first_share: null, lead_seconds: null })
  })

  test('counts refused rows, and how much changes in a run', async () => {
    expect(await of('gamma')).toMatchObject({ row_count: 9, rejected_count: 2, reject_share: 2 / 9, run_count: 1, churn_share: 5 / 3 })
    expect(await of('alpha')).toMatchObject({ reject_share: 0, run_count: 0, churn_share: null })
  })

  test('counts what stands on warning lists, with examples', async () => {
    expect(await of('alpha')).toMatchObject({ warned_count: 2, warned_share: 2 / 6 })
    expect((await services.quality.ofFeed(ids['alpha'] ?? '')).warning_lists).toMatchObject([
      { name: 'harmless', hit_count: 2, examples: [{ value: 'a1.example.com' }, { value: 'shared1.example.com' }] },
    ])
    expect(await of('delta')).toMatchObject({ warned_count: 0, warned_share: 0 })
  })

  test('shows in a matrix how many values each two feeds share, the largest feeds first', async () => {
    const { overlap, items, computed_at, computing } = await services.quality.report()
    expect(items.map(({ name }) => name)).toEqual(['alpha', 'beta', 'gamma', 'delta'])
    expect(overlap.feed_ids).toEqual(items.map(({ feed_id }) => feed_id))
    expect(overlap.shared).toEqual([
      [6, 3, 1, 0],
      [3, 4, 1, 0],
      [1, 1, 3, 0],
      [0, 0, 0, 1],
    ])
    expect(computed_at).toBeInstanceOf(Date)
    expect(computing).toBe(false)
    const { overlaps } = await services.quality.ofFeed(ids['gamma'] ?? '')
    expect(overlaps.map(({ name, shared_count, share }) => [name, shared_count, share])).toEqual([
      ['alpha', 1, 1 / 3],
      ['beta', 1, 1 / 3],
    ])
  })

  test('is journalled, and worked out again only when that is due', async () => {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from audit_events where action = 'feed.quality_computed'`.execute(services.db)
    expect(rows[0]?.count).toBe(1)
    expect(await services.quality.computeWhenDue(ADMIN, new AbortController().signal)).toBe(false)
    await sql`update quality_reports set computed_at = computed_at - interval '25 hours'`.execute(services.db)
    expect(await services.quality.computeWhenDue(ADMIN, new AbortController().signal)).toBe(true)
  })

  test('of a feed that is deleted goes with it; that of a later feed is missing until the next one', async () => {
    await services.feeds.remove(ADMIN, ids['beta'] ?? '', { purge: false, dryRun: false })
    await collect('epsilon', names('e1'))
    const { items, overlap } = await services.quality.report()
    expect(items.map(({ name }) => name)).toEqual(['alpha', 'gamma', 'delta'])
    expect(overlap.shared).toEqual([
      [6, 1, 0],
      [1, 3, 0],
      [0, 0, 1],
    ])
    expect((await services.quality.ofFeed(ids['epsilon'] ?? '')).quality).toBeNull()
    await expect(services.quality.ofFeed(ids['beta'] ?? '')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('cannot be worked out twice at once', async () => {
    const outcomes = await Promise.allSettled([services.quality.compute(ADMIN), services.quality.compute(ADMIN)])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeLessThan(2)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'conflict' })
  })
})
