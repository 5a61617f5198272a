import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import type { components, operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type FeedQuality = components['schemas']['FeedQuality']
export type QualityReport = operations['getFeedQuality']['responses'][200]['content']['application/json']
export type OneFeedQuality = operations['getOneFeedQuality']['responses'][200]['content']['application/json']

/** How often a report that is being worked out is asked for, ms. Assumption: it takes seconds. */
const COMPUTING_POLL_MS = 2000

/** What each feed is worth, as last worked out. */
export const qualityQuery = queryOptions({
  queryKey: ['feeds', 'quality', 'all'],
  queryFn: async ({ signal }): Promise<QualityReport> => await unwrap(api.GET('/api/v1/feeds/quality', { signal })),
  refetchInterval: ({ state }) => (state.data?.computing === true ? COMPUTING_POLL_MS : false),
})

/** One feed's figures, whom it overlaps with, and the warning lists that its values stand on. */
export function oneQualityQuery(id: string) {
  return queryOptions({
    queryKey: ['feeds', 'quality', id],
    queryFn: async ({ signal }): Promise<OneFeedQuality> =>
      await unwrap(api.GET('/api/v1/feeds/{id}/quality', { params: { path: { id } }, signal })),
  })
}

/** Begins to work the report out anew. @throws ApiProblem 409 `conflict` when that is under way already */
export function useComputeQuality() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => await unwrap(api.POST('/api/v1/feeds/quality')),
    onSettled: () => client.invalidateQueries({ queryKey: ['feeds', 'quality'] }),
  })
}
