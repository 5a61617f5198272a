import type { ServerResponse } from 'node:http'
import { ROLES, type Role } from '#kernel/actor.ts'
import { type Clock, MS_PER_SECOND } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { LiveEvent, StreamSignal } from '#platform/events/event.ts'
import type { EventBus } from '#platform/events/event-bus.ts'
import type { Log } from '#platform/logging/logger.ts'
import { reasonOf } from '#platform/logging/reason-of.ts'
import { createStreamClient, type StreamClient } from './stream-client.ts'

/** Source: spec, "Limits", stream heartbeat. */
const HEARTBEAT_MS = 15_000
/** Accounts and sessions behind the streams are read anew this often, milliseconds, so that a disabled one is cut within 15 s. Source: docs/decisions/0013. */
const RECHECK_MS = 10_000
/** How exactly heartbeats and ends keep their time, milliseconds. */
const TICK_MS = 500
/** A client that takes nothing for this long is cut, milliseconds. Source: docs/decisions/0013. */
const STUCK_MS = 30_000
/** A new stream waits this long until the other processes are listened to, milliseconds; later it gets a `resync` instead. */
const LISTEN_WAIT_MS = 1000
/** When a user with too many streams may try again, seconds. Assumption: by then one that is gone without a word may have been noticed. */
const RETRY_AFTER_SECONDS = 15

/** Who holds a stream, and until when the presented token is good. */
export type StreamHolder = { accountId: string; sessionId: string; role: Role; expiresAt: Date }

/** What has become of the accounts and sessions behind streams, in the order asked: the role of today, or undefined when the stream has to end. */
export type RecheckHolders = (holders: readonly StreamHolder[]) => Promise<(Role | undefined)[]>

export type EventStreams = {
  /**
   * Turns an answer into a stream of events. The answer must not have begun.
   * @param begin writes the head of the answer, once it is certain that the stream opens
   * @throws rate_limited
   */
  open(stream: { holder: StreamHolder; response: ServerResponse; resumes: boolean; begin(): void }): Promise<void>
  /** Streams that are open at this moment. */
  count(): number
  /** Ends every stream. */
  close(): void
}

export type EventStreamsOptions = {
  bus: Pick<EventBus, 'subscribe' | 'listen'>
  recheck: RecheckHolders
  clock: Clock
  log: Log
  /** Streams of one account in this process; 0 for no limit. */
  perAccount: number
  timing?: { heartbeatMs?: number; recheckMs?: number; tickMs?: number; stuckMs?: number }
}

type Stream = {
  holder: StreamHolder
  client: StreamClient
  role: Role
  nextBeatAtMs: number
  openedAtMs: number
}

const HEARTBEAT = Buffer.from(': heartbeat\n\n')
/** `retry` is for clients with an EventSource of their own. Source: WHATWG HTML, server-sent events. */
const GREETING = Buffer.from(`: connected\nretry: ${3 * MS_PER_SECOND}\n\n`)

