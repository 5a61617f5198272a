import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EVERYONE } from '#platform/http/access.ts'
import { problems } from '#platform/http/schemas.ts'
import { AssetFactsSchema, CveDetailSchema, CvePageSchema, CveParamsSchema, CveQuerySchema, VerdictSchema } from './cves.schemas.ts'
import type { CvesService } from './cves.service.ts'

export function cveRoutes(cves: CvesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/cves',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listCves',
          summary: 'CVEs, highest score first unless sorted otherwise, 50 a page',
          tags: ['cves'],
          querystring: CveQuerySchema,
          response: { 200: CvePageSchema, ...problems(401, 422) },
        },
      },
      async (request) => await cves.page(request.query),
    )

    app.get(
      '/cves/:id',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getCve',
          summary: 'One CVE with every point of its score and the history of its priority',
          tags: ['cves'],
          params: CveParamsSchema,
          response: { 200: CveDetailSchema, ...problems(401, 404, 422) },
        },
      },
      async (request) => await cves.get(request.params.id),
    )

    app.post(
      '/cves/:id/verdict',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'judgeCve',
          summary: 'Whether a CVE hits what somebody runs, with the reason in words; stores nothing',
          tags: ['cves'],
          params: CveParamsSchema,
          body: AssetFactsSchema,
          response: { 200: VerdictSchema, ...problems(401, 404, 422) },
        },
      },
      async (request) => await cves.judge(request.params.id, request.body),
    )
  }
}
