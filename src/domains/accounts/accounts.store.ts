import type { Role } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { violatedConstraint } from '#platform/database/constraint.ts'
import type { Db } from '#platform/database/database.ts'
import type { User } from './accounts.model.ts'

const USER_COLUMNS = ['id', 'username', 'email', 'role', 'status', 'version', 'created_at', 'last_login_at'] as const

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

/** Every account, by name. */
export async function listUsers(db: Db): Promise<User[]> {
  return await db.selectFrom('users').select(USER_COLUMNS).orderBy('username').execute()
}

/** The account and its password hash, by name in any case. */
export async function findCredentials(db: Db, username: string): Promise<(User & { password_hash: string }) | undefined> {
  return await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'password_hash'])
    .where((where) => where(where.fn('lower', ['username']), '=', username.toLowerCase()))
    .executeTakeFirst()
}

export async function markLogin(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('users').set({ last_login_at: at }).where('id', '=', id).execute()
}

export async function countUsers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
