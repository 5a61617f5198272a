import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ADMINS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import { NewProductAliasSchema, ProductAliasesSchema, ProductAliasRemovalSchema, ProductAliasSchema } from './product-aliases.schemas.ts'
import type { ProductAliasesService } from './product-aliases.service.ts'

export function productAliasRoutes(aliases: ProductAliasesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    const tags = ['cves']

    app.get(
      '/product-aliases',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listProductAliases',
          summary: 'Names that are used here for products, beside those that the service knows',
          tags,
          response: { 200: ProductAliasesSchema, ...problems(401) },
        },
      },
      async () => ({ items: await aliases.list() }),
    )

    app.post(
      '/product-aliases',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'addProductAlias',
          summary: 'Let a name stand for a product of CPE, in verdicts and in the list of CVEs',
          tags,
          body: NewProductAliasSchema,
          response: { 201: ProductAliasSchema, ...problems(401, 403, 409, 422) },
        },
      },
      async (request, reply) => await reply.code(201).send(await aliases.add(actorOf(request), request.body)),
    )

    app.delete(
      '/product-aliases/:id',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'removeProductAlias',
          summary: 'Remove a name of a product',
          tags,
          params: IdParamsSchema,
          response: { 200: ProductAliasRemovalSchema, ...problems(401, 403, 404, 422) },
        },
      },
      async (request) => {
        await aliases.remove(actorOf(request), request.params.id)
        return { removed: true }
      },
    )
  }
}
