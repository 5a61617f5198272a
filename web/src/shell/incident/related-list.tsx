import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { RelatedIncident } from '../../api/incidents.ts'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { paths } from '../paths.ts'
import classes from './incident.module.css'
import { incidentText } from './incident.text.ts'

export type RelatedListProps = {
  related: readonly (Omit<RelatedIncident, 'shared' | 'shared_count'> & Partial<RelatedIncident>)[]
  action?: (incident: Pick<RelatedIncident, 'id' | 'status'>) => ReactNode
}

/** Incidents as short lines: how bad, where they are, and what they share. */
export function RelatedList({ related, action }: RelatedListProps) {
  return (
    <ul className={classes['relatedList']}>
      {related.map(({ id, title, severity, status, level, shared, shared_count = 0 }) => (
        <li key={id}>
          <span className={classes['relatedLine']}>
            <SeverityTag severity={severity} />
            <Link to={paths.incident} params={{ id }} className={classes['relatedName'] ?? ''}>
              {title}
            </Link>
            <span className={classes['dim']}>
              {incidentText.step[status]} · {level}
            </span>
            {action?.({ id, status })}
          </span>
          {shared !== undefined && <span className={classes['shared']}>{incidentText.related.shares(shared, shared_count)}</span>}
        </li>
      ))}
    </ul>
  )
}
