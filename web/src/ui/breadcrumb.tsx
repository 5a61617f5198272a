import type { ReactNode } from 'react'
import classes from './breadcrumb.module.css'

/** Way back from a details page: `trail` are the caller's links, `here` is the page itself. */
export function Breadcrumb({ label, trail, here }: { label: string; trail: readonly { id: string; link: ReactNode }[]; here: string }) {
  return (
    <nav aria-label={label} className="svc-screen">
      <ol className={classes['list']}>
        {trail.map((step) => (
          <li key={step.id}>{step.link}</li>
        ))}
        <li aria-current="page" className={classes['here']}>
          {here}
        </li>
      </ol>
    </nav>
  )
}
