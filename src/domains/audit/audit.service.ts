import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import type { Tx } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import type { AuditEntry } from './audit.model.ts'
import { insertAuditEvent, type Link } from './audit.store.ts'

export type AuditService = {
  /** Journals an action inside the transaction that does it: both commit or neither does. */
  record(tx: Tx, actor: Actor, entry: AuditEntry): Promise<void>
  /** Journals something that changed nothing: a denial, a failed login. The caller's answer stands even when the row cannot be written. */
  recordRefusal(actor: Actor, entry: AuditEntry): Promise<void>
}

/** The one writer of the journal. Source: spec, "Audit event"; docs/decisions/0007. */
export function createAuditService({ db, log, clock }: { db: Db; log: Log; clock: Clock }): AuditService {
  async function append(target: Db, actor: Actor, entry: AuditEntry): Promise<Link> {
    return await insertAuditEvent(target, {
      id: newId(),
      at: clock(),
      action: entry.action,
      outcome: entry.outcome ?? 'SUCCESS',
      actor_id: actor.id ?? null,
      actor_name: storable(actor.name),
      target_type: entry.target?.type ?? null,
      target_id: entry.target?.id ?? null,
      target_name: entry.target?.name === undefined ? null : storable(entry.target.name),
      client_ip: actor.clientIp ?? null,
      request_id: actor.requestId ?? null,
      details: JSON.stringify(entry.details ?? {}, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value)),
    })
  }

  function logLine(actor: Actor, entry: AuditEntry, link?: Link): void {
    log.info('audit', {
      action: entry.action,
      outcome: entry.outcome ?? 'SUCCESS',
      actor: actor.name,
      target: entry.target?.name ?? entry.target?.id,
      ip: actor.clientIp,
      request_id: actor.requestId,
      // A witness outside the database: `svc audit verify --expect` compares with it.
      chain: link === undefined ? undefined : `${link.lane}:${link.seq}:${link.hash}`,
    })
  }

  return {
    async record(tx, actor, entry) {
      const link = await append(tx.db, actor, entry)
      tx.afterCommit(() => logLine(actor, entry, link))
    },
    async recordRefusal(actor, entry) {
      try {
        logLine(actor, entry, await append(db, actor, entry))
      } catch (error) {
        logLine(actor, entry)
        log.error('audit.row_not_written', { action: entry.action, reason: reasonOf(error) })
      }
    },
  }
}

/** PostgreSQL holds neither NUL nor half a surrogate pair: a name with one must not be a way past the journal. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
