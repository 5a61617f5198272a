import type { ReactNode } from 'react'
import classes from './scroll-box.module.css'

/** Holds something wider or taller than its place; the keyboard can scroll it as well. */
export function ScrollBox({ label, tall = false, children }: { label: string; tall?: boolean; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, what lies beyond the edge cannot be reached by keyboard
    <section className={classes['scroll']} data-tall={tall || undefined} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
