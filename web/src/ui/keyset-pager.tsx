import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { ButtonKey } from './button-key.tsx'
import classes from './keyset-pager.module.css'
import { ReasonButton } from './reason-button.tsx'
import { uiText } from './ui.text.ts'
import type { PagerState } from './use-paging.ts'

const text = uiText.pager

/** Newer and older, as far as there are any; nothing below a list without any. @param total how many rows there are over all pages, in words */
export function KeysetPager({ pager, total }: { pager: PagerState | undefined; total: string }) {
  if (pager === undefined) return null
  const { rows, place, onNewer, knowsNewer, onOlder } = pager
  const summary =
    place === undefined || rows === 0 ? text.some(rows, total) : text.range(place.rowsBefore + 1, place.rowsBefore + rows, total)
  return (
    <nav aria-label={text.label} className={classes['pager']}>
      <span className={classes['range']}>{summary}</span>
      <ReasonButton
        variant="default"
        leftSection={<IconChevronLeft size={14} aria-hidden />}
        disabledReason={onNewer === undefined ? text.isFirst : true}
        onClick={() => onNewer?.()}
      >
        {knowsNewer ? text.newer : text.first} <ButtonKey keys="[" />
      </ReasonButton>
      <ReasonButton
        variant="default"
        rightSection={<IconChevronRight size={14} aria-hidden />}
        disabledReason={onOlder === undefined ? text.isLast : true}
        onClick={() => onOlder?.()}
      >
        {text.older} <ButtonKey keys="]" />
      </ReasonButton>
    </nav>
  )
}
