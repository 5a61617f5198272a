import type { ReactNode } from 'react'
import { deliversNewsOnly, type Source } from '../../api/feeds.ts'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { intervalWords } from './interval-words.ts'
import { NextTry } from './next-try.tsx'
import { STATE_NAMES, stateOf } from './source-state.ts'
import classes from './sources.module.css'
import { count, sourcesText } from './sources.text.ts'
import { WeekStrip } from './week-strip.tsx'

const names = sourcesText.columns

export type SourceColumnActs = {
  /** True while a collection of this source is awaited, before the list knows of it. */
  isAwaited: (id: string) => boolean
  /** True, or why the switch may not be moved. */
  switchReason: true | string
  onSwitch: (source: Source, active: boolean) => void
}

/** Columns of the source list; two lines a row, since a source has more to say than an IOC and there are few of them. */
export function sourceColumns({ isAwaited, switchReason, onSwitch }: SourceColumnActs): readonly DataColumn<Source>[] {
  return [
    {
      id: 'state',
      header: names.state,
      width: '138px',
      sortFirst: 'asc',
      cell: (row) => <SourceStateWord source={row} collecting={row.collecting || isAwaited(row.id)} />,
    },
    {
      id: 'name',
      header: names.name,
      lead: true,
      sortFirst: 'asc',
      cell: (row) => <Lines first={<b title={row.url}>{row.name}</b>} second={sourcesText.kind(row.format, row.feed_type)} />,
    },
    {
      id: 'reliability',
      header: names.reliability,
      width: '62px',
      wideOnly: true,
      drop: 2,
      sortFirst: 'asc',
      cell: (row) => <span title={sourcesText.reliabilityOf(row.reliability)}>{row.reliability}</span>,
    },
    {
      id: 'schedule',
      header: names.schedule,
      width: '162px',
      drop: 3,
      cell: (row) => <Lines first={intervalWords(row.frequency)} second={<NextTry source={row} />} />,
    },
    { id: 'last_run', header: names.lastRun, width: '196px', wideOnly: true, drop: 1, cell: (row) => <LastRun source={row} /> },
    {
      id: 'last_success',
      header: names.lastSuccess,
      width: '180px',
      drop: 4,
      sortFirst: 'desc',
      cell: (row) => (
        <Lines
          first={<TimeText value={row.last_successful_run} />}
          second={row.health === undefined ? '' : <WeekStrip strip={row.health.strip} />}
        />
      ),
    },
    { id: 'listed', header: names.listed, width: '94px', align: 'end', sortFirst: 'desc', cell: (row) => <Listed source={row} /> },
    {
      id: 'active',
      header: names.active,
      width: '62px',
      cell: (row) => (
        <ActiveSwitch name={row.name} active={row.is_active} reason={switchReason} onChange={(active) => onSwitch(row, active)} />
      ),
    },
  ]
}

/** The state as icon and word, with "Collecting now" or the row of failures below it. */
export function SourceStateWord({ source, collecting }: { source: Source; collecting: boolean }) {
  const state = stateOf(source)
  const failures = source.health?.consecutive_failures ?? 0
  const word = <StateWord state={STATE_NAMES[state]} word={sourcesText.state[state]} />
  if (collecting) return <Lines first={word} second={<span className={classes['collecting']}>{sourcesText.collecting}</span>} />
  return failures > 0 && state === 'degraded' ? <Lines first={word} second={sourcesText.failuresInARow(failures)} /> : word
}

function LastRun({ source: { health } }: { source: Source }) {
  const run = health?.last_run
  const words = sourcesText.counts
  if (run == null) return <span className="svc-dim">{words.none}</span>
  if (run.outcome === 'RUNNING') return <span className="svc-dim">{words.running}</span>
  return (
    <Lines
      first={`${words.new(run.new_count)}, ${words.gone(run.gone_count)}`}
      second={
        <>
          {words.updated(run.updated_count)},{' '}
          <span data-some={run.rejected_count > 0 || undefined}>{words.rejected(run.rejected_count)}</span>
        </>
      }
    />
  )
}

function Listed({ source }: { source: Source }) {
  if (!deliversNewsOnly(source)) return count(source.listed)
  return (
    <span className="svc-dim" title={sourcesText.newsOnlyHint}>
      {sourcesText.newsOnly}
    </span>
  )
}

function Lines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className={classes['lines']}>
      <span className={classes['line']}>{first}</span>
      <span className={`${classes['line']} svc-dim`}>{second}</span>
    </span>
  )
}
