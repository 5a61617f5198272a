import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppendOnlyError } from '#platform/database/append-only.ts'
import { openDatabase, openPool } from '#platform/database/database.ts'
import { leaseConnection } from '#platform/database/leased-connection.ts'
import { APPEND_ONLY_TABLES } from '#platform/database/schema.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

// biome-ignore lint/suspicious/noExplicitAny: the types refuse these statements already; here the run time is tried
type Untyped = Kysely<any>

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const TABLE = 'audit_events'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.drop())

// biome-ignore format: one case per line
const CHANGES: Record<string, (on: Untyped) => Promise<unknown>> = {
  update:                async (on) => await on.updateTable(TABLE).set({ actor_name: 'eve' }).execute(),
  'update by id':        async (on) => await on.updateTable(`${TABLE} as e`).set({ actor_name: 'eve' }).where('e.id', '=', '01970000-0000-7000-8000-000000000001').executeTakeFirst(),
  delete:                async (on) => await on.deleteFrom(TABLE).execute(),
  'delete with others':  async (on) => await on.deleteFrom(TABLE).using('users').whereRef('users.id', '=', `${TABLE}.actor_id`).execute(),
  upsert:                async (on) => await on.insertInto(TABLE).values({ id: '01970000-0000-7000-8000-000000000001' }).onConflict((c) => c.column('id').doUpdateSet({ actor_name: 'eve' })).execute(),
  merge:                 async (on) => await on.mergeInto(TABLE).using('users', 'users.id', `${TABLE}.actor_id`).whenMatched().thenUpdateSet({ actor_name: 'eve' }).execute(),
  'delete in a WITH':    async (on) => await on.with('gone', (w) => w.deleteFrom(TABLE).returningAll()).selectFrom('gone').selectAll().execute(),
  'update in raw text':  async (on) => await sql`with changed as (${on.updateTable(TABLE).set({ actor_name: 'eve' })}) select 1`.execute(on),
  'a stream of deleted': async (on) => { for await (const _ of on.deleteFrom(TABLE).returningAll().stream()) break },
}

describe('C7: at run time, a change of the journal is a typed error before any SQL', () => {
  async function withPool<Result>(work: (pool: pg.Pool, statements: string[]) => Promise<Result>): Promise<Result> {
    const pool = openPool(database.appUrl, { maxConnections: 2, applicationName: 'test' })
    const statements: string[] = []
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      client.query = ((...args: unknown[]) => {
        statements.push(typeof args[0] === 'string' ? args[0] : String((args[0] as { text: string }).text))
        return query(...args)
      }) as typeof client.query
    })
    try {
      return await work(pool, statements)
    } finally {
      await pool.end()
    }
  }

  test.each(Object.entries(CHANGES))('%s: not even a connection is opened for it', async (_, change) => {
    await withPool(async (pool) => {
      await expect(change(openDatabase(pool) as unknown as Untyped)).rejects.toThrow(AppendOnlyError)
      expect(pool.totalCount).toBe(0)
    })
  })

  test.each(Object.entries(CHANGES))('%s: nothing but begin and rollback reaches the server from a transaction', async (_, change) => {
    await withPool(async (pool, statements) => {
      const db = openDatabase(pool) as unknown as Untyped
      await expect(db.transaction().execute(async (trx) => await change(trx as Untyped))).rejects.toThrow(AppendOnlyError)
      expect(statements).toEqual(['begin', 'rollback'])
    })
  })

  test.each(Object.entries(CHANGES))('%s: nothing reaches the server from a leased connection', async (_, change) => {
    await withPool(async (pool, statements) => {
      const refused = leaseConnection(pool, async (lease) => await change(lease.db as unknown as Untyped))
      await expect(refused).rejects.toThrow(AppendOnlyError)
      expect(statements).toEqual([])
    })
  })

  test('an insert and a read do reach the server: the count counts', async () => {
    await withPool(async (pool, statements) => {
      const db = openDatabase(pool)
      await db.selectFrom(TABLE).select('id').execute()
      expect(statements).toHaveLength(1)
    })
  })
})

/** Text that would change an append-only table, or step around what refuses it, in any layout. */
function offences(source: string): string[] {
  const flat = source.replace(/\s+/g, ' ')
  const tables = `(?:only )?(?:public\\.)?"?(?:${APPEND_ONLY_TABLES.join('|')})\\b`
  const patterns = [
    `\\bupdate ${tables}`,
    `\\bdelete from ${tables}`,
    `\\bmerge into ${tables}`,
    `\\btruncate (?:table )?(?:[\\w., "]*, ?)?${tables}`,
    `\\b(?:alter|drop|lock) table (?:if exists )?${tables}`,
    `\\binsert into ${tables}[^;\`]*\\bdo update\\b`,
    `\\b(?:updateTable|deleteFrom|mergeInto)\\( ?\\[?[^)]*['"\`](?:public\\.)?(?:${APPEND_ONLY_TABLES.join('|')})\\b`,
    'session_replication_role',
    '\\bdisable trigger\\b',
    '\\bwithoutPlugins\\b',
  ]
  return patterns.flatMap((pattern) => flat.match(new RegExp(pattern, 'gi')) ?? [])
}

describe('C7: in the source, nothing would change the journal', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))

  // biome-ignore format: one case per line
  test.each([
    'sql`update audit_events set action = 1`',
    'sql`\n  UPDATE only public.audit_events\n  set a = 1`',
    'sql`delete\n from "audit_events"`',
    'sql`truncate users, audit_events`',
    'sql`merge into audit_events e using x on true when matched then delete`',
    'sql`insert into audit_events (id) values (1) on conflict (id) do update set id = 2`',
    'sql`alter table audit_events drop column hash`',
    `db.updateTable('audit_events')`,
    `db.deleteFrom('audit_events as e')`,
    `db.updateTable(['users', 'audit_events'])`,
    'db.withoutPlugins()',
    'sql`set session_replication_role = replica`',
  ])('the scan sees %j', (source) => expect(offences(source)).not.toEqual([]))

  test.each([`db.insertInto('audit_events')`, 'sql`select id from audit_events event where event.outcome = 1`', `db.updateTable('users')`])(
    'the scan lets %j be',
    (source) => expect(offences(source)).toEqual([]),
  )

  test('no file of the service holds any of it', () => {
    expect(files.length).toBeGreaterThan(100)
    const found = files.flatMap((path) => offences(readFileSync(join(SRC, path), 'utf8')).map((text) => `${path}: ${text}`))
    expect(found).toEqual([])
  })

  test('every database of the service is opened with the guard', () => {
    const opened = files.flatMap((path) =>
      [...readFileSync(join(SRC, path), 'utf8').matchAll(/new Kysely\b[\s\S]{0,300}/g)].map(([text]) => ({
        path,
        guarded: text.includes('plugins: [appendOnlyPlugin()]'),
      })),
    )
    expect(opened.length).toBeGreaterThan(1)
    expect(opened.filter(({ guarded }) => !guarded)).toEqual([])
  })

  test('the table that is journalled into is one of the guarded', () => expect(APPEND_ONLY_TABLES).toContain(TABLE))
})
