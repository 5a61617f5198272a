import { Button } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type IncidentDetail, incidentQuery, readReport, type TimelineEntry, timelineQuery } from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { paths } from '../../shell/paths.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { notifyProblem } from '../../ui/notify.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { saveText } from '../../ui/save-text.ts'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { WordRow } from '../../ui/word-row.tsx'
import { FactsPanel } from './facts-panel.tsx'
import classes from './incidents.module.css'
import { incidentsText as text } from './incidents.text.ts'
import { EntryList } from './timeline.tsx'

/** One incident as a page to print or to hand on. */
export function ReportScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { data: incident, error, refetch } = useQuery(incidentQuery(id))
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
          <span className={classes['screenOnly']}>
            <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={() => void download(id)}>
              {text.report.download}
            </Button>
            <Button leftSection={<IconPrinter size={14} aria-hidden />} onClick={() => globalThis.print()}>
              {text.report.print}
            </Button>
          </span>
        }
        description={text.report.note}
      />
      {error !== null && incident === undefined && (
        <ProblemNotice title={text.cannotRead} problem={toProblem(error)} onRetry={() => void refetch()} />
      )}
      {incident !== undefined && entries !== undefined && <Report incident={incident} entries={entries} />}
    </>
  )
}

function Report({ incident, entries }: { incident: IncidentDetail; entries: readonly TimelineEntry[] }) {
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
        <ul>
          {incident.indicators.map(({ id, value }) => (
            <li key={id} className="svc-mono">
              {value}
            </li>
          ))}
        </ul>
      )}
      <h2>{text.timeline.title(incident.event_count)}</h2>
      <EntryList entries={entries} />
      {entries.length < incident.event_count && <p>{text.timeline.cut(entries.length)}</p>}
    </article>
  )
}

async function download(id: string): Promise<void> {
  try {
    saveText(await readReport(id), `incident-${id}.md`, 'text/markdown')
  } catch (error) {
    notifyProblem(toProblem(error))
  }
}
