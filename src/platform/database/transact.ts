import { type Kysely, sql } from 'kysely'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import type { Database } from './schema.ts'

/** An open transaction: its queries, and what is to happen once it is committed. */
export type Tx = {
  db: Kysely<Database>
  /** Runs after commit, in order of registration; never when the transaction is rolled back. A failing effect is logged and changes nothing. */
  afterCommit(effect: () => void | Promise<void>): void
  /** Runs when nobody knows whether it was committed: the connection was lost while it was being asked for. */
  ifCommitUnknown(effect: () => void): void
}

/** Runs `work` in one transaction. Only services open transactions; stores take `tx.db`. */
export async function transact<Result>(db: Kysely<Database>, log: Log, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const effects: (() => void | Promise<void>)[] = []
  const ifUnknown: (() => void)[] = []
  let isWorkDone = false
  try {
    const result = await db.transaction().execute(async (trx) => {
      const worked = await work({
        db: trx,
        afterCommit: (effect) => void effects.push(effect),
        ifCommitUnknown: (effect) => void ifUnknown.push(effect),
      })
      isWorkDone = true
      return worked
    })
    await runEffects(effects, log)
    return result
  } catch (error) {
    // The work was done and the commit failed: it may have failed on its way back.
    if (isWorkDone) await runEffects(ifUnknown, log)
    throw error
  }
}

/** @returns always: an effect that fails is logged */
async function runEffects(effects: readonly (() => void | Promise<void>)[], log: Log): Promise<void> {
  for (const effect of effects) {
    try {
      await effect()
    } catch (error) {
      log.error('transaction.effect_failed', { reason: reasonOf(error) })
    }
  }
}

/** Runs `work` inside an open transaction so that its failure takes back only itself. @throws what `work` throws; the transaction can go on */
export async function inSavepoint(tx: Tx, work: () => Promise<void>): Promise<void> {
  await sql`savepoint attempt`.execute(tx.db)
  try {
    await work()
    await sql`release savepoint attempt`.execute(tx.db)
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(tx.db)
    throw error
  }
}

/** The database's word on whether it can be reached. */
export async function isReachable(db: Kysely<Database>): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}
