import * as z from 'zod/mini'
import { AUDIT_PAGE_ROWS, type AuditEvent, type AuditQuery } from '../../api/audit.ts'
import { choiceParam, numberParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'

export const OUTCOMES = ['SUCCESS', 'FAILURE', 'DENIED'] as const satisfies readonly AuditEvent['outcome'][]
/** Offered looks back, hours; a link may name any other. */
export const SINCE_HOURS = [1, 24, 168, 720] as const

/** Longest action and actor, characters, and furthest look back, hours. Source: the API's own limits. */
const WORD_MAX = 64
const SINCE_MAX_HOURS = 87_600
const CURSOR_MAX = 200

const SHAPE = {
  action: textParam(WORD_MAX),
  outcome: choiceParam(OUTCOMES),
  since: numberParam(1, SINCE_MAX_HOURS),
  actor: textParam(WORD_MAX),
  request_id: z.pipe(
    z.transform((raw: unknown) => String(raw).trim()),
    z.string().check(z.regex(/^[A-Za-z0-9._-]{1,64}$/)),
  ),
  cursor: textParam(CURSOR_MAX),
  open: z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  /** The open event shows everything of its request. */
  trace: z.literal('true'),
}

/** Filters, place in the journal and open event of the Audit tab. */
export type AuditSearch = SearchOf<typeof SHAPE>
export const parseAuditSearch: (raw: Record<string, unknown>) => AuditSearch = searchSchema(SHAPE)

/** What a changed filter sets back: another list has other pages. */
export const NO_AUDIT_FILTERS = {
  action: undefined,
  outcome: undefined,
  since: undefined,
  actor: undefined,
  request_id: undefined,
  cursor: undefined,
} satisfies AuditSearch

/** True while the list shows less than everything. */
export function isFiltered({ action, outcome, since, actor, request_id }: AuditSearch): boolean {
  return [action, outcome, since, actor, request_id].some((filter) => filter !== undefined)
}

/** The API's query for these filters, without what is not set. */
export function toAuditQuery({ open: _open, trace: _trace, ...search }: AuditSearch): AuditQuery {
  return { limit: AUDIT_PAGE_ROWS, ...Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) }
}
