import type { Role } from '#kernel/actor.ts'
import type { Db } from '#platform/database/database.ts'
import type { Tx } from '#platform/database/transact.ts'
import { listActive } from './accounts.store.ts'

/** Somebody who may be given work. */
export type Analyst = { id: string; username: string }

/** Who works on alerts and incidents. Source: spec, "Permissions". */
const WORKING_ROLES: readonly Role[] = ['ADMIN', 'ANALYST']
/** Assumption: an organisation has tens of them. */
const ANALYSTS_MAX = 500

export type AnalystsService = {
  /** Everybody who may be given work, by name. */
  list(): Promise<Analyst[]>
  /** The one with this id, unless the account is disabled or may only look on. */
  find(tx: Tx, id: string): Promise<Analyst | undefined>
}

export function createAnalystsService({ db }: { db: Db }): AnalystsService {
  return {
    list: async () => await listActive(db, { roles: WORKING_ROLES, limit: ANALYSTS_MAX }),
    find: async (tx, id) => (await listActive(tx.db, { roles: WORKING_ROLES, id, limit: 1 }))[0],
  }
}
