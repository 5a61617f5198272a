import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type Db, openDatabase, openPool } from '#platform/database/database.ts'
import { createLeases } from '#platform/database/leased-connection.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { createListingService } from './listing.service.ts'
import { createSightingsService } from './sightings.service.ts'
import { sourcesService } from './sources.service.ts'
import type { ListedValue } from './staged-line.ts'

// Another collection makes one of the values after this one has found it to be new, and before it writes it.

const AT = new Date('2026-11-21T08:00:00.000Z')
const log = SILENT_LOGGING.for('svc.collector')

let database: TestDatabase
let pool: pg.Pool
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.appUrl, { maxConnections: 4, applicationName: 'test' })
  db = openDatabase(pool)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const valuesOf = (name: string): ListedValue[] => ['a', 'b', 'c'].map((part) => ({ type: 'DOMAIN', value: `${part}.${name}.example.org` }))

async function newSource(): Promise<string> {
  const id = newId()
  await transact(db, log, async (tx) => await sourcesService.create(tx, { id, name: id, feed_type: 'other', reliability: 'C' }))
  return id
}

/** Lets another collection make the second value, and commit it as soon as the work waits for it. @returns the id that it made */
async function makeMeanwhile(name: string, work: () => Promise<unknown>): Promise<string> {
  const id = newId()
  const other = await pool.connect()
  await other.query('begin')
  await other.query("insert into indicators (id, type, value, severity, first_seen) values ($1, 'DOMAIN', $2, 'LOW', $3)", [
    id,
    `b.${name}.example.org`,
    AT,
  ])
  const working = work()
  // Other tests share the server, so a wait counts only behind this very transaction.
  const waiting = 'select count(*)::int as waiting from pg_locks where not granted and transactionid = pg_current_xact_id()::xid'
  await expect.poll(async () => (await other.query(waiting)).rows[0].waiting, { timeout: 20_000, interval: 10 }).toBe(1)
  await other.query('commit')
  other.release()
  await working
  return id
}

async function linksOf(sourceId: string): Promise<{ value: string; id: string; severity: string }[]> {
  const { rows } = await sql<{ value: string; id: string; severity: string }>`
    select known.value, known.id, known.severity from indicator_sources link join indicators known on known.id = link.indicator_id
    where link.source_id = ${sourceId} order by known.value`.execute(db)
  return rows
}

test('a list takes over the value that another collection makes in between, and writes each of its own once', async () => {
  const sourceId = await newSource()
  let tries = 0
  const id = await makeMeanwhile('listed', async () => {
    const listing = createListingService({ leases: createLeases(pool, 2), log, clock: () => AT })
    const counts = await listing.applyListing({
      sourceId,
      acceptShrink: false,
      async guard() {
        tries++
      },
      async values(stage) {
        await stage(valuesOf('listed'))
        return 'complete'
      },
    })
    expect(counts).toMatchObject({ created: 2, updated: 1 })
  })
  expect(tries).toBe(2)
  expect(await linksOf(sourceId)).toMatchObject(
    valuesOf('listed').map(({ value }, n) => (n === 1 ? { value, id, severity: 'MEDIUM' } : { value })),
  )
})

test('a delivery does the same', async () => {
  const sourceId = await newSource()
  let tries = 0
  const id = await makeMeanwhile('delivered', async () => {
    const delivery = await createSightingsService({ leases: createLeases(pool, 2), log }).stage(
      async (take) => await take(0, valuesOf('delivered')),
    )
    const counts = await delivery.write({
      source: { id: sourceId, feed_type: 'other' },
      pages: 1,
      at: AT,
      async guard() {
        tries++
      },
      async commit() {},
    })
    expect(counts).toEqual({ created: 2, updated: 1 })
  })
  expect(tries).toBe(2)
  expect(await linksOf(sourceId)).toMatchObject(valuesOf('delivered').map(({ value }, n) => (n === 1 ? { value, id } : { value })))
})
