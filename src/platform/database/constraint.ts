import pg from 'pg'

// Source: PostgreSQL 16, appendix A.
const UNIQUE_VIOLATION = '23505'
const DEADLOCK = '40P01'

/** The name of the unique constraint or index that a statement broke, so that its store can turn it into a refusal. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? error.constraint : undefined
}

/** Whether the statement was given up so that another transaction could go on: then the whole transaction may be tried again. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DEADLOCK
}
