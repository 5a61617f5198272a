import { sql } from 'kysely'
import pg from 'pg'
import { DomainError } from '#kernel/errors.ts'
import { openDatabase } from './database.ts'
import { assertRoleName } from './embedded/cluster-roles.ts'
import { grantAppRole } from './grants.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

/** What a call to `ensureAppRole` did with the role itself; its rights are given in each case. */
export type AppRoleOutcome = 'created' | 'password_changed' | 'kept' | 'missing'

/**
 * Creates the application role when it is missing and a password is given, and gives it its rights on what exists. With a password an existing
 * role gets that password.
 * @throws setting_invalid (the name), forbidden when the owner may not create roles
 */
export async function ensureAppRole(ownerUrl: string, role: string, password: string | undefined): Promise<AppRoleOutcome> {
  assertRoleName(role)
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, connectionTimeoutMillis: 5000, application_name: 'svc db' })
  pool.on('error', () => {})
  const db = openDatabase(pool)
  try {
    const { rows } = await sql<{ found: number; database: string; migrated: boolean }>`
      select count(*)::int as found, current_database() as database, to_regclass('kysely_migration') is not null as migrated from pg_roles where rolname = ${role}`.execute(
      db,
    )
    const exists = rows[0]?.found === 1
    if (!exists && password === undefined) return 'missing'
    if (password !== undefined) {
      const verb = sql.raw(exists ? 'alter' : 'create')
      // A utility statement takes no parameters; the driver's own quoting makes the text safe.
      await sql`${verb} role ${sql.id(role)} login password ${sql.raw(pg.escapeLiteral(password))}`.execute(db)
    }
    await sql`grant connect, temporary on database ${sql.id(rows[0]?.database ?? '')} to ${sql.id(role)}`.execute(db)
    // Before the first migration there is nothing to give rights on; the migration gives them.
    if (rows[0]?.migrated === true) await grantAppRole(db, role)
    if (!exists) return 'created'
    return password === undefined ? 'kept' : 'password_changed'
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)
      throw new DomainError(
        'forbidden',
        `The role of MIGRATION_DATABASE_URL may not do this: ${error.message}. Let a superuser run: create role ${role} login password '…'`,
      )
    throw error
  } finally {
    await db.destroy()
  }
}
