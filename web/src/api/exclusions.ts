import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import type { operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type ExclusionPage = operations['listExclusions']['responses'][200]['content']['application/json']
export type Exclusion = ExclusionPage['items'][number]
export type ExclusionKind = Exclusion['kind']
export type ExclusionQuery = NonNullable<operations['listExclusions']['parameters']['query']>
export type NewExclusion = operations['exclude']['requestBody']['content']['application/json']
export type Excluded = operations['exclude']['responses'][200]['content']['application/json']
export type Removed = operations['removeExclusion']['responses'][200]['content']['application/json']

/** Characters of a reason, and days of the longest exclusion that ends. Source: src/domains/exclusions/exclusions.model.ts. */
export const REASON_MIN_CHARACTERS = 3
export const REASON_MAX_CHARACTERS = 2000
export const DAYS_MAX = 3650

/** One page of exclusions, newest first. */
export function exclusionPageQuery(query: ExclusionQuery) {
  return queryOptions({
    queryKey: ['exclusions', 'list', query],
    queryFn: async ({ signal }): Promise<ExclusionPage> => await unwrap(api.GET('/api/v1/exclusions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** What an exclusion would touch; changes nothing. */
export function exclusionPreviewQuery(body: Pick<NewExclusion, 'value' | 'kind'>) {
  return queryOptions({
    queryKey: ['exclusions', 'preview', body],
    queryFn: async ({ signal }): Promise<Excluded> =>
      await unwrap(api.POST('/api/v1/exclusions', { params: { query: { dry_run: true } }, body, signal })),
  })
}

/** What would come back without an exclusion; changes nothing. */
export function removalPreviewQuery(id: string) {
  return queryOptions({
    queryKey: ['exclusions', 'removal', id],
    queryFn: async ({ signal }): Promise<Removed> =>
      await unwrap(api.DELETE('/api/v1/exclusions/{id}', { params: { path: { id }, query: { dry_run: true } }, signal })),
  })
}

/** Excludes one after the other, up to the first that is refused. */
export function useExclude() {
  const reload = useReload()
  return useMutation({
    mutationFn: async (bodies: readonly NewExclusion[]): Promise<void> => {
      for (const body of bodies) await unwrap(api.POST('/api/v1/exclusions', { body }))
    },
    // Also after a refusal: some may have been excluded before it.
    onSettled: reload,
  })
}

export function useRemoveExclusion() {
  const reload = useReload()
  return useMutation({
    mutationFn: async (id: string): Promise<Removed> => await unwrap(api.DELETE('/api/v1/exclusions/{id}', { params: { path: { id } } })),
    onSuccess: reload,
  })
}

function useReload(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['indicators'] }),
      client.invalidateQueries({ queryKey: ['exclusions', 'list'] }),
    ])
  }
}
