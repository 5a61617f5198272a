/** Longest reason in a line of the log, characters. Assumption: a sentence. */
const MAX_LENGTH = 300

/**
 * Why something failed, for the log. The message of a database is left out: it repeats the values that it did not like, and those come from
 * requests. Its code and the names of table, column and constraint tell the same.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Something that is no error was thrown.'
  const { severity, code, table, column, constraint, routine } = error as Error & Record<string, unknown>
  if (typeof severity === 'string' && typeof code === 'string')
    return [`SQLSTATE ${code}`, table, column, constraint, routine].filter((part) => typeof part === 'string').join(' ')
  return (error.message.split('\n')[0] ?? '').slice(0, MAX_LENGTH)
}
