import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { RunningClock, SocMetrics } from '../../api/soc.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { paths } from '../../shell/paths.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { useNowMs } from '../../ui/display.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { focusFirstRow } from '../../ui/focus-first-row.ts'
import { dueWords } from '../../ui/length-words.ts'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { StateWord } from '../../ui/state-word.tsx'
import classes from './soc.module.css'
import { socText } from './soc.text.ts'

const text = socText.clocks
/** Rows before "more" is asked for. Assumption: what is below shall still be seen to exist. */
const LATE_SHOWN = 10
const NEXT_SHOWN = 5

const CLOCK_WORDS = { TAKE_IN: incidentText.clock['take-in'], RESOLUTION: incidentText.clock.resolution } as const
const COLUMNS: readonly DataColumn<RunningClock>[] = [
  { id: 'severity', header: text.columns.severity, width: '102px', cell: ({ severity }) => <SeverityTag severity={severity} /> },
  { id: 'title', header: text.columns.title, lead: true, cell: ({ title }) => <span className={classes['title']}>{title}</span> },
  { id: 'due', header: text.columns.due, width: '226px', cell: (row) => <DueWord clock={row} /> },
  { id: 'level', header: text.columns.level, width: '62px', drop: 3, cell: ({ level }) => level },
  { id: 'step', header: text.columns.step, width: '110px', drop: 1, cell: ({ status }) => incidentText.step[status] },
  {
    id: 'assignee',
    header: text.columns.assignee,
    width: '130px',
    drop: 2,
    cell: ({ assignee }) => <span className={assignee === null ? 'svc-dim' : undefined}>{assignee ?? incidentText.nobody}</span>,
  },
]

type ClockTableProps = {
  metrics: SocMetrics | undefined
  all: boolean
  onAll: (all: boolean) => void
  refreshing: boolean
  problem: ReactNode
}

/** The promises that are broken, the longest overdue first, and those that break next. */
export function ClockTable({ metrics, all, onAll, refreshing, problem }: ClockTableProps) {
  const navigate = useNavigate()
  const rows = metrics === undefined ? undefined : rowsOf(metrics, all)
  useFocusOnFirstRow(rows !== undefined)
  const open = ({ incident_id: id }: RunningClock) => void navigate({ to: paths.incident, params: { id } })
  return (
    <>
      <DataTable
        label={text.title}
        columns={COLUMNS}
        rows={rows}
        rowId={({ incident_id, clock }) => `${incident_id} ${clock}`}
        rowLabel={({ title }) => title}
        onOpen={open}
        onOpenPage={open}
        copyText={({ title }) => title}
        isAlarming={({ due_at }) => Date.parse(due_at) < Date.now()}
        refreshing={refreshing}
        problem={problem}
        skeletonRows={LATE_SHOWN}
        empty={<EmptyState icon={<IconShieldCheck size={20} aria-hidden />} title={socText.none.title} description={socText.none.next} />}
      />
      {metrics !== undefined && rows !== undefined && rows.length > 0 && (
        <More metrics={metrics} shown={rows.length} all={all} onAll={onAll} />
      )}
    </>
  )
}

function DueWord({ clock }: { clock: RunningClock }) {
  const { state, text: words } = dueWords(Date.parse(clock.due_at), useNowMs())
  return <StateWord state={state === 'late' ? 'degraded' : 'pending'} word={`${CLOCK_WORDS[clock.clock]}: ${words}`} title={clock.due_at} />
}

function rowsOf({ breaches, next }: SocMetrics, all: boolean): RunningClock[] {
  return all ? [...breaches.items, ...next] : [...breaches.items.slice(0, LATE_SHOWN), ...next.slice(0, NEXT_SHOWN)]
}

type MoreProps = { metrics: SocMetrics; shown: number; all: boolean; onAll: (all: boolean) => void }

/** How much of it is shown, and the way to the rest. */
function More({ metrics, shown, all, onAll }: MoreProps) {
  const { breaches, next } = metrics
  const late = breaches.take_in + breaches.resolution
  const known = breaches.items.length + next.length
  return (
    <p className={classes['more']}>
      {known > rowsOf(metrics, false).length && (
        <>
          {text.some(shown, known)}
          <Button variant="subtle" size="compact-sm" onClick={() => onAll(!all)}>
            {all ? text.showFewer : text.showAll}
          </Button>
        </>
      )}
      {late > 0 && (
        <Link to={paths.incidents} search={{ late: 'true' } as never}>
          {text.late}
        </Link>
      )}
    </p>
  )
}

/** Whoever comes here comes for the worst: Enter opens it. A reader who has gone elsewhere meanwhile stays there. */
function useFocusOnFirstRow(loaded: boolean): void {
  const done = useRef(false)
  useEffect(() => {
    if (!loaded || done.current) return
    done.current = true
    // The frame puts the focus on the new page as a whole, after this.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body || document.activeElement?.id === 'content') focusFirstRow({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [loaded])
}
