import type { Incident } from '../../api/incidents.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { useNowMs } from '../../ui/display.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { clockOf } from './clock-words.ts'
import classes from './incidents.module.css'
import { STEPS } from './incidents.search.ts'
import { count, incidentsText as text } from './incidents.text.ts'

const names = text.columns
const CLOCK_STATES = { done: 'ok', running: 'pending', late: 'degraded' } as const

/** Columns of the list of incidents. */
export const INCIDENT_COLUMNS: readonly DataColumn<Incident>[] = [
  { id: 'severity', header: names.severity, width: '102px', cell: ({ severity }) => <SeverityTag severity={severity} /> },
  { id: 'title', header: names.title, lead: true, cell: ({ title }) => <span className={classes['title']}>{title}</span> },
  { id: 'step', header: names.step, width: '150px', cell: ({ status }) => <StepWord status={status} /> },
  { id: 'level', header: names.level, width: '62px', drop: 4, cell: ({ level }) => level },
  {
    id: 'assignee',
    header: names.assignee,
    width: '110px',
    drop: 5,
    cell: ({ assignee }) => assignee ?? <span className="svc-dim">{incidentText.nobody}</span>,
  },
  { id: 'clock', header: names.clock, width: '236px', cell: (row) => <ClockWord incident={row} /> },
  {
    id: 'about',
    header: names.about,
    width: '100px',
    align: 'end',
    drop: 2,
    cell: ({ cve_count, indicator_count }) => `${count(cve_count)} · ${count(indicator_count)}`,
  },
  { id: 'updated', header: names.updated, width: '92px', wideOnly: true, drop: 1, cell: (row) => <TimeText value={row.updated_at} /> },
]

/** The step with its number, so that how far it is can be read. */
export function StepWord({ status }: { status: Incident['status'] }) {
  return <span className={classes['nowrap']}>{text.stepOf(incidentText.step[status], STEPS.indexOf(status) + 1)}</span>
}

/** The delay that runs now, as icon and words. */
export function ClockWord({ incident }: { incident: Incident }) {
  const clock = clockOf(incident, useNowMs())
  const due = clock.kind === 'take-in' ? incident.take_in_due_at : incident.resolution_due_at
  return <StateWord state={CLOCK_STATES[clock.state]} word={`${incidentText.clock[clock.kind]}: ${clock.text}`} title={due} />
}
