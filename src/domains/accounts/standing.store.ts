import { sql } from 'kysely'
import type { Role } from '#kernel/actor.ts'
import type { Db } from '#platform/database/database.ts'

/** Role of each of these accounts that may still log in; one statement, however many there are. */
export async function findActiveRoles(db: Db, accountIds: readonly string[]): Promise<Map<string, Role>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'role'])
    .where(sql<boolean>`id = any(${accountIds}::uuid[])`)
    .where('status', '=', 'ACTIVE')
    .execute()
  return new Map(rows.map(({ id, role }) => [id, role]))
}
