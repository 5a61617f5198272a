import { IconAlertOctagon } from '@tabler/icons-react'
import type { AuditEvent } from '../../api/audit.ts'
import { type StateName, StateWord } from '../../ui/state-word.tsx'
import classes from './administration.module.css'
import { auditText } from './administration.text.ts'

const OUTCOME_STATES = { SUCCESS: 'ok', FAILURE: 'degraded', DENIED: 'refused' } as const satisfies Record<AuditEvent['outcome'], StateName>

export function OutcomeWord({ outcome }: { outcome: AuditEvent['outcome'] }) {
  return <StateWord state={OUTCOME_STATES[outcome]} word={auditText.outcome[outcome]} />
}

/** The action in mono, with a loud mark when the row is not what was written. */
export function ActionWord({ event }: { event: Pick<AuditEvent, 'action' | 'chain'> }) {
  return (
    <span className={classes['action']}>
      <span className="svc-mono" title={event.action}>
        {event.action}
      </span>
      {event.chain === 'BROKEN' && <BrokenTag />}
    </span>
  )
}

export function BrokenTag() {
  return (
    <span className={classes['brokenTag']} title={auditText.chainMeaning.BROKEN}>
      <IconAlertOctagon size={12} aria-hidden />
      {auditText.chain.BROKEN}
    </span>
  )
}

/** Who acted: the account, or the service when it has no name. */
export function actorWords({ actor_name }: Pick<AuditEvent, 'actor_name'>): string {
  return actor_name === '' ? auditText.system : actor_name
}

/** `user ada`, or undefined for an event about nothing in particular. */
export function targetWords({ target_type, target_name, target_id }: AuditEvent): string | undefined {
  const words = [target_type, target_name ?? target_id].filter((word) => word !== null && word !== '')
  return words.length === 0 ? undefined : words.join(' ')
}
