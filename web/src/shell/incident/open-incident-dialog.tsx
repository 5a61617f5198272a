import { Button, Checkbox, Modal, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import {
  type IncidentSeverity,
  type NewIncident,
  relatedToQuery,
  SUBJECTS_MAX,
  useIncidentAct,
  useOpenIncident,
} from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'
import { useCurrentUser } from '../../api/session.ts'
import { Callout } from '../../ui/callout.tsx'
import { FormEnd } from '../../ui/form-end.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { paths } from '../paths.ts'
import classes from './incident.module.css'
import { INCIDENT_SEVERITIES, incidentText } from './incident.text.ts'
import { RelatedList } from './related-list.tsx'

const text = incidentText.dialog
/** Source: src/domains/incidents/incidents.model.ts. */
const TITLE_MAX_CHARACTERS = 200
const DESCRIPTION_MAX_CHARACTERS = 10_000
/** What it is about is named up to here. */
const NAMED_MAX = 5

/** What an incident is to be opened from. */
export type IncidentDraft = {
  title: string
  severity: IncidentSeverity
  /** What it is about, as people name it. */
  names: readonly string[]
  cveIds?: readonly string[]
  indicatorIds?: readonly string[]
  alertIds?: readonly string[]
}

/** Opens an incident, after a look at those that are about the same. `draft` undefined closes it. */
export function OpenIncidentDialog({ draft, onClose }: { draft: IncidentDraft | undefined; onClose: () => void }) {
  // While the dialog fades out, it still shows what it asked.
  const last = useRef(draft)
  if (draft !== undefined) last.current = draft
  const shown = draft ?? last.current
  return (
    <Modal
      opened={draft !== undefined}
      onClose={onClose}
      title={text.title}
      size={560}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': uiText.close }}
    >
      {shown !== undefined && <OpenForm draft={shown} onClose={onClose} />}
    </Modal>
  )
}

function OpenForm({ draft, onClose }: { draft: IncidentDraft; onClose: () => void }) {
  const [title, setTitle] = useState(draft.title.slice(0, TITLE_MAX_CHARACTERS))
  const [severity, setSeverity] = useState(draft.severity)
  const [description, setDescription] = useState('')
  const [isMine, setIsMine] = useState(true)
  const [acknowledges, setAcknowledges] = useState(true)
  const me = useCurrentUser()?.id
  const navigate = useNavigate()
  const opening = useOpenIncident()
  const { cveIds = [], indicatorIds = [], alertIds = [] } = draft
  const subjects = { cve_ids: [...cveIds], indicator_ids: [...indicatorIds] }
  const problem = opening.error === null ? undefined : toProblem(opening.error)
  const titleProblem = problem?.fieldMessage('title')
  const isTooMuch = Math.max(cveIds.length, indicatorIds.length, alertIds.length) > SUBJECTS_MAX
  const reason = isTooMuch ? text.tooMany(SUBJECTS_MAX) : title.trim() === '' ? text.needsTitle : true
  const goTo = (id: string) => {
    onClose()
    void navigate({ to: paths.incident, params: { id } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason !== true || opening.isPending) return
    const body: NewIncident = {
      // An alert names its CVE itself, also one that has been withdrawn since.
      ...(alertIds.length > 0 ? { alert_ids: [...alertIds] } : subjects),
      ...{ title, severity },
      ...(description.trim() === '' ? {} : { description }),
      ...(isMine && me !== undefined ? { assignee_id: me } : {}),
      ...(alertIds.length > 0 ? { acknowledge_alerts: acknowledges } : {}),
    }
    opening.mutate(body, { onSuccess: ({ id }) => goTo(id) })
  }
  return (
    <form onSubmit={submit} noValidate className={classes['form']}>
      <TextInput
        data-autofocus
        label={text.name}
        maxLength={TITLE_MAX_CHARACTERS}
        autoComplete="off"
        value={title}
        error={titleProblem}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      {draft.names.length > 0 && <p className={classes['about']}>{text.about(shorten(draft.names))}</p>}
      <Related subjects={subjects} onAdded={goTo} />
      <NativeSelect
        size="xs"
        label={text.severity}
        value={severity}
        data={INCIDENT_SEVERITIES.map((name) => ({ value: name, label: uiText.severity[name] }))}
        onChange={({ currentTarget: { value } }) => setSeverity(INCIDENT_SEVERITIES.find((name) => name === value) ?? severity)}
      />
      <Textarea
        label={text.description}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={DESCRIPTION_MAX_CHARACTERS}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox label={text.mine} checked={isMine} onChange={(event) => setIsMine(event.currentTarget.checked)} />
      {alertIds.length > 0 && (
        <Checkbox
          label={text.acknowledge(alertIds.length)}
          checked={acknowledges}
          onChange={(event) => setAcknowledges(event.currentTarget.checked)}
        />
      )}
      {problem !== undefined && titleProblem === undefined && <ProblemNotice problem={problem} />}
      <FormEnd>
        <Button variant="default" onClick={onClose}>
          {text.cancel}
        </Button>
        <ReasonButton type="submit" loading={opening.isPending} disabledReason={reason}>
          {text.submit}
        </ReasonButton>
      </FormEnd>
    </form>
  )
}

/** Incidents that are about the same: another one may not be needed. */
function Related({ subjects, onAdded }: { subjects: { cve_ids: string[]; indicator_ids: string[] }; onAdded: (id: string) => void }) {
  const hasSubjects = subjects.cve_ids.length + subjects.indicator_ids.length > 0
  const { data: related = [] } = useQuery({ ...relatedToQuery(subjects), enabled: hasSubjects })
  const linking = useIncidentAct()
  if (related.length === 0) return null
  const add = (id: string) =>
    linking.mutate(
      { id, act: { do: 'link', body: subjects } },
      {
        onSuccess: () => {
          notifyDone(incidentText.related.added)
          onAdded(id)
        },
      },
    )
  return (
    <Callout tone="warning" title={incidentText.related.title(related.length)}>
      <RelatedList
        related={related}
        action={({ id, status }) => (
          <ReasonButton
            size="compact-xs"
            variant="default"
            disabledReason={status === 'CLOSED' ? incidentText.related.closed : true}
            loading={linking.isPending}
            onClick={() => add(id)}
          >
            {incidentText.related.add}
          </ReasonButton>
        )}
      />
      {linking.error !== null && <ProblemNotice problem={toProblem(linking.error)} />}
    </Callout>
  )
}

function shorten(names: readonly string[]): string[] {
  const rest = names.length - NAMED_MAX
  return rest <= 0 ? [...names] : [...names.slice(0, NAMED_MAX), text.more(rest)]
}
