import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Indicator, indicatorPageQuery } from '../../api/indicators.ts'
import { type ApiProblem, toProblem } from '../../api/problem.ts'
import { defang } from '../../shell/defang.ts'
import { paths } from '../../shell/paths.ts'
import { writeSearch } from '../../shell/search-schema.ts'
import { useCan } from '../../shell/use-can.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { KeysetPager } from '../../ui/keyset-pager.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { stepsThrough } from '../../ui/steps-through.ts'
import { usePaging } from '../../ui/use-paging.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ExcludeDialog } from './exclude-dialog.tsx'
import { IOC_COLUMNS } from './ioc-columns.tsx'
import { IocDrawer } from './ioc-drawer.tsx'
import { NO_FILTERS, parseIocsSearch, toIndicatorQuery } from './iocs.search.ts'
import { iocsText } from './iocs.text.ts'
import { IocsEmpty } from './iocs-empty.tsx'
import { IocsFilters } from './iocs-filters.tsx'
import { SubmitDialog } from './submit-dialog.tsx'
import { putSubmitDraft } from './submit-draft.ts'

/** All IOCs, newest first, with their filters; one opens beside the list. */
export function IocsScreen() {
  const [search, change] = useSearchState(parseIocsSearch)
  const query = toIndicatorQuery(search)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(indicatorPageQuery(query))
  const navigate = useNavigate()
  const can = useCan()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [excluding, setExcluding] = useState<readonly Indicator[]>([])
  const mayExclude = can('exclusion.add') === true
  const problem = error === null ? undefined : toProblem(error)
  const valueProblem = problem?.fieldMessage('value')
  // Rows of the search before must not stand under a value that was refused.
  const page = valueProblem === undefined ? data : undefined
  const rows = page?.items
  const { cursor, open: _open, submit: _submit, ...filters } = search
  const paging = usePaging({
    list: `iocs ${writeSearch(filters)}`,
    cursor,
    page,
    waiting: isPlaceholderData,
    onGo: (to) => change({ cursor: to, open: undefined }),
  })
  const chosen = rows?.filter(({ id }) => selected.has(id)) ?? []
  const submitReason = can('indicator.submit')
  const openSubmit = (values: readonly string[]) => {
    putSubmitDraft(values)
    change({ submit: 'true' })
  }
  const clear = () => change(NO_FILTERS)

  return (
    <>
      <PageHeader
        title={iocsText.title}
        aside={page === undefined ? undefined : <span aria-live="polite">{iocsText.total(page.total, page.total_exact)}</span>}
        actions={
          <ReasonButton disabledReason={submitReason} onClick={() => openSubmit([])}>
            {iocsText.submit}
          </ReasonButton>
        }
      />
      <IocsFilters
        search={search}
        onChange={change}
        searchedValue={isPlaceholderData ? null : (page?.searched_value ?? null)}
        valueProblem={valueProblem}
      />
      {chosen.length > 0 && <BulkBar rows={chosen} onExclude={() => setExcluding(chosen)} onClear={() => setSelected(new Set())} />}
      {problem !== undefined && rows !== undefined && <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
      <DataTable
        label={iocsText.title}
        columns={IOC_COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ value }) => value}
        {...paging.table}
        selected={selected}
        onSelect={setSelected}
        openId={search.open}
        onOpen={({ id }) => change({ open: id })}
        onOpenPage={({ id }) => void navigate({ to: paths.ioc, params: { id } })}
        copyText={({ type, value }, defanged) => (defanged ? defang(type, value) : value)}
        rowKeys={{ e: (row) => setExcluding(mayExclude && row.exclusion === null ? [row] : []) }}
        isMuted={({ active }) => !active}
        refreshing={isFetching}
        problem={problem === undefined ? undefined : <ListProblem problem={problem} onRetry={() => void refetch()} />}
        empty={
          <IocsEmpty
            search={search}
            onOlder={paging.onOlder}
            onClear={clear}
            submitReason={submitReason}
            onSubmit={(value) => openSubmit([value])}
          />
        }
      />
      {page !== undefined && <KeysetPager pager={paging.pager} total={iocsText.total(page.total, page.total_exact)} />}
      <IocDrawer
        openId={search.open}
        row={rows?.find(({ id }) => id === search.open)}
        onClose={() => change({ open: undefined })}
        onStep={stepsThrough(rows?.map(({ id }) => id) ?? [], search.open, (open) => change({ open }, { replace: true }))}
      />
      <ExcludeDialog iocs={excluding} onClose={() => setExcluding([])} />
      <SubmitDialog open={search.submit === 'true' && submitReason === true} onClose={() => change({ submit: undefined })} />
    </>
  )
}

/** A refused value is explained at its box as well; everything else can be tried again. */
function ListProblem({ problem, onRetry }: { problem: ApiProblem; onRetry: () => void }) {
  const refused = problem.fieldMessage('value')
  return refused === undefined ? (
    <ProblemNotice problem={problem} onRetry={onRetry} />
  ) : (
    <EmptyState title={iocsText.empty.cannotSearch} description={iocsText.empty.cannotSearchNext} />
  )
}
