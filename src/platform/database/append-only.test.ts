import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openRecordingDatabase } from '../../../scripts/recording-database.ts'
import { AppendOnlyError, appendOnlyPlugin } from './append-only.ts'

// biome-ignore lint/suspicious/noExplicitAny: the types refuse these statements already; here the run time is tried
type Untyped = Kysely<any>

const { db: recording, takeStatements } = openRecordingDatabase()
const db = recording.withPlugin(appendOnlyPlugin())
const untyped = db as unknown as Untyped

// biome-ignore format: one case per line
const CHANGES: { title: string; operation: string; statement: (of: Untyped) => { execute(): Promise<unknown> } }[] = [
  { title: 'an update',                        operation: 'UPDATE', statement: (of) => of.updateTable('audit_events').set({ action: 'x' }) },
  { title: 'an update under another name',     operation: 'UPDATE', statement: (of) => of.updateTable('audit_events as e').set({ action: 'x' }) },
  { title: 'an update with the schema named',  operation: 'UPDATE', statement: (of) => of.withSchema('public').updateTable('audit_events').set({ action: 'x' }) },
  { title: 'an update of one of two tables',   operation: 'UPDATE', statement: (of) => of.updateTable(['users', 'audit_events']).set({ action: 'x' }) },
  { title: 'a delete',                         operation: 'DELETE', statement: (of) => of.deleteFrom('audit_events') },
  { title: 'a delete under another name',      operation: 'DELETE', statement: (of) => of.deleteFrom('audit_events as e').using('users').where('e.id', '=', 1) },
  { title: 'a delete of a table in raw text',  operation: 'DELETE', statement: (of) => of.deleteFrom(sql.table('audit_events').as('e') as never) },
  { title: 'a merge',                          operation: 'MERGE',  statement: (of) => of.mergeInto('audit_events as e').using('users as u', 'u.id', 'e.id').whenMatched().thenDelete() },
  { title: 'an upsert',                        operation: 'ON CONFLICT DO UPDATE', statement: (of) => of.insertInto('audit_events').values({ id: 1 }).onConflict((on) => on.column('id').doUpdateSet({ action: 'x' })) },
  { title: 'a delete in a WITH part',          operation: 'DELETE', statement: (of) => of.with('gone', (inner) => inner.deleteFrom('audit_events').returningAll()).selectFrom('gone').selectAll() },
  { title: 'a delete in a WITH part of an insert', operation: 'DELETE', statement: (of) => of.with('gone', (inner) => inner.deleteFrom('audit_events').returningAll()).insertInto('users').values({ id: 1 }) },
  { title: 'a delete inside raw text',         operation: 'DELETE', statement: (of) => ({ execute: async () => await sql`with gone as (${of.deleteFrom('audit_events')}) select 1`.execute(of) }) },
]

describe('refused before any SQL', () => {
  test.each(CHANGES)('$title', async ({ operation, statement }) => {
    takeStatements()
    const refusal = await statement(untyped)
      .execute()
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(AppendOnlyError)
    expect(refusal).toMatchObject({ operation, table: 'audit_events' })
    expect(takeStatements()).toEqual([])
  })

  test('inside a transaction too', async () => {
    await expect(untyped.transaction().execute(async (trx) => await trx.deleteFrom('audit_events').execute())).rejects.toThrow(
      AppendOnlyError,
    )
  })
})

describe('let through', () => {
  // biome-ignore format: one case per line
  test.each<{ title: string; statement: (of: Untyped) => { execute(): Promise<unknown> } }>([
    { title: 'an insert',                              statement: (of) => of.insertInto('audit_events').values({ id: 1 }) },
    { title: 'an insert that yields to what is there', statement: (of) => of.insertInto('audit_events').values({ id: 1 }).onConflict((on) => on.doNothing()) },
    { title: 'a read',                                 statement: (of) => of.selectFrom('audit_events').selectAll() },
    { title: 'a change of another table that reads it', statement: (of) => of.updateTable('users').from('audit_events').set({ email: 'x' }) },
    { title: 'a delete elsewhere beside it',           statement: (of) => of.deleteFrom('users').using('audit_events') },
  ])('$title', async ({ statement }) => {
    takeStatements()
    await statement(untyped).execute()
    expect(takeStatements()).toHaveLength(1)
  })
})

test('the types refuse it as well', () => {
  // @ts-expect-error: no column of an append-only table can be set
  const update = db.updateTable('audit_events').set({ action: 'x' })
  expect(() => update.compile()).toThrow(AppendOnlyError)
  // @ts-expect-error: a column that a trigger fills cannot be given
  db.insertInto('audit_events').values({ id: '1', at: new Date(0), action: 'x', outcome: 'SUCCESS', actor_name: 'x', lane: 1 })
})
