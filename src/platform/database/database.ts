import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { appendOnlyPlugin } from './append-only.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>

/** Time limits, milliseconds. Source: docs/decisions/0005. */
const CONNECT_TIMEOUT_MS = 3000
const STATEMENT_TIMEOUT_MS = 15_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

const INT8_OID = 20
const NUMERIC_OID = 1700
const DATE_OID = 1082

/** Counters and sums stay far below 2^53, so both arrive as numbers instead of strings. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === INT8_OID || oid === NUMERIC_OID) return Number
    if (oid === DATE_OID) return String
    return pg.types.getTypeParser(oid, format)
  },
}

/** A pool whose sessions cannot hang: connecting, statements and idle transactions all end by themselves. */
export function openPool(url: string, options: { maxConnections: number; applicationName: string }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: '-c timezone=UTC',
    types,
  })
  // A broken idle connection is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {})
  // The pool listens to idle connections only. One that breaks in the middle of a transaction has told the statement in flight already.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Typed queries over a pool. */
export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [appendOnlyPlugin()] })
}
