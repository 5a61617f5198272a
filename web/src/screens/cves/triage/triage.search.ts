import * as z from 'zod/mini'
import type { Alert, AlertQuery } from '../../../api/alerts.ts'
import { choiceParam, choicesParam, type SearchOf, searchSchema } from '../../../shell/search-schema.ts'
import { PRIORITIES } from '../cves.search.ts'

const uuidParam = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

export const KEV_CHOICES = ['yes', 'no'] as const
/** How long an alert has waited, by the word in the address; hours. */
const AGE_HOURS = { day: 24, '3days': 72, week: 168, month: 720 } as const
export const AGE_CHOICES = ['day', '3days', 'week', 'month'] as const satisfies (keyof typeof AGE_HOURS)[]

const SHAPE = {
  state: choiceParam(['acknowledged', 'all']),
  priority: choicesParam(PRIORITIES),
  kev: choiceParam(KEV_CHOICES),
  age: choiceParam(AGE_CHOICES),
  open: uuidParam,
}

/** Filters and open alert of the Triage screen; without a state, the alerts that are open. */
export type TriageSearch = SearchOf<typeof SHAPE>
export const parseTriageSearch: (raw: Record<string, unknown>) => TriageSearch = searchSchema(SHAPE)

/** The API's query for these filters. */
export function toAlertQuery({ state, priority, kev, age }: TriageSearch): AlertQuery {
  return {
    // Of a long queue the head is read, so it has to come in the order in which it is worked off.
    ...(state === undefined ? { state: 'OPEN', sort: 'urgency' } : state === 'acknowledged' ? { state: 'ACKNOWLEDGED' } : {}),
    ...(priority === undefined ? {} : { priority: priority.join(',') }),
    ...(kev === undefined ? {} : { kev: kev === 'yes' }),
    ...(age === undefined ? {} : { min_age_hours: AGE_HOURS[age] }),
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
