import { Button, NativeSelect } from '@mantine/core'
import { IconBellOff, IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Alert, alertQueueQuery } from '../../../api/alerts.ts'
import { cveSyncQuery } from '../../../api/cves.ts'
import { toProblem } from '../../../api/problem.ts'
import { type IncidentDraft, OpenIncidentDialog } from '../../../shell/incident/open-incident-dialog.tsx'
import { paths } from '../../../shell/paths.ts'
import { writeSearch } from '../../../shell/search-schema.ts'
import { useCan } from '../../../shell/use-can.ts'
import { useSearchState } from '../../../shell/use-search-state.ts'
import { ButtonKey } from '../../../ui/button-key.tsx'
import { ChoiceFilter } from '../../../ui/choice-filter.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { DetailDrawer } from '../../../ui/detail-drawer.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { OneOfFilter } from '../../../ui/one-of-filter.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { ProblemNotice } from '../../../ui/problem-notice.tsx'
import { ReasonButton } from '../../../ui/reason-button.tsx'
import { SelectionBar } from '../../../ui/selection-bar.tsx'
import { stepsThrough } from '../../../ui/steps-through.ts'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { PRIORITIES } from '../cves.search.ts'
import { StaleBanner } from '../sync-state.tsx'
import { ALERT_COLUMNS, ALL_COLUMNS } from './alert-columns.tsx'
import { AlertPane } from './alert-pane.tsx'
import { incidentDraft } from './incident-draft.ts'
import classes from './triage.module.css'
import { AGE_CHOICES, byUrgency, KEV_CHOICES, nextAfter, parseTriageSearch, type TriageSearch, toAlertQuery } from './triage.search.ts'
import { triageText as text } from './triage.text.ts'
import { useHeldAcknowledgements } from './use-held-acknowledgements.ts'
import { useNewAlerts } from './use-new-alerts.ts'
import { useWide } from './use-wide.ts'

const NO_FILTERS = { state: undefined, priority: undefined, kev: undefined, age: undefined, open: undefined } satisfies TriageSearch
const PRIORITY_WORDS = { P0: 'P0', P1: 'P1', P2: 'P2', P3: 'P3' } as const
const NOBODY: ReadonlySet<string> = new Set()

