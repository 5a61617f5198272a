import { Button } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type IncidentDetail, incidentQuery, readReport, type TimelineEntry, timelineQuery } from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'
import { defang, defangAny } from '../../shell/defang.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { paths } from '../../shell/paths.ts'
import { ActionRow } from '../../ui/action-row.tsx'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { notifyProblem } from '../../ui/notify.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { saveText } from '../../ui/save-text.ts'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { WordRow } from '../../ui/word-row.tsx'
import { FactsPanel } from './facts-panel.tsx'
import classes from './incidents.module.css'
import { incidentsText as text } from './incidents.text.ts'
import { EntryList } from './timeline.tsx'

/** One incident as a page to print or to hand on. */
export function ReportScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { data: incident, dataUpdatedAt, error, refetch } = useQuery(incidentQuery(id))
  const { data: entries } = useQuery(timelineQuery(id))
  const title = incident?.title ?? text.report.title
  return (
    <>
      <PageHeader
        title={title}
        breadcrumb={
          <Breadcrumb
            label={text.title}
            trail={[
              { id: 'list', link: <Link to={paths.incidents}>{text.back}</Link> },
              {
                id: 'incident',
                link: (
                  <Link to={paths.incident} params={{ id }}>
                    {text.page}
                  </Link>
                ),
              },
            ]}
            here={text.report.title}
          />
        }
        actions={
          <span className="svc-screen">
            <ActionRow>
              <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={() => void download(id)}>
                {text.report.download}
              </Button>
              <Button leftSection={<IconPrinter size={14} aria-hidden />} onClick={() => globalThis.print()}>
                {text.report.print}
              </Button>
            </ActionRow>
          </span>
        }
        description={<span className="svc-screen">{text.report.note}</span>}
      />
      {error !== null && incident === undefined && (
        <ProblemNotice title={text.cannotRead} problem={toProblem(error)} onRetry={() => void refetch()} />
      )}
      {incident !== undefined && entries !== undefined && (
        <Report incident={incident} entries={entries} readAt={new Date(dataUpdatedAt).toISOString()} />
      )}
    </>
  )
}

function Report({ incident, entries, readAt }: { incident: IncidentDetail; entries: readonly TimelineEntry[]; readAt: string }) {
  return (
    <article className={classes['report']}>
      <WordRow>
        <SeverityTag severity={incident.severity} />
        <b>{incident.level}</b>
        <span>{incidentText.step[incident.status]}</span>
      </WordRow>
      {incident.description !== '' && <p className={classes['noteText']}>{incident.description}</p>}
      <FactsPanel incident={incident} />
      <h2>{text.cves.title(incident.cves.length)}</h2>
      <p>{incident.cves.length === 0 ? text.links.none : incident.cves.map(({ id }) => id).join(', ')}</p>
      <h2>{text.iocs.title(incident.indicators.length)}</h2>
      {incident.indicators.length === 0 ? (
        <p>{text.links.none}</p>
      ) : (
        <>
          <p>{text.report.defanged}</p>
          <ul>
            {incident.indicators.map(({ id, type, value }) => (
              <li key={id} className="svc-mono">
                {defang(type, value)}
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{text.timeline.title(incident.event_count)}</h2>
      <EntryList entries={entries.map(withoutLinks)} />
      {entries.length < incident.event_count && <p>{text.timeline.cut(entries.length)}</p>}
      <p className={classes['reportEnd']}>
        {text.report.version(incident.version)} <TimeText value={readAt} form="absolute" />
      </p>
    </article>
  )
}

/** Readers of documents make links of what looks like one. */
function withoutLinks(entry: TimelineEntry): TimelineEntry {
  if (entry.kind !== 'IOC_LINKED' && entry.kind !== 'IOC_UNLINKED') return entry
  const safe = (value: string | null) => (value === null ? null : defangAny(value))
  return { ...entry, from: safe(entry.from), to: safe(entry.to) }
}

async function download(id: string): Promise<void> {
  try {
    saveText(await readReport(id), `incident-${id}.md`, 'text/markdown')
  } catch (error) {
    notifyProblem(toProblem(error))
  }
}
