import { sql } from 'kysely'
import type { Db } from './database.ts'

/** What a migration may say of a table in its comment: rows never change, or only migrations write them. */
export type TableRule = 'append-only' | 'migrations-only'

/** What a migration says in the comment of a column that a trigger fills: its type allows no value, and `svc db check` wants the trigger. */
export const FILLED = 'filled by a trigger'

const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** The tables that carry a rule. The type generator makes rows of append-only tables unchangeable from the same comments. */
export async function readTableRules(db: Db): Promise<Map<string, TableRule>> {
  const { rows } = await sql<{ table: string; rule: TableRule }>`
    select relname as table, obj_description(oid, 'pg_class') as rule from pg_class
    where relnamespace = 'public'::regnamespace and obj_description(oid, 'pg_class') in ('append-only', 'migrations-only')`.execute(db)
  const rules = new Map(rows.map(({ table, rule }) => [table, rule]))
  for (const table of MIGRATOR_TABLES) rules.set(table, 'migrations-only')
  return rules
}

/**
 * Gives the application role its rights on every table, view and function: data rights, but only SELECT and INSERT where rows are immutable.
 * Takes everything back first, so that a right that was dropped here is dropped there. Does nothing when the role does not exist.
 */
export async function grantAppRole(db: Db, role: string): Promise<void> {
  const { rows } = await sql<{ found: number }>`select 1 as found from pg_roles where rolname = ${role}`.execute(db)
  if (rows.length === 0) return
  const to = sql.id(role)
  await db.transaction().execute(async (trx) => {
    await sql`revoke all on all tables in schema public from ${to}`.execute(trx)
    await sql`grant usage on schema public to ${to}`.execute(trx)
    await sql`grant select, insert, update, delete on all tables in schema public to ${to}`.execute(trx)
    for (const [table, rule] of await readTableRules(trx)) {
      if (rule === 'append-only') await sql`revoke update, delete on ${sql.table(table)} from ${to}`.execute(trx)
      else await sql`revoke insert, update, delete on ${sql.table(table)} from ${to}`.execute(trx)
    }
    await sql`grant execute on all functions in schema public to ${to}`.execute(trx)
  })
}
