import type { ReactNode } from 'react'
import classes from './form-end.module.css'

/** The buttons at the end of a form, the one that sends it last. */
export function FormEnd({ children }: { children: ReactNode }) {
  return <div className={classes['end']}>{children}</div>
}
