import { IconUsers } from '@tabler/icons-react'
import type { TimelineEntry } from '../../api/incidents.ts'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './incidents.module.css'
import { describeEntry, incidentsText } from './incidents.text.ts'

const text = incidentsText.conflict

/** Says what others did since the writer began. */
export function ConflictNotice({ changes }: { changes: readonly TimelineEntry[] }) {
  return (
    <section className={classes['notice']} aria-label={text.title} role="alert">
      <IconUsers size={16} aria-hidden />
      <div>
        <p className={classes['noticeTitle']}>{text.title}</p>
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
      </div>
    </section>
  )
}
