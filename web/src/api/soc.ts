import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type SocMetrics = operations['getSocMetrics']['responses'][200]['content']['application/json']
export type SocDelays = SocMetrics['take_in']
export type RunningClock = SocMetrics['next'][number]
export type DayFlow = SocMetrics['per_day'][number]
export type AnalystLoad = SocMetrics['load'][number]

/** Days of a period. Source: src/domains/soc/soc.model.ts. */
export const DAYS_DEFAULT = 30
export const DAYS_MAX = 730
/** How often the figures are read again without any event, ms: promises break by themselves. Assumption: the shortest is an hour. */
const POLL_MS = 60_000

/** Times, promises, load and flow. A part of the incidents: whatever makes those old makes this old. */
export function socQuery(days: number) {
  return queryOptions({
    queryKey: ['incidents', 'soc', days],
    queryFn: async ({ signal }): Promise<SocMetrics> =>
      await unwrap(api.GET('/api/v1/dashboard/soc', { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })
}

/** The same as CSV. @throws ApiProblem */
export async function readSocCsv(days: number): Promise<string> {
  return await unwrap(api.GET('/api/v1/dashboard/soc/csv', { params: { query: { days } }, parseAs: 'text' }))
}
