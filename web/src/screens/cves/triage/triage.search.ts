import * as z from 'zod/mini'
import type { Alert, AlertQuery } from '../../../api/alerts.ts'
import { choiceParam, choicesParam, type SearchOf, searchSchema } from '../../../shell/search-schema.ts'
import { PRIORITIES } from '../cves.search.ts'

const uuidParam = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

const SHAPE = { state: choiceParam(['acknowledged', 'all']), priority: choicesParam(PRIORITIES), open: uuidParam }

/** Filters and open alert of the Triage screen; without a state, the alerts that are open. */
export type TriageSearch = SearchOf<typeof SHAPE>
export const parseTriageSearch: (raw: Record<string, unknown>) => TriageSearch = searchSchema(SHAPE)

/** The API's query for these filters. */
export function toAlertQuery({ state, priority }: TriageSearch): AlertQuery {
  return {
    ...(state === 'all' ? {} : { state: state === 'acknowledged' ? 'ACKNOWLEDGED' : 'OPEN' }),
    ...(priority === undefined ? {} : { priority: priority.join(',') }),
  }
}

/** Most urgent first: open ones, by priority, and the one that has waited longest; then what was acknowledged last. */
export function byUrgency(first: Alert, second: Alert): number {
  if (first.acknowledged_at !== null && second.acknowledged_at !== null)
    return second.acknowledged_at.localeCompare(first.acknowledged_at) || first.id.localeCompare(second.id)
  return (
    Number(first.acknowledged_at !== null) - Number(second.acknowledged_at !== null) ||
    first.priority.localeCompare(second.priority) ||
    first.created_at.localeCompare(second.created_at) ||
    first.id.localeCompare(second.id)
  )
}

/** Where the reader goes on when alerts leave the queue: the next that stays, else the last before them. */
export function nextAfter(ids: readonly string[], leaving: ReadonlySet<string>, from: string | undefined): string | undefined {
  const at = Math.max(0, from === undefined ? 0 : ids.indexOf(from))
  const stays = (id: string) => !leaving.has(id)
  return ids.slice(at).find(stays) ?? ids.slice(0, at).findLast(stays)
}
