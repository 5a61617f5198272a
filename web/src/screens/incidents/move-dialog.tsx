import { NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { IncidentDetail, IncidentStep, Resolution } from '../../api/incidents.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { ActDialog, ActForm } from './act-dialog.tsx'
import { incidentsText } from './incidents.text.ts'

const text = incidentsText.moveDialog
/** Source: src/domains/incidents/incidents.model.ts. */
const NOTE_MAX_CHARACTERS = 10_000
const REASON_MIN_CHARACTERS = 10
const RESOLUTIONS = ['TRUE_POSITIVE_IMPACT', 'TRUE_POSITIVE_NO_IMPACT', 'FALSE_POSITIVE', 'DUPLICATE', 'NOT_APPLICABLE'] as const
/** What an incident that nobody looked into may turn out to be. Source: docs/decisions/0026. */
const FROM_OPEN: readonly Resolution[] = ['FALSE_POSITIVE', 'DUPLICATE', 'NOT_APPLICABLE']

export type MoveDialogProps = { incident: IncidentDetail; to: IncidentStep | undefined; onClose: () => void }

/** Asks for what a move back, a close or a reopening needs. `to` undefined closes it. */
export function MoveDialog({ incident, to, onClose }: MoveDialogProps) {
  return (
    <ActDialog asked={to} title={(step) => titleOf(incident, step)} onClose={onClose}>
      {(step) =>
        step === 'CLOSED' ? (
          <CloseForm incident={incident} onClose={onClose} />
        ) : (
          <BackForm incident={incident} to={step} onClose={onClose} />
        )
      }
    </ActDialog>
  )
}

function titleOf({ status }: IncidentDetail, to: IncidentStep): string {
  if (to === 'CLOSED') return text.close
  return status === 'CLOSED' ? text.reopen : text.back(incidentText.step[to])
}

function BackForm({ incident, to, onClose }: { incident: IncidentDetail; to: IncidentStep; onClose: () => void }) {
  const [comment, setComment] = useState('')
  const [isReopening] = useState(incident.status === 'CLOSED')
  const isEnough = comment.trim().length >= (isReopening ? REASON_MIN_CHARACTERS : 1)
  return (
    <ActForm
      incident={incident}
      submit={isReopening ? incidentsText.moved.reopen : incidentsText.moved.backTo(incidentText.step[to])}
      reason={isEnough ? true : isReopening ? text.reopenMin : text.needsComment}
      actOn={(version) => ({ do: 'move', body: { to, comment, version } })}
      onClose={onClose}
    >
      {(faultAt) => (
        <Textarea
          data-autofocus
          label={isReopening ? text.reason : text.comment}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={NOTE_MAX_CHARACTERS}
          value={comment}
          error={faultAt('comment')}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      )}
    </ActForm>
  )
}

function CloseForm({ incident, onClose }: { incident: IncidentDetail; onClose: () => void }) {
  const [summary, setSummary] = useState('')
  const [resolution, setResolution] = useState<Resolution>()
  const choices = incident.status === 'OPEN' ? FROM_OPEN : RESOLUTIONS
  const reason = resolution === undefined ? text.needsResolution : summary.trim() === '' ? text.needsSummary : true
  return (
    <ActForm
      incident={incident}
      submit={text.close}
      reason={reason}
      actOn={(version) => ({
        do: 'move',
        body: { to: 'CLOSED', summary, version, ...(resolution === undefined ? {} : { resolution }) },
      })}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          <NativeSelect
            data-autofocus
            size="xs"
            label={text.resolution}
            value={resolution ?? ''}
            error={faultAt('resolution')}
            data={[
              { value: '', label: text.chooseResolution },
              ...choices.map((name) => ({ value: name, label: incidentsText.resolution[name] })),
            ]}
            onChange={({ currentTarget: { value } }) => setResolution(RESOLUTIONS.find((name) => name === value))}
          />
          <Textarea
            label={text.summary}
            description={text.summaryHint}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={NOTE_MAX_CHARACTERS}
            value={summary}
            error={faultAt('summary')}
            onChange={(event) => setSummary(event.currentTarget.value)}
          />
        </>
      )}
    </ActForm>
  )
}
