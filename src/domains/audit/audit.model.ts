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
  | 'indicators.submitted'

/** What was done to what. `details` holds short facts for a reader, never a secret. */
export type AuditEntry = {
  action: AuditAction
  outcome?: AuditOutcome
  target?: { type: string; id?: string; name?: string }
  details?: Record<string, string | number | boolean | null>
}
