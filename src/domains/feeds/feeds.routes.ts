import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ADMINS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import type { CollectService } from './collecting/collect.service.ts'
import {
  FeedCreateSchema,
  FeedDeleteQuerySchema,
  FeedDeleteResultSchema,
  FeedFetchResultSchema,
  FeedFetchSchema,
  FeedHealthListSchema,
  FeedPageSchema,
  FeedPatchSchema,
  FeedProbeResultSchema,
  FeedProbeSchema,
  FeedQuerySchema,
  FeedSchema,
  RunListSchema,
  RunQuerySchema,
} from './feeds.schemas.ts'
import type { FeedsService } from './feeds.service.ts'
import type { ProbeService } from './probe.service.ts'

export function feedRoutes({
  feeds,
  collect,
  probe,
}: {
  feeds: FeedsService
  collect: CollectService
  probe: ProbeService
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    const tags = ['feeds']

    app.get(
      '/feeds',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listFeeds',
          summary: 'Feeds by name',
          tags,
          querystring: FeedQuerySchema,
          response: { 200: FeedPageSchema, ...problems(401, 422) },
        },
      },
      async (request) => await feeds.page(actorOf(request), request.query),
    )

    app.post(
      '/feeds',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'createFeed',
          summary: 'Add a feed',
          tags,
          body: FeedCreateSchema,
          response: { 201: FeedSchema, ...problems(401, 403, 409, 422) },
        },
      },
      async (request, reply) => await reply.status(201).send(await feeds.create(actorOf(request), request.body)),
    )

    app.get(
      '/feeds/health',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getFeedHealth',
          summary: 'Health of all feeds over seven days',
          tags,
          response: { 200: FeedHealthListSchema, ...problems(401) },
        },
      },
      async (request) => ({ items: await feeds.health(actorOf(request)) }),
    )

    app.post(
      '/feeds/probe',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'probeFeed',
          summary: 'Fetch a feed and show its first rows as they would be read; nothing is stored',
          tags,
          body: FeedProbeSchema,
          response: { 200: FeedProbeResultSchema, ...problems(401, 403, 422, 502) },
        },
      },
      async (request) => await probe.probe(actorOf(request), request.body),
    )

    app.get(
      '/feeds/:id',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getFeed',
          summary: 'One feed',
          tags,
          params: IdParamsSchema,
          response: { 200: FeedSchema, ...problems(401, 404, 422) },
        },
      },
      async (request) => await feeds.get(actorOf(request), request.params.id),
    )

    app.patch(
      '/feeds/:id',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'updateFeed',
          summary: 'Change a feed; names the version that was seen',
          tags,
          params: IdParamsSchema,
          body: FeedPatchSchema,
          response: { 200: FeedSchema, ...problems(401, 403, 404, 409, 422) },
        },
      },
      async (request) => await feeds.change(actorOf(request), request.params.id, request.body),
    )

    app.delete(
      '/feeds/:id',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'deleteFeed',
          summary: 'Delete a feed; its IOCs stay unless orphans are purged',
          tags,
          params: IdParamsSchema,
          querystring: FeedDeleteQuerySchema,
          response: { 200: FeedDeleteResultSchema, ...problems(401, 403, 404, 422) },
        },
      },
      async (request) =>
        await feeds.remove(actorOf(request), request.params.id, {
          purge: request.query.purge === 'orphans',
          dryRun: request.query.dry_run === true,
        }),
    )

    app.post(
      '/feeds/:id/fetch',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'fetchFeed',
          summary: 'Begin a collection now',
          tags,
          params: IdParamsSchema,
          body: FeedFetchSchema,
          response: { 202: FeedFetchResultSchema, ...problems(401, 403, 404, 409, 422) },
        },
      },
      async (request, reply) => {
        await collect.start(actorOf(request), request.params.id, { acceptShrink: request.body.accept_shrink === true })
        return await reply.status(202).send({ started: true })
      },
    )

    app.get(
      '/feeds/:id/runs',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listFeedRuns',
          summary: 'The newest collections of a feed',
          tags,
          params: IdParamsSchema,
          querystring: RunQuerySchema,
          response: { 200: RunListSchema, ...problems(401, 404, 422) },
        },
      },
      async (request) => ({ items: await feeds.runs(actorOf(request), request.params.id, request.query.limit ?? 20) }),
    )
  }
}
