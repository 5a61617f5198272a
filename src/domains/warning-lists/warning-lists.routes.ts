import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ADMINS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import {
  WarningListImportResultSchema,
  WarningListImportSchema,
  WarningListRemovalSchema,
  WarningListsSchema,
} from './warning-lists.schemas.ts'
import type { WarningListsService } from './warning-lists.service.ts'

export function warningListRoutes(lists: WarningListsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    const tags = ['warning lists']

    app.get(
      '/warning-lists',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listWarningLists',
          summary: 'Warning lists by name, without their entries',
          tags,
          response: { 200: WarningListsSchema, ...problems(401) },
        },
      },
      async () => ({ items: await lists.list() }),
    )

    app.post(
      '/warning-lists',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'importWarningList',
          summary: 'Import a warning list in the format of MISP; one of the same name is replaced as a whole',
          tags,
          body: WarningListImportSchema,
          response: { 200: WarningListImportResultSchema, ...problems(401, 403, 409, 413, 422) },
        },
      },
      async (request) => await lists.import(actorOf(request), request.body),
    )

    app.delete(
      '/warning-lists/:id',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'deleteWarningList',
          summary: 'Remove a warning list; its notes disappear with it',
          tags,
          params: IdParamsSchema,
          response: { 200: WarningListRemovalSchema, ...problems(401, 403, 404, 422) },
        },
      },
      async (request) => {
        await lists.remove(actorOf(request), request.params.id)
        return { removed: true }
      },
    )
  }
}
