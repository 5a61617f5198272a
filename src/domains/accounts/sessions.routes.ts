import cookie from '@fastify/cookie'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '#kernel/errors.ts'
import { actorOf, EVERYONE, tryBearerToken } from '#platform/http/access.ts'
import { requireOwnOrigin } from '#platform/http/own-origin.ts'
import { IdParamsSchema, problems } from '#platform/http/schemas.ts'
import { LoginSchema, OwnSessionsSchema, RefreshSchema, TokenSchema } from './accounts.schemas.ts'
import type { Origin, SessionsService, Tokens } from './sessions.service.ts'

export type SessionRouteOptions = {
  /** Origins whose pages may use the cookie, besides the service's own. */
  trustedOrigins: ReadonlySet<string>
  /** Whether browsers reach the service over TLS alone. */
  tlsOnly: boolean
}

const COOKIE = 'svc_refresh'
/** The only routes that the browser sends the cookie to. */
const COOKIE_PATH = '/api/v1/auth'

/** Login, renewal and logout, and the caller's own sessions. Source: spec, "Authentication and accounts". */
export function sessionRoutes(sessions: SessionsService, { trustedOrigins, tlsOnly }: SessionRouteOptions): FastifyPluginAsyncTypebox {
  function inCookie(request: FastifyRequest, reply: FastifyReply, tokens: Tokens) {
    const { refresh_token, refresh_expires_at, ...answer } = tokens
    void reply.setCookie(COOKIE, refresh_token, {
      path: COOKIE_PATH,
      httpOnly: true,
      sameSite: 'strict',
      secure: tlsOnly || request.protocol === 'https',
      expires: refresh_expires_at,
    })
    return { ...answer, token_type: 'bearer' as const }
  }

  function inBody({ refresh_expires_at: _, ...answer }: Tokens) {
    return { ...answer, token_type: 'bearer' as const }
  }

  /** The token of the cookie, when a page of this service sends it. */
  function cookieOf(request: FastifyRequest): string | undefined {
    const token = request.cookies[COOKIE]
    if (token !== undefined) requireOwnOrigin(request, trustedOrigins)
    return token
  }

  return async (app) => {
    await app.register(cookie)

    app.post(
      '/auth/token',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'login',
          summary: 'Exchange a user name and password (form) for an access token and a refresh token',
          tags: ['accounts'],
          consumes: ['application/x-www-form-urlencoded'],
          body: LoginSchema,
          response: { 200: TokenSchema, ...problems(401, 403, 422, 429, 503) },
        },
      },
      async (request, reply) => {
        const { transport, username, password } = request.body
        if (transport !== 'cookie') return inBody(await sessions.login({ username, password }, originOf(request)))
        requireOwnOrigin(request, trustedOrigins)
        return inCookie(request, reply, await sessions.login({ username, password }, originOf(request), request.cookies[COOKIE]))
      },
    )

    app.post(
      '/auth/refresh',
      {
        config: { access: 'public' },
        preValidation: takeNoBody,
        schema: {
          operationId: 'refreshSession',
          summary: 'Exchange a refresh token, of the body or the cookie, for a new pair',
          tags: ['accounts'],
          body: RefreshSchema,
          response: { 200: TokenSchema, ...problems(401, 403, 422, 429, 503) },
        },
      },
      async (request, reply) => {
        const { refresh_token } = request.body
        if (refresh_token !== undefined) return inBody(await sessions.refresh(refresh_token, originOf(request)))
        const held = cookieOf(request)
        if (held === undefined) throw new DomainError('refresh_invalid', 'Send the refresh token in the body or in the cookie of a login.')
        try {
          return inCookie(request, reply, await sessions.refresh(held, originOf(request)))
        } catch (error) {
          // A cookie that opens nothing any more would be sent again with every start of the page.
          if (error instanceof DomainError && error.code.startsWith('refresh_')) void reply.clearCookie(COOKIE, { path: COOKIE_PATH })
          throw error
        }
      },
    )

    app.post(
      '/auth/logout',
      {
        config: { access: 'public' },
        preValidation: takeNoBody,
        schema: {
          operationId: 'logout',
          summary: 'End the session of a refresh token (body or cookie) or of the access token',
          tags: ['accounts'],
          body: RefreshSchema,
          response: { 204: Type.Null(), ...problems(403, 422, 429, 503) },
        },
      },
      async (request, reply) => {
        const refreshToken = request.body.refresh_token ?? cookieOf(request)
        await sessions.logout({ refreshToken, accessToken: tryBearerToken(request) }, originOf(request))
        if (request.cookies[COOKIE] !== undefined) void reply.clearCookie(COOKIE, { path: COOKIE_PATH })
        return await reply.status(204).send(null)
      },
    )

    app.get(
      '/users/me/sessions',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'listOwnSessions',
          summary: 'Sessions of the account that calls',
          tags: ['accounts'],
          response: { 200: OwnSessionsSchema, ...problems(401) },
        },
      },
      async (request) => ({ items: await sessions.listOwn(actorOf(request)) }),
    )

    app.delete(
      '/users/me/sessions/:id',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'endOwnSession',
          summary: 'End one of the own sessions',
          tags: ['accounts'],
          params: IdParamsSchema,
          response: { 204: Type.Null(), ...problems(401, 404, 422) },
        },
      },
      async (request, reply) => {
        await sessions.endOwn(actorOf(request), request.params.id)
        return await reply.status(204).send(null)
      },
    )
  }
}

/** What a cookie or a header carries needs no body. */
async function takeNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

function originOf(request: FastifyRequest): Origin {
  return { clientIp: request.ip, requestId: request.id, userAgent: request.headers['user-agent'] }
}
