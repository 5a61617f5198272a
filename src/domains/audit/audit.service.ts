import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import type { Tx } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { AuditEntry } from './audit.model.ts'
import { insertAuditEvent } from './audit.store.ts'

export type AuditService = {
  /** Journals an action inside the transaction that does it: both commit or neither does. */
  record(tx: Tx, actor: Actor, entry: AuditEntry): Promise<void>
  /** Journals something that changed nothing: a denial, a failed login. The caller's answer stands even when the row cannot be written. */
  recordRefusal(actor: Actor, entry: AuditEntry): Promise<void>
}

/** The one writer of the journal. Source: spec, "Audit event"; docs/decisions/0007. */
export function createAuditService({ db, log, clock }: { db: Db; log: Log; clock: Clock }): AuditService {
  async function append(target: Db, actor: Actor, entry: AuditEntry): Promise<void> {
    await insertAuditEvent(target, {
      id: newId(),
      at: clock(),
      action: entry.action,
      outcome: entry.outcome ?? 'SUCCESS',
      actor_id: actor.id ?? null,
      actor_name: actor.name,
      target_type: entry.target?.type ?? null,
      target_id: entry.target?.id ?? null,
      target_name: entry.target?.name ?? null,
      client_ip: actor.clientIp ?? null,
      request_id: actor.requestId ?? null,
      details: JSON.stringify(entry.details ?? {}),
    })
  }

  function logLine(actor: Actor, entry: AuditEntry): void {
    log.info('audit', {
      action: entry.action,
      outcome: entry.outcome ?? 'SUCCESS',
      actor: actor.name,
      target: entry.target?.name ?? entry.target?.id,
      ip: actor.clientIp,
      request_id: actor.requestId,
    })
  }

  return {
    async record(tx, actor, entry) {
      await append(tx.db, actor, entry)
      tx.afterCommit(() => logLine(actor, entry))
    },
    async recordRefusal(actor, entry) {
      logLine(actor, entry)
      try {
        await append(db, actor, entry)
      } catch (error) {
        log.error('audit.row_not_written', { action: entry.action, reason: error instanceof Error ? error.message : String(error) })
      }
    },
  }
}
