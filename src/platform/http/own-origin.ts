import type { FastifyRequest } from 'fastify'
import { DomainError } from '#kernel/errors.ts'

/**
 * Refuses a request that carries or asks for a cookie unless a page of this service, or of a listed origin, has sent it. Browsers send `Origin`
 * with every POST and no page can change it, so another site cannot use the cookie even where SameSite does not hold it back.
 * @param trusted origins besides the one that the request was sent to
 * @throws origin_forbidden
 */
export function requireOwnOrigin(request: FastifyRequest, trusted: ReadonlySet<string>): void {
  const { origin } = request.headers
  if (origin !== undefined && (trusted.has(origin) || isAt(origin, request.host))) return
  throw new DomainError(
    'origin_forbidden',
    'A session in a cookie is for pages of this service. Programs send the refresh token in the body; behind a proxy, set PUBLIC_URL.',
  )
}

/** The scheme is left aside: behind a proxy that ends TLS the service sees another one than the browser. Its default port may be named or not. */
function isAt(origin: string, host: string): boolean {
  const scheme = /^https?:\/\//.exec(origin)?.[0]
  if (scheme === undefined || !URL.canParse(origin) || !/^[^/?#@\\\s]+$/.test(host) || !URL.canParse(`${scheme}${host}`)) return false
  return new URL(origin).host === new URL(`${scheme}${host}`).host
}
