import { IconCheck } from '@tabler/icons-react'
import type { IncidentDetail, IncidentStep } from '../../api/incidents.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import classes from './incidents.module.css'
import { STEPS } from './incidents.search.ts'
import { incidentsText } from './incidents.text.ts'

const text = incidentsText.moved

export type StepBarProps = {
  incident: IncidentDetail
  may: true | string
  busy: boolean
  onMove: (to: IncidentStep) => void
}

/** The six steps: where the incident is, where it has been, and where it may go. */
export function StepBar({ incident, may, busy, onMove }: StepBarProps) {
  const here = STEPS.indexOf(incident.status)
  return (
    <nav aria-label={text.title} className={classes['steps']}>
      <ol>
        {STEPS.map((step, n) => (
          <li key={step} aria-current={n === here ? 'step' : undefined} data-past={n < here || undefined}>
            <span className={classes['stepNumber']} aria-hidden>
              {n < here ? <IconCheck size={13} /> : n + 1}
            </span>
            {incidentText.step[step]}
          </li>
        ))}
      </ol>
      <div className={classes['moves']}>
        {incident.allowed_moves.map((to) => (
          <ReasonButton
            key={to}
            variant={isForward(incident.status, to) ? 'filled' : 'default'}
            disabledReason={may}
            loading={busy}
            onClick={() => onMove(to)}
          >
            {moveWord(incident.status, to)}
          </ReasonButton>
        ))}
      </div>
    </nav>
  )
}

/** A move that needs no words. */
export function isForward(from: IncidentStep, to: IncidentStep): boolean {
  return from !== 'CLOSED' && to !== 'CLOSED' && STEPS.indexOf(to) > STEPS.indexOf(from)
}

function moveWord(from: IncidentStep, to: IncidentStep): string {
  if (to === 'CLOSED') return text.close
  if (from === 'CLOSED') return text.reopen
  return isForward(from, to) ? text.to(incidentText.step[to]) : text.backTo(incidentText.step[to])
}
