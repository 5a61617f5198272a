import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ANALYSTS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import {
  IndicatorDetailSchema,
  IndicatorPageSchema,
  IndicatorQuerySchema,
  LookupResultSchema,
  LookupSchema,
  SubmissionResultSchema,
  SubmissionSchema,
} from './indicators.schemas.ts'
import type { IndicatorsService } from './indicators.service.ts'

export function indicatorRoutes(indicators: IndicatorsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/indicators',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listIndicators',
          summary: 'IOCs, newest first, 50 a page',
          tags: ['indicators'],
          querystring: IndicatorQuerySchema,
          response: { 200: IndicatorPageSchema, ...problems(401, 422) },
        },
      },
      async (request) => await indicators.page(request.query),
    )

    app.get(
      '/indicators/:id',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getIndicator',
          summary: 'One IOC with its sources and the arithmetic of its confidence',
          tags: ['indicators'],
          params: IdParamsSchema,
          response: { 200: IndicatorDetailSchema, ...problems(401, 404, 422) },
        },
      },
      async (request) => await indicators.get(request.params.id),
    )

    app.post(
      '/indicators',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'submitIndicators',
          summary: 'Submit up to 1000 IOCs; a bad value is rejected alone',
          tags: ['indicators'],
          body: SubmissionSchema,
          response: { 200: SubmissionResultSchema, ...problems(401, 403, 413, 422) },
        },
      },
      async (request) => await indicators.submit(actorOf(request), request.body.indicators),
    )

    app.post(
      '/indicators/lookup',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'lookupIndicators',
          summary: 'What is known of up to 10 000 values, in input order',
          tags: ['indicators'],
          body: LookupSchema,
          response: { 200: LookupResultSchema, ...problems(401, 413, 422) },
        },
      },
      async (request) => ({ items: await indicators.lookup(request.body.values) }),
    )
  }
}
