import { Tooltip } from '@mantine/core'
import { useId } from 'react'
import classes from './sources.module.css'
import { sourcesText } from './sources.text.ts'

export type ActiveSwitchProps = {
  name: string
  active: boolean
  /** True, or why it may not be moved. */
  reason: true | string
  onChange: (active: boolean) => void
}

/** A native switch; one that may not be moved stays reachable and says why. */
export function ActiveSwitch({ name, active, reason, onChange }: ActiveSwitchProps) {
  const reasonId = useId()
  const denied = typeof reason === 'string'
  const box = (
    <label className={classes['switch']}>
      <input
        type="checkbox"
        role="switch"
        aria-label={sourcesText.activeSwitch(name)}
        checked={active}
        aria-checked={active}
        {...(denied ? { 'aria-disabled': true, 'aria-describedby': reasonId } : {})}
        onChange={() => {
          if (!denied) onChange(!active)
        }}
      />
      {denied && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </label>
  )
  return denied ? <Tooltip label={reason}>{box}</Tooltip> : box
}
