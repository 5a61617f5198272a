import type { Socket } from 'node:net'
import formbody from '@fastify/formbody'
import swagger from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ERROR_STATUS } from '#kernel/error-catalogue.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { HttpMetrics } from '#platform/metrics/http-metrics.ts'
import { installClientAddress } from './client-address.ts'
import { answerConnectionError } from './connection-errors.ts'
import { installCors } from './cors.ts'
import { installProblemAnswers, NOTHING_HERE, sendProblem } from './problem.ts'
import type { RecentRequests } from './recent-requests.ts'
import { requestIdOf } from './request-id.ts'
import { installSecurityHeaders, setSecurityHeaders } from './security-headers.ts'
import { canonicalAddress, type TrustedProxies } from './trusted-proxies.ts'
import { installValidators } from './validators.ts'

/** Limits of one request. Source: docs/decisions/0006 (body, headers) and spec, "Limits". */
const JSON_BODY_BYTES = 2 * 1024 * 1024
const HEADER_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 15_000
/** Connections are looked at this often. */
const CHECK_CONNECTIONS_EVERY_MS = 1000
/** So that a slow client is cut within 30 s of its first try: 1200 that come at once wait 1.2 s to be accepted, then up to one look. */
const REQUEST_TIMEOUT_MS = 27_000
const KEEP_ALIVE_TIMEOUT_MS = 10_000
/** Open connections of one process. Assumption: below the 4096 files that the strictest common limit allows, above any use that is meant. */
const MAX_CONNECTIONS = 3000
/** While connections are turned away, one line of the log in this time, milliseconds. */
const FULL_LINE_EVERY_MS = 60_000

export type HttpServer = FastifyInstance

/** A server with limits, problem answers, access lines, safe headers and an OpenAPI document, and no route yet. */
export async function createHttpServer(options: {
  log: Log
  version: string
  trustedProxies: TrustedProxies
  /** Other sites whose pages may call the API. */
  corsOrigins: ReadonlySet<string>
  hsts: boolean
  recentRequests: RecentRequests
  metrics: HttpMetrics
}): Promise<HttpServer> {
  const { log, trustedProxies, hsts } = options
  const app = Fastify({
    logger: false,
    genReqId: requestIdOf,
    // For `request.protocol` and `request.host`; `request.ip` is settled by installClientAddress.
    trustProxy: (address: string) => trustedProxies.includes(canonicalAddress(address.split('%')[0] ?? '') ?? ''),
    bodyLimit: JSON_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_EVERY_MS,
      // Node would answer by itself, without a body: see installHostCheck.
      requireHostHeader: false,
    },
    routerOptions: { querystringParser: (text) => singleValues(text) },
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket: Socket) => answerConnectionError(error, socket, log),
    // Addresses that no route can match, such as broken percent encoding: they pass no hook.
    frameworkErrors: (_error, request: FastifyRequest, reply: FastifyReply) => {
      setSecurityHeaders(request, reply, hsts)
      void sendProblem(request, reply, NOTHING_HERE)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  boundConnections(app, log)
  installValidators(app)
  installProblemAnswers(app, log)
  installClientAddress(app, trustedProxies)
  installSecurityHeaders(app, hsts)
  installAccessLine(app, log, options.recentRequests)
  installHostCheck(app)
  installHttpMetrics(app, options.metrics)
  await installCors(app, options.corsOrigins)
  // A body that is no JSON and no form is refused by its type, before anything reads it.
  app.removeContentTypeParser('text/plain')
  await app.register(formbody, { bodyLimit: 8 * 1024 })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'svc',
        version: options.version,
        description: 'Threat-intelligence monitoring service.',
        license: { name: 'Apache-2.0' },
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => (typeof json.$id === 'string' ? json.$id : `def-${index}`) },
  })
  return app
}

/** Source: RFC 9112, 3.2: a request of HTTP/1.1 without Host is answered with 400. */
function installHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return
    // What follows on the connection of such a client may be meant for somebody else.
    reply.header('connection', 'close')
    throw new DomainError('malformed_request', 'The request names no host: HTTP/1.1 requires the header Host.')
  })
}

function boundConnections(app: FastifyInstance, log: Log): void {
  app.server.maxConnections = MAX_CONNECTIONS
  let saidAtMs = Number.NEGATIVE_INFINITY
  app.server.on('drop', () => {
    if (performance.now() - saidAtMs < FULL_LINE_EVERY_MS) return
    saidAtMs = performance.now()
    log.warn('http.connections_full', { connections: MAX_CONNECTIONS })
  })
}

/** Repeated parameters would reach a handler as an array where it expects text: the last one wins. */
function singleValues(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) values[name] = value
  return values
}

function installAccessLine(app: FastifyInstance, log: Log, recentRequests: RecentRequests): void {
  app.addHook('onResponse', async (request, reply) => {
    // The template, not the path: a token pasted into an address must not reach the log.
    const path = request.routeOptions.url ?? '(unknown)'
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime),
      client: request.ip,
      request_id: request.id,
    }
    log.info('http.request', line)
    recentRequests.note({ at: new Date(), ...line })
  })
}

function installHttpMetrics(app: FastifyInstance, metrics: HttpMetrics): void {
  app.addHook('onResponse', async (request, reply) =>
    metrics.noteRequest({
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    }),
  )
  app.addHook('onError', async (_request, _reply, error) => {
    if (isAuthRefusal(error)) metrics.noteRefusal(error.code)
  })
}

/** Refused for who asks: 401, 403, and the blocked login. */
function isAuthRefusal(error: Error): error is DomainError {
  return (
    error instanceof DomainError && (error.code === 'login_blocked' || ERROR_STATUS[error.code] === 401 || ERROR_STATUS[error.code] === 403)
  )
}
