import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { createSemaphore } from '#kernel/semaphore.ts'
import { appendOnlyPlugin } from './append-only.ts'
import type { Database } from './schema.ts'

/** One connection taken out of the pool for a longer piece of work that needs COPY, temporary tables and typed queries on the same session. */
export type LeasedConnection = {
  client: pg.PoolClient
  db: Kysely<Database>
  /** Says that the work has emptied its temporary tables: they stay on the connection, for the next piece of work of the same kind. */
  keepTables(): void
}

/** Connections for longer pieces of work, not more than some at once: the rest of the pool stays for short statements. */
export type Leases = <Result>(work: (lease: LeasedConnection) => Promise<Result>) => Promise<Result>

/** @param atOnce leases at most; who comes later waits its turn, without a connection */
export function createLeases(pool: pg.Pool, atOnce: number): Leases {
  const inTurn = createSemaphore(atOnce)
  return async (work) => await inTurn(async () => await leaseConnection(pool, work))
}

/**
 * Leases one connection and gives it back afterwards, without its temporary tables unless they are to be kept; a connection that failed is closed instead of reused.
 * Kysely has no COPY, so the raw client is handed out beside the typed one.
 */
export async function leaseConnection<Result>(pool: pg.Pool, work: (lease: LeasedConnection) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  // The one client poses as a pool of one; releasing it between statements must not give it back.
  const held = { query: client.query.bind(client), release: () => {} }
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect: async () => held, end: async () => {}, options: {} } as unknown as pg.Pool }),
    plugins: [appendOnlyPlugin()],
  })
  let broken = true
  let keepsTables = false
  const keepTables = () => {
    keepsTables = true
  }
  try {
    const result = await work({ client, db, keepTables })
    await client.query(keepsTables ? 'reset all' : 'discard temp; reset all')
    broken = false
    return result
  } finally {
    client.release(broken)
  }
}
