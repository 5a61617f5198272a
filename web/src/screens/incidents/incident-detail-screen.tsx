import { NativeSelect } from '@mantine/core'
import { IconArrowUp, IconFileText, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import {
  assigneesQuery,
  type IncidentDetail,
  type IncidentStep,
  incidentQuery,
  relatedQuery,
  timelineQuery,
  useIncidentAct,
} from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'
import { useCurrentUser } from '../../api/session.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { RelatedList } from '../../shell/incident/related-list.tsx'
import { paths } from '../../shell/paths.ts'
import { useCan } from '../../shell/use-can.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { DetailBody, DetailSkeleton } from '../../ui/detail-body.tsx'
import { notifyProblem } from '../../ui/notify.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { WordRow } from '../../ui/word-row.tsx'
import { COMPOSER_ID, Composer } from './composer.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { EscalateDialog, nextLevel } from './escalate-dialog.tsx'
import { FactsPanel } from './facts-panel.tsx'
import { ClockWord } from './incident-columns.tsx'
import classes from './incidents.module.css'
import { incidentsText as text } from './incidents.text.ts'
import { LinkPanels } from './link-panels.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { isForward, StepBar } from './step-bar.tsx'
import { Timeline } from './timeline.tsx'

/** One incident: where it is, what happened, what it is about. */
export function IncidentDetailScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { data: incident, error, refetch } = useQuery(incidentQuery(id))
  return (
    <>
      <PageHeader
        title={incident?.title ?? text.page}
        breadcrumb={
          <Breadcrumb label={text.title} trail={[{ id: 'list', link: <Link to={paths.incidents}>{text.back}</Link> }]} here={text.page} />
        }
        aside={incident === undefined ? undefined : <HeadWords incident={incident} />}
        actions={incident === undefined ? undefined : <HeadActions incident={incident} />}
      />
      {incident !== undefined ? (
        <Body key={incident.id} incident={incident} />
      ) : error !== null ? (
        <ProblemNotice title={text.cannotRead} problem={toProblem(error)} onRetry={() => void refetch()} />
      ) : (
        <DetailSkeleton label={text.loading} heights={[420, 180, 140, 200]} />
      )}
    </>
  )
}

function HeadWords({ incident }: { incident: IncidentDetail }) {
  return (
    <WordRow>
      <SeverityTag severity={incident.severity} />
      <b>{incident.level}</b>
      <ClockWord incident={incident} />
    </WordRow>
  )
}

/** Why the incident cannot be changed: the role first, then its step. */
function reasonOf(incident: IncidentDetail, may: true | string): true | string {
  return may === true && incident.status === 'CLOSED' ? text.closedReason : may
}

function HeadActions({ incident }: { incident: IncidentDetail }) {
  const can = useCan()
  const [isEditing, setIsEditing] = useState(false)
  const [isEscalating, setIsEscalating] = useState(false)
  const above = nextLevel(incident.level)
  const mayEscalate = reasonOf(incident, can('incident.escalate'))
  return (
    <>
      <AssigneeSelect incident={incident} may={reasonOf(incident, can('incident.comment'))} />
      <ReasonButton
        variant="default"
        leftSection={<IconArrowUp size={14} aria-hidden />}
        disabledReason={mayEscalate === true && above === undefined ? text.escalate.last : mayEscalate}
        onClick={() => setIsEscalating(true)}
      >
        {text.escalate.button}
      </ReasonButton>
      <ReasonButton
        variant="default"
        leftSection={<IconPencil size={14} aria-hidden />}
        disabledReason={reasonOf(incident, can('incident.comment'))}
        onClick={() => setIsEditing(true)}
      >
        {text.edit.button}
      </ReasonButton>
      <Link to={paths.incidentReport} params={{ id: incident.id }} className={classes['reportLink'] ?? ''}>
        <IconFileText size={14} aria-hidden /> {text.report.button}
      </Link>
      <EscalateDialog incident={incident} to={isEscalating ? above : undefined} onClose={() => setIsEscalating(false)} />
      <EditDialog incident={incident} open={isEditing} onClose={() => setIsEditing(false)} />
    </>
  )
}

function AssigneeSelect({ incident, may }: { incident: IncidentDetail; may: true | string }) {
  const { data: assignees = [] } = useQuery({ ...assigneesQuery, enabled: may === true })
  const acting = useIncidentAct()
  if (may !== true)
    return (
      <span className="svc-dim" title={may}>
        {text.assign.label}: {incident.assignee ?? incidentText.nobody}
      </span>
    )
  const { assignee, assignee_id } = incident
  const known = assignees.some(({ id }) => id === assignee_id)
  return (
    <NativeSelect
      size="xs"
      aria-label={text.assign.label}
      value={assignee_id ?? ''}
      data={[
        { value: '', label: text.assign.nobody },
        // Somebody who may no longer be given work still has it.
        ...(assignee_id === null || known ? [] : [{ value: assignee_id, label: assignee ?? assignee_id }]),
        ...assignees.map(({ id, username }) => ({ value: id, label: username })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        acting.mutate(
          { id: incident.id, act: { do: 'assign', body: { version: incident.version, assignee_id: value === '' ? null : value } } },
          { onError: (error) => notifyProblem(toProblem(error)) },
        )
      }
    />
  )
}

function Body({ incident }: { incident: IncidentDetail }) {
  const may = useCan()('incident.comment')
  const [asked, setAsked] = useState<IncidentStep>()
  const moving = useIncidentAct()
  const { data: related = [] } = useQuery(relatedQuery(incident.id))
  usePageKeys({ m: () => document.getElementById(COMPOSER_ID)?.focus() })
  const move = (to: IncidentStep) => {
    if (!isForward(incident.status, to)) return setAsked(to)
    moving.mutate(
      { id: incident.id, act: { do: 'move', body: { to, version: incident.version } } },
      { onError: (error) => notifyProblem(toProblem(error)) },
    )
  }
  return (
    <>
      <StepBar incident={incident} may={may} busy={moving.isPending} onMove={move} />
      <OthersNote incident={incident} />
      <DetailBody
        lead={null}
        left={<Timeline incident={incident} composer={<Composer incident={incident} may={may} />} />}
        right={
          <>
            {incident.description !== '' && (
              <SectionPanel title={text.description}>
                <p className={classes['noteText']}>{incident.description}</p>
              </SectionPanel>
            )}
            <FactsPanel incident={incident} />
            <LinkPanels incident={incident} may={may} />
            {related.length > 0 && (
              <SectionPanel title={text.related.title(related.length)}>
                <RelatedList related={related} />
              </SectionPanel>
            )}
          </>
        }
      />
      <MoveDialog incident={incident} to={asked} onClose={() => setAsked(undefined)} />
    </>
  )
}

/** Says who else has just changed the incident that is on screen. */
function OthersNote({ incident }: { incident: IncidentDetail }) {
  const me = useCurrentUser()?.username
  const { data: entries } = useQuery(timelineQuery(incident.id))
  const last = entries?.at(-1)
  const firstSeen = useRef<number>(undefined)
  const [name, setName] = useState<string>()
  useEffect(() => {
    if (last === undefined) return
    firstSeen.current ??= last.seq
    if (last.seq > firstSeen.current && last.actor !== me) setName(last.actor)
    if (last.actor === me) setName(undefined)
  }, [last, me])
  return (
    <p role="status" className={classes['others']} data-said={name !== undefined || undefined}>
      {name !== undefined && text.timeline.updatedBy(name)}
    </p>
  )
}
