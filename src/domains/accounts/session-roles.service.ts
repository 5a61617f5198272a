import type { Role } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { findRolesOfSessions } from './session-roles.store.ts'

export type SessionRolesService = {
  /** What the holder of each session may do today, in the order asked; undefined where it may do nothing any more. One statement for all. */
  rolesOf(sessionIds: readonly string[]): Promise<(Role | undefined)[]>
}

/** For connections that outlive the request that was checked. */
export function createSessionRolesService({ db, clock }: { db: Db; clock: Clock }): SessionRolesService {
  return {
    async rolesOf(sessionIds) {
      if (sessionIds.length === 0) return []
      const roles = await findRolesOfSessions(db, [...new Set(sessionIds)], clock())
      return sessionIds.map((id) => roles.get(id))
    },
  }
}
