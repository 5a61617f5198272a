import type { ReactNode } from 'react'
import classes from './selection-bar.module.css'

/** What can be done with the selected rows of a list. @param label how many are selected, in words */
export function SelectionBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={classes['bar']}>
      <legend className={classes['label']}>{label}</legend>
      {children}
    </fieldset>
  )
}
