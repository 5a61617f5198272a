import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { MS_PER_SECOND } from '#kernel/clock.ts'
import { createSemaphore } from '#kernel/semaphore.ts'
import type { SharedStore } from './shared-store.ts'

/** At most `points` in a window that begins with the first of them. `name` is the prefix of the keys in the store. */
export type Limit = { name: string; points: number; windowSeconds: number }
/** A point that was taken; it can be given back once, while its window lasts. */
export type Taken = { allowed: true; remaining: number; resetMs: number; giveBack(): Promise<void> }
/** Nothing was taken: a refused attempt leaves the count as it is. */
export type Refused = { allowed: false; resetMs: number }
export type Counter = { take(key: string): Promise<Taken | Refused> }

/** Counts in this process alone. */
export function countInProcess({ name, points, windowSeconds }: Limit): Counter {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds })
  // Two steps of the library in one turn: between them another attempt must not see a count that is about to change.
  const inTurn = createSemaphore(1)

  async function take(key: string): Promise<RateLimiterRes | Refused> {
    try {
      return await limiter.consume(key)
    } catch (refusal) {
      await limiter.reward(key)
      return toRefused(refusal)
    }
  }

  async function giveBack(key: string): Promise<void> {
    const { consumedPoints } = await limiter.reward(key)
    // The window begins with the first failure: an attempt that was none must not have begun one.
    if (consumedPoints <= 0) await limiter.delete(key)
  }

  return {
    async take(key) {
      const taken = await inTurn(async () => await take(key))
      if (!(taken instanceof RateLimiterRes)) return taken
      const endsAtMs = Date.now() + taken.msBeforeNext
      return {
        allowed: true,
        remaining: taken.remainingPoints,
        resetMs: taken.msBeforeNext,
        giveBack: async () => {
          await inTurn(async () => {
            if (Date.now() < endsAtMs) await giveBack(key)
          })
        },
      }
    },
  }
}

/**
 * Counts in this process and, while the store answers, in the store as well; both must allow. What this process has let through it still
 * knows when the store is lost, so an outage never gives more than `points` in one process.
 */
export function countTogether(limit: Limit, store: SharedStore): Counter {
  const inProcess = countInProcess(limit)
  const inStore = countInStore(limit, store)
  return {
    async take(key) {
      const own = await inProcess.take(key)
      if (!own.allowed) return own
      const shared = await inStore.take(key)
      if (shared === undefined) return own
      if (!shared.allowed) {
        await own.giveBack()
        return shared
      }
      return {
        allowed: true,
        remaining: Math.min(own.remaining, shared.remaining),
        resetMs: Math.max(own.resetMs, shared.resetMs),
        giveBack: async () => {
          await Promise.all([own.giveBack(), shared.giveBack()])
        },
      }
    },
  }
}

/**
 * Takes or gives back in one step: refused attempts are not counted, the last point given back ends the window, and a point whose window is
 * over is not given back to the next one. Arguments: change, window in seconds, points.
 */
const COUNT_SCRIPT = `
local held = tonumber(redis.call('get', KEYS[1]) or '0')
local change = tonumber(ARGV[1])
if change < 0 then
  if held + change <= 0 then redis.call('del', KEYS[1]) return {0, 0} end
  return {redis.call('incrby', KEYS[1], change), redis.call('pttl', KEYS[1])}
end
if held + change > tonumber(ARGV[3]) then return {held + change, redis.call('pttl', KEYS[1])} end
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
return {redis.call('incrby', KEYS[1], change), redis.call('pttl', KEYS[1])}`

function countInStore(
  { name, points, windowSeconds }: Limit,
  store: SharedStore,
): { take(key: string): Promise<Taken | Refused | undefined> } {
  const limiter = new RateLimiterRedis({
    storeClient: store.client,
    keyPrefix: `svc:limit:${name}`,
    points,
    duration: windowSeconds,
    customIncrTtlLuaScript: COUNT_SCRIPT,
  })
  return {
    async take(key) {
      const taken = await store.ask(async () => await limiter.consume(key).catch(toRefused))
      if (!(taken instanceof RateLimiterRes)) return taken
      const endsAtMs = Date.now() + taken.msBeforeNext
      return {
        allowed: true,
        remaining: taken.remainingPoints,
        resetMs: taken.msBeforeNext,
        giveBack: async () => {
          if (Date.now() < endsAtMs) await store.ask(async () => await limiter.reward(key))
        },
      }
    },
  }
}

/** The library throws its refusals. @throws anything else that was thrown */
function toRefused(thrown: unknown): Refused {
  if (!(thrown instanceof RateLimiterRes)) throw thrown
  return { allowed: false, resetMs: Math.max(thrown.msBeforeNext, MS_PER_SECOND) }
}
