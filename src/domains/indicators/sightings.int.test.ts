import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { openDatabase, openPool } from '#platform/database/database.ts'
import { createLeases } from '#platform/database/leased-connection.ts'
import type { Database } from '#platform/database/schema.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { createSightingsService, type SightingCounts } from './sightings.service.ts'
import { sourcesService } from './sources.service.ts'
import type { ListedValue } from './staged-line.ts'

const AT = new Date('2026-11-21T08:00:00.000Z')
const LATER = new Date('2026-12-01T00:00:00.000Z')
const log = SILENT_LOGGING.for('svc.collector')

let database: TestDatabase
let pool: pg.Pool
let db: Kysely<Database>

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.appUrl, { maxConnections: 4, applicationName: 'test' })
  db = openDatabase(pool)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Page = { values?: ListedValue[]; ended?: ListedValue[] }

const named = (name: string, more: Partial<ListedValue> = {}): ListedValue => ({ type: 'DOMAIN', value: `${name}.example.org`, ...more })

async function newSource(): Promise<string> {
  const id = newId()
  await transact(db, log, async (tx) => await sourcesService.create(tx, { id, name: id, feed_type: 'other', reliability: 'C' }))
  return id
}

/** Stages pages as one delivery, and writes the first of them. */
async function deliver(sourceId: string, pages: readonly Page[], written = pages.length): Promise<SightingCounts> {
  const delivery = await createSightingsService({ leases: createLeases(pool, 4), log }).stage(async (take) => {
    for (const [page, { values = [], ended = [] }] of pages.entries()) await take(page, values, ended)
  })
  return await delivery.write({
    source: { id: sourceId, feed_type: 'other' },
    pages: written,
    at: AT,
    async guard() {},
    async commit() {},
  })
}

/** Everything that is known of a source's values. */
async function storedBy(sourceId: string) {
  const { rows } = await sql`
    select known.value, link.hits, link.severity, link.tags, link.description, link.reported_first_seen, link.reported_last_seen, link.valid_until
    from indicator_sources link join indicators known on known.id = link.indicator_id
    where link.source_id = ${sourceId} order by known.value`.execute(db)
  return rows
}

// biome-ignore format: one table
const DELIVERIES: readonly { title: string; pages: Page[] }[] = [
  { title: 'pages that have nothing in common',          pages: [{ values: [named('a')] }, { values: [named('b', { severity: 'HIGH' })] }] },
  { title: 'a value on both pages',                      pages: [{ values: [named('a', { tags: ['x'] })] }, { values: [named('a', { tags: ['y'], description: 'later' })] }] },
  { title: 'a value that the later page takes back',     pages: [{ values: [named('a')] }, { ended: [named('a', { validUntil: AT })] }] },
  { title: 'a value that the later page brings back',    pages: [{ values: [named('a')] }, { ended: [named('a', { validUntil: AT })] }, { values: [named('a')] }] },
  { title: 'an end that the later page moves',           pages: [{ values: [named('a', { validUntil: LATER })] }, { values: [named('a', { validUntil: AT })] }] },
  { title: 'an end that the later page removes',         pages: [{ values: [named('a', { validUntil: AT })] }, { values: [named('a')] }] },
  { title: 'an empty page between two',                  pages: [{ values: [named('a')] }, {}, { values: [named('b')] }] },
]

describe('pages that are written together say the same as pages that are written one after the other', () => {
  test.each(DELIVERIES)('$title', async ({ pages }) => {
    const together = await newSource()
    const counts = await deliver(together, pages)
    const apart = await newSource()
    for (const page of pages) await deliver(apart, [page])
    expect(await storedBy(together)).toEqual(await storedBy(apart))
    expect((await storedBy(together)).length).toBe(counts.created + counts.updated)
  })
})

test('of a page that is not to be written nothing is stored', async () => {
  const source = await newSource()
  expect(await deliver(source, [{ values: [named('first')] }, { values: [named('second'), named('first')] }], 1)).toEqual({
    created: 1,
    updated: 0,
  })
  expect(await storedBy(source)).toMatchObject([{ value: 'first.example.org', hits: 1 }])
})
