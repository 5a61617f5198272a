import { setTimeout as sleep } from 'node:timers/promises'
import type { Postmaster } from './postmaster.ts'

/** Wait before a restart, doubled after each that fails, milliseconds. Assumption: a crash loop must not fill the disk with logs. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/**
 * Starts a server again whenever it has ended by itself: what was committed is there, and the service's connections come back.
 * @param restart starts it on the same port
 */
export function keepRunning(first: Postmaster, restart: () => Promise<Postmaster>, log: (line: string) => void): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let server = first

  async function watch(): Promise<void> {
    let waitMs = FIRST_WAIT_MS
    await server.ended
    while (!stopping.signal.aborted) {
      log('The database has ended by itself; starting it again.')
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        server = await restart()
        waitMs = FIRST_WAIT_MS
        log('The database is running again.')
        await server.ended
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
      }
    }
  }

  const watched = watch()
  return {
    async stop() {
      stopping.abort()
      await server.stop()
      await watched
      // A restart that was under way when the stop came has made another one.
      await server.stop()
    },
  }
}
