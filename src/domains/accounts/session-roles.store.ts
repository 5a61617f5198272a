import { sql } from 'kysely'
import type { Role } from '#kernel/actor.ts'
import type { Db } from '#platform/database/database.ts'

/** Role of the account behind each of these sessions that may still act; one statement, however many there are. */
export async function findRolesOfSessions(db: Db, sessionIds: readonly string[], at: Date): Promise<Map<string, Role>> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'users.role'])
    .where(sql<boolean>`sessions.id = any(${sessionIds}::uuid[])`)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', at)
    .where('users.status', '=', 'ACTIVE')
    .execute()
  return new Map(rows.map(({ id, role }) => [id, role]))
}
