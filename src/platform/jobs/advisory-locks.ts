import pg from 'pg'
import type { Log } from '#platform/logging/logger.ts'
import { LOCK_TTL_MS, type Locks, RENEWALS_PER_TTL } from './locks.ts'

/** A server that has not answered after this is away, milliseconds. Assumption: taking a lock is the work of a moment. */
const ANSWER_TIMEOUT_MS = 5000

const TAKE = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as done'
const RENEW = 'select true as done'
const RELEASE = 'select pg_advisory_unlock(hashtextextended($1, 0)) as done'

/**
 * Locks on one database session that holds them all: PostgreSQL lets go of them at the moment the session ends, so a killed worker blocks nobody.
 * One session also means that a slow download holds no connection of the pool. The server ends a session of which it has not heard for the
 * time to live, so that a worker that hangs blocks nobody for longer either.
 */
export function createAdvisoryLocks({ databaseUrl, log, ttlMs = LOCK_TTL_MS }: { databaseUrl: string; log: Log; ttlMs?: number }): Locks {
  const holders = new Map<string, AbortController>()
  let session: Promise<pg.Client> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'svc locks',
      connectionTimeoutMillis: 3000,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      options: `-c idle_session_timeout=${ttlMs}`,
    })
    let renewing: NodeJS.Timeout | undefined
    let isLost = false
    const lose = () => {
      // Once: those who hold locks later hold them on the next session.
      if (isLost) return
      isLost = true
      clearInterval(renewing)
      session = undefined
      for (const holder of holders.values()) holder.abort(new Error('The database session that held the locks has ended.'))
    }
    client.on('error', (error) => log.warn('locks.session_lost', { reason: error.message }))
    client.on('end', lose)
    await client.connect()
    last = Promise.resolve()
    const renew = async () => {
      await ask(client, RENEW).catch(() => {
        lose()
        void client.end().catch(() => {})
      })
    }
    renewing = setInterval(() => void renew(), ttlMs / RENEWALS_PER_TTL).unref()
    return client
  }

  async function theSession(): Promise<pg.Client> {
    session ??= connect().catch((error: unknown) => {
      session = undefined
      throw error
    })
    return await session
  }

  /** One statement after the other: the session is shared by everything that is locked. */
  async function ask(client: pg.Client, statement: string, ...names: string[]): Promise<boolean> {
    const answer = last.then(async () => await client.query<{ done: boolean }>(statement, names))
    last = answer.catch(() => {})
    return (await answer).rows[0]?.done === true
  }

  return {
    async withLock(name, work) {
      // A session may take the same advisory lock twice; within the process the map says no.
      if (holders.has(name)) return { held: true }
      const holder = new AbortController()
      holders.set(name, holder)
      try {
        const client = await theSession()
        if (!(await ask(client, TAKE, name))) return { held: true }
        try {
          return { held: false, result: await work(holder.signal) }
        } finally {
          if (!holder.signal.aborted) await ask(client, RELEASE, name).catch(() => {})
        }
      } finally {
        holders.delete(name)
      }
    },
    async close() {
      const open = session
      session = undefined
      if (open !== undefined) await (await open).end().catch(() => {})
    },
  }
}
