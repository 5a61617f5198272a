import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from '#kernel/error-catalogue.ts'
import { DetailedRefusal, DomainError, type FieldError } from '#kernel/errors.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'

export const PROBLEM_TYPE = 'application/problem+json'
/** Seconds after which a client may try again when the database is away. Assumption: one pool reconnect. */
const DATABASE_RETRY_SECONDS = 5

type Problem = {
  code: ErrorCode
  detail: string
  errors?: readonly FieldError[]
  retryAfterSeconds?: number | undefined
  /** Further members of the answer. */
  members?: Readonly<Record<string, unknown>>
}

/** Every refusal and failure leaves through here, as RFC 9457 problem JSON without internal detail. Source: docs/decisions/0006. */
export function installProblemAnswers(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const problem = toProblem(error)
    if (problem.code === 'internal_error')
      log.error('http.unexpected', { request_id: request.id, name: error.name, reason: reasonOf(error) })
    return sendProblem(request, reply, problem)
  })
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, NOTHING_HERE))
}

/** In a scope that serves files: what the file server refuses (a path that leads outside, a dot file, a NUL) is answered as a file that is not there. */
export function hideRefusedFiles(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof DomainError || error.statusCode === undefined || error.statusCode >= 500) throw error
    return sendProblem(request, reply, NOTHING_HERE)
  })
}

/** For addresses without a route. */
export const NOTHING_HERE: Problem = {
  code: 'not_found',
  detail: 'There is nothing at this address. The routes are listed in openapi.json.',
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  { code, detail, errors, retryAfterSeconds, members }: Problem,
): FastifyReply {
  const status = ERROR_STATUS[code]
  if (status === 401) void reply.header('www-authenticate', 'Bearer realm="svc"')
  const retryAfter = retryAfterSeconds ?? (status === 503 ? DATABASE_RETRY_SECONDS : undefined)
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  const fields = errors !== undefined && errors.length > 0 ? { errors } : {}
  return reply
    .status(status)
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send({ ...members, ...problemBody(code, detail, request.id), ...fields })
}

/** The members that every problem has. Source: RFC 9457, 3.1. */
export function problemBody(code: ErrorCode, detail: string, requestId: string): Record<string, string | number> {
  const status = ERROR_STATUS[code]
  return { type: 'about:blank', title: STATUS_TITLE[status], status, detail, code, request_id: requestId }
}

function toProblem(error: FastifyError | Error): Problem {
  if (error instanceof DomainError)
    return {
      code: error.code,
      detail: error.message,
      errors: error.fields,
      retryAfterSeconds: error.retryAfterSeconds,
      ...(error instanceof DetailedRefusal ? { members: error.members } : {}),
    }
  if ('validation' in error && error.validation !== undefined) return toValidationProblem(error)
  const code = 'code' in error ? error.code : undefined
  const known = code === undefined ? undefined : FASTIFY_PROBLEMS[code]
  if (known !== undefined) return known
  if (isDatabaseAway(error, code))
    return { code: 'database_unavailable', detail: 'The database cannot be reached at the moment. Try again shortly.' }
  if (error instanceof SyntaxError) return FASTIFY_PROBLEMS['FST_ERR_CTP_INVALID_JSON_BODY'] ?? INTERNAL
  return INTERNAL
}

const INTERNAL: Problem = { code: 'internal_error', detail: 'Something unexpected went wrong. Name the request id when you report it.' }

const FASTIFY_PROBLEMS: Record<string, Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    detail: 'Send the body as the content type that openapi.json names for this route.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'payload_too_large', detail: 'The body is larger than this route takes.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'validation_failed', detail: 'The body is empty; send a JSON object.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'validation_failed', detail: 'The body is not valid JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'validation_failed', detail: 'The body does not match its Content-Length.' },
}

/** Connection loss, a refused login, a missing database, shutdown and crash recovery of PostgreSQL (classes 08, 28, 3D and 57), and the pool's own time-out. */
function isDatabaseAway(error: Error, code: string | undefined): boolean {
  if (code !== undefined && /^(08...|28...|3D000|57P0.|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|53300)$/.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated/.test(error.message)
}

function toValidationProblem(error: FastifyError): Problem {
  const errors = (error.validation ?? []).map(({ instancePath, params, message, keyword }) => {
    const extra =
      typeof params['additionalProperty'] === 'string'
        ? params['additionalProperty']
        : typeof params['missingProperty'] === 'string'
          ? params['missingProperty']
          : ''
    const path = [...instancePath.split('/').filter(Boolean), ...(extra === '' ? [] : [extra])].join('.')
    return {
      field: path,
      code: keyword,
      message: keyword === 'additionalProperties' ? 'Unknown field.' : sentence(message ?? 'is not valid'),
    }
  })
  const first = errors[0]
  const detail =
    first === undefined
      ? 'The request is not valid.'
      : `${first.field === '' ? (error.validationContext ?? 'body') : first.field}: ${first.message}`
  return { code: 'validation_failed', detail, errors }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
