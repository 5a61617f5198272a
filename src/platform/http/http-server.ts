import formbody from '@fastify/formbody'
import swagger from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Log } from '#platform/logging/logger.ts'
import { installProblemAnswers } from './problem.ts'
import { requestIdOf } from './request-id.ts'
import { installValidators } from './validators.ts'

/** Limits of one request. Source: docs/decisions/0006 (body, headers) and spec, "Limits". */
const JSON_BODY_BYTES = 2 * 1024 * 1024
const HEADER_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
const KEEP_ALIVE_TIMEOUT_MS = 10_000

export type HttpServer = FastifyInstance

/** A server with limits, problem answers, access lines, safe headers and an OpenAPI document, and no route yet. */
export async function createHttpServer(options: {
  log: Log
  version: string
  trustedProxies: string[]
  hsts: boolean
}): Promise<HttpServer> {
  const app = Fastify({
    logger: false,
    genReqId: requestIdOf,
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: JSON_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { maxHeaderSize: HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { querystringParser: (text) => singleValues(text) },
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>()
  installValidators(app)
  installProblemAnswers(app, options.log)
  installHeaders(app, options.hsts)
  installAccessLine(app, options.log)
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

/** Repeated parameters would reach a handler as an array where it expects text: the last one wins. */
function singleValues(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) values[name] = value
  return values
}

function installHeaders(app: FastifyInstance, hsts: boolean): void {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    if (hsts) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

function installAccessLine(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    // The template, not the path: a token pasted into an address must not reach the log.
    const path = request.routeOptions.url ?? '(unknown)'
    log.info('http.request', {
      method: request.method,
      path,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime),
      client: request.ip,
      request_id: request.id,
    })
  })
}
