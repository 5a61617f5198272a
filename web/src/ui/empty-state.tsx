import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './empty-state.module.css'

export type EmptyStateProps = {
  icon?: ReactNode | undefined
  title: string
  /** What to do next, one or two sentences. */
  description?: ReactNode | undefined
  /** A command line that does it, such as `svc feeds fetch-all`. */
  command?: string | undefined
  /** Buttons. */
  actions?: ReactNode | undefined | undefined
}

/** A place without rows: says why, and the next step. */
export function EmptyState({ icon, title, description, command, actions }: EmptyStateProps) {
  return (
    <div className={classes['box']}>
      {icon !== undefined && <div className={classes['icon']}>{icon}</div>}
      <p className={classes['title']}>{title}</p>
      {description !== undefined && <p className={classes['description']}>{description}</p>}
      {command !== undefined && (
        <div className={classes['command']}>
          <code className="svc-mono">{command}</code>
          <CopyButton text={command} what={command} />
        </div>
      )}
      {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
    </div>
  )
}
