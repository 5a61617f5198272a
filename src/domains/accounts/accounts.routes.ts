import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf, EVERYONE } from '#platform/http/access.ts'
import { problems } from '#platform/http/schemas.ts'
import { LoginSchema, TokenSchema, UserSchema } from './accounts.schemas.ts'
import type { AccountsService } from './accounts.service.ts'

export function accountRoutes(accounts: AccountsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/auth/token',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'login',
          summary: 'Exchange a user name and password (form) for an access token',
          tags: ['accounts'],
          consumes: ['application/x-www-form-urlencoded'],
          body: LoginSchema,
          response: { 200: TokenSchema, ...problems(401, 422, 503) },
        },
      },
      async (request) => {
        const tokens = await accounts.login(request.body, { clientIp: request.ip, requestId: request.id })
        return { ...tokens, token_type: 'bearer' as const }
      },
    )

    app.get(
      '/users/me',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getCurrentUser',
          summary: 'The account that calls',
          tags: ['accounts'],
          response: { 200: UserSchema, ...problems(401) },
        },
      },
      async (request) => await accounts.getUser(actorOf(request).id ?? ''),
    )
  }
}
