import { Button } from '@mantine/core'
import { IconCopy, IconShieldOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Indicator } from '../../api/indicators.ts'
import { useCan } from '../../shell/use-can.ts'
import { copyText } from '../../ui/copy-text.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { defang } from './defang.ts'
import { excludeReason } from './exclude-reason.ts'
import classes from './iocs.module.css'
import { iocsText } from './iocs.text.ts'
import { useIocKeys } from './use-ioc-keys.ts'

const text = iocsText.detail

/** What can be done with one IOC; `more` stands in front. */
export function IocActions({
  ioc,
  more,
  onOpenPage,
}: {
  ioc: Pick<Indicator, 'type' | 'value'>
  more?: ReactNode
  onOpenPage?: () => void
}) {
  const can = useCan()
  const copy = async (value: string, done: string) => notifyDone((await copyText(value)) ? done : uiText.copyFailed)
  const copyPlain = () => void copy(ioc.value, text.copied)
  const copyDefanged = () => void copy(defang(ioc.type, ioc.value), text.copiedDefanged)
  useIocKeys({ c: copyPlain, C: copyDefanged, ...(onOpenPage === undefined ? {} : { o: onOpenPage }) })
  return (
    <div className={classes['actions']}>
      {more}
      <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />} onClick={copyPlain}>
        {text.copy} <ActionKey keys="c" />
      </Button>
      <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />} onClick={copyDefanged}>
        {text.copyDefanged} <ActionKey keys="Shift c" />
      </Button>
      <ReasonButton variant="default" leftSection={<IconShieldOff size={14} aria-hidden />} disabledReason={excludeReason(can)}>
        {text.exclude}
      </ReasonButton>
    </div>
  )
}

function ActionKey({ keys }: { keys: string }) {
  return (
    <span className={classes['key']} aria-hidden>
      <KeyHint keys={keys} />
    </span>
  )
}
