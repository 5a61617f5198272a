import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { limitDatabaseRights, withSuperuser } from '#platform/database/embedded/cluster-roles.ts'
import { migrateToLatest } from '#platform/database/migrations.ts'

/** A database of one test file, migrated to the newest schema. */
export type TestDatabase = { name: string; ownerUrl: string; appUrl: string; drop(): Promise<void> }

const APP_ROLE = 'svc_app'
const TEMPLATE = 'test_template'
const UNFINISHED_TEMPLATE = 'test_template_unfinished'
/** Any number that no other advisory lock uses. */
const TEMPLATE_LOCK = 7_310_001

/** A fresh database for the calling test file; `drop` it in `afterAll`. The first call of a run migrates the template, the others copy it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asSuperuser(async (client) => {
    await ensureTemplate(client)
    await create(client, name, TEMPLATE)
  })
  return {
    name,
    ...urlsOf(name),
    drop: async () => await asSuperuser(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  }
}

/** An empty database with both roles' rights but no schema: for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asSuperuser(async (client) => await create(client, name, 'svc'))
  return {
    name,
    ...urlsOf(name),
    drop: async () => await asSuperuser(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  }
}

async function asSuperuser<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const { port, superuserPassword } = inject('postgres')
  return await withSuperuser({ port, password: superuserPassword }, 'postgres', work)
}

/** Test files run in several processes: one makes the template, the others wait; it gets its name when it is complete. */
async function ensureTemplate(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE])
    if (rowCount !== 0) return
    await client.query(`drop database if exists ${UNFINISHED_TEMPLATE} with (force)`)
    await create(client, UNFINISHED_TEMPLATE, 'svc')
    await migrateToLatest(urlsOf(UNFINISHED_TEMPLATE).ownerUrl, APP_ROLE)
    await client.query(`alter database ${UNFINISHED_TEMPLATE} rename to ${TEMPLATE}`)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
}

/** Rights on the database itself are not copied with a template. */
async function create(client: pg.Client, name: string, template: string): Promise<void> {
  await client.query(`create database ${name} template ${template} owner svc`)
  await limitDatabaseRights(client, name, APP_ROLE)
}

function urlsOf(name: string): { ownerUrl: string; appUrl: string } {
  const { port, ownerPassword, appPassword } = inject('postgres')
  return {
    ownerUrl: `postgres://svc:${ownerPassword}@127.0.0.1:${port}/${name}`,
    appUrl: `postgres://${APP_ROLE}:${appPassword}@127.0.0.1:${port}/${name}`,
  }
}
