import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { KeyHint } from '../../ui/key-hint.tsx'
import classes from './iocs.module.css'
import { iocsText } from './iocs.text.ts'

const text = iocsText.pager

export type IocsPagerProps = {
  summary: string
  /** Undefined on the first page. */
  onNewer: (() => void) | undefined
  /** False when the way back is not known and leads to the first page. */
  knowsNewer: boolean
  onOlder: (() => void) | undefined
}

/** Newer and older, as far as there are any. */
export function IocsPager({ summary, onNewer, knowsNewer, onOlder }: IocsPagerProps) {
  return (
    <nav aria-label={text.label} className={classes['pager']}>
      <span className={classes['range']}>{summary}</span>
      <Button
        variant="default"
        leftSection={<IconChevronLeft size={14} aria-hidden />}
        disabled={onNewer === undefined}
        onClick={() => onNewer?.()}
      >
        {knowsNewer ? text.newer : text.first} <PageKey keys="[" />
      </Button>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={14} aria-hidden />}
        disabled={onOlder === undefined}
        onClick={() => onOlder?.()}
      >
        {text.older} <PageKey keys="]" />
      </Button>
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
