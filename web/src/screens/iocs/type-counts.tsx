import { useMemo } from 'react'
import { countByType } from './classify.ts'
import classes from './iocs.module.css'
import { count, iocsText, typeText } from './iocs.text.ts'
import type { PastedValue } from './split-values.ts'

const text = iocsText.submission

/** How many values of each type the paste seems to hold. */
export function TypeCounts({ values }: { values: readonly PastedValue[] }) {
  const counts = useMemo(() => [...countByType(values.map(({ value }) => value))], [values])
  const unrecognised = counts.find(([type]) => type === undefined)?.[1] ?? 0
  return (
    <div className={classes['counts']} role="status">
      {counts.length === 0 && <span className="svc-dim">{text.none}</span>}
      {counts.map(([type, number]) =>
        type === undefined ? null : (
          <span key={type} className={classes['tag']}>
            <b>{count(number)}</b> {typeText[type]}
          </span>
        ),
      )}
      {unrecognised > 0 && (
        <span className={classes['tag']} data-warning title={text.unrecognisedHint}>
          <b>{count(unrecognised)}</b> {text.unrecognised}
        </span>
      )}
    </div>
  )
}
