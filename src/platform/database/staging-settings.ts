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
