/** Statements over a whole list or page take longer than a request may. Milliseconds. Source: docs/decisions/0005. */
export const BULK_TIMEOUT_MS = 600_000
/**
 * What every session with temporary tables begins with, alike whatever it stages: PostgreSQL refuses another `temp_buffers` on a connection that has
 * touched a temporary table, and connections go from hand to hand.
 */
export const STAGING_SETTINGS = `
    set statement_timeout = ${BULK_TIMEOUT_MS};
    set work_mem = '64MB';
    set temp_buffers = '16MB';
    set enable_mergejoin = off;`

/**
 * Lets the commits of a session not wait for the disk, in their order. Whoever counts on them commits once more in another session, which waits for
 * all that was committed before; until then the work counts as not done, and is done again after a crash.
 */
export const COMMIT_WITHOUT_WAITING = 'set synchronous_commit = off;'
