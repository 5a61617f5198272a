import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ADMINS } from '#platform/http/access.ts'
import type { RecentRequests } from '#platform/http/recent-requests.ts'
import { problems } from '#platform/http/schemas.ts'
import { AuditPageSchema, AuditQuerySchema, RequestParamsSchema, RequestTraceSchema } from './audit.schemas.ts'
import type { JournalService } from './journal.service.ts'

export function auditRoutes({
  journal,
  recentRequests,
}: {
  journal: JournalService
  recentRequests: RecentRequests
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/audit',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'listAuditEvents',
          summary: 'The journal, newest first',
          tags: ['audit'],
          querystring: AuditQuerySchema,
          response: { 200: AuditPageSchema, ...problems(401, 403, 422) },
        },
      },
      async (request) => await journal.page(request.query),
    )

    app.get(
      '/audit/requests/:request_id',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'getRequestTrace',
          summary: 'What is known of one request: its access line, and what it did',
          tags: ['audit'],
          params: RequestParamsSchema,
          response: { 200: RequestTraceSchema, ...problems(401, 403, 422) },
        },
      },
      async ({ params: { request_id } }) => ({
        access: recentRequests.find(request_id) ?? null,
        items: await journal.ofRequest(request_id),
      }),
    )
  }
}