/** The open streams of this process: one subscription and one timer for all of them, and no database connection. */
export function createEventStreams({ bus, recheck, clock, log, perAccount, timing = {} }: EventStreamsOptions): EventStreams {
  const { heartbeatMs = HEARTBEAT_MS, recheckMs = RECHECK_MS, tickMs = TICK_MS, stuckMs = STUCK_MS } = timing
  const streams = new Set<Stream>()
  const perAccountOpen = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined
  let nextRecheckAtMs = 0
  let isRechecking = false
  let isClosed = false

  function broadcast(event: LiveEvent): void {
    const messages = messagesOf(event)
    for (const { client, role } of streams) {
      const message = messages[role]
      if (message !== undefined) client.send(message)
    }
  }

  function resyncAll(): void {
    const message = signalMessage('resync', clock())
    for (const { client } of streams) client.send(message)
  }

  function start(): void {
    if (timer !== undefined) return
    nextRecheckAtMs = performance.now() + recheckMs
    timer = setInterval(tick, tickMs)
    timer.unref()
    unsubscribe = bus.subscribe({ onEvent: broadcast, onResync: resyncAll })
  }

  function stopWhenEmpty(): void {
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
    unsubscribe?.()
  }

  function tick(): void {
    const [nowMs, now] = [performance.now(), clock()]
    for (const stream of streams) look(stream, nowMs, now)
    if (nowMs < nextRecheckAtMs || isRechecking) return
    nextRecheckAtMs = nowMs + recheckMs
    isRechecking = true
    void recheckAll().finally(() => {
      isRechecking = false
    })
  }

  function look(stream: Stream, nowMs: number, now: Date): void {
    const stuckSinceMs = stream.client.stuckSinceMs()
    if (stuckSinceMs !== undefined && nowMs - stuckSinceMs >= stuckMs) {
      remove(stream, 'stuck')
      stream.client.cut()
    } else if (now >= stream.holder.expiresAt) {
      remove(stream, 'expired')
      stream.client.end(signalMessage('expired', now))
    } else if (nowMs >= stream.nextBeatAtMs) {
      stream.nextBeatAtMs += heartbeatMs
      // Who does not read would only find more to read.
      if (stuckSinceMs === undefined) stream.client.send(HEARTBEAT)
    }
  }

  async function recheckAll(): Promise<void> {
    const asked = [...streams]
    const roles = await recheck(asked.map(({ holder }) => holder)).catch((error: unknown) => {
      // Unknown is not refused: the next round asks again, and the token ends the stream in any case.
      log.warn('stream.recheck_failed', { reason: reasonOf(error) })
      return undefined
    })
    if (roles === undefined) return
    asked.forEach((stream, index) => {
      const role = roles[index]
      if (role !== undefined) stream.role = role
      else if (remove(stream, 'revoked')) stream.client.end()
    })
  }

  /** @returns false when it was gone already */
  function remove(stream: Stream, reason: string): boolean {
    if (!streams.delete(stream)) return false
    release(stream.holder.accountId)
    log.info('stream.closed', {
      account_id: stream.holder.accountId,
      reason,
      duration_ms: Math.round(performance.now() - stream.openedAtMs),
    })
    stopWhenEmpty()
    return true
  }

  function reserve(accountId: string): void {
    const open = perAccountOpen.get(accountId) ?? 0
    if (perAccount > 0 && open >= perAccount)
      throw new DomainError('rate_limited', `At most ${perAccount} streams of one account may be open.`, [], RETRY_AFTER_SECONDS)
    perAccountOpen.set(accountId, open + 1)
  }

  function release(accountId: string): void {
    const open = (perAccountOpen.get(accountId) ?? 1) - 1
    if (open === 0) perAccountOpen.delete(accountId)
    else perAccountOpen.set(accountId, open)
  }

  return {
    async open({ holder, response, resumes, begin }) {
      reserve(holder.accountId)
      await withinTime(bus.listen(), LISTEN_WAIT_MS)
      if (response.destroyed || isClosed) {
        release(holder.accountId)
        response.destroy()
        return
      }
      begin()
      const client = createStreamClient(response, { afterLoss: () => signalMessage('resync', clock()) })
      const openedAtMs = performance.now()
      const stream: Stream = { holder, client, role: holder.role, openedAtMs, nextBeatAtMs: openedAtMs + heartbeatMs }
      response.on('error', () => {})
      response.on('close', () => void remove(stream, 'left'))
      streams.add(stream)
      log.info('stream.opened', { account_id: holder.accountId, open: streams.size })
      start()
      client.send(GREETING)
      if (resumes) client.send(signalMessage('resync', clock()))
    },
    count: () => streams.size,
    close() {
      isClosed = true
      for (const stream of streams) {
        remove(stream, 'stopped')
        stream.client.end()
      }
    },
  }
}

/** The message of an event for each role; undefined for a role that may not see it. Each is made once, however many clients get it. */
function messagesOf({ id, name, at, data, adminData, roles }: LiveEvent): Record<Role, Buffer | undefined> {
  const forAll = encode({ id, event: name, data: { id, at, ...data } })
  const forAdmin = adminData === undefined ? forAll : encode({ id, event: name, data: { id, at, ...data, ...adminData } })
  const visible = (role: Role) => (roles === undefined || roles.includes(role) ? (role === 'ADMIN' ? forAdmin : forAll) : undefined)
  return Object.fromEntries(ROLES.map((role) => [role, visible(role)])) as Record<Role, Buffer | undefined>
}

function signalMessage(event: StreamSignal, at: Date): Buffer {
  const id = newId()
  return encode({ id, event, data: { id, at: at.toISOString() } })
}

/** JSON has no line breaks of its own, so one `data` line holds it. Source: WHATWG HTML, server-sent events. */
function encode({ id, event, data }: { id: string; event: string; data: object }): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

async function withinTime(work: Promise<void>, limitMs: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
