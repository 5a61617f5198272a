import { Button } from '@mantine/core'
import { IconDownload, IconStopwatch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { toProblem } from '../../api/problem.ts'
import { DAYS_DEFAULT, readSocCsv, type SocMetrics, socQuery } from '../../api/soc.ts'
import { paths } from '../../shell/paths.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { ViewNav } from '../../shell/view-nav.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { notifyProblem } from '../../ui/notify.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { saveText } from '../../ui/save-text.ts'
import { ClockTable } from './clock-table.tsx'
import { DelayPanel } from './delay-panel.tsx'
import { FlowPanel } from './flow-panel.tsx'
import { LevelsPanel } from './levels-panel.tsx'
import { LoadPanel } from './load-panel.tsx'
import classes from './soc.module.css'
import { daysOf, PERIODS, parseSocSearch } from './soc.search.ts'
import { socText as text } from './soc.text.ts'

/** Which promises of time are broken and which break next, then how the last days went. */
export function SocScreen() {
  const [search, change] = useSearchState(parseSocSearch)
  const days = daysOf(search)
  const { data: metrics, error, isFetching, refetch } = useQuery(socQuery(days))
  const problem = error === null ? undefined : toProblem(error)
  const notice = problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader
        title={text.title}
        aside={
          metrics === undefined ? undefined : (
            <span aria-live="polite">{text.standing(metrics.breaches.take_in + metrics.breaches.resolution, metrics.open.total)}</span>
          )
        }
        actions={
          <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={() => void download(days)}>
            {text.csv}
          </Button>
        }
      />
      {metrics !== undefined && notice}
      <ClockTable
        metrics={metrics}
        all={search.clocks === 'all'}
        onAll={(all) => change({ clocks: all ? 'all' : undefined })}
        refreshing={isFetching}
        problem={notice}
      />
      <div className={classes['periodHead']}>
        <h2>{metrics === undefined ? text.period(days) : text.range(metrics.since, metrics.as_of)}</h2>
        <ViewNav
          label={text.periods}
          to={paths.soc}
          views={PERIODS.map((period) => ({
            id: String(period),
            label: text.period(period),
            search: { ...search, days: period === DAYS_DEFAULT ? undefined : period },
          }))}
          filters={search}
        />
      </div>
      {metrics !== undefined &&
        (isQuiet(metrics) ? (
          <Quiet />
        ) : (
          <div className={classes['panels']}>
            <DelayPanel text={text.takeIn} delays={metrics.take_in} />
            <DelayPanel text={text.resolution} delays={metrics.resolution} note={apartOf(metrics)} />
            <FlowPanel
              days={metrics.per_day}
              asTable={search.flow === 'table'}
              onTable={(table) => change({ flow: table ? 'table' : undefined })}
            />
            <LevelsPanel metrics={metrics} />
            <LoadPanel load={metrics.load} />
          </div>
        ))}
    </>
  )
}

function apartOf({ apart }: SocMetrics): string | undefined {
  const of = (name: SocMetrics['apart'][number]['resolution']) => apart.find(({ resolution }) => resolution === name)?.count ?? 0
  return apart.length === 0 ? undefined : text.resolution.apart(of('FALSE_POSITIVE'), of('DUPLICATE'))
}

function isQuiet({ open, take_in, per_day }: SocMetrics): boolean {
  return open.total === 0 && take_in.n === 0 && per_day.every(({ opened, closed, reopened }) => opened + closed + reopened === 0)
}

function Quiet() {
  return (
    <EmptyState
      icon={<IconStopwatch size={20} aria-hidden />}
      title={text.empty.title}
      description={text.empty.next}
      actions={
        <>
          <Link to={paths.triage}>{text.empty.triage}</Link>
          <Link to={paths.incidents}>{text.empty.incidents}</Link>
        </>
      }
    />
  )
}

async function download(days: number): Promise<void> {
  try {
    saveText(await readSocCsv(days), `soc-${days}-days.csv`, 'text/csv')
  } catch (error) {
    notifyProblem(toProblem(error))
  }
}
