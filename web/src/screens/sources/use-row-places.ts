import { useRef, useState } from 'react'
import type { Source } from '../../api/feeds.ts'
import { keepPlaces } from './row-places.ts'
import { filterSources, type SourceSort, sortSources } from './source-state.ts'
import type { SourcesSearch } from './sources.search.ts'

export type RowPlaces = {
  /** Undefined while nothing has been loaded yet. */
  rows: Source[] | undefined
  /** Given while rows stand where they would not be sorted, or do not pass the filter any more. */
  sortAgain: (() => void) | undefined
}

/** The rows of the list. Their order is made when the reader chooses filters or an order, and stays while the list is read again. */
export function useRowPlaces(
  sources: readonly Source[] | undefined,
  search: SourcesSearch,
  { by, down }: { by: SourceSort; down: boolean },
): RowPlaces {
  const [round, setRound] = useState(0)
  const shown = useRef<{ choice: string; ids: readonly string[] }>({ choice: '', ids: [] })
  if (sources === undefined) return { rows: undefined, sortAgain: undefined }
  const { open: _open, dialog: _dialog, ...filters } = search
  const choice = JSON.stringify([filters, by, down, round])
  const fresh = sortSources(filterSources(sources, search), { by, down }).map(({ id }) => id)
  const byId = new Map(sources.map((source) => [source.id, source]))
  const ids = shown.current.choice === choice ? keepPlaces(shown.current.ids, fresh, new Set(byId.keys())) : fresh
  // Written while rendering: the same list and the same choice give the same places however often they are drawn.
  shown.current = { choice, ids }
  const isSorted = ids.length === fresh.length && ids.every((id, index) => id === fresh[index])
  return {
    rows: ids.map((id) => byId.get(id)).filter((source) => source !== undefined),
    sortAgain: isSorted ? undefined : () => setRound((before) => before + 1),
  }
}
