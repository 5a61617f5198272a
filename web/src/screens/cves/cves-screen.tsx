import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { cvePageQuery } from '../../api/cves.ts'
import { toProblem } from '../../api/problem.ts'
import { paths } from '../../shell/paths.ts'
import { writeSearch } from '../../shell/search-schema.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { ViewNav } from '../../shell/view-nav.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { useNowMs } from '../../ui/display.tsx'
import { KeysetPager } from '../../ui/keyset-pager.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { stepsThrough } from '../../ui/steps-through.ts'
import { usePaging } from '../../ui/use-paging.ts'
import { CVE_COLUMNS } from './cve-columns.tsx'
import { CveDrawer } from './cve-drawer.tsx'
import { NO_FILTERS, parseCvesSearch, sortsOf, toCveQuery, VIEWS, withSort } from './cves.search.ts'
import { cvesText } from './cves.text.ts'
import { CvesEmpty } from './cves-empty.tsx'
import { CvesFilters } from './cves-filters.tsx'
import { SyncState } from './sync-state.tsx'

/** All CVEs, highest score first unless sorted otherwise, with their filters; one opens beside the list. */
export function CvesScreen() {
  const [search, change] = useSearchState(parseCvesSearch)
  const { data: page, error, isFetching, isPlaceholderData, refetch } = useQuery(cvePageQuery(toCveQuery(search, useNowMs())))
  const navigate = useNavigate()
  const problem = error === null ? undefined : toProblem(error)
  const rows = page?.items
  const { cursor, open: _open, sort: _sort, ...filters } = search
  const paging = usePaging({
    list: `cves ${writeSearch({ ...filters, sort: search.sort })}`,
    cursor,
    page,
    waiting: isPlaceholderData,
    onGo: (to) => change({ cursor: to, open: undefined }),
  })
  const notice = problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />

  return (
    <>
      <PageHeader
        title={cvesText.title}
        aside={page === undefined ? undefined : <span aria-live="polite">{cvesText.total(page.total, page.total_exact)}</span>}
      />
      <SyncState />
      <ViewNav
        label={cvesText.views.label}
        to={paths.cves}
        views={VIEWS.map(({ id, search: of }) => ({ id, label: cvesText.views[id], search: of }))}
        filters={filters}
      />
      <CvesFilters search={search} onChange={change} />
      {rows !== undefined && notice}
      <DataTable
        label={cvesText.title}
        columns={CVE_COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ id }) => id}
        sort={sortsOf(search)}
        onSort={(sort, add) => change({ sort: withSort(search, sort, add), cursor: undefined })}
        {...paging.table}
        openId={search.open}
        onOpen={({ id }) => change({ open: id })}
        onOpenPage={({ id }) => void navigate({ to: paths.cve, params: { id } })}
        copyText={({ id }) => id}
        refreshing={isFetching}
        problem={notice}
        empty={<CvesEmpty search={search} onClear={() => change(NO_FILTERS)} onOlder={paging.onOlder} />}
      />
      {page !== undefined && <KeysetPager pager={paging.pager} total={cvesText.total(page.total, page.total_exact)} />}
      <CveDrawer
        openId={search.open}
        row={rows?.find(({ id }) => id === search.open)}
        onClose={() => change({ open: undefined })}
        onStep={stepsThrough(rows?.map(({ id }) => id) ?? [], search.open, (open) => change({ open }, { replace: true }))}
      />
    </>
  )
}
