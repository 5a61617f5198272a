import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { operations } from './schema.gen.ts'
import { unwrap } from './unwrap.ts'

export type AuditQuery = NonNullable<operations['listAuditEvents']['parameters']['query']>
export type AuditPage = operations['listAuditEvents']['responses'][200]['content']['application/json']
export type AuditEvent = AuditPage['items'][number]
export type RequestTrace = operations['getRequestTrace']['responses'][200]['content']['application/json']

/** Events of one page. Source: spec, "Audit". */
export const AUDIT_PAGE_ROWS = 50

/** One page of the journal, newest first. The rows before stay on screen while the next ones are read. */
export function auditPageQuery(query: AuditQuery) {
  return queryOptions({
    queryKey: ['audit', 'list', query],
    queryFn: async ({ signal }): Promise<AuditPage> => await unwrap(api.GET('/api/v1/audit', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** What is known of one request: its access line, while the service remembers it, and what it did. */
export function requestTraceQuery(requestId: string) {
  return queryOptions({
    queryKey: ['audit', 'request', requestId],
    queryFn: async ({ signal }): Promise<RequestTrace> =>
      await unwrap(api.GET('/api/v1/audit/requests/{request_id}', { params: { path: { request_id: requestId } }, signal })),
  })
}
