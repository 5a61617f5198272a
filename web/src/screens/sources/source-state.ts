import type { Source } from '../../api/feeds.ts'
import type { StateName } from '../../ui/state-word.tsx'

export const STATES = ['healthy', 'degraded', 'pending', 'off'] as const
/** A feed's state as the list shows it: one that is switched off is neither well nor ill. */
export type SourceState = (typeof STATES)[number]

export const STATE_NAMES: Record<SourceState, StateName> = { healthy: 'ok', degraded: 'degraded', pending: 'pending', off: 'off' }

const OF_STATUS = { HEALTHY: 'healthy', DEGRADED: 'degraded', PENDING: 'pending' } as const

export function stateOf({ is_active, status }: Pick<Source, 'is_active' | 'status'>): SourceState {
  return is_active ? OF_STATUS[status] : 'off'
}

export type StateCounts = Record<SourceState, number>

export function countStates(sources: readonly Pick<Source, 'is_active' | 'status'>[]): StateCounts {
  const counts: StateCounts = { healthy: 0, degraded: 0, pending: 0, off: 0 }
  for (const source of sources) counts[stateOf(source)]++
  return counts
}

export type SourceFilter = {
  q?: string | undefined
  status?: readonly SourceState[] | undefined
  active?: boolean | undefined
  type?: string | undefined
}

/** The sources that pass every filter; text is looked for in name, address and type, ignoring case. */
export function filterSources(sources: readonly Source[], { q, status, active, type }: SourceFilter): Source[] {
  const needle = q?.toLowerCase()
  return sources.filter(
    (source) =>
      (needle === undefined || [source.name, source.url, source.feed_type].some((text) => text.toLowerCase().includes(needle))) &&
      (status === undefined || status.includes(stateOf(source))) &&
      (active === undefined || source.is_active === active) &&
      (type === undefined || source.feed_type === type),
  )
}

export const SORTS = ['state', 'name', 'reliability', 'last_success', 'listed'] as const
export type SourceSort = (typeof SORTS)[number]

/** Worst first, as far as someone has to act. */
const URGENCY: Record<SourceState, number> = { degraded: 0, pending: 1, healthy: 2, off: 3 }

const COMPARE: Record<SourceSort, (first: Source, second: Source) => number> = {
  state: (first, second) => URGENCY[stateOf(first)] - URGENCY[stateOf(second)],
  name: byName,
  reliability: (first, second) => first.reliability.localeCompare(second.reliability),
  last_success: (first, second) => (first.last_successful_run ?? '').localeCompare(second.last_successful_run ?? ''),
  listed: (first, second) => first.listed - second.listed,
}

/** Sorted by one column; equal ones by name. */
export function sortSources(sources: readonly Source[], { by, down }: { by: SourceSort; down: boolean }): Source[] {
  const sign = down ? -1 : 1
  return sources.toSorted((first, second) => sign * COMPARE[by](first, second) || byName(first, second))
}

function byName(first: Source, second: Source): number {
  return first.name.localeCompare(second.name, 'en', { sensitivity: 'base' })
}
