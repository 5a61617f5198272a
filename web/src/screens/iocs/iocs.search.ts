import * as z from 'zod/mini'
import type { Indicator, IndicatorQuery, IndicatorType, Severity } from '../../api/indicators.ts'
import { choiceParam, choicesParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'

export const TYPES = ['IPV4', 'IPV6', 'NETWORK', 'DOMAIN', 'URL', 'HASH', 'EMAIL'] as const satisfies readonly IndicatorType[]
/** Worst first, as people read them. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const satisfies readonly Severity[]
export const RELATIONS = ['exact', 'in_range', 'subdomain_of', 'host_of_url'] as const
export type Relation = (typeof RELATIONS)[number]

/** Where the levels of confidence begin. Source: src/domains/indicators/confidence-level.ts. */
export const LEVEL_STARTS = { MEDIUM: 40, HIGH: 70 } as const satisfies Partial<Record<Indicator['confidence_level'], number>>

/** Longest value that the API searches for, characters. */
const VALUE_MAX_CHARACTERS = 8192
const CURSOR_MAX_CHARACTERS = 200

const uuidParam = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

export const STATES = ['active', 'expired', 'excluded'] as const

const SHAPE = {
  value: textParam(VALUE_MAX_CHARACTERS),
  type: choicesParam(TYPES),
  severity: choicesParam(SEVERITIES),
  confidence: choiceParam(['medium', 'high']),
  feed: uuidParam,
  state: choiceParam(STATES),
  cursor: textParam(CURSOR_MAX_CHARACTERS),
  open: uuidParam,
  submit: z.literal('true'),
}

/** Filters, place in the list, open row and open dialog of the IOCs screen. */
export type IocsSearch = SearchOf<typeof SHAPE>
export const parseIocsSearch: (raw: Record<string, unknown>) => IocsSearch = searchSchema(SHAPE)

const DETAIL_SHAPE = { asked: textParam(VALUE_MAX_CHARACTERS), relation: choiceParam(RELATIONS) }

/** On the details page after a lookup: what was asked for, and how it relates to this IOC. */
export type IocDetailSearch = SearchOf<typeof DETAIL_SHAPE>
export const parseIocDetailSearch: (raw: Record<string, unknown>) => IocDetailSearch = searchSchema(DETAIL_SHAPE)

/** What a changed filter sets back: another list has other pages. */
export const NO_FILTERS = {
  value: undefined,
  type: undefined,
  severity: undefined,
  confidence: undefined,
  feed: undefined,
  state: undefined,
  cursor: undefined,
} satisfies IocsSearch

/** True while the list shows less than everything. */
export function isFiltered(search: IocsSearch): boolean {
  const { value, type, severity, confidence, feed, state } = search
  return [value, type, severity, confidence, feed, state].some((filter) => filter !== undefined)
}

/** The API's query for these filters, without what is not set. */
export function toIndicatorQuery({ value, type, severity, confidence, feed, state, cursor }: IocsSearch): IndicatorQuery {
  return {
    ...(value === undefined ? {} : { value }),
    ...(type === undefined ? {} : { type: type.join(',') }),
    ...(severity === undefined ? {} : { severity: severity.join(',') }),
    ...(confidence === undefined ? {} : { min_confidence: LEVEL_STARTS[confidence === 'high' ? 'HIGH' : 'MEDIUM'] }),
    ...(feed === undefined ? {} : { feed_id: feed }),
    ...(state === 'active' ? { active: true } : {}),
    ...(state === 'expired' ? { active: false, excluded: false } : {}),
    ...(state === 'excluded' ? { excluded: true } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  }
}
