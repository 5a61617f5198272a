import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { incidentPageQuery } from '../../api/incidents.ts'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { paths } from '../paths.ts'
import { incidentText } from './incident.text.ts'
import { RelatedList } from './related-list.tsx'

/** Incidents beside a CVE or an IOC; the list has more. */
const SHOWN = 5

/** The newest incidents about a CVE or an IOC; nothing when there are none. */
export function LinkedIncidents({ about }: { about: { cve_id: string } | { indicator_id: string } }) {
  const { data, isPlaceholderData } = useQuery(incidentPageQuery(about))
  // Rows about something else may still be there.
  if (data === undefined || isPlaceholderData || data.items.length === 0) return null
  const search = 'cve_id' in about ? { cve: about.cve_id, state: 'all' } : { ioc: about.indicator_id, state: 'all' }
  return (
    <SectionPanel
      title={incidentText.linked.title(data.total)}
      actions={
        // The route leaves its search untyped, because the screen owns its schema.
        <Link to={paths.incidents} search={search as never}>
          {incidentText.linked.all}
        </Link>
      }
    >
      <RelatedList related={data.items.slice(0, SHOWN)} />
    </SectionPanel>
  )
}
