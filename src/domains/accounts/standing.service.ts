import type { Role } from '#kernel/actor.ts'
import type { Db } from '#platform/database/database.ts'
import { findActiveRoles } from './standing.store.ts'

/** Who was let in and is still connected. */
export type Admitted = { accountId: string; sessionId?: string | undefined }

export type StandingService = {
  /** What each of them may do today, in the order asked; undefined for who may do nothing any more. One statement for all. */
  rolesOf(admitted: readonly Admitted[]): Promise<(Role | undefined)[]>
}

/** For connections that outlive the request that was checked. */
export function createStandingService({ db }: { db: Db }): StandingService {
  return {
    async rolesOf(admitted) {
      if (admitted.length === 0) return []
      const roles = await findActiveRoles(db, [...new Set(admitted.map(({ accountId }) => accountId))])
      return admitted.map(({ accountId }) => roles.get(accountId))
    },
  }
}
