import type { Alert } from '../../../api/alerts.ts'
import type { Priority } from '../../../api/cves.ts'
import type { IncidentSeverity } from '../../../api/incidents.ts'
import type { IncidentDraft } from '../../../shell/incident/open-incident-dialog.tsx'
import { PRIORITIES } from '../cves.search.ts'
import { triageText } from './triage.text.ts'

const SEVERITY: Record<Priority, IncidentSeverity> = { P0: 'CRITICAL', P1: 'HIGH', P2: 'MEDIUM', P3: 'LOW' }

/** How bad an incident about a CVE of this priority is to begin with. Assumption: the order is the same. */
export function severityOf(priority: Priority): IncidentSeverity {
  return SEVERITY[priority]
}

/** What an incident about these alerts begins with: as bad as the most urgent of them. */
export function incidentDraft(alerts: readonly Alert[]): IncidentDraft {
  const [first] = alerts
  const worst = PRIORITIES.find((priority) => alerts.some((alert) => alert.priority === priority)) ?? 'P3'
  const title =
    first === undefined
      ? ''
      : alerts.length === 1
        ? `${first.cve_id}: ${first.title}`
        : triageText.incidentTitle(alerts.length, first.cve_id)
  const cveIds = [...new Set(alerts.map(({ cve_id }) => cve_id))]
  return { title, severity: severityOf(worst), names: cveIds, cveIds, alertIds: alerts.map(({ id }) => id) }
}
