import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { ROLES } from '#kernel/actor.ts'
import { parseWord } from '#kernel/parse-word.ts'
import { ADMINS, actorOf, EVERYONE } from '#platform/http/access.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import { USER_STATUSES } from './accounts.model.ts'
import {
  CreatedUserSchema,
  NewUserSchema,
  OwnPasswordSchema,
  PasswordResetDoneSchema,
  PasswordResetSchema,
  SessionsRevokedSchema,
  UserPageSchema,
  UserPatchSchema,
  UserQuerySchema,
  UserSchema,
} from './accounts.schemas.ts'
import type { AccountsService } from './accounts.service.ts'

/** The own account, and the administration of all. Source: spec, "Authentication and accounts". */
export function accountRoutes(accounts: AccountsService): FastifyPluginAsyncTypebox {
  return async (app) => {
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

    app.post(
      '/users/me/password',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'changeOwnPassword',
          summary: 'Change the own password; the other sessions end',
          tags: ['accounts'],
          body: OwnPasswordSchema,
          response: { 204: Type.Null(), ...problems(401, 409, 422, 429) },
        },
      },
      async (request, reply) => {
        const { current_password: current, new_password: next } = request.body
        await accounts.changeOwnPassword(actorOf(request), { current, next })
        return await reply.status(204).send(null)
      },
    )

    app.get(
      '/users',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'listUsers',
          summary: 'Every account, by name',
          tags: ['accounts'],
          querystring: UserQuerySchema,
          response: { 200: UserPageSchema, ...problems(401, 403, 422) },
        },
      },
      async (request) => await accounts.pageUsers(request.query),
    )

    app.post(
      '/users',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'createUser',
          summary: 'Make an account; without a password one is generated and answered once',
          tags: ['accounts'],
          body: NewUserSchema,
          response: { 201: CreatedUserSchema, ...problems(401, 403, 409, 422, 429) },
        },
      },
      async (request, reply) => {
        const { role, ...account } = request.body
        return await reply
          .status(201)
          .send(await accounts.createUser(actorOf(request), { ...account, role: parseWord('role', role, ROLES) }))
      },
    )

    app.patch(
      '/users/:id',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'changeUser',
          summary: 'Change role, status or address; disabling ends the sessions',
          tags: ['accounts'],
          params: IdParamsSchema,
          body: UserPatchSchema,
          response: { 200: UserSchema, ...problems(401, 403, 404, 409, 422) },
        },
      },
      async (request) => {
        const { role, status, ...patch } = request.body
        return await accounts.changeUser(actorOf(request), request.params.id, {
          ...patch,
          ...(role === undefined ? {} : { role: parseWord('role', role, ROLES) }),
          ...(status === undefined ? {} : { status: parseWord('status', status, USER_STATUSES) }),
        })
      },
    )

    app.post(
      '/users/:id/password',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'resetPassword',
          summary: 'Set a new password, or generate one that is answered once; every session ends',
          tags: ['accounts'],
          params: IdParamsSchema,
          body: PasswordResetSchema,
          response: { 200: PasswordResetDoneSchema, ...problems(401, 403, 404, 422, 429) },
        },
      },
      async (request) => await accounts.resetPassword(actorOf(request), request.params.id, request.body.password),
    )

    app.post(
      '/users/:id/revoke-sessions',
      {
        config: { access: ADMINS },
        schema: {
          operationId: 'revokeSessions',
          summary: 'End every session of an account',
          tags: ['accounts'],
          params: IdParamsSchema,
          response: { 200: SessionsRevokedSchema, ...problems(401, 403, 404, 422) },
        },
      },
      async (request) => ({ revoked: await accounts.revokeSessions(actorOf(request), request.params.id) }),
    )
  }
}
