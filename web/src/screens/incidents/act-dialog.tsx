import { Button, Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef } from 'react'
import type { IncidentAct, IncidentDetail } from '../../api/incidents.ts'
import { FormEnd } from '../../ui/form-end.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import classes from './incidents.module.css'
import { incidentsText } from './incidents.text.ts'
import { useSavedAct } from './use-saved-act.ts'

/** A dialog about an incident; while it fades out, it still shows what it asked. `children` is the form. */
export function ActDialog<Asked>({
  asked,
  title,
  onClose,
  children,
}: {
  asked: Asked | undefined
  title: (asked: Asked) => string
  onClose: () => void
  children: (asked: Asked) => ReactNode
}) {
  const last = useRef(asked)
  if (asked !== undefined) last.current = asked
  const shown = asked ?? last.current
  return (
    <Modal
      opened={asked !== undefined}
      onClose={onClose}
      title={shown === undefined ? '' : title(shown)}
      size={520}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': uiText.close }}
    >
      {shown !== undefined && children(shown)}
    </Modal>
  )
}

export type ActFormProps = {
  incident: Pick<IncidentDetail, 'id' | 'version'>
  submit: string
  /** Why it cannot be sent yet. */
  reason: true | string
  actOn: (version: number) => IncidentAct
  onClose: () => void
  children: (faultAt: (field: string) => string | undefined) => ReactNode
}

/** A form that changes an incident: what others did meanwhile is shown, and what was written stays. */
export function ActForm({ incident, submit, reason, actOn, onClose, children }: ActFormProps) {
  const { busy, conflict, problem, run } = useSavedAct(incident)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (reason === true && !busy) run(actOn, onClose)
  }
  return (
    <form onSubmit={send} noValidate className={classes['form']}>
      {children((field) => problem?.fieldMessage(field))}
      {conflict !== undefined && <ConflictNotice changes={conflict.changes} />}
      {problem !== undefined && problem.fields.length === 0 && <ProblemNotice problem={problem} />}
      <FormEnd>
        <Button variant="default" onClick={onClose}>
          {uiText.cancel}
        </Button>
        <ReasonButton type="submit" loading={busy} disabledReason={reason}>
          {conflict === undefined ? submit : incidentsText.conflict.again}
        </ReasonButton>
      </FormEnd>
    </form>
  )
}
