import * as z from 'zod/mini'
import type { CveQuery, Priority } from '../../api/cves.ts'
import { choiceParam, choicesParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'

/** Most urgent first. */
export const PRIORITIES = ['P0', 'P1', 'P2', 'P3'] as const satisfies readonly Priority[]

/** Longest text that the API searches for, and longest cursor, characters. Source: src/domains/vulnerabilities/cves.schemas.ts. */
const TEXT_MAX_CHARACTERS = 200

const cveParam = z.pipe(
  z.transform((raw: unknown) => String(raw).toUpperCase()),
  z.string().check(z.regex(/^CVE-\d{4}-\d{4,19}$/)),
)

const SHAPE = {
  q: textParam(TEXT_MAX_CHARACTERS),
  priority: choicesParam(PRIORITIES),
  kev: choiceParam(['yes', 'no']),
  exploit: choiceParam(['yes', 'no']),
  cursor: textParam(TEXT_MAX_CHARACTERS),
  open: cveParam,
}

/** Filters, place in the list and open row of the CVEs screen. */
export type CvesSearch = SearchOf<typeof SHAPE>
export const parseCvesSearch: (raw: Record<string, unknown>) => CvesSearch = searchSchema(SHAPE)

/** What a changed filter sets back: another list has other pages. */
export const NO_FILTERS = {
  q: undefined,
  priority: undefined,
  kev: undefined,
  exploit: undefined,
  cursor: undefined,
} satisfies CvesSearch

/** Lists that are worth a name. A view is nothing but its filters, so that it can be sent as a link. */
export const VIEWS = [
  { id: 'all', search: {} },
  { id: 'urgent', search: { priority: ['P0', 'P1'] } },
  { id: 'exploited', search: { kev: 'yes' } },
  { id: 'likely', search: { kev: 'no', exploit: 'yes', priority: ['P0', 'P1'] } },
] as const satisfies readonly { id: string; search: { priority?: Priority[]; kev?: string; exploit?: string } }[]
export type ViewId = (typeof VIEWS)[number]['id']

/** True while the list shows less than everything. */
export function isFiltered({ q, priority, kev, exploit }: CvesSearch): boolean {
  return [q, priority, kev, exploit].some((filter) => filter !== undefined)
}

/** The API's query for these filters, without what is not set. */
export function toCveQuery({ q, priority, kev, exploit, cursor }: CvesSearch): CveQuery {
  return {
    ...(q === undefined ? {} : { q }),
    ...(priority === undefined ? {} : { priority: priority.join(',') }),
    ...(kev === undefined ? {} : { kev: kev === 'yes' }),
    ...(exploit === undefined ? {} : { exploit: exploit === 'yes' }),
    ...(cursor === undefined ? {} : { cursor }),
  }
}
