import { Button } from '@mantine/core'
import { IconFilterOff, IconShieldCheck } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
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
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { uiText } from '../../ui/ui.text.ts'
import { usePaging } from '../../ui/use-paging.ts'
import { IncidentBoard } from './incident-board.tsx'
import { INCIDENT_COLUMNS } from './incident-columns.tsx'
import classes from './incidents.module.css'
import {
  type IncidentsSearch,
  isFiltered,
  LAYOUTS,
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

/** Incidents, newest first; without a filter those that are not closed. As a list, or as a board by step. */
export function IncidentsScreen() {
  const [search, change] = useSearchState(parseIncidentsSearch)
  const answer = useQuery(incidentPageQuery(toIncidentQuery(search)))
  const [draft, setDraft] = useState<IncidentDraft>()
  const can = useCan()
  const { data: page } = answer
  const { cursor: _cursor, layout, ...filters } = search

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
      <div className={classes['ways']}>
        <ViewNav
          label={text.views}
          to={paths.incidents}
          views={VIEWS.map(({ id, search: of }) => ({ id, label: text.view[id], search: { ...of, layout } }))}
          filters={{ ...filters, layout }}
        />
        <ViewNav
          label={text.layouts.label}
          to={paths.incidents}
          views={LAYOUTS.map((of) => ({ id: of ?? 'list', label: text.layouts[of ?? 'list'], search: { ...filters, layout: of } }))}
          filters={{ ...filters, layout }}
        />
      </div>
      <Filters search={search} onChange={change} />
      {layout === 'board' ? <IncidentBoard search={search} /> : <IncidentList search={search} onChange={change} answer={answer} />}
      <OpenIncidentDialog draft={draft} onClose={() => setDraft(undefined)} />
    </>
  )
}

type IncidentListProps = { search: IncidentsSearch; onChange: (change: IncidentsSearch) => void; answer: UseQueryResult<IncidentPage> }

function IncidentList({ search, onChange, answer }: IncidentListProps) {
  const { data: page, error, isFetching, isPlaceholderData, refetch } = answer
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const navigate = useNavigate()
  const rows = page?.items
  const { cursor, ...filters } = search
  const paging = usePaging({
    list: `incidents ${writeSearch(filters)}`,
    cursor,
    page,
    waiting: isPlaceholderData,
    onGo: (to) => onChange({ cursor: to }),
  })
  const chosen = rows?.filter(({ id }) => selected.has(id)) ?? []
  const notice = error === null ? undefined : <ProblemNotice problem={toProblem(error)} onRetry={() => void refetch()} />
  const open = ({ id }: Incident) => void navigate({ to: paths.incident, params: { id } })
  return (
    <>
      {chosen.length > 0 && <BulkBar rows={chosen} onClear={() => setSelected(new Set())} />}
      {rows !== undefined && notice}
      <DataTable
        label={text.title}
        columns={INCIDENT_COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ title }) => title}
        {...paging.table}
        selected={selected}
        onSelect={setSelected}
        onOpen={open}
        onOpenPage={open}
        copyText={({ title }) => title}
        isMuted={({ status }) => status === 'CLOSED'}
        refreshing={isFetching}
        problem={notice}
        empty={<Empty filtered={isFiltered(search)} onClear={() => onChange(NO_FILTERS)} />}
      />
      {page !== undefined && <KeysetPager pager={paging.pager} total={text.total(page.total, page.total_exact)} />}
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
    <SelectionBar label={text.bulk.selected(rows.length)}>
      <ReasonButton disabledReason={reason} loading={assigning.isPending} onClick={() => assign(me ?? null)}>
        {text.bulk.toMe}
      </ReasonButton>
      <ReasonButton variant="default" disabledReason={reason} loading={assigning.isPending} onClick={() => assign(null)}>
        {text.bulk.free}
      </ReasonButton>
      <Button variant="subtle" color="gray" onClick={onClear}>
        {text.bulk.clear}
      </Button>
    </SelectionBar>
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
