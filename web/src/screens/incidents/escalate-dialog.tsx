import { NativeSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { assigneesQuery, type IncidentDetail, type SocLevel } from '../../api/incidents.ts'
import { Callout } from '../../ui/callout.tsx'
import { ActDialog, ActForm } from './act-dialog.tsx'
import { LEVELS } from './incidents.search.ts'
import { incidentsText } from './incidents.text.ts'

const text = incidentsText.escalate
/** Source: docs/decisions/0026. */
const REASON_MIN_CHARACTERS = 10
const REASON_MAX_CHARACTERS = 2000

/** The level above; undefined at the last one. */
export function nextLevel(level: SocLevel): SocLevel | undefined {
  return LEVELS[LEVELS.indexOf(level) + 1]
}

/** Asks for the reason of an escalation. `to` undefined closes it. */
export function EscalateDialog({ incident, to, onClose }: { incident: IncidentDetail; to: SocLevel | undefined; onClose: () => void }) {
  return (
    <ActDialog asked={to} title={text.title} onClose={onClose}>
      {() => <EscalateForm incident={incident} onClose={onClose} />}
    </ActDialog>
  )
}

function EscalateForm({ incident, onClose }: { incident: IncidentDetail; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [assignee, setAssignee] = useState('')
  const { data: assignees = [] } = useQuery(assigneesQuery)
  return (
    <ActForm
      incident={incident}
      submit={text.submit}
      reason={reason.trim().length >= REASON_MIN_CHARACTERS ? true : text.needsReason}
      actOn={(version) => ({ do: 'escalate', body: { reason, version, ...(assignee === '' ? {} : { assignee_id: assignee }) } })}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          <Callout tone="warning">{text.warning}</Callout>
          <Textarea
            data-autofocus
            label={text.reason}
            description={text.reasonHint}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={REASON_MAX_CHARACTERS}
            value={reason}
            error={faultAt('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <NativeSelect
            size="xs"
            label={text.assignee}
            value={assignee}
            error={faultAt('assignee_id')}
            data={[
              { value: '', label: incidentsText.assign.nobody },
              ...assignees.map(({ id, username }) => ({ value: id, label: username })),
            ]}
            onChange={(event) => setAssignee(event.currentTarget.value)}
          />
        </>
      )}
    </ActForm>
  )
}
