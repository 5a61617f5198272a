import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Log } from '#platform/logging/logger.ts'

/** A command that takes longer has failed: nothing in the service may hang on the store. Milliseconds. */
const COMMAND_TIMEOUT_MS = 2000
const CONNECT_TIMEOUT_MS = 3000
/** A process that starts waits this long for a store that does not answer, milliseconds. It works without, and connects when it can. */
const START_WAIT_MS = 1000

export type RedisConnection = { client: Redis; isReachable(): Promise<boolean>; close(): Promise<void> }

/**
 * Connects to the key-value store. Commands fail at once while it is away; the connection comes back by itself. One log line per change.
 * @param password for an address that carries none
 */
export async function openRedis(url: string, log: Log, password?: string): Promise<RedisConnection> {
  const client = new Redis(url, {
    ...(password === undefined || carriesPassword(url) ? {} : { password }),
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    lazyConnect: true,
  })
  let reachable: boolean | undefined
  const changed = (now: boolean) => {
    if (reachable === now) return
    reachable = now
    if (now) log.info('redis.connected')
    else log.warn('redis.unreachable')
  }
  client.on('ready', () => changed(true))
  client.on('error', () => changed(false))
  client.on('close', () => changed(false))
  const connecting = client.connect().catch(() => changed(false))
  await Promise.race([connecting, sleep(START_WAIT_MS, undefined, { ref: false })])
  if (client.status !== 'ready') changed(false)
  return {
    client,
    async isReachable() {
      return await client.ping().then(
        () => true,
        () => false,
      )
    },
    async close() {
      client.removeAllListeners()
      client.on('error', () => {})
      client.disconnect()
    },
  }
}

/** Whether the address brings its own password, which then wins over the setting. */
export function carriesPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== ''
}
