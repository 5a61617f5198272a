import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Indicator } from '../../api/indicators.ts'
import { defang } from '../../shell/defang.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { type IncidentDraft, OpenIncidentDialog } from '../../shell/incident/open-incident-dialog.tsx'
import { useCan } from '../../shell/use-can.ts'
import { copyText } from '../../ui/copy-text.ts'
import { notifyDone } from '../../ui/notify.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { incidentDraft } from './incident-draft.ts'
import { iocsText } from './iocs.text.ts'
import { useExcludeReason } from './use-exclude-reason.ts'

const text = iocsText.bulk

/** What can be done with the selected rows: the same verbs as for one. */
export function BulkBar({ rows, onExclude, onClear }: { rows: readonly Indicator[]; onExclude: () => void; onClear: () => void }) {
  const excludeReason = useExcludeReason(rows)
  const mayOpen = useCan()('incident.open')
  const [draft, setDraft] = useState<IncidentDraft>()
  const copy = async (lines: string[]) => {
    notifyDone((await copyText(lines.join('\n'))) ? text.copied(lines.length) : uiText.copyFailed)
  }
  return (
    <SelectionBar label={text.selected(rows.length)}>
      <Button variant="default" onClick={() => void copy(rows.map(({ value }) => value))}>
        {text.copy}
      </Button>
      <Button variant="default" onClick={() => void copy(rows.map(({ type, value }) => defang(type, value)))}>
        {text.copyDefanged}
      </Button>
      <ReasonButton variant="default" disabledReason={excludeReason} onClick={onExclude}>
        {iocsText.detail.exclude}
      </ReasonButton>
      <ReasonButton variant="default" disabledReason={mayOpen} onClick={() => setDraft(incidentDraft(rows))}>
        {incidentText.open}
      </ReasonButton>
      <OpenIncidentDialog draft={draft} onClose={() => setDraft(undefined)} />
      <Button variant="subtle" color="gray" onClick={onClear}>
        {text.clear}
      </Button>
    </SelectionBar>
  )
}
