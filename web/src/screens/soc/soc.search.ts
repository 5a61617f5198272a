import * as z from 'zod/mini'
import { DAYS_DEFAULT, DAYS_MAX } from '../../api/soc.ts'
import { choiceParam, numberParam, type SearchOf, searchSchema } from '../../shell/search-schema.ts'

const SHAPE = {
  /** Days of the period. */
  days: z.pipe(
    numberParam(1, DAYS_MAX),
    z.transform((days: number) => (days === DAYS_DEFAULT ? undefined : days)),
  ),
  /** Every clock, not only the most urgent. */
  clocks: choiceParam(['all']),
  /** The days as a table. */
  flow: choiceParam(['table']),
}

/** What SOC steering shows. */
export type SocSearch = SearchOf<typeof SHAPE>
export const parseSocSearch: (raw: Record<string, unknown>) => SocSearch = searchSchema(SHAPE)

/** Periods that are worth a name, days. */
export const PERIODS = [7, 30, 90, 365] as const

export function daysOf({ days = DAYS_DEFAULT }: SocSearch): number {
  return days
}
