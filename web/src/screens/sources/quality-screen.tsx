import { IconRefresh, IconReportAnalytics } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { toProblem } from '../../api/problem.ts'
import { type QualityReport, qualityQuery, useComputeQuality } from '../../api/quality.ts'
import { useCan } from '../../shell/use-can.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { notifyDone, notifyProblem } from '../../ui/notify.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { stepsThrough } from '../../ui/steps-through.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { OverlapMatrix } from './overlap-matrix.tsx'
import classes from './quality.module.css'
import { parseQualitySearch, qualitySortOf, qualitySortParam, sortQuality } from './quality.search.ts'
import { qualityText as text } from './quality.text.ts'
import { QUALITY_COLUMNS } from './quality-columns.tsx'
import { QualityDrawer } from './quality-drawer.tsx'
import { sourcesText } from './sources.text.ts'
import { SourcesTabs } from './sources-tabs.tsx'

/** What each source is worth: what it brings alone, how early, how clean, and who holds the same. */
export function QualityScreen() {
  const [search, change] = useSearchState(parseQualitySearch)
  const { data: report, error, refetch } = useQuery(qualityQuery)
  const problem = error === null ? undefined : toProblem(error)
  const { by, down } = qualitySortOf(search)
  const rows = report === undefined ? undefined : sortQuality(report.items, { by, down })
  return (
    <>
      <PageHeader
        title={`${text.tab} · ${sourcesText.title}`}
        heading={sourcesText.title}
        aside={report?.computed_at == null ? undefined : <ComputedAt report={report} />}
        actions={<ComputeButton computing={report?.computing === true} />}
      />
      <SourcesTabs />
      {problem !== undefined && rows !== undefined && <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
      <div className={classes['page']}>
        <DataTable
          label={text.title}
          columns={QUALITY_COLUMNS}
          rows={rows}
          rowId={({ feed_id }) => feed_id}
          rowLabel={({ name }) => name}
          sort={{ column: by, direction: down ? 'desc' : 'asc' }}
          onSort={(sort) => change({ sort: qualitySortParam(sort) })}
          openId={search.open}
          onOpen={({ feed_id }) => change({ open: feed_id })}
          problem={problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
          empty={<QualityEmpty report={report} />}
        />
        {report !== undefined && report.items.length > 0 && (
          <>
            <SectionPanel title={text.meaningTitle}>
              <FactList facts={text.meanings} />
            </SectionPanel>
            <SectionPanel title={text.overlap.title}>
              <OverlapMatrix report={report} />
            </SectionPanel>
          </>
        )}
      </div>
      <QualityDrawer
        openId={search.open}
        row={rows?.find(({ feed_id }) => feed_id === search.open)}
        onClose={() => change({ open: undefined })}
        onStep={stepsThrough(rows?.map(({ feed_id }) => feed_id) ?? [], search.open, (open) => change({ open }, { replace: true }))}
      />
    </>
  )
}

function ComputedAt({ report }: { report: QualityReport }) {
  return (
    <>
      {text.computed} <TimeText value={report.computed_at} form="both" />
      {report.computing && `. ${text.computing}`}
    </>
  )
}

function ComputeButton({ computing }: { computing: boolean }) {
  const may = useCan()('feed.run')
  const { mutate, isPending } = useComputeQuality()
  const compute = () => mutate(undefined, { onSuccess: () => notifyDone(text.begun), onError: (error) => notifyProblem(toProblem(error)) })
  return (
    <ReasonButton
      variant="default"
      loading={isPending}
      disabledReason={may === true && computing ? text.alreadyComputing : may}
      leftSection={<IconRefresh size={14} aria-hidden />}
      onClick={compute}
    >
      {text.compute}
    </ReasonButton>
  )
}

function QualityEmpty({ report }: { report: QualityReport | undefined }) {
  const wasComputed = report?.computed_at != null
  return (
    <EmptyState
      icon={<IconReportAnalytics size={20} aria-hidden />}
      title={wasComputed ? text.empty.none : text.empty.title}
      description={wasComputed ? text.empty.noneNext : report?.computing === true ? text.computing : text.empty.next}
    />
  )
}
