import type { ReactNode } from 'react'
import classes from './page-header.module.css'

export type PageHeaderProps = {
  title: string
  /** Replaces the visible title, such as a mono value with a copy button; `title` then names the browser tab. */
  heading?: ReactNode | undefined
  /** Beside the title: a count, a state. */
  aside?: ReactNode | undefined
  /** Buttons at the right. */
  actions?: ReactNode | undefined | undefined
  /** Above the title, on details pages only. */
  breadcrumb?: ReactNode | undefined
  /** One line below the title. */
  description?: ReactNode | undefined
}

/** Title row of a screen; also names the browser tab. */
export function PageHeader({ title, heading, aside, actions, breadcrumb, description }: PageHeaderProps) {
  return (
    <header className={classes['header']}>
      <title>{`${title} · svc`}</title>
      <div className={classes['words']}>
        {breadcrumb}
        <div className={classes['line']}>
          <h1 className={classes['title']}>{heading ?? title}</h1>
          {aside !== undefined && <span className={classes['aside']}>{aside}</span>}
        </div>
        {description !== undefined && <p className={classes['description']}>{description}</p>}
      </div>
      {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
    </header>
  )
}
