import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#platform/database/database.ts'
import { createLeases, type LeasedConnection, type Leases } from '#platform/database/leased-connection.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { countStaged, emptyStaging, openStaging } from './listing.store.ts'
import { openDelivery } from './sightings.store.ts'

let database: TestDatabase
let leases: Leases
let close: () => Promise<void>

beforeAll(async () => {
  database = await createTestDatabase()
  const pool = openPool(database.appUrl, { maxConnections: 1, applicationName: 'test' })
  leases = createLeases(pool, 1)
  close = async () => await pool.end()
})
afterAll(async () => {
  await close()
  await database.drop()
})

async function stageDelivery({ client }: LeasedConnection): Promise<void> {
  const staging = await openDelivery(client)
  await staging.write('DOMAIN\ta.example.com\t\\N\tf\t0\n')
  await staging.end()
}

async function stageList({ client }: LeasedConnection): Promise<void> {
  const staging = await openStaging(client)
  await staging.write('DOMAIN\ta.example.com\t\\N\n')
  await staging.end()
}

test('one connection stages lists and deliveries in any order', async () => {
  for (const stage of [stageDelivery, stageList, stageDelivery, stageDelivery, stageList, stageList]) {
    await expect(leases(stage)).resolves.toBeUndefined()
  }
})

test('the tables of a small list stay on its connection, empty, until something else is staged', async () => {
  const stageAndKeep = async (lease: LeasedConnection) => {
    await stageList(lease)
    expect(await countStaged(lease.db)).toBe(1)
    await emptyStaging(lease.db)
    lease.keepTables()
  }
  const kept = async () =>
    await leases(async ({ client, keepTables }) => {
      keepTables()
      const { rows } = await client.query(
        "select count(*)::int as tables from pg_class where relpersistence = 't' and relkind = 'r' and relnamespace = pg_my_temp_schema()",
      )
      return rows[0].tables
    })
  await leases(stageDelivery)
  expect(await kept()).toBe(0)
  await leases(stageAndKeep)
  expect(await kept()).toBe(2)
  await leases(stageAndKeep)
  await leases(stageDelivery)
  expect(await kept()).toBe(0)
})
