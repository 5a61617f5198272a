import type { Insertable } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { AuditEvents } from '#platform/database/schema.ts'

/** Appends one row to the journal. */
export async function insertAuditEvent(db: Db, event: Insertable<AuditEvents>): Promise<void> {
  await db.insertInto('audit_events').values(event).execute()
}
