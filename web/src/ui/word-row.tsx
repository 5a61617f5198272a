import type { ReactNode } from 'react'
import classes from './word-row.module.css'

/** Tags and words that say what something is, beside its name. */
export function WordRow({ children }: { children: ReactNode }) {
  return <span className={classes['row']}>{children}</span>
}
