import { type ReactNode, useId } from 'react'
import classes from './section-panel.module.css'

/** A bordered part of a details page with its own heading. */
export function SectionPanel({ title, actions, children }: { title: string; actions?: ReactNode | undefined; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className={classes['panel']}>
      <div className={classes['head']}>
        <h2 id={titleId} className={classes['title']}>
          {title}
        </h2>
        {actions}
      </div>
      <div className={classes['body']}>{children}</div>
    </section>
  )
}
