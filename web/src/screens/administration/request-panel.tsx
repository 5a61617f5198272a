import { Button } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type AuditEvent, type RequestTrace, requestTraceQuery } from '../../api/audit.ts'
import { toProblem } from '../../api/problem.ts'
import { paths } from '../../shell/paths.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './administration.module.css'
import { auditText } from './administration.text.ts'
import { ActionWord, OutcomeWord, targetWords } from './audit-words.tsx'

const text = auditText.trace

/** The request that an event came in by: a link first, then its access line and all its events. */
export function RequestPanel({ event, traced, onTrace }: { event: AuditEvent; traced: boolean; onTrace: () => void }) {
  const { request_id } = event
  return (
    <SectionPanel title={traced ? text.title : auditText.drawer.request}>
      {request_id === null ? (
        <p className="svc-dim">{auditText.drawer.noRequest}</p>
      ) : traced ? (
        <Trace requestId={request_id} hereId={event.id} />
      ) : (
        <Button variant="default" leftSection={<IconRoute size={14} aria-hidden />} onClick={onTrace}>
          {auditText.drawer.everything}
        </Button>
      )}
    </SectionPanel>
  )
}

function Trace({ requestId, hereId }: { requestId: string; hereId: string }) {
  const { data: trace, error, refetch } = useQuery(requestTraceQuery(requestId))
  if (error !== null) return <ProblemNotice problem={toProblem(error)} onRetry={() => void refetch()} />
  if (trace === undefined) return <div className={classes['skeleton']} role="status" aria-label={text.loading} />
  return (
    <>
      <AccessLine access={trace.access} />
      <h3 className={classes['subtitle']}>{text.events(trace.items.length)}</h3>
      {trace.items.length === 0 ? (
        <p className="svc-dim">{text.noEvents}</p>
      ) : (
        <ul className={classes['events']}>
          {trace.items.map((item) => (
            <li key={item.id} data-here={item.id === hereId || undefined}>
              <ActionWord event={item} />
              <OutcomeWord outcome={item.outcome} />
              <span className="svc-dim">{targetWords(item) ?? auditText.none}</span>
              <TimeText value={item.at} form="precise" />
            </li>
          ))}
        </ul>
      )}
      <p className={classes['traceEnd']}>
        {/* The route leaves its search untyped; the screen owns its schema. */}
        <Link to={paths.audit} search={{ request_id: requestId } as never}>
          {text.filter}
        </Link>
      </p>
    </>
  )
}

function AccessLine({ access }: { access: RequestTrace['access'] }) {
  if (access === null) return <p className="svc-dim">{text.noLine}</p>
  return (
    <FactList
      facts={[
        {
          name: text.request,
          value: (
            <span className="svc-mono">
              {access.method} {access.path}
            </span>
          ),
        },
        { name: text.status, value: access.status },
        { name: text.took, value: text.milliseconds(access.duration_ms) },
        { name: text.client, value: <span className="svc-mono">{access.client}</span> },
        { name: text.at, value: <TimeText value={access.at} form="precise" /> },
      ]}
    />
  )
}
