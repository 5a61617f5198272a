import { Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type IncidentDetail, useIncidentAct } from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'
import { ButtonKey } from '../../ui/button-key.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SendTextarea } from '../../ui/send-textarea.tsx'
import classes from './incidents.module.css'
import { incidentsText } from './incidents.text.ts'

const text = incidentsText.composer
/** Source: src/domains/incidents/incidents.model.ts. */
const NOTE_MAX_CHARACTERS = 10_000

/** Where `m` leads. */
export const COMPOSER_ID = 'incident-composer'

/** Writes a comment, or an action that was done elsewhere. A refused one stays in the box. */
export function Composer({ incident, may }: { incident: IncidentDetail; may: true | string }) {
  const [words, setWords] = useState('')
  const [kind, setKind] = useState<'comment' | 'action'>('comment')
  const sending = useIncidentAct()
  const closed = incident.status === 'CLOSED' ? incidentsText.closedReason : true
  const reason = may !== true ? may : closed !== true ? closed : words.trim() === '' ? text.empty : true
  const send = () => {
    if (reason !== true || sending.isPending) return
    sending.mutate(
      { id: incident.id, act: { do: kind === 'comment' ? 'comment' : 'declare', text: words } },
      { onSuccess: () => setWords('') },
    )
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form onSubmit={onSubmit} className={classes['composer']}>
      <Radio.Group aria-label={text.kind} value={kind} onChange={(value) => setKind(value === 'action' ? 'action' : 'comment')}>
        <span className={classes['kinds']}>
          <Radio size="xs" value="comment" label={text.comment} />
          <Radio size="xs" value="action" label={text.action} />
        </span>
      </Radio.Group>
      <SendTextarea
        id={COMPOSER_ID}
        aria-label={text.label}
        placeholder={text.placeholder[kind]}
        minRows={2}
        maxRows={12}
        maxLength={NOTE_MAX_CHARACTERS}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onSend={send}
      />
      {sending.error !== null && <ProblemNotice problem={toProblem(sending.error)} />}
      <div className={classes['composerEnd']}>
        <span className="svc-dim">{kind === 'action' ? text.actionHint : ''}</span>
        <ReasonButton type="submit" loading={sending.isPending} disabledReason={reason}>
          {text.send} <ButtonKey keys="Ctrl Enter" />
        </ReasonButton>
      </div>
    </form>
  )
}
