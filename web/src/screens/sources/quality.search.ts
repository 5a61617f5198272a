import * as z from 'zod/mini'
import type { FeedQuality } from '../../api/quality.ts'
import { choiceParam, type SearchOf, searchSchema } from '../../shell/search-schema.ts'
import type { SortState } from '../../ui/data-table.types.ts'

export const QUALITY_SORTS = ['name', 'held', 'unique', 'first', 'lead', 'rejected', 'churn', 'warned'] as const
export type QualitySort = (typeof QUALITY_SORTS)[number]

const SORT_WORDS = [...QUALITY_SORTS, ...QUALITY_SORTS.map((name) => `-${name}` as const)] as const
const uuidParam = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

const SHAPE = { sort: choiceParam(SORT_WORDS), open: uuidParam }

/** Order and open row of the quality report. */
export type QualitySearch = SearchOf<typeof SHAPE>
export const parseQualitySearch: (raw: Record<string, unknown>) => QualitySearch = searchSchema(SHAPE)

/** `-held` as column and direction; the largest first when nothing is said. */
export function qualitySortOf({ sort = '-held' }: QualitySearch): { by: QualitySort; down: boolean } {
  const by = QUALITY_SORTS.find((name) => name === sort || `-${name}` === sort) ?? 'held'
  return { by, down: sort.startsWith('-') }
}

/** The URL's word for a column's order; the default order is not written. */
export function qualitySortParam({ column, direction }: SortState): QualitySearch['sort'] {
  const word = direction === 'desc' ? `-${column}` : column
  return word === '-held' ? undefined : SORT_WORDS.find((candidate) => candidate === word)
}

const FIGURE: Record<Exclude<QualitySort, 'name'>, (row: FeedQuality) => number | null> = {
  held: (row) => row.held,
  unique: (row) => row.unique_share,
  first: (row) => row.first_share,
  lead: (row) => row.lead_seconds,
  rejected: (row) => row.reject_share,
  churn: (row) => row.churn_share,
  warned: (row) => row.warned_share,
}

/** Sorted by one column, what could not be measured last whichever way; equal ones by name. */
export function sortQuality(rows: readonly FeedQuality[], { by, down }: { by: QualitySort; down: boolean }): FeedQuality[] {
  const sign = down ? -1 : 1
  const byName = (one: FeedQuality, other: FeedQuality) => one.name.localeCompare(other.name, 'en', { sensitivity: 'base' })
  if (by === 'name') return rows.toSorted((one, other) => sign * byName(one, other))
  const figure = FIGURE[by]
  return rows.toSorted((one, other) => {
    const [first, second] = [figure(one), figure(other)]
    if (first === null || second === null) return Number(first === null) - Number(second === null) || byName(one, other)
    return sign * (first - second) || byName(one, other)
  })
}
