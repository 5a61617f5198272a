import { Redis } from 'ioredis'
import { carriesPassword } from './redis.ts'

/** Time limits of the listening connection, milliseconds. Source: docs/decisions/0005. */
const CONNECT_TIMEOUT_MS = 3000
const COMMAND_TIMEOUT_MS = 2000
/** A connection that dies without a word is found out by asking it this often, milliseconds. Assumption: within the heartbeat of a stream. */
const ASK_EVERY_MS = 10_000

/**
 * Listens to a channel on one connection of its own, which a subscription needs. It does not come back by itself: `lost` tells why it ended.
 * @throws when the connection cannot be had
 */
export async function listenToChannel(
  { url, password, channel }: { url: string; password: string | undefined; channel: string },
  onMessage: (message: string) => void,
): Promise<{ lost: Promise<string>; close(): Promise<void> }> {
  const client = new Redis(url, {
    ...(password === undefined || carriesPassword(url) ? {} : { password }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: () => null,
    // Its question has no time limit, and a store that hangs would hold the attempt for ever; the subscription asks just as well.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    lazyConnect: true,
  })
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>()
  client.on('error', (error: Error) => lose(error.message))
  client.on('close', () => lose('The connection has ended.'))
  client.on('message', (_channel: string, message: string) => onMessage(message))
  try {
    await client.connect()
    await client.subscribe(channel)
  } catch (error) {
    client.disconnect()
    throw error
  }
  const asking = setInterval(() => void client.ping().catch((error: Error) => lose(error.message)), ASK_EVERY_MS)
  asking.unref()
  void lost.then(() => {
    clearInterval(asking)
    client.disconnect()
  })
  return {
    lost,
    async close() {
      lose('Closed.')
      await Promise.resolve()
    },
  }
}
