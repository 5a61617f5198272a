import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ADMINS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import { OneFeedQualitySchema, QualityReportSchema, QualityStartSchema } from './quality.schemas.ts'
import type { QualityService } from './quality.service.ts'

export function feedQualityRoutes(quality: QualityService): FastifyPluginAsyncTypebox {
  return async (app) => {
    const tags = ['feeds']

    app.get(
      '/feeds/quality',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getFeedQuality',
          summary: 'What each feed is worth, as last worked out',
          tags,
          response: { 200: QualityReportSchema, ...problems(401) },
        },
      },
      async () => await quality.report(),
    )

    app.post(
      '/feeds/quality',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'computeFeedQuality',
          summary: 'Work the quality of all feeds out anew; the answer does not wait for it',
          tags,
          response: { 202: QualityStartSchema, ...problems(401, 403, 409) },
        },
      },
      async (request, reply) => {
        await quality.start(actorOf(request))
        return await reply.status(202).send({ started: true })
      },
    )

    app.get(
      '/feeds/:id/quality',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getOneFeedQuality',
          summary: 'What one feed is worth, whom it overlaps with, and which warning lists its values stand on',
          tags,
          params: IdParamsSchema,
          response: { 200: OneFeedQualitySchema, ...problems(401, 404, 422) },
        },
      },
      async (request) => await quality.ofFeed(request.params.id),
    )
  }
}
