import type { ReactNode, Ref } from 'react'
import classes from './callout.module.css'

export type CalloutProps = {
  tone: 'info' | 'warning' | 'danger'
  icon?: ReactNode | undefined
  /** Shown above the words; names the box too. */
  title?: string | undefined
  /** Names a box that shows no title. */
  label?: string | undefined
  /** How it is announced when it appears; without one it waits until it is read. */
  role?: 'alert' | 'note' | 'status' | undefined
  /** Buttons beside the words. */
  actions?: ReactNode | undefined
  /** Keeps its distance from what follows, where the parent has no gaps. */
  apart?: boolean | undefined
  /** For a box that takes the focus when it appears. */
  ref?: Ref<HTMLElement> | undefined
  children: ReactNode
}

/** A box in the colour of its tone that says what the reader should know before going on. */
export function Callout({ tone, icon, title, label = title, role, actions, apart, ref, children }: CalloutProps) {
  return (
    <section
      ref={ref}
      role={role}
      aria-label={label}
      tabIndex={ref === undefined ? undefined : -1}
      className={classes['callout']}
      data-tone={tone}
      data-apart={apart}
    >
      {icon}
      <div className={classes['words']}>
        {title !== undefined && <p className={classes['title']}>{title}</p>}
        {children}
      </div>
      {actions}
    </section>
  )
}
