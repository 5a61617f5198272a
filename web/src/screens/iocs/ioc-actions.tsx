import { Button } from '@mantine/core'
import { IconCopy, IconShieldOff, IconUrgent } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Indicator } from '../../api/indicators.ts'
import { defang } from '../../shell/defang.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { type IncidentDraft, OpenIncidentDialog } from '../../shell/incident/open-incident-dialog.tsx'
import { useCan } from '../../shell/use-can.ts'
import { ActionRow } from '../../ui/action-row.tsx'
import { ButtonKey } from '../../ui/button-key.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { notifyDone } from '../../ui/notify.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { ExcludeDialog, type ExcludedIoc } from './exclude-dialog.tsx'
import { incidentDraft } from './incident-draft.ts'
import { iocsText } from './iocs.text.ts'
import { useExcludeReason } from './use-exclude-reason.ts'
import { useIocKeys } from './use-ioc-keys.ts'

const text = iocsText.detail

/** What can be done with one IOC; `more` stands in front. */
export function IocActions({
  ioc,
  more,
  onOpenPage,
}: {
  ioc: ExcludedIoc & Pick<Indicator, 'severity'>
  more?: ReactNode
  onOpenPage?: () => void
}) {
  const [excluding, setExcluding] = useState(false)
  const excludeReason = useExcludeReason([ioc])
  const copy = async (value: string, done: string) => notifyDone((await copyText(value)) ? done : uiText.copyFailed)
  const copyPlain = () => void copy(ioc.value, text.copied)
  const copyDefanged = () => void copy(defang(ioc.type, ioc.value), text.copiedDefanged)
  const exclude = () => setExcluding(excludeReason === true)
  const [draft, setDraft] = useState<IncidentDraft>()
  const may = useCan()('incident.open')
  const openIncident = () => {
    if (may === true) setDraft(incidentDraft([ioc]))
  }
  useIocKeys({ c: copyPlain, C: copyDefanged, e: exclude, i: openIncident, ...(onOpenPage === undefined ? {} : { o: onOpenPage }) })
  return (
    <ActionRow>
      {more}
      <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />} onClick={copyPlain}>
        {text.copy} <ButtonKey keys="c" />
      </Button>
      <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />} onClick={copyDefanged}>
        {text.copyDefanged} <ButtonKey keys="Shift c" />
      </Button>
      <ReasonButton
        variant="default"
        leftSection={<IconShieldOff size={14} aria-hidden />}
        disabledReason={excludeReason}
        onClick={exclude}
      >
        {text.exclude} <ButtonKey keys="e" />
      </ReasonButton>
      <ReasonButton variant="default" leftSection={<IconUrgent size={14} aria-hidden />} disabledReason={may} onClick={openIncident}>
        {incidentText.open} <ButtonKey keys="i" />
      </ReasonButton>
      <ExcludeDialog iocs={excluding ? [ioc] : []} onClose={() => setExcluding(false)} />
      <OpenIncidentDialog draft={draft} onClose={() => setDraft(undefined)} />
    </ActionRow>
  )
}
