import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import type { Tx } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import { encodeMessage, type LiveEvent, type NewEvent, toLiveEvent, tryDecodeMessage } from './event.ts'
import { type KeepListeningOptions, keepListening } from './keep-listening.ts'
import type { Transport } from './transport.ts'

/** Whoever wants to know what happens. Neither call may throw. */
export type Subscriber = {
  onEvent(event: LiveEvent): void
  /** Something may have been missed: what was read before is to be read again. */
  onResync(): void
}

export type EventBus = {
  /** Says that something has happened, once the transaction is committed; never when it is rolled back. */
  publish(tx: Tx, event: NewEvent): Promise<void>
  /** @returns ends the subscription */
  subscribe(subscriber: Subscriber): () => void
  /** Begins to listen to the other processes, at the first call; ends when the first attempt to do so has ended, well or badly. */
  listen(): Promise<void>
  /** Waits for what is being sent, at most one time limit of the store. */
  close(): Promise<void>
}

/** Events whose ids are kept, so that an event that arrives twice is delivered once. Assumption: more than can be under way at once. */
const REMEMBERED_IDS = 10_000
/** While a message is owed to the other processes, it is tried this often, milliseconds. Assumption: an outage of the store lasts seconds at least. */
const OWED_EVERY_MS = 1000

/**
 * Brings events to the subscribers of every process. Subscribers of the publishing process get them straight from it, whatever the transport
 * does; the others through the transport. Without a transport there is only the first way.
 */
export function createEventBus({
  transport,
  log,
  clock,
  schedule = {},
}: {
  transport: Transport | undefined
  log: Log
  clock: Clock
  schedule?: Pick<KeepListeningOptions, 'delayMs' | 'wait'>
}): EventBus {
  const self = newId()
  const subscribers = new Set<Subscriber>()
  const deliveredIds = new Set<string>()
  const sending = new Set<Promise<void>>()
  const stopping = new AbortController()
  let connectedAtMs = 0
  let owedSinceMs: number | undefined
  let listener: ReturnType<typeof keepListening> | undefined

  function deliver(event: LiveEvent): void {
    if (deliveredIds.has(event.id)) return
    deliveredIds.add(event.id)
    if (deliveredIds.size > REMEMBERED_IDS) {
      // A set gives its members in the order of their arrival.
      const [oldest = ''] = deliveredIds
      deliveredIds.delete(oldest)
    }
    for (const subscriber of subscribers) subscriber.onEvent(event)
  }

  function resync(): void {
    for (const subscriber of subscribers) subscriber.onResync()
  }

  function receive(text: string): void {
    const message = tryDecodeMessage(text)
    if (message?.kind === 'event') deliver(message.event)
    // What was lost before this process was connected is covered by the resync that came with the connection.
    if (message?.kind === 'lost' && message.from !== self && message.lostAtMs >= connectedAtMs) resync()
  }

  function sendAfterCommit(publish: (text: string) => Promise<void>, text: string): void {
    // What is lost was committed before this moment, so whoever reads after it misses nothing.
    const lostAtMs = clock().getTime()
    const attempt = publish(text).catch((error: unknown) => owe(publish, { lostAtMs, reason: reasonOf(error) }))
    sending.add(attempt)
    void attempt.finally(() => sending.delete(attempt))
  }

  /** The other processes have missed something: they are told as soon as they can be. */
  function owe(publish: (text: string) => Promise<void>, { lostAtMs, reason }: { lostAtMs: number; reason: string }): void {
    const isFirst = owedSinceMs === undefined
    owedSinceMs = Math.max(owedSinceMs ?? 0, lostAtMs)
    if (!isFirst) return
    log.warn('events.in_process_only', { reason })
    void payOwed(publish)
  }

  async function payOwed(publish: (text: string) => Promise<void>): Promise<void> {
    while (owedSinceMs !== undefined && !stopping.signal.aborted) {
      await sleep(OWED_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      const lostAtMs = owedSinceMs
      const sent = await publish(encodeMessage({ kind: 'lost', from: self, lostAtMs })).then(
        () => true,
        () => false,
      )
      // Something else may have been lost while this was under way.
      if (sent && owedSinceMs === lostAtMs) {
        owedSinceMs = undefined
        log.info('events.shared_again')
      }
    }
  }

  return {
    async publish(tx, newEvent) {
      const event = toLiveEvent(newEvent, clock())
      const text = encodeMessage({ kind: 'event', event })
      if (transport?.send.when === 'in_transaction') await transport.send.write(tx, text)
      const publish = transport?.send.when === 'after_commit' ? transport.send.publish : undefined
      tx.afterCommit(() => {
        deliver(event)
        if (publish !== undefined) sendAfterCommit(publish, text)
      })
      // Nobody knows whether it was committed. What was written with the transaction answers that by itself, the rest cannot.
      tx.ifCommitUnknown(() => {
        if (transport?.send.when === 'in_transaction') return
        resync()
        if (publish !== undefined) owe(publish, { lostAtMs: clock().getTime(), reason: 'The outcome of a commit is unknown.' })
      })
    },

    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },

    async listen() {
      if (transport === undefined) return
      listener ??= keepListening({
        ...schedule,
        connect: async () => await transport.listen(receive),
        onConnected(late) {
          connectedAtMs = clock().getTime()
          if (!late) return
          log.info('events.listener_back', { transport: transport.name })
          resync()
        },
        onLost: (reason) => log.warn('events.listener_lost', { transport: transport.name, reason }),
      })
      await listener.firstAttempt
    },

    async close() {
      stopping.abort()
      await listener?.close()
      await Promise.allSettled(sending)
    },
  }
}
