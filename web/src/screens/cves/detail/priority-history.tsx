import type { PriorityChange } from '../../../api/cves.ts'
import { PriorityTag } from '../../../ui/priority-tag.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import classes from '../cves.module.css'
import { detailText } from './detail.text.ts'
import { reasonWords } from './reason-words.ts'

const text = detailText.history

/** Each change of the priority with its moment and its reasons, newest first. */
export function PriorityHistory({ changes }: { changes: readonly PriorityChange[] }) {
  if (changes.length === 0) return <p className={classes['quiet']}>{text.none}</p>
  return (
    <ol className={classes['history']}>
      {changes.map(({ at, old_priority, new_priority, old_score, new_score, reason }) => (
        <li key={`${at} ${old_score} ${new_score}`} className={classes['change']}>
          <span className={classes['changeHead']}>
            <PriorityTag priority={new_priority} />
            <b>{old_priority === new_priority ? text.stayed(new_priority) : text.became(old_priority, new_priority)}</b>
            <span>{text.step(old_score, new_score)}</span>
            <span className="svc-dim">
              <TimeText value={at} form="both" />
            </span>
          </span>
          <span>{reasonWords(reason)}</span>
        </li>
      ))}
    </ol>
  )
}
