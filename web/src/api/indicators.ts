import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Feed } from './feeds.ts'
import type { components, operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type Indicator = components['schemas']['Indicator']
export type IndicatorType = Indicator['type']
export type Severity = Indicator['severity']
export type IndicatorPage = operations['listIndicators']['responses'][200]['content']['application/json']
export type IndicatorQuery = NonNullable<operations['listIndicators']['parameters']['query']>
export type IndicatorDetail = operations['getIndicator']['responses'][200]['content']['application/json']
export type Sighting = IndicatorDetail['sources'][number]
export type ConfidenceBreakdown = IndicatorDetail['confidence_breakdown']
export type Submission = operations['submitIndicators']['requestBody']['content']['application/json']
export type SubmissionResult = operations['submitIndicators']['responses'][200]['content']['application/json']
export type LookupItem = operations['lookupIndicators']['responses'][200]['content']['application/json']['items'][number]

/** Most values in one submission, and in one lookup. Source: src/domains/indicators/indicators.model.ts. */
export const SUBMISSION_MAX_ITEMS = 1000
export const LOOKUP_MAX_VALUES = 10_000

/** The source that stands for the analysts' own submissions. Source: src/domains/indicators/indicators.model.ts. */
export const ANALYST_SOURCE_ID = '00000000-0000-7000-8000-000000000001'

/** One page of the list, newest first. The rows before stay on screen while the next ones are read. */
export function indicatorPageQuery(query: IndicatorQuery) {
  return queryOptions({
    queryKey: ['indicators', 'list', query],
    queryFn: async ({ signal }): Promise<IndicatorPage> => await unwrap(api.GET('/api/v1/indicators', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
}

export function indicatorQuery(id: string) {
  return queryOptions({
    queryKey: ['indicators', 'one', id],
    queryFn: async ({ signal }): Promise<IndicatorDetail> =>
      await unwrap(api.GET('/api/v1/indicators/{id}', { params: { path: { id } }, signal })),
  })
}

/** What is known of each value, in their order. @throws ApiProblem */
export async function lookUp(values: readonly string[]): Promise<LookupItem[]> {
  const { items } = await unwrap(api.POST('/api/v1/indicators/lookup', { body: { values: [...values] } }))
  return items
}

/** The answer for one exact value, to say more than "not in the list": a range or a name around it may be known. */
export function lookupQuery(value: string) {
  return queryOptions({
    queryKey: ['indicators', 'lookup', value],
    queryFn: async (): Promise<LookupItem | undefined> => (await lookUp([value]))[0],
  })
}

/** Stores values as the analysts' own; the lists are read again afterwards. */
export function useSubmitIndicators() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Submission): Promise<SubmissionResult> => await unwrap(api.POST('/api/v1/indicators', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['indicators'] }),
  })
}

/** A feed as far as its values need it. */
export type FeedName = Pick<Feed, 'id' | 'name' | 'format' | 'tlp'>

/** Names of all feeds, for the filter and beside their values. */
export const feedNamesQuery = queryOptions({
  queryKey: ['feeds', 'names'],
  queryFn: async ({ signal }): Promise<FeedName[]> => {
    const { items } = await unwrap(api.GET('/api/v1/feeds', { params: { query: { limit: 200 } }, signal }))
    return items.map(({ id, name, format, tlp }) => ({ id, name, format, tlp }))
  },
  staleTime: 60_000,
})
