import { Button } from '@mantine/core'
import { IconCopy, IconShieldOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { copyText } from '../../ui/copy-text.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { defang } from './defang.ts'
import { ExcludeDialog, type ExcludedIoc } from './exclude-dialog.tsx'
import classes from './iocs.module.css'
import { iocsText } from './iocs.text.ts'
import { useExcludeReason } from './use-exclude-reason.ts'
import { useIocKeys } from './use-ioc-keys.ts'

const text = iocsText.detail

/** What can be done with one IOC; `more` stands in front. */
export function IocActions({ ioc, more, onOpenPage }: { ioc: ExcludedIoc; more?: ReactNode; onOpenPage?: () => void }) {
  const [excluding, setExcluding] = useState(false)
  const excludeReason = useExcludeReason([ioc])
  const copy = async (value: string, done: string) => notifyDone((await copyText(value)) ? done : uiText.copyFailed)
  const copyPlain = () => void copy(ioc.value, text.copied)
  const copyDefanged = () => void copy(defang(ioc.type, ioc.value), text.copiedDefanged)
  const exclude = () => setExcluding(excludeReason === true)
  useIocKeys({ c: copyPlain, C: copyDefanged, e: exclude, ...(onOpenPage === undefined ? {} : { o: onOpenPage }) })
  return (
    <div className={classes['actions']}>
      {more}
      <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />} onClick={copyPlain}>
        {text.copy} <ActionKey keys="c" />
      </Button>
      <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />} onClick={copyDefanged}>
        {text.copyDefanged} <ActionKey keys="Shift c" />
      </Button>
      <ReasonButton
        variant="default"
        leftSection={<IconShieldOff size={14} aria-hidden />}
        disabledReason={excludeReason}
        onClick={exclude}
      >
        {text.exclude} <ActionKey keys="e" />
      </ReasonButton>
      <ExcludeDialog iocs={excluding ? [ioc] : []} onClose={() => setExcluding(false)} />
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
