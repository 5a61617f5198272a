import pg from 'pg'

const UNIQUE_VIOLATION = '23505'

/** The name of the unique constraint or index that a statement broke, so that its store can turn it into a refusal. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? error.constraint : undefined
}
