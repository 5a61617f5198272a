import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { newId } from '#kernel/ids.ts'
import type { Log } from '#platform/logging/logger.ts'
import { LOCK_TTL_MS, type Locks, RENEWALS_PER_TTL } from './locks.ts'

const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
const RENEW = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"

/** Locks in Redis: one key per name with a time to live, renewed while the work goes on; only its holder can renew or release it.
 * While Redis is away the other locks serve; the claim in the feed's row keeps two holders apart that see different stores.
 */
export function createRedisLocks({
  redis,
  log,
  withoutStore,
  ttlMs = LOCK_TTL_MS,
}: {
  redis: Redis
  log: Log
  /** Locks to take while the store is away. */
  withoutStore: Locks
  ttlMs?: number
}): Locks {
  async function keepRenewing(key: string, token: string, holder: AbortController, stop: AbortSignal): Promise<void> {
    let renewedAt = Date.now()
    while (!stop.aborted) {
      await sleep(ttlMs / RENEWALS_PER_TTL, undefined, { signal: stop }).catch(() => {})
      if (stop.aborted) return
      const renewed = await redis.eval(RENEW, 1, key, token, ttlMs).catch(() => undefined)
      if (renewed === 1) renewedAt = Date.now()
      else if (renewed === 0 || Date.now() - renewedAt >= ttlMs) {
        log.warn('locks.lost', { lock: key })
        holder.abort(new Error('The lock was lost.'))
        return
      }
    }
  }

  return {
    async withLock(name, work) {
      const key = `svc:lock:${name}`
      const token = newId()
      const answer = await redis.set(key, token, 'PX', ttlMs, 'NX').catch(() => 'unreachable' as const)
      if (answer === 'unreachable') return await withoutStore.withLock(name, work)
      if (answer !== 'OK') return { held: true }
      const holder = new AbortController()
      const stop = new AbortController()
      const renewing = keepRenewing(key, token, holder, stop.signal)
      try {
        return { held: false, result: await work(holder.signal) }
      } finally {
        stop.abort()
        await renewing
        await redis.eval(RELEASE, 1, key, token).catch(() => {})
      }
    },
    close: async () => await withoutStore.close(),
  }
}
