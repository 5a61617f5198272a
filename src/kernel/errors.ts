import type { ErrorCode } from './error-catalogue.ts'

/**
 * An expected refusal: the caller did something that the product does not allow, and the message says what to do about it.
 *
 * Anything that is not a DomainError is a bug and leaves the service as `internal_error`, without detail.
 */
export class DomainError extends Error {
  override readonly name: string = 'DomainError'
  readonly code: ErrorCode
  /** Per-field explanations, shown at the field by the screens and listed under `errors` in a 422 answer. */
  readonly fields: readonly FieldError[]
  /** When trying again makes sense, for refusals that pass by themselves; the API says it as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, fields: readonly FieldError[] = [], retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A refusal that also hands out what the caller needs to go on, as further members of the answer: what changed meanwhile, for one. Source: RFC 9457, 3.2. */
export class DetailedRefusal extends DomainError {
  readonly members: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, members: Readonly<Record<string, unknown>>) {
    super(code, message)
    this.members = members
  }
}

/** One refused input field. `field` is the path in the request body, in dots: `parser.value`. */
export type FieldError = { field: string; code: string; message: string }

/** The refusal of one input field, as 422. */
export function refuseField(field: string, message: string, code = 'invalid'): DomainError {
  return new DomainError('validation_failed', message, [{ field, code, message }])
}
