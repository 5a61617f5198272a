import { Button } from '@mantine/core'
import { IconFilterOff, IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Incident, type IncidentPage, incidentPageQuery, useAssignIncidents } from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'
import { useCurrentUser } from '../../api/session.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { type IncidentDraft, OpenIncidentDialog } from '../../shell/incident/open-incident-dialog.tsx'
import { paths } from '../../shell/paths.ts'
import { writeSearch } from '../../shell/search-schema.ts'
import { useCan } from '../../shell/use-can.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { ViewNav } from '../../shell/view-nav.tsx'
import { ChoiceFilter } from '../../ui/choice-filter.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { KeysetPager } from '../../ui/keyset-pager.tsx'
import { notifyDone, notifyProblem } from '../../ui/notify.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { type PagePlace, pagingOf } from '../../ui/page-trail.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { useFocusAfterPaging } from '../../ui/use-focus-after-paging.ts'
import { INCIDENT_COLUMNS } from './incident-columns.tsx'
import classes from './incidents.module.css'
import {
  type IncidentsSearch,
  isFiltered,
  LEVELS,
  NO_FILTERS,
  parseIncidentsSearch,
  SEVERITIES,
  STEPS,
  toIncidentQuery,
  VIEWS,
} from './incidents.search.ts'
import { incidentsText as text } from './incidents.text.ts'

const LEVEL_WORDS = { L1: 'L1', L2: 'L2', L3: 'L3' } as const
const NOTHING: IncidentDraft = { title: '', severity: 'MEDIUM', names: [] }

/** Incidents, newest first; without a filter those that are not closed. */
export function IncidentsScreen() {
  const [search, change] = useSearchState(parseIncidentsSearch)
  const { data: page, error, isFetching, isPlaceholderData, refetch } = useQuery(incidentPageQuery(toIncidentQuery(search)))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [draft, setDraft] = useState<IncidentDraft>()
  const navigate = useNavigate()
  const can = useCan()
  const rows = page?.items
  const { cursor, ...filters } = search
  const { place, onNewer, onOlder } = pagingOf({
    list: `incidents ${writeSearch(filters)}`,
    cursor,
    page: isPlaceholderData ? undefined : page,
    onGo: (to) => change({ cursor: to }),
  })
  const focusFirst = useFocusAfterPaging(rows, isPlaceholderData)
  const chosen = rows?.filter(({ id }) => selected.has(id)) ?? []
  const problem = error === null ? undefined : toProblem(error)
  const notice = problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />
  const open = ({ id }: Incident) => void navigate({ to: paths.incident, params: { id } })

  return (
    <>
      <PageHeader
        title={text.title}
        aside={page === undefined ? undefined : <span aria-live="polite">{text.total(page.total, page.total_exact)}</span>}
        actions={
          <ReasonButton disabledReason={can('incident.open')} onClick={() => setDraft(NOTHING)}>
            {incidentText.open}
          </ReasonButton>
        }
      />
      <ViewNav
        label={text.views}
        to={paths.incidents}
        views={VIEWS.map(({ id, search: of }) => ({ id, label: text.view[id], search: of }))}
        filters={filters}
      />
      <Filters search={search} onChange={change} />
      {chosen.length > 0 && <BulkBar rows={chosen} onClear={() => setSelected(new Set())} />}
      {rows !== undefined && notice}
      <DataTable
        label={text.title}
        columns={INCIDENT_COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ title }) => title}
        total={page?.total_exact === true ? page.total : -1}
        firstIndex={place?.rowsBefore ?? 0}
        selected={selected}
        onSelect={setSelected}
        onOpen={open}
        onOpenPage={open}
        copyText={({ title }) => title}
        onPage={(by) => {
          const turn = by === 1 ? onOlder : onNewer
          if (turn === undefined) return
          focusFirst()
          turn()
        }}
        isMuted={({ status }) => status === 'CLOSED'}
        refreshing={isFetching}
        problem={notice}
        empty={<Empty filtered={isFiltered(search)} onClear={() => change(NO_FILTERS)} />}
      />
      {page !== undefined && page.items.length > 0 && (
        <KeysetPager
          summary={summaryOf(page, place)}
          onNewer={onNewer}
          knowsNewer={cursor === undefined || place !== undefined}
          onOlder={onOlder}
        />
      )}
      <OpenIncidentDialog draft={draft} onClose={() => setDraft(undefined)} />
    </>
  )
}

function Filters({ search, onChange }: { search: IncidentsSearch; onChange: (change: IncidentsSearch) => void }) {
  const set = (change: IncidentsSearch) => onChange({ cursor: undefined, ...change })
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(NO_FILTERS) : undefined}>
      <ChoiceFilter
        label={text.filters.step}
        choices={STEPS}
        words={incidentText.step}
        chosen={search.status}
        onChange={(status) => set({ status })}
      />
      <ChoiceFilter
        label={text.filters.severity}
        choices={SEVERITIES}
        words={uiText.severity}
        chosen={search.severity}
        onChange={(severity) => set({ severity })}
      />
      <ChoiceFilter
        label={text.filters.level}
        choices={LEVELS}
        words={LEVEL_WORDS}
        chosen={search.level}
        onChange={(level) => set({ level })}
      />
      {search.cve !== undefined && <span className={classes['about']}>{text.about.cve(search.cve)}</span>}
      {search.ioc !== undefined && <span className={classes['about']}>{text.about.ioc}</span>}
    </FilterBar>
  )
}

/** What can be done with the selected incidents. */
function BulkBar({ rows, onClear }: { rows: readonly Incident[]; onClear: () => void }) {
  const may = useCan()('incident.comment')
  const me = useCurrentUser()?.id
  const assigning = useAssignIncidents()
  const reason = may === true && rows.every(({ status }) => status === 'CLOSED') ? text.bulk.allClosed : may
  const assign = (assignee: string | null) =>
    assigning.mutate(
      { ids: rows.map(({ id }) => id), assignee_id: assignee },
      {
        onSuccess: ({ assigned, unchanged }) => {
          notifyDone(text.bulk.done(assigned.length, unchanged))
          onClear()
        },
        onError: (error) => notifyProblem(toProblem(error)),
      },
    )
  return (
    <fieldset className={classes['bulk']}>
      <legend className={classes['bulkCount']}>{text.bulk.selected(rows.length)}</legend>
      <ReasonButton disabledReason={reason} loading={assigning.isPending} onClick={() => assign(me ?? null)}>
        {text.bulk.toMe}
      </ReasonButton>
      <ReasonButton variant="default" disabledReason={reason} loading={assigning.isPending} onClick={() => assign(null)}>
        {text.bulk.free}
      </ReasonButton>
      <Button variant="subtle" color="gray" onClick={onClear}>
        {text.bulk.clear}
      </Button>
    </fieldset>
  )
}

function Empty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return <EmptyState icon={<IconShieldCheck size={20} aria-hidden />} title={text.empty.none} description={text.empty.noneNext} />
  return (
    <EmptyState
      icon={<IconFilterOff size={20} aria-hidden />}
      title={text.empty.noMatch}
      actions={
        <Button variant="default" onClick={onClear}>
          {text.empty.clear}
        </Button>
      }
    />
  )
}

function summaryOf(page: IncidentPage, place: PagePlace | undefined): string {
  const total = text.total(page.total, page.total_exact)
  const rows = page.items.length
  return place === undefined ? text.pager.some(rows, total) : text.pager.range(place.rowsBefore + 1, place.rowsBefore + rows, total)
}
