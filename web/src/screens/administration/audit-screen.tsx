import { Button } from '@mantine/core'
import { IconAlertOctagon, IconFilterOff, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { auditPageQuery } from '../../api/audit.ts'
import { toProblem } from '../../api/problem.ts'
import { writeSearch } from '../../shell/search-schema.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { Callout } from '../../ui/callout.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { KeysetPager } from '../../ui/keyset-pager.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { stepsThrough } from '../../ui/steps-through.ts'
import { usePaging } from '../../ui/use-paging.ts'
import { administrationText, auditText as text } from './administration.text.ts'
import { AdministrationFrame } from './administration-frame.tsx'
import { isFiltered, NO_AUDIT_FILTERS, parseAuditSearch, toAuditQuery } from './audit.search.ts'
import { AUDIT_COLUMNS } from './audit-columns.tsx'
import { AuditDrawer } from './audit-drawer.tsx'
import { AuditFilters } from './audit-filters.tsx'

/** The journal, newest first; one event opens beside the list. */
export function AuditScreen() {
  return (
    <AdministrationFrame tab={administrationText.tabs.audit}>
      <Audit />
    </AdministrationFrame>
  )
}

function Audit() {
  const [search, change] = useSearchState(parseAuditSearch)
  const { data: page, error, isFetching, isPlaceholderData, refetch } = useQuery(auditPageQuery(toAuditQuery(search)))
  const rows = page?.items
  const problem = error === null ? undefined : toProblem(error)
  const { cursor, open: openId, trace, ...filters } = search
  const paging = usePaging({
    list: `audit ${writeSearch(filters)}`,
    cursor,
    page,
    waiting: isPlaceholderData,
    onGo: (to) => change({ cursor: to, open: undefined, trace: undefined }),
  })
  const broken = rows?.filter(({ chain }) => chain === 'BROKEN').length ?? 0
  const clear = () => change(NO_AUDIT_FILTERS)

  return (
    <>
      <AuditFilters search={search} onChange={change}>
        <span aria-live="polite">{page !== undefined && text.total(page.total, page.total_exact)}</span>
      </AuditFilters>
      {broken > 0 && <BrokenAlarm rows={broken} />}
      {problem !== undefined && rows !== undefined && <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
      <DataTable
        label={text.title}
        columns={AUDIT_COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ action }) => action}
        {...paging.table}
        openId={openId}
        onOpen={({ id }) => change({ open: id })}
        copyText={({ id }) => id}
        isAlarming={({ chain }) => chain === 'BROKEN'}
        refreshing={isFetching}
        problem={problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />}
        empty={<AuditEmpty filtered={isFiltered(search)} onOlder={paging.onOlder} onClear={clear} />}
      />
      {page !== undefined && <KeysetPager pager={paging.pager} total={text.total(page.total, page.total_exact)} />}
      <AuditDrawer
        openId={openId}
        event={rows?.find(({ id }) => id === openId)}
        loaded={rows !== undefined && !isPlaceholderData}
        traced={trace === 'true'}
        onTrace={() => change({ trace: 'true' })}
        onClose={() => change({ open: undefined, trace: undefined })}
        onStep={stepsThrough(rows?.map(({ id }) => id) ?? [], openId, (id) => change({ open: id }, { replace: true }))}
      />
    </>
  )
}

/** Nobody should find out about a broken journal by chance. */
function BrokenAlarm({ rows }: { rows: number }) {
  return (
    <Callout tone="danger" role="alert" apart icon={<IconAlertOctagon size={18} aria-hidden />} title={text.broken(rows)}>
      <p>
        {text.brokenNext} <code className="svc-mono">{text.verify}</code>
      </p>
    </Callout>
  )
}

function AuditEmpty({
  filtered,
  onOlder,
  onClear,
}: {
  filtered: boolean
  /** There are older events that were not searched yet. */
  onOlder: (() => void) | undefined
  onClear: () => void
}) {
  const words = text.empty
  if (onOlder !== undefined)
    return (
      <EmptyState
        icon={<IconFilterOff size={20} aria-hidden />}
        title={words.noMatchHere}
        description={words.noMatchHereNext}
        actions={<Button onClick={onOlder}>{words.goOn}</Button>}
      />
    )
  if (!filtered) return <EmptyState icon={<IconHistory size={20} aria-hidden />} title={words.nothing} />
  return (
    <EmptyState
      icon={<IconFilterOff size={20} aria-hidden />}
      title={words.noMatch}
      description={words.noMatchNext}
      actions={
        <Button variant="default" onClick={onClear}>
          {administrationText.clear}
        </Button>
      }
    />
  )
}
