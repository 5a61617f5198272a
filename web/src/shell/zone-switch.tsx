import { usePreferences } from './preferences.ts'
import { shellText } from './shell.text.ts'
import classes from './zone-switch.module.css'

const ZONES = ['UTC', 'LOCAL'] as const

/** UTC or the reader's own zone, for shown times only. */
export function ZoneSwitch() {
  const [{ timeZone }, change] = usePreferences()
  return (
    <fieldset className={classes['switch']}>
      <legend className={classes['legend']}>{shellText.timeZone}</legend>
      {ZONES.map((zone) => (
        <button
          key={zone}
          type="button"
          aria-pressed={timeZone === zone}
          className={classes['choice']}
          onClick={() => change({ timeZone: zone })}
        >
          {shellText.zone[zone]}
        </button>
      ))}
    </fieldset>
  )
}
