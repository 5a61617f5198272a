import type { ReactNode } from 'react'
import classes from './action-row.module.css'

/** Buttons beside one another, in more lines where it is narrow. */
export function ActionRow({ children }: { children: ReactNode }) {
  return <div className={classes['row']}>{children}</div>
}
