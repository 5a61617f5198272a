import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import type { Run } from '../../api/feeds.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { type StateName, StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { durationWords } from './interval-words.ts'
import classes from './sources.module.css'
import { count, sourcesText } from './sources.text.ts'

const text = sourcesText.runs
const names = text.columns

/** Runs shown at first. Assumption: a day of a source that is collected every three hours. */
const SHORT_RUNS = 8

const STATES: Record<Run['outcome'], StateName> = {
  RUNNING: 'pending',
  SUCCEEDED: 'ok',
  UNCHANGED: 'ok',
  PARTIAL: 'degraded',
  POSTPONED: 'pending',
  FAILED: 'degraded',
  INTERRUPTED: 'degraded',
}

export type RunTableProps = {
  runs: readonly Run[]
  /** The run whose story is told. */
  chosenId: string | undefined
  onChoose: (id: string) => void
}

/** Collections of one source, newest first; the time of one opens its story. */
export function RunTable({ runs, chosenId, onChoose }: RunTableProps) {
  const [all, setAll] = useState(false)
  if (runs.length === 0) return <p className="svc-dim">{text.none}</p>
  return (
    <>
      <ScrollBox label={text.scroll}>
        <table className={classes['small']}>
          <thead>
            <tr>
              <th scope="col">{names.started}</th>
              <th scope="col">{names.outcome}</th>
              {[names.rows, names.new, names.updated, names.gone, names.rejected, names.unsupported, names.duration].map((name) => (
                <th key={name} scope="col" className={classes['number']}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(all ? runs : runs.slice(0, SHORT_RUNS)).map((run, index) => (
              <RunRows key={run.id} run={run} newer={runs[index - 1]} chosen={run.id === chosenId} onChoose={() => onChoose(run.id)} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {!all && runs.length > SHORT_RUNS && (
        <Button variant="subtle" mt={6} onClick={() => setAll(true)}>
          {text.showAll(runs.length)}
        </Button>
      )}
    </>
  )
}

type RunRowsProps = {
  run: Run
  /** The run above it. */
  newer: Run | undefined
  chosen: boolean
  onChoose: () => void
}

function RunRows({ run, newer, chosen, onChoose }: RunRowsProps) {
  const note = noteOf(run)
  // A source that is down fails every few minutes with the same words; once is enough to read them.
  const shown = note !== '' && newer !== undefined && noteOf(newer) === note ? text.sameNote : note
  return (
    <Fragment>
      <tr data-noted={note !== '' || undefined}>
        <td>
          <button type="button" className={classes['link']} aria-pressed={chosen} title={text.showStory(run.started_at)} onClick={onChoose}>
            <TimeText value={run.started_at} />
          </button>
        </td>
        <td>
          <StateWord state={STATES[run.outcome]} word={text.outcome[run.outcome]} />
        </td>
        {[run.row_count, run.new_count, run.updated_count, run.gone_count].map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
          <td key={index} className={classes['number']}>
            {count(value)}
          </td>
        ))}
        <td className={classes['number']}>{count(run.rejected_count)}</td>
        <td className={classes['number']} title={sourcesText.kinds(run.unsupported_by_kind)}>
          {count(run.unsupported_count)}
        </td>
        <td className={classes['number']}>{run.duration_ms === null ? '' : durationWords(run.duration_ms)}</td>
      </tr>
      {note !== '' && (
        <tr className={classes['note']}>
          <td colSpan={9}>{shown}</td>
        </tr>
      )}
    </Fragment>
  )
}

function noteOf({ warning, error }: Run): string {
  return [warning, error].filter((words) => words !== null).join(' ')
}
