import type { ErrorCode } from '#kernel/error-catalogue.ts'
import { DomainError } from '#kernel/errors.ts'
import { CannotRun } from './cannot-run.ts'
import { EXIT_CANNOT_RUN, EXIT_FAILED, type Output } from './output.ts'

/** Refusals that say the command cannot run as things stand, with what to do when the message does not say it. */
const CANNOT_RUN = new Set<ErrorCode>([
  'setting_invalid',
  'data_dir_in_use',
  'database_start_failed',
  'embedded_postgres_unavailable',
  'database_unavailable',
])
const NEXT: Partial<Record<ErrorCode, string>> = {
  setting_invalid: 'svc config shows every setting',
  database_start_failed: 'read postgres.log in the data folder',
  database_unavailable: 'svc status',
  migration_failed: 'svc db check',
  duplicate_name: 'choose another name',
  pulse_host_required: 'PULSE_BASE_URL names the host; svc config shows it',
  already_collecting: 'wait for the collection that is running',
}
const CONNECTION_FAULTS = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
/** PostgreSQL: class 08 and the refusals of a login or of a database that is starting or missing; an undefined table or column. */
const DATABASE_REFUSES = /^(08...|28...|3D000|57P0.|53300)$/
const SCHEMA_BEHIND = /^(42P01|42703|42883)$/

/** Prints an error with what to do about it, and sets the exit code. Anything that nobody foresaw gets its message and, with `debug`, its stack. */
export function reportError(out: Output, error: unknown, debug = false): void {
  out.exitCode = EXIT_FAILED
  if (error instanceof CannotRun) {
    out.exitCode = EXIT_CANNOT_RUN
    out.error(error.message, error.next)
  } else if (error instanceof DomainError) {
    if (CANNOT_RUN.has(error.code)) out.exitCode = EXIT_CANNOT_RUN
    out.error(error.message, NEXT[error.code])
    for (const { field, message } of error.fields)
      if (message !== error.message) out.note(message.startsWith(`${field} `) ? `  ${message}` : `  ${field}: ${message}`)
  } else if (isUnreachable(error)) {
    out.exitCode = EXIT_CANNOT_RUN
    out.error(`The database cannot be reached: ${firstLine(error)}`, 'check DATABASE_URL, or start the service with: svc up')
  } else if (SCHEMA_BEHIND.test(codeOf(error))) {
    out.exitCode = EXIT_CANNOT_RUN
    out.error(`The schema does not fit this version: ${firstLine(error)}`, 'svc db upgrade')
  } else {
    out.error(firstLine(error), debug ? undefined : 'the same command with --debug shows where it happened')
  }
  if (debug && error instanceof Error && error.stack !== undefined) out.note(error.stack)
}

function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    CONNECTION_FAULTS.has(code) ||
    DATABASE_REFUSES.test(code) ||
    /timeout exceeded when trying to connect|Connection terminated/.test(firstLine(error))
  )
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function firstLine(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return firstLine(error.errors[0])
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? ''
}
