import type { Redis } from 'ioredis'
import { listenForNotifications, notify } from '#platform/database/notifications.ts'
import { listenToChannel } from '#platform/redis/redis-channel.ts'
import type { Transport } from './transport.ts'

/** The channel of this service; API and workers of one installation share it. Source: docs/decisions/0013. */
export const EVENT_CHANNEL = 'svc:events'

/** Messages through the key-value store: sent on the shared connection, received on one of their own. */
export function redisTransport({ client, url, password }: { client: Redis; url: string; password: string | undefined }): Transport {
  return {
    name: 'redis',
    send: { when: 'after_commit', publish: async (text) => void (await client.publish(EVENT_CHANNEL, text)) },
    listen: async (onText) => await listenToChannel({ url, password, channel: EVENT_CHANNEL }, onText),
  }
}

/** Messages through the database itself: a notification leaves with the commit of the transaction that it stands in. */
export function postgresqlTransport({ databaseUrl }: { databaseUrl: string }): Transport {
  return {
    name: 'postgresql',
    send: { when: 'in_transaction', write: async (tx, text) => await notify(tx, EVENT_CHANNEL, text) },
    listen: async (onText) => await listenForNotifications({ databaseUrl, channel: EVENT_CHANNEL }, onText),
  }
}
