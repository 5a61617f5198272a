import type { Indicator } from '../../api/indicators.ts'
import type { IncidentDraft } from '../../shell/incident/open-incident-dialog.tsx'
import { SEVERITIES } from './iocs.search.ts'

/** What an incident about these IOCs begins with: as bad as the worst of them. */
export function incidentDraft(iocs: readonly Pick<Indicator, 'id' | 'value' | 'severity'>[]): IncidentDraft {
  const [first] = iocs
  const worst = SEVERITIES.find((severity) => iocs.some((ioc) => ioc.severity === severity)) ?? 'LOW'
  return {
    title: iocs.length > 1 ? `${first?.value} and ${iocs.length - 1} more` : (first?.value ?? ''),
    severity: worst === 'INFO' ? 'LOW' : worst,
    names: iocs.map(({ value }) => value),
    indicatorIds: iocs.map(({ id }) => id),
  }
}
