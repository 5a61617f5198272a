import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '#platform/logging/reason-of.ts'
import type { Listener } from './transport.ts'

/** Waits before the attempts to connect again, milliseconds. Source: spec, "Limits", bus reconnection delay. */
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000
/** Part of a delay by which it varies, so that the processes of an installation do not all come back at once. Source: docs/decisions/0013. */
const JITTER = 0.2

/** Wait before attempt `attempt` (from 1): 1, 2, 4, 8, 16, 30, 30... seconds, give or take 20 %, within 1 and 30 s. @param random 0 to 1 @returns milliseconds */
export function reconnectDelayMs(attempt: number, random: number): number {
  const planned = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  const varied = planned * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.min(LONGEST_DELAY_MS, Math.max(FIRST_DELAY_MS, varied)))
}

export type KeepListeningOptions = {
  connect(): Promise<Listener>
  /** @param late true when something may have been missed: after a loss, and after a first attempt that failed */
  onConnected(late: boolean): void
  /** Told once per outage. */
  onLost(reason: string): void
  delayMs?: (attempt: number) => number
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Listens from now until `close`, connecting again by itself. `firstAttempt` ends when the first attempt has, well or badly. */
export function keepListening(options: KeepListeningOptions): { firstAttempt: Promise<void>; close(): Promise<void> } {
  const { connect, onConnected, onLost } = options
  const delayMs = options.delayMs ?? ((attempt) => reconnectDelayMs(attempt, Math.random()))
  const wait =
    options.wait ?? (async (ms: number, signal: AbortSignal) => await sleep(ms, undefined, { signal, ref: false }).catch(() => {}))
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  let listener: Listener | undefined

  async function listenOnce(late: boolean): Promise<{ connected: boolean; reason: string }> {
    try {
      listener = await connect()
    } catch (error) {
      return { connected: false, reason: reasonOf(error) }
    }
    if (stopping.signal.aborted) await listener.close()
    else onConnected(late)
    first.resolve()
    const reason = await listener.lost
    listener = undefined
    return { connected: true, reason }
  }

  async function run(): Promise<void> {
    let attempt = 0
    let late = false
    while (!stopping.signal.aborted) {
      const { connected, reason } = await listenOnce(late)
      first.resolve()
      if (stopping.signal.aborted) return
      if (connected || !late) onLost(reason)
      late = true
      attempt = connected ? 1 : attempt + 1
      await wait(delayMs(attempt), stopping.signal)
    }
  }

  const running = run()
  return {
    firstAttempt: first.promise,
    async close() {
      stopping.abort()
      await listener?.close()
      await running
    },
  }
}
