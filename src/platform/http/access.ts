import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor, Role } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import type { RequestLimits } from './request-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
    /** When the presented access token ends; undefined on public routes. */
    tokenExpiresAt: Date | undefined
  }
  interface FastifyContextConfig {
    /** Roles that may call the route; 'public' for those that need no login. A route without it cannot be registered. */
    access?: 'public' | readonly Role[]
    /** It gives away much at once, and has a limit of its own. */
    isExport?: boolean
  }
}

export type AccessDeps = {
  /** The account behind a bearer token, read anew at every request. @throws token_invalid, token_expired, account_disabled */
  authenticate(token: string): Promise<{ id: string; username: string; role: Role; session_id: string; token_expires_at: Date }>
  /** Told of every denial, so that it is journalled. */
  onDenied(actor: Actor, route: string): Promise<void>
  limits: RequestLimits
}

export const EVERYONE = ['ADMIN', 'ANALYST', 'VIEWER'] as const satisfies readonly Role[]
export const ANALYSTS = ['ADMIN', 'ANALYST'] as const satisfies readonly Role[]
export const ADMINS = ['ADMIN'] as const satisfies readonly Role[]

/** Denies by default: a route that does not declare its roles does not start, and none is entered before they are checked. Source: spec, "Role check". */
export function installAccessCheck(app: FastifyInstance, { authenticate, onDenied, limits }: AccessDeps): void {
  const identify = async (request: FastifyRequest) => await authenticate(bearerToken(request))
  app.decorateRequest('actor', undefined)
  app.decorateRequest('tokenExpiresAt', undefined)
  app.addHook('onRoute', (route) => {
    // Files and the page of the API's document register their own routes and cannot carry a config; they hold nothing that needs a login.
    if (/^\/(assets|docs)(\/|$)/.test(route.url)) route.config = { ...route.config, access: 'public' }
    if (route.config?.access === undefined) throw new Error(`${String(route.method)} ${route.url} declares no access.`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access
    if (access === undefined || access === 'public') return await limits.countAddress(request, reply)
    const account = await identify(request).catch(async (refusal: unknown) => {
      // Counted only now: who logs in validly is not held back by others behind the same address.
      await limits.countAddress(request, reply)
      throw refusal
    })
    await limits.countAccount(request, reply, account.id)
    request.actor = {
      id: account.id,
      name: account.username,
      role: account.role,
      clientIp: request.ip,
      requestId: request.id,
      sessionId: account.session_id,
    }
    request.tokenExpiresAt = account.token_expires_at
    if (access.includes(account.role)) {
      if (request.routeOptions.config.isExport === true) await limits.countExport(request, reply, account.id)
      return
    }
    await onDenied(request.actor, `${request.method} ${request.routeOptions.url ?? ''}`)
    throw new DomainError('forbidden', `This needs the role ${access.join(' or ')}; yours is ${account.role}.`)
  })
}

/** Who calls. Only for routes with roles. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.actor === undefined) throw new Error('The route is public and has no actor.')
  return request.actor
}

/** The bearer token of a request that may have one; a header of another form counts as none. */
export function tryBearerToken(request: FastifyRequest): string | undefined {
  const [, token] = /^bearer ([^ ]+)$/i.exec(request.headers.authorization ?? '') ?? []
  return token
}

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined)
    throw new DomainError('token_missing', 'Log in first, and send the access token as "Authorization: Bearer ...".')
  const [scheme, token, ...rest] = header.split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0)
    throw new DomainError('token_invalid', 'The Authorization header must be "Bearer" and one access token.')
  return token
}
