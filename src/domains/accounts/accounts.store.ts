import { sql } from 'kysely'
import type { Role } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { violatedConstraint } from '#platform/database/constraint.ts'
import type { Db } from '#platform/database/database.ts'
import type { User, UserStatus } from './accounts.model.ts'

export const USER_COLUMNS = ['id', 'username', 'email', 'role', 'status', 'version', 'created_at', 'last_login_at'] as const

export type NewUser = { id: string; username: string; email: string | null; password_hash: string; role: Role; at: Date }

/** @throws duplicate_name when the name is taken, ignoring case */
export async function insertUser(db: Db, { at, ...user }: NewUser): Promise<User> {
  try {
    return await db
      .insertInto('users')
      .values({ ...user, created_at: at, updated_at: at })
      .returning(USER_COLUMNS)
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (violatedConstraint(error) === 'users_username_unique')
      throw new DomainError('duplicate_name', `There is already a user named ${user.username}.`, [
        { field: 'username', code: 'duplicate', message: 'Taken.' },
      ])
    throw error
  }
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  return await db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** By name, in any case. */
export async function findUserByName(db: Db, username: string): Promise<User | undefined> {
  return await db.selectFrom('users').select(USER_COLUMNS).where(sql`lower(username)`, '=', username.toLowerCase()).executeTakeFirst()
}

export type UserWithSessions = User & { active_sessions: number }

/** Accounts by name, at most `limit` after the one with the id `after`, with their open sessions. */
export async function pageUsers(db: Db, { after, limit, at }: { after?: string; limit: number; at: Date }): Promise<UserWithSessions[]> {
  const { rows } = await sql<UserWithSessions>`
    select ${sql.join(USER_COLUMNS.map((column) => sql.ref(column)))},
      (select count(*)::int from sessions where user_id = users.id and revoked_at is null and expires_at > ${at}) as active_sessions
    from users
    ${after === undefined ? sql`` : sql`where lower(username) > (select lower(username) from users where id = ${after})`}
    order by lower(username)
    limit ${limit}`.execute(db)
  return rows
}

/** Active accounts that may work on something, by name: those with one of the roles, or of them the one with the id. */
export async function listActive(
  db: Db,
  { roles, id, limit }: { roles: readonly Role[]; id?: string; limit: number },
): Promise<{ id: string; username: string }[]> {
  let query = db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('status', '=', 'ACTIVE')
    .where('role', 'in', roles)
    .orderBy(sql`lower(username)`)
    .limit(limit)
  if (id !== undefined) query = query.where('id', '=', id)
  return await query.execute()
}

/** The account and its password hash, by name in any case. */
export async function findCredentials(db: Db, username: string): Promise<(User & { password_hash: string }) | undefined> {
  return await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'password_hash'])
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
}

/** Ids of the active administrators, held in id order until the transaction ends, so that two of them cannot put each other out. */
export async function lockActiveAdmins(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateUser(
  db: Db,
  id: string,
  { at, ...fields }: { role: Role; status: UserStatus; email: string | null; at: Date },
): Promise<User> {
  return await db
    .updateTable('users')
    .set((row) => ({ ...fields, updated_at: at, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returning(USER_COLUMNS)
    .executeTakeFirstOrThrow()
}

/** @param change `replaces`: only while that hash is the account's. @returns whether it was written */
export async function updatePassword(
  db: Db,
  id: string,
  { password_hash, replaces, at }: { password_hash: string; replaces?: string; at: Date },
): Promise<boolean> {
  let update = db.updateTable('users').set({ password_hash, updated_at: at }).where('id', '=', id)
  if (replaces !== undefined) update = update.where('password_hash', '=', replaces)
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countUsers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
