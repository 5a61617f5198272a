import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A year, in seconds. Source: RFC 6797; docs/decisions/0006. */
const HSTS = 'max-age=31536000; includeSubDomains'
/** For everything that is no page: nothing in it may run, load or be framed. */
const NOTHING_ALLOWED = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every answer; what an answer has set itself (a page its own policy, an asset its life) stays. Source: docs/decisions/0006. */
export function installSecurityHeaders(app: FastifyInstance, hsts: boolean): void {
  app.addHook('onSend', async (request, reply) => {
    setSecurityHeaders(request, reply, hsts)
  })
}

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, hsts: boolean): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', 'no-referrer')
  if (hsts) reply.header('strict-transport-security', HSTS)
  if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', NOTHING_ALLOWED)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
}