/** Alerts that wait for somebody, most urgent first, with what is known of each beside them. */
export function TriageScreen() {
  const [search, change] = useSearchState(parseTriageSearch)
  const query = toAlertQuery(search)
  const { data, error, isFetching, refetch } = useQuery(alertQueueQuery(query))
  const { data: sync } = useQuery(cveSyncQuery)
  const { held, leaving, hold, undo } = useHeldAcknowledgements()
  const [selected, setSelected] = useState(NOBODY)
  const fresh = useNewAlerts(writeSearch(query), data?.items)
  const isFiltered = hasFilters(search)
  const navigate = useNavigate()
  const wide = useWide()
  const can = useCan()
  const mayAcknowledge = can('alert.acknowledge')
  const mayOpen = can('incident.open')
  const [draft, setDraft] = useState<IncidentDraft>()

  const rows = data?.items.filter(({ id }) => !leaving.has(id)).toSorted(byUrgency)
  const ids = rows?.map(({ id }) => id) ?? []
  const chosen = rows?.filter(({ id }) => selected.has(id)) ?? []
  const current = rows?.find(({ id }) => id === search.open) ?? (wide ? rows?.[0] : undefined)
  const problem = error === null ? undefined : toProblem(error)
  const notice = problem === undefined ? undefined : <ProblemNotice problem={problem} onRetry={() => void refetch()} />

  const acknowledge = (alerts: readonly Alert[]) => {
    const open = alerts.filter(({ acknowledged_at }) => acknowledged_at === null)
    if (mayAcknowledge !== true || open.length === 0) return
    const next = nextAfter(ids, new Set(open.map(({ id }) => id)), current?.id)
    hold(open)
    setSelected(NOBODY)
    change({ open: wide || search.open !== undefined ? next : undefined }, { replace: true })
    if (document.querySelector('[role=dialog]') === null) focusRow(next)
  }
  const acknowledgeChosen = (row: Alert | undefined) => acknowledge(chosen.length > 0 ? chosen : row === undefined ? [] : [row])
  const openIncident = (row: Alert | undefined) => {
    const alerts = chosen.length > 0 ? chosen : row === undefined ? [] : [row]
    if (mayOpen === true && alerts.length > 0) setDraft(incidentDraft(alerts))
  }
  const openPage = (row: Alert | undefined) => {
    if (row !== undefined) void navigate({ to: paths.cve, params: { id: row.cve_id } })
  }
  const enterQueue = () => {
    if (document.querySelector('[role=dialog]') === null) focusRow(current?.id ?? ids[0])
  }
  usePageKeys({
    j: enterQueue,
    k: enterQueue,
    a: () => acknowledgeChosen(current),
    i: () => openIncident(current),
    o: () => openPage(current),
    u: undo,
  })
  const pane =
    current === undefined ? null : (
      <AlertPane
        key={current.id}
        alert={current}
        reason={reasonFor([current], mayAcknowledge)}
        onAcknowledge={() => acknowledge([current])}
        incidentReason={mayOpen}
        onIncident={() => setDraft(incidentDraft([current]))}
      />
    )

  return (
    <>
      <PageHeader
        title={text.title}
        aside={
          data === undefined ? undefined : (
            <span aria-live="polite">{text.total(Math.max(0, data.total - held.length), data.totalExact)}</span>
          )
        }
      />
      {sync !== undefined && <StaleBanner sync={sync} />}
      <Filters search={search} onChange={change} />
      {rows !== undefined && notice}
      {chosen.length > 0 && (
        <BulkBar
          rows={chosen}
          may={mayAcknowledge}
          onAcknowledge={() => acknowledge(chosen)}
          mayOpen={mayOpen}
          onIncident={() => setDraft(incidentDraft(chosen))}
          onClear={() => setSelected(NOBODY)}
        />
      )}
      <div className={classes['split']} data-wide={(wide && current !== undefined) || undefined}>
        <div>
          <DataTable
            label={text.title}
            columns={search.state === undefined ? ALERT_COLUMNS : ALL_COLUMNS}
            rows={rows}
            rowId={({ id }) => id}
            rowLabel={({ cve_id }) => cve_id}
            selected={selected}
            onSelect={setSelected}
            openId={current?.id}
            onCursor={({ id }) => {
              if (wide && id !== search.open) change({ open: id }, { replace: true })
            }}
            onOpen={({ id }) => (wide ? document.getElementById('alert')?.focus() : change({ open: id }))}
            onOpenPage={openPage}
            copyText={({ cve_id }) => cve_id}
            rowKeys={{ a: acknowledgeChosen, i: openIncident }}
            isFresh={({ id }) => fresh.has(id)}
            isMuted={({ acknowledged_at }) => acknowledged_at !== null}
            refreshing={isFetching}
            problem={notice}
            empty={<Empty filtered={isFiltered} onClear={() => change(NO_FILTERS)} />}
          />
          {data !== undefined && data.items.length < data.total && (
            <p className={classes['cut']}>{text.cut(data.items.length, data.total, search.state === undefined)}</p>
          )}
        </div>
        {wide && current !== undefined && (
          <section id="alert" tabIndex={-1} aria-label={text.pane} className={classes['pane']}>
            <h2 className={`svc-mono ${classes['paneTitle']}`}>{current.cve_id}</h2>
            {pane}
          </section>
        )}
      </div>
      {!wide && (
        <DetailDrawer
          openId={current?.id}
          title={<span className="svc-mono">{current?.cve_id}</span>}
          onClose={() => change({ open: undefined })}
          onStep={stepsThrough(ids, search.open, (open) => change({ open }, { replace: true }))}
        >
          {pane}
        </DetailDrawer>
      )}
      <OpenIncidentDialog draft={draft} onClose={() => setDraft(undefined)} />
      <div role="status" className={classes['undoPlace']}>
        {held.length > 0 && <UndoBar held={held} onUndo={undo} />}
      </div>
      <p role="status" className="svc-unseen">
        {fresh.size > 0 && text.news(fresh.size)}
      </p>
    </>
  )
}

