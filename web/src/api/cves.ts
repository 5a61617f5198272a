import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { api } from './client.ts'
import type { operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type CvePage = operations['listCves']['responses'][200]['content']['application/json']
export type CveQuery = NonNullable<operations['listCves']['parameters']['query']>
export type Cve = CvePage['items'][number]
export type Priority = Cve['priority']
export type CveDetail = operations['getCve']['responses'][200]['content']['application/json']
export type ScoreBreakdown = CveDetail['breakdown']
export type PriorityChange = CveDetail['priority_history'][number]
export type AssetFacts = operations['judgeCve']['requestBody']['content']['application/json']
export type CveSync = operations['getCveSync']['responses'][200]['content']['application/json']
export type Verdict = operations['judgeCve']['responses'][200]['content']['application/json']

/** One page of the list, highest score first. The rows before stay on screen while the next ones are read. */
export function cvePageQuery(query: CveQuery) {
  return queryOptions({
    queryKey: ['cves', 'list', query],
    queryFn: async ({ signal }): Promise<CvePage> => await unwrap(api.GET('/api/v1/cves', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** How far CVEs, KEV and EPSS are up to date. Looked at now and then, since a round takes minutes. */
export const cveSyncQuery = queryOptions({
  queryKey: ['cves', 'sync'],
  queryFn: async ({ signal }): Promise<CveSync> => await unwrap(api.GET('/api/v1/cves/sync', { signal })),
  refetchInterval: 60_000,
})

export function cveQuery(id: string) {
  return queryOptions({
    queryKey: ['cves', 'one', id],
    queryFn: async ({ signal }): Promise<CveDetail> => await unwrap(api.GET('/api/v1/cves/{id}', { params: { path: { id } }, signal })),
  })
}

/** Asks whether a CVE hits what somebody runs; nothing is stored. */
export function useVerdict(id: string) {
  return useMutation({
    mutationFn: async (body: AssetFacts): Promise<Verdict> =>
      await unwrap(api.POST('/api/v1/cves/{id}/verdict', { params: { path: { id } }, body })),
  })
}
