/** How an action ended. Source: spec, "Other records". */
export const AUDIT_OUTCOMES = ['SUCCESS', 'FAILURE', 'DENIED'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

/** Actions that are journalled. Names are `noun.past` or `area.event`; filters match by prefix. */
export type AuditAction =
  | 'auth.login'
  | 'auth.refresh'
  | 'auth.logout'
  | 'authz.denied'
  | 'user.created'
  | 'user.updated'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.password_reset'
  | 'user.password_changed'
  | 'user.sessions_revoked'
  | 'feed.created'
  | 'feed.updated'
  | 'feed.deleted'
  | 'feed.seeded'
  | 'feed.collected'
  | 'feed.probed'
  | 'feed.purge_started'
  | 'feed.quality_computed'
  | 'indicators.submitted'
  | 'warning_list.imported'
  | 'warning_list.removed'
  | 'exclusion.created'
  | 'exclusion.removed'
  | 'exclusion.list_imported'
  | 'cves.imported'
  | 'product_alias.added'
  | 'product_alias.removed'
  | 'cves.affected_refreshed'
  | 'cves.rescored'
  | 'cves.synced'
  | 'alert.acknowledged'
  | 'alert.replayed'
  | 'incident.created'
  | 'incident.updated'
  | 'incident.moved'
  | 'incident.assigned'
  | 'incident.escalated'
  | 'incident.commented'
  | 'incident.linked'
  | 'incident.unlinked'
  | 'data.export'

/** What was done to what. `details` holds short facts for a reader, never a secret. */
export type AuditEntry = {
  action: AuditAction
  outcome?: AuditOutcome
  target?: { type: string; id?: string; name?: string }
  details?: Record<string, string | number | boolean | null>
}

/** Whether a row is what was written, after the row that was written before it. Source: docs/decisions/0007. */
export const CHAIN_STATES = ['OK', 'BROKEN'] as const
export type ChainState = (typeof CHAIN_STATES)[number]

/** A row of the journal as it is read. */
export type AuditEvent = {
  id: string
  at: Date
  action: string
  outcome: AuditOutcome
  actor_id: string | null
  actor_name: string
  target_type: string | null
  target_id: string | null
  target_name: string | null
  client_ip: string | null
  request_id: string | null
  details: Record<string, unknown>
  chain: ChainState
}

/** Rows of one page. Source: spec, "Audit"; the largest page is an assumption. */
export const AUDIT_PAGE_ROWS = 50
export const AUDIT_PAGE_MAX = 200
/** Rows that `svc audit list` shows. Source: spec, "Command line". */
export const AUDIT_LIST_ROWS = 30
/** Furthest look back, hours. Assumption: ten years. */
export const AUDIT_SINCE_MAX_HOURS = 87_600