function hasFilters({ open: _, ...filters }: TriageSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

function Filters({ search, onChange }: { search: TriageSearch; onChange: (change: TriageSearch) => void }) {
  const words = text.filters.states
  return (
    <FilterBar onClear={hasFilters(search) ? () => onChange(NO_FILTERS) : undefined}>
      <NativeSelect
        size="xs"
        data-filter-box
        aria-label={text.filters.state}
        value={search.state ?? 'open'}
        data={(['open', 'acknowledged', 'all'] as const).map((state) => ({ value: state, label: words[state] }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ open: undefined, state: value === 'acknowledged' || value === 'all' ? value : undefined })
        }
      />
      <ChoiceFilter
        label={text.filters.priority}
        choices={PRIORITIES}
        words={PRIORITY_WORDS}
        chosen={search.priority}
        onChange={(priority) => onChange({ open: undefined, priority })}
      />
      <OneOfFilter
        label={text.filters.kev}
        choices={KEV_CHOICES}
        words={text.filters.kevs}
        value={search.kev}
        onChange={(kev) => onChange({ open: undefined, kev })}
      />
      <OneOfFilter
        label={text.filters.age}
        choices={AGE_CHOICES}
        words={text.filters.ages}
        value={search.age}
        onChange={(age) => onChange({ open: undefined, age })}
      />
    </FilterBar>
  )
}

type BulkBarProps = {
  rows: readonly Alert[]
  may: true | string
  onAcknowledge: () => void
  mayOpen: true | string
  onIncident: () => void
  onClear: () => void
}

/** What can be done with the selected alerts, and how many it would change. */
function BulkBar({ rows, may, onAcknowledge, mayOpen, onIncident, onClear }: BulkBarProps) {
  const done = rows.filter(({ acknowledged_at }) => acknowledged_at !== null).length
  return (
    <SelectionBar label={text.selected(rows.length)}>
      <ReasonButton disabledReason={may !== true ? may : done === rows.length ? text.allDone : true} onClick={onAcknowledge}>
        {text.acknowledgeMany(rows.length - done)}
      </ReasonButton>
      <ReasonButton variant="default" disabledReason={mayOpen} onClick={onIncident}>
        {text.openIncident}
      </ReasonButton>
      <Button variant="subtle" color="gray" onClick={onClear}>
        {text.clear}
      </Button>
      {done > 0 && done < rows.length && <span>{text.partly(done, rows.length)}</span>}
    </SelectionBar>
  )
}

function UndoBar({ held, onUndo }: { held: readonly Alert[]; onUndo: () => void }): ReactNode {
  return (
    <div className={classes['undo']}>
      <span>{text.held(held.map(({ cve_id }) => cve_id))}</span>
      <Button variant="default" onClick={onUndo}>
        {text.undo} <ButtonKey keys="u" />
      </Button>
    </div>
  )
}

function Empty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered)
    return (
      <EmptyState
        icon={<IconFilterOff size={20} aria-hidden />}
        title={text.empty.noMatch}
        actions={
          <Button variant="default" onClick={onClear}>
            {text.empty.clearFilters}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={<IconBellOff size={20} aria-hidden />}
      title={text.empty.clear}
      description={text.empty.clearNext}
      actions={
        // The route leaves its search untyped, because the screen owns its schema.
        <Button variant="default" renderRoot={(props) => <Link to={paths.cves} search={{ priority: 'P0,P1' } as never} {...props} />}>
          {text.empty.toCves}
        </Button>
      }
    />
  )
}

function reasonFor(rows: readonly Alert[], may: true | string): true | string {
  const done = rows.find(({ acknowledged_at }) => acknowledged_at !== null)
  return may === true && done !== undefined ? text.already(done) : may
}

/** After the queue has been drawn anew, since the row that had the focus may have left it. */
function focusRow(id: string | undefined): void {
  if (id === undefined) return
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  })
}
