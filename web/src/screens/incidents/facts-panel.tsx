import { Link } from '@tanstack/react-router'
import type { IncidentDetail } from '../../api/incidents.ts'
import { paths } from '../../shell/paths.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './incidents.module.css'
import { incidentsText } from './incidents.text.ts'

const text = incidentsText.facts

/** The moments of an incident, and what became of it. */
export function FactsPanel({ incident }: { incident: IncidentDetail }) {
  return (
    <SectionPanel title={text.title}>
      <FactList facts={factsOf(incident)} />
      {incident.alerts.length > 0 && (
        <p className={classes['fromAlerts']}>
          {incidentsText.alerts.title(incident.alerts.length)}:{' '}
          {incident.alerts.map(({ id, cve_id }) => (
            <Link key={id} to={paths.cve} params={{ id: cve_id }} className="svc-mono">
              {cve_id}
            </Link>
          ))}
        </p>
      )}
    </SectionPanel>
  )
}

function factsOf(incident: IncidentDetail) {
  const { acknowledged_at, closed_at, resolution, summary, reopen_count } = incident
  return [
    { name: text.opened, value: <TimeText value={incident.created_at} form="both" /> },
    { name: text.by, value: incident.opened_by },
    { name: text.takenIn, value: <TimeText value={acknowledged_at} form="both" whenMissing={text.notTakenIn} /> },
    ...(closed_at === null
      ? [{ name: text.due, value: <TimeText value={incident.resolution_due_at} form="both" /> }]
      : [{ name: text.closed, value: <TimeText value={closed_at} form="both" /> }]),
    ...(resolution === null ? [] : [{ name: text.resolution, value: incidentsText.resolution[resolution] }]),
    ...(summary === null ? [] : [{ name: text.summary, value: <span className={classes['noteText']}>{summary}</span> }]),
    ...(reopen_count === 0 ? [] : [{ name: text.reopened, value: text.times(reopen_count) }]),
    { name: text.id, value: <span className="svc-mono">{incident.id}</span> },
  ]
}
