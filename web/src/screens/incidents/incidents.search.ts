import * as z from 'zod/mini'
import type { IncidentQuery, IncidentSeverity, IncidentStep, SocLevel } from '../../api/incidents.ts'
import { choiceParam, choicesParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'

export const STEPS = ['OPEN', 'ANALYSIS', 'CONTAINMENT', 'ERADICATION', 'RECOVERY', 'CLOSED'] as const satisfies readonly IncidentStep[]
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const satisfies readonly IncidentSeverity[]
export const LEVELS = ['L1', 'L2', 'L3'] as const satisfies readonly SocLevel[]

/** Undefined is the list. */
export const LAYOUTS = [undefined, 'board'] as const

const CURSOR_MAX_CHARACTERS = 200
const uuidParam = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
const cveParam = z.string().check(z.regex(/^CVE-\d{4}-\d{4,19}$/))

const SHAPE = {
  status: choicesParam(STEPS),
  severity: choicesParam(SEVERITIES),
  level: choicesParam(LEVELS),
  assignee: choiceParam(['me', 'none']),
  state: choiceParam(['closed', 'all']),
  late: z.literal('true'),
  cve: cveParam,
  ioc: uuidParam,
  cursor: textParam(CURSOR_MAX_CHARACTERS),
  /** How they are shown; the same incidents, whichever it is. */
  layout: choiceParam(['board']),
}

/** Filters and place in the list of incidents. Without a state it shows what is not closed. */
export type IncidentsSearch = SearchOf<typeof SHAPE>
export const parseIncidentsSearch: (raw: Record<string, unknown>) => IncidentsSearch = searchSchema(SHAPE)

/** What a changed filter sets back: another list has other pages. */
export const NO_FILTERS = {
  status: undefined,
  severity: undefined,
  level: undefined,
  assignee: undefined,
  state: undefined,
  late: undefined,
  cve: undefined,
  ioc: undefined,
  cursor: undefined,
} satisfies IncidentsSearch

/** Lists that are worth a name. A view is nothing but its filters, so that it can be sent as a link. */
export const VIEWS = [
  { id: 'open', search: {} },
  { id: 'mine', search: { assignee: 'me' } },
  { id: 'unassigned', search: { assignee: 'none' } },
  { id: 'late', search: { late: 'true' } },
  { id: 'escalated', search: { level: ['L2', 'L3'] } },
  { id: 'closed', search: { state: 'closed' } },
] as const satisfies readonly { id: string; search: Record<string, string | SocLevel[]> }[]
export type ViewId = (typeof VIEWS)[number]['id']

/** True while the list shows something else than all that is not closed. */
export function isFiltered({ cursor: _cursor, layout: _layout, ...filters }: IncidentsSearch): boolean {
  return Object.values(filters).some((filter) => filter !== undefined)
}

/** The steps that a board of these filters has a column for. */
export function boardStepsOf({ status, state }: IncidentsSearch): readonly IncidentStep[] {
  if (status !== undefined) return status
  return STEPS.filter((step) => state === 'all' || (step === 'CLOSED') === (state === 'closed'))
}

/** The API's query for these filters, without what is not set. */
export function toIncidentQuery({ status, severity, level, assignee, state, late, cve, ioc, cursor }: IncidentsSearch): IncidentQuery {
  return {
    ...(status === undefined ? {} : { status: status.join(',') }),
    ...(severity === undefined ? {} : { severity: severity.join(',') }),
    ...(level === undefined ? {} : { level: level.join(',') }),
    ...(assignee === undefined ? {} : { assignee }),
    // A named step says by itself whether closed ones are meant.
    ...(state === 'all' || status !== undefined ? {} : { open: state !== 'closed' }),
    ...(late === undefined ? {} : { overdue: true }),
    ...(cve === undefined ? {} : { cve_id: cve }),
    ...(ioc === undefined ? {} : { indicator_id: ioc }),
    ...(cursor === undefined ? {} : { cursor }),
  }
}
