import type { Redis } from 'ioredis'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'

/** A command of a limit that takes longer has failed, milliseconds. Assumption: a store in the same network answers in one. */
const COMMAND_LIMIT_MS = 200
/** After a failure the store is left alone for this long, milliseconds. Assumption: counting alone for 5 s more than an outage lasts is harmless. */
const PROBE_EVERY_MS = 5000
const PROBE_KEY = 'svc:limit:probe'

/** The store that processes share their counts in, while it answers. */
export type SharedStore = {
  readonly client: Redis
  /** What the command answers; undefined while the store is away, without asking it. */
  ask<Answer>(command: () => Promise<Answer>): Promise<Answer | undefined>
}

/**
 * Asks the store until it fails once, then leaves it alone and lets a command of its own find out when it is back, so that a store that
 * hangs costs one wait and not one per login. One line of the log per change.
 */
export function createSharedStore({
  client,
  log,
  probeEveryMs = PROBE_EVERY_MS,
}: {
  client: Redis
  log: Log
  probeEveryMs?: number
}): SharedStore {
  let isAway = false
  let isProbing = false
  let nextProbeAtMs = 0

  function leaveAlone(error: unknown): void {
    nextProbeAtMs = performance.now() + probeEveryMs
    if (!isAway) log.warn('limiter.fallback', { reason: reasonOf(error) })
    isAway = true
  }

  async function probe(): Promise<void> {
    isProbing = true
    try {
      // A write: a store that is full or read-only answers a ping and still cannot count.
      await withinLimit(client.set(PROBE_KEY, '1', 'PX', probeEveryMs))
      isAway = false
      log.info('limiter.shared')
    } catch (error) {
      leaveAlone(error)
    } finally {
      isProbing = false
    }
  }

  return {
    client,
    async ask(command) {
      if (isAway) {
        if (!isProbing && performance.now() >= nextProbeAtMs) void probe()
        return undefined
      }
      try {
        return await withinLimit(command())
      } catch (error) {
        leaveAlone(error)
        return undefined
      }
    },
  }
}

async function withinLimit<Answer>(command: Promise<Answer>): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No answer within ${COMMAND_LIMIT_MS} ms.`)), COMMAND_LIMIT_MS)
  try {
    return await Promise.race([command, late])
  } finally {
    clearTimeout(timer)
  }
}
