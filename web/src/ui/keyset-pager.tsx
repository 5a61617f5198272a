import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { KeyHint } from './key-hint.tsx'
import classes from './keyset-pager.module.css'
import { ReasonButton } from './reason-button.tsx'
import { uiText } from './ui.text.ts'

const text = uiText.pager

export type KeysetPagerProps = {
  summary: string
  /** Undefined on the first page. */
  onNewer: (() => void) | undefined
  /** False when the way back is not known and leads to the first page. */
  knowsNewer: boolean
  onOlder: (() => void) | undefined
}

/** Newer and older, as far as there are any. */
export function KeysetPager({ summary, onNewer, knowsNewer, onOlder }: KeysetPagerProps) {
  return (
    <nav aria-label={text.label} className={classes['pager']}>
      <span className={classes['range']}>{summary}</span>
      <ReasonButton
        variant="default"
        leftSection={<IconChevronLeft size={14} aria-hidden />}
        disabledReason={onNewer === undefined ? text.isFirst : true}
        onClick={() => onNewer?.()}
      >
        {knowsNewer ? text.newer : text.first} <PageKey keys="[" />
      </ReasonButton>
      <ReasonButton
        variant="default"
        rightSection={<IconChevronRight size={14} aria-hidden />}
        disabledReason={onOlder === undefined ? text.isLast : true}
        onClick={() => onOlder?.()}
      >
        {text.older} <PageKey keys="]" />
      </ReasonButton>
    </nav>
  )
}

function PageKey({ keys }: { keys: string }) {
  return (
    <span className={classes['key']} aria-hidden>
      <KeyHint keys={keys} />
    </span>
  )
}
