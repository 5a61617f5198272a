import { sql } from 'kysely'
import pg from 'pg'
import type { Tx } from './transact.ts'

/** Time limits of the listening connection, milliseconds. Source: docs/decisions/0005. */
const CONNECT_TIMEOUT_MS = 3000
const QUERY_TIMEOUT_MS = 3000
/** A connection that dies without a word is found out by asking it this often, milliseconds. Assumption: within the heartbeat of a stream. */
const ASK_EVERY_MS = 10_000

/** Writes a notification into the transaction: PostgreSQL sends it when that is committed. @param payload shorter than 8000 bytes */
export async function notify(tx: Pick<Tx, 'db'>, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(tx.db)
}

/**
 * Listens to notifications on one connection of its own, outside the pool. `lost` tells why it ended.
 * @throws when the connection cannot be had
 */
export async function listenForNotifications(
  { databaseUrl, channel }: { databaseUrl: string; channel: string },
  onPayload: (payload: string) => void,
): Promise<{ lost: Promise<string>; close(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'svc events',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  })
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>()
  client.on('error', (error) => lose(error.message))
  client.on('end', () => lose('The connection has ended.'))
  client.on('notification', ({ payload }) => onPayload(payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  } catch (error) {
    abandon(client)
    throw error
  }
  const asking = setInterval(() => void client.query('select 1').catch((error: Error) => lose(error.message)), ASK_EVERY_MS)
  asking.unref()
  void lost.then(() => {
    clearInterval(asking)
    abandon(client)
  })
  return {
    lost,
    async close() {
      lose('Closed.')
      await Promise.resolve()
    },
  }
}

/** Without waiting: a server that hangs does not answer the farewell either. */
function abandon(client: pg.Client): void {
  void client.end().catch(() => {})
  // pg has no public way to cut a connection; the socket stands in its `connection`.
  const { connection } = client as unknown as { connection?: { stream?: { destroy?(): void } } }
  setTimeout(() => connection?.stream?.destroy?.(), 100).unref()
}
