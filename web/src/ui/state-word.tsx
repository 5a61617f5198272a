import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock, IconMinus } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import classes from './tags.module.css'
import { uiText } from './ui.text.ts'

export type StateName = 'ok' | 'degraded' | 'pending' | 'off' | 'refused'

const ICONS = { ok: IconCircleCheck, degraded: IconAlertTriangle, pending: IconClock, off: IconMinus, refused: IconBan }

/** A state as icon and word; `word` replaces the usual word, for instance "Active" for ok. */
export function StateWord({ state, word, title }: { state: StateName; word?: string | undefined; title?: string | undefined }) {
  const Icon = ICONS[state]
  // CSSProperties knows no custom properties; React passes them on as they are.
  const colour = { '--tag-fill': `var(--svc-state-${state})` } as CSSProperties
  return (
    <span className={classes['tag']} style={colour} title={title}>
      <Icon size={16} className={classes['state']} aria-hidden />
      {word ?? uiText.state[state]}
    </span>
  )
}
