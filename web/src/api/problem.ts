/** One field that the server refused, in the server's own words. */
export type FieldProblem = { field: string; code: string; message: string }

/** What is known of a request that did not succeed. */
export type ProblemFacts = {
  /** HTTP status; 0 when no answer came. */
  status: number
  /** Stable word for programs, such as `duplicate_name`. */
  code: string
  /** One plain sentence for a person. */
  detail: string
  /** `X-Request-ID`, for the operator who searches the log; undefined when no answer came. */
  requestId: string | undefined
  fields: readonly FieldProblem[]
  /** Seconds to wait, from `Retry-After`. */
  retryAfterSeconds: number | undefined
  /** Further members of the answer, such as what changed meanwhile. Untrusted: a proxy may have written them. */
  members?: Readonly<Record<string, unknown>>
}

/** Every failed request, whatever failed: the only error type that leaves `api/`. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly requestId: string | undefined
  readonly fields: readonly FieldProblem[]
  readonly retryAfterSeconds: number | undefined
  readonly members: Readonly<Record<string, unknown>>

  constructor(facts: ProblemFacts) {
    super(facts.detail)
    this.name = 'ApiProblem'
    this.status = facts.status
    this.code = facts.code
    this.detail = facts.detail
    this.requestId = facts.requestId
    this.fields = facts.fields
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.members = facts.members ?? {}
  }

  /** The server's message for one form field, matched by name or by the end of a path. */
  fieldMessage(field: string): string | undefined {
    return this.fields.find((entry) => entry.field === field || entry.field.endsWith(`.${field}`) || entry.field.endsWith(`/${field}`))
      ?.message
  }
}

const NO_ANSWER = 'The server did not answer. Check that the service is running and that this computer reaches it.'

/** The problem of a request that got no answer at all. */
export function networkProblem(): ApiProblem {
  return new ApiProblem({
    status: 0,
    code: 'network_unreachable',
    detail: NO_ANSWER,
    requestId: undefined,
    fields: [],
    retryAfterSeconds: undefined,
  })
}

/** Any thrown value as a problem, so that a screen has one thing to show. */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  // fetch reports every network failure as a TypeError.
  if (error instanceof TypeError) return networkProblem()
  const detail = error instanceof Error ? error.message : 'Something failed in this page.'
  return new ApiProblem({ status: 0, code: 'page_failed', detail, requestId: undefined, fields: [], retryAfterSeconds: undefined })
}

/** The problem in an answer: `body` is its parsed JSON, which is untrusted, since a proxy may have written it. */
export function problemOf(response: Response, body: unknown): ApiProblem {
  const facts: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
  return new ApiProblem({
    status: response.status,
    code: text(facts['code']) ?? `http_${response.status}`,
    detail: text(facts['detail']) ?? text(facts['title']) ?? `The server answered ${response.status} without an explanation.`,
    requestId: text(facts['request_id']) ?? response.headers.get('x-request-id') ?? undefined,
    fields: fieldProblems(facts['errors']),
    retryAfterSeconds: seconds(response.headers.get('retry-after')),
    members: facts,
  })
}

function fieldProblems(errors: unknown): FieldProblem[] {
  if (!Array.isArray(errors)) return []
  return errors.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const facts: Record<string, unknown> = { ...entry }
    const field = text(facts['field'])
    const message = text(facts['message'])
    return field === undefined || message === undefined ? [] : [{ field, code: text(facts['code']) ?? '', message }]
  })
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function seconds(header: string | null): number | undefined {
  const value = Number(header)
  return header === null || !Number.isFinite(value) ? undefined : value
}
