import pg from 'pg'
import { DomainError } from '#kernel/errors.ts'

export const SUPERUSER = 'postgres'
/** Owns the database and its schema; migrations run as this role. */
export const OWNER_ROLE = 'svc'
export const DATABASE = 'svc'

/** What PostgreSQL allows without quotes: 63 bytes. Source: PostgreSQL, "Identifiers and Key Words". */
const ROLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/
const MAINTENANCE_DATABASES = ['postgres', 'template1']

/** Where and as whom to connect; the password is always that of the superuser. */
export type SuperuserAccess = { port: number; password: string }
export type RolePasswords = { owner: string; app: string; appRole: string }

/** @throws setting_invalid when the name is not a plain identifier or is one of the server's own */
export function assertRoleName(name: string): void {
  if (ROLE_NAME.test(name) && name !== SUPERUSER && name !== OWNER_ROLE && !name.startsWith('pg_')) return
  throw new DomainError(
    'setting_invalid',
    `"${name}" cannot be the application role: use lower-case letters, digits and underscores, and neither ${SUPERUSER} nor ${OWNER_ROLE}.`,
  )
}

/**
 * Creates what is missing: the owner role, the application role, the database. Passwords are set when a role is new or when `resetPasswords`.
 * A start that was interrupted here is completed by the next one.
 */
export async function ensureRoles(access: SuperuserAccess, passwords: RolePasswords, resetPasswords: boolean): Promise<void> {
  await withSuperuser(access, 'postgres', async (client) => {
    await ensureRole(client, { name: OWNER_ROLE, password: passwords.owner, reset: resetPasswords })
    await ensureRole(client, { name: passwords.appRole, password: passwords.app, reset: resetPasswords })
    for (const name of MAINTENANCE_DATABASES) await client.query(`revoke all on database ${name} from public`)
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE} owner ${OWNER_ROLE}`)
    await limitDatabaseRights(client, DATABASE, passwords.appRole)
  })
  await withSuperuser(access, DATABASE, limitSchemaRights)
}

/** Takes from PUBLIC what a new database gives it, and lets the application role connect. */
export async function limitDatabaseRights(client: pg.ClientBase, database: string, appRole: string): Promise<void> {
  const [name, role] = [pg.escapeIdentifier(database), pg.escapeIdentifier(appRole)]
  await client.query(`revoke all on database ${name} from public; grant connect, temporary on database ${name} to ${role}`)
}

/** Runs `work` on one connection of the superuser. */
export async function withSuperuser<Result>(
  { port, password }: SuperuserAccess,
  database: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database,
    connectionTimeoutMillis: 5000,
    application_name: 'svc start',
  })
  // The server may end while we are connected; the query in flight already tells so.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function ensureRole(client: pg.Client, { name, password, reset }: { name: string; password: string; reset: boolean }): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name])
  if (rowCount !== 0 && !reset) return
  const verb = rowCount === 0 ? 'create' : 'alter'
  await client.query(
    `${verb} role ${pg.escapeIdentifier(name)} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${pg.escapeLiteral(password)}`,
  )
}

async function limitSchemaRights(client: pg.Client): Promise<void> {
  await client.query(`
    revoke all on schema public from public;
    alter default privileges for role ${OWNER_ROLE} revoke execute on functions from public`)
}
