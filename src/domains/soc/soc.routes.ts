import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { actorOf, EVERYONE } from '#platform/http/access.ts'
import { problems } from '#platform/http/schemas.ts'
import { DAYS_DEFAULT } from './soc.model.ts'
import { SocMetricsSchema, SocQuerySchema } from './soc.schemas.ts'
import type { SocMetrics, SocService } from './soc.service.ts'
import { toSocCsv } from './soc-csv.ts'

export function socRoutes(soc: SocService): FastifyPluginAsyncTypebox {
  /** A reader without a part in the work sees no ranking by name. Source: design brief, SOC steering. */
  async function metricsFor(request: FastifyRequest, days = DAYS_DEFAULT): Promise<SocMetrics> {
    const metrics = await soc.metrics(days)
    return actorOf(request).role === 'VIEWER' ? { ...metrics, load: [] } : metrics
  }

  return async (app) => {
    const tags = ['dashboard']

    app.get(
      '/dashboard/soc',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getSocMetrics',
          summary: 'How long incidents wait, which promises are broken and which break next, load and flow',
          tags,
          querystring: SocQuerySchema,
          response: { 200: SocMetricsSchema, ...problems(401, 422) },
        },
      },
      async (request) => await metricsFor(request, request.query.days),
    )

    app.get(
      '/dashboard/soc/csv',
      {
        config: { access: EVERYONE, isExport: true },
        schema: {
          operationId: 'exportSocMetrics',
          summary: 'The same as CSV, one figure a line',
          tags,
          querystring: SocQuerySchema,
          produces: ['text/csv'],
          response: {
            200: { description: 'CSV', content: { 'text/csv': { schema: Type.String() } } },
            ...problems(401, 422, 429),
          },
        },
      },
      async (request, reply) => {
        const metrics = await metricsFor(request, request.query.days)
        return await reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="soc-${metrics.as_of.toISOString().slice(0, 10)}.csv"`)
          .send(toSocCsv(metrics))
      },
    )
  }
}
