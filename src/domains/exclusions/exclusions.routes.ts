import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ADMINS, ANALYSTS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import {
  DryRunQuerySchema,
  ExcludedSchema,
  ExclusionPageSchema,
  ExclusionQuerySchema,
  ExclusionSchema,
  ListExcludedSchema,
  ListExclusionSchema,
  NewExclusionSchema,
  RemovedSchema,
} from './exclusions.schemas.ts'
import type { ExclusionsService } from './exclusions.service.ts'

export function exclusionRoutes(exclusions: ExclusionsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    const tags = ['exclusions']

    app.get(
      '/exclusions',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listExclusions',
          summary: 'What is excluded and why, newest first, 50 a page',
          tags,
          querystring: ExclusionQuerySchema,
          response: { 200: ExclusionPageSchema, ...problems(401, 422) },
        },
      },
      async ({ query }) => await exclusions.page(query),
    )

    app.get(
      '/exclusions/:id',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getExclusion',
          summary: 'One exclusion',
          tags,
          params: IdParamsSchema,
          response: { 200: ExclusionSchema, ...problems(401, 404, 422) },
        },
      },
      async ({ params }) => await exclusions.get(params.id),
    )

    app.post(
      '/exclusions',
      {
        config: { access: ANALYSTS },
        schema: {
          operationId: 'exclude',
          summary: 'Exclude a value or a pattern, for what is stored and for what arrives later',
          tags,
          querystring: DryRunQuerySchema,
          body: NewExclusionSchema,
          response: { 200: ExcludedSchema, ...problems(401, 403, 409, 422) },
        },
      },
      async (request) => {
        const { reason = '', ...input } = request.body
        if (request.query.dry_run === true) return await exclusions.preview(input)
        return await exclusions.exclude(actorOf(request), { reason, ...input })
      },
    )

    app.delete(
      '/exclusions/:id',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'removeExclusion',
          summary: 'Remove an exclusion, and say what comes back',
          tags,
          params: IdParamsSchema,
          querystring: DryRunQuerySchema,
          response: { 200: RemovedSchema, ...problems(401, 403, 404, 422) },
        },
      },
      async (request) => {
        const { id } = request.params
        return request.query.dry_run === true ? await exclusions.previewRemoval(id) : await exclusions.remove(actorOf(request), id)
      },
    )

    app.post(
      '/exclusions/lists',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'excludeList',
          summary: 'Exclude what a warning list names',
          tags,
          querystring: DryRunQuerySchema,
          body: ListExclusionSchema,
          response: { 200: ListExcludedSchema, ...problems(401, 403, 404, 409, 422) },
        },
      },
      async (request) => {
        const { list_id, ...terms } = request.body
        return await exclusions.excludeList(actorOf(request), list_id, { ...terms, dryRun: request.query.dry_run === true })
      },
    )

    app.delete(
      '/exclusions/lists/:id',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'removeListExclusions',
          summary: 'Remove every exclusion that came with a warning list, and say what comes back',
          tags,
          params: IdParamsSchema,
          querystring: DryRunQuerySchema,
          response: { 200: RemovedSchema, ...problems(401, 403, 404, 422) },
        },
      },
      async (request) => await exclusions.removeList(actorOf(request), request.params.id, { dryRun: request.query.dry_run === true }),
    )
  }
}
