import { useEffect, useState } from 'react'
import { type Run, type Source, useCollectFeed } from '../../api/feeds.ts'
import { toProblem } from '../../api/problem.ts'
import { notifyDone, notifyProblem } from '../../ui/notify.ts'
import { sourcesText } from './sources.text.ts'

const text = sourcesText.collected

/** By source id, the run that was its newest before; undefined when there was none. */
type Awaited = ReadonlyMap<string, { runBefore: string | undefined }>

export type Collections = {
  awaited: Awaited
  /** Begins a collection and says in a note how it ended. */
  collect: (source: Pick<Source, 'id'> & Partial<Pick<Source, 'health'>>, options?: { acceptShrink?: boolean }) => void
}

const OUTCOME_FAILED: readonly Run['outcome'][] = ['FAILED', 'PARTIAL', 'INTERRUPTED']

/** Collections that this reader began; `settle` looks in a fresh list for the ones that have ended. */
export function useCollections(): Collections & { settle: (sources: readonly Source[]) => void } {
  const [awaited, setAwaited] = useState<Awaited>(new Map())
  const { mutate } = useCollectFeed()
  const without = (ids: readonly string[]) => setAwaited((before) => new Map([...before].filter(([id]) => !ids.includes(id))))
  return {
    awaited,
    collect: ({ id, health }, { acceptShrink = false } = {}) => {
      setAwaited((before) => new Map(before).set(id, { runBefore: endedRun(health) }))
      mutate(
        { id, acceptShrink },
        {
          onError: (error) => {
            without([id])
            notifyProblem(toProblem(error))
          },
        },
      )
    },
    settle: (sources) => {
      const ended = sources.filter((source) => hasEnded(source, awaited.get(source.id)))
      const removed = [...awaited.keys()].filter((id) => sources.every((source) => source.id !== id))
      if (ended.length + removed.length > 0) without([...ended.map(({ id }) => id), ...removed])
      for (const { name, health } of ended) if (health?.last_run != null) tellEnd(name, health.last_run)
    },
  }
}

/** Runs `settle` once for each fresh list. */
export function useSettle(sources: readonly Source[] | undefined, settle: (sources: readonly Source[]) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list is what calls for it; `settle` is new at every rendering
  useEffect(() => {
    if (sources !== undefined) settle(sources)
  }, [sources])
}

/** A run that is under way at the moment is the one that is waited for. */
function endedRun(health: Source['health']): string | undefined {
  const run = health?.last_run
  return run == null || run.outcome === 'RUNNING' ? undefined : run.id
}

function hasEnded({ collecting, health }: Source, wait: { runBefore: string | undefined } | undefined): boolean {
  const run = health?.last_run
  return wait !== undefined && !collecting && run != null && run.outcome !== 'RUNNING' && run.id !== wait.runBefore
}

function tellEnd(name: string, run: Run): void {
  if (OUTCOME_FAILED.includes(run.outcome)) notifyProblem({ detail: text.failed(name), requestId: undefined })
  else notifyDone(run.outcome === 'POSTPONED' ? text.postponed(name) : text.done(name, run))
}
