import { IconUsers } from '@tabler/icons-react'
import type { TimelineEntry } from '../../api/incidents.ts'
import { Callout } from '../../ui/callout.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './incidents.module.css'
import { describeEntry, incidentsText } from './incidents.text.ts'

const text = incidentsText.conflict

/** Says what others did since the writer began. */
export function ConflictNotice({ changes }: { changes: readonly TimelineEntry[] }) {
  return (
    <Callout tone="warning" role="alert" icon={<IconUsers size={16} aria-hidden />} title={text.title}>
      <p>{text.what}</p>
      <ul>
        {changes.map((entry) => (
          <li key={entry.seq}>
            <b>{entry.actor}</b> {describeEntry(entry)} <TimeText value={entry.at} />
            {entry.note !== null && <span className={classes['noteText']}>{entry.note}</span>}
          </li>
        ))}
      </ul>
      <p>{text.kept}</p>
    </Callout>
  )
}
