import * as z from 'zod/mini'
import { choiceParam, choicesParam, flagParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'
import type { SortState } from '../../ui/data-table.types.ts'
import { SORTS, type SourceSort, STATES } from './source-state.ts'

/** Longest filter text and feed type, characters. Source: limits of a feed's name and type. */
const TEXT_MAX = 120
const TYPE_MAX = 40

const uuidParam = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
const SORT_WORDS = [...SORTS, ...SORTS.map((name) => `-${name}` as const)] as const

const SHAPE = {
  q: textParam(TEXT_MAX),
  status: choicesParam(STATES),
  active: flagParam(),
  type: textParam(TYPE_MAX),
  sort: choiceParam(SORT_WORDS),
  open: uuidParam,
  dialog: choiceParam(['add', 'edit', 'delete']),
}

/** Filters, order, open row and open dialog of the Sources screen; `edit` and `delete` act on the open row. */
export type SourcesSearch = SearchOf<typeof SHAPE>
export const parseSourcesSearch: (raw: Record<string, unknown>) => SourcesSearch = searchSchema(SHAPE)

export const NO_FILTERS = { q: undefined, status: undefined, active: undefined, type: undefined } satisfies SourcesSearch

/** True while the list shows less than everything. */
export function isFiltered({ q, status, active, type }: SourcesSearch): boolean {
  return [q, status, active, type].some((filter) => filter !== undefined)
}

/** `-listed` as column and direction; by name when nothing is said. */
export function sortOf({ sort = 'name' }: SourcesSearch): { by: SourceSort; down: boolean } {
  const by = SORTS.find((name) => name === sort || `-${name}` === sort) ?? 'name'
  return { by, down: sort.startsWith('-') }
}

/** The URL's word for a column's order; the default order is not written. */
export function sortParam({ column, direction }: SortState): SourcesSearch['sort'] {
  const word = direction === 'desc' ? `-${column}` : column
  return word === 'name' ? undefined : SORT_WORDS.find((candidate) => candidate === word)
}
