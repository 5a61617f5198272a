import type { Exclusion, ExclusionQuery } from '../../api/exclusions.ts'
import { choiceParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'

export const EXCLUSION_KINDS = ['VALUE', 'DOMAIN', 'NETWORK', 'HOST'] as const satisfies readonly Exclusion['kind'][]
export const EXCLUSION_STATES = ['ACTIVE', 'ENDED'] as const satisfies readonly Exclusion['state'][]

const CURSOR_MAX = 200

const SHAPE = { kind: choiceParam(EXCLUSION_KINDS), state: choiceParam(EXCLUSION_STATES), cursor: textParam(CURSOR_MAX) }

/** Filters and place in the list of the Exclusions tab. */
export type ExclusionsSearch = SearchOf<typeof SHAPE>
export const parseExclusionsSearch: (raw: Record<string, unknown>) => ExclusionsSearch = searchSchema(SHAPE)

/** What a changed filter sets back: another list has other pages. */
export const NO_EXCLUSION_FILTERS = { kind: undefined, state: undefined, cursor: undefined } satisfies ExclusionsSearch

/** The API's query for these filters, without what is not set. */
export function toExclusionQuery(search: ExclusionsSearch): ExclusionQuery {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

/** True while the list shows less than everything. */
export function isFiltered({ kind, state }: ExclusionsSearch): boolean {
  return kind !== undefined || state !== undefined
}
