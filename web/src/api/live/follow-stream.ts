import type { LiveState } from './live-state.ts'
import { reconnectWaitMs } from './reconnect-wait.ts'

/** Why a connection is over: `expired` with its token, `crowded` when there are too many of them, `lost` in every other way. */
export type StreamEnd = { why: 'expired' } | { why: 'lost' } | { why: 'crowded'; retryAfterMs: number }

export type FollowOptions = {
  /** Opens the stream and reads it to its end; calls `onOpen` as soon as events can arrive. */
  connect: (onOpen: () => void) => Promise<StreamEnd>
  onState: (state: LiveState) => void
  /** What was on screen may be out of date: events were missed while there was no connection. */
  onGap: () => void
  /** True when there was a stream before this one, in another tab or in an earlier life of this one. */
  hasGap: boolean
  /** Waits, or less when somebody asks for the next try at once. */
  sleep: (ms: number) => Promise<void>
  nowMs: () => number
  random: () => number
  signal: AbortSignal
}

/** A connection that lasted this long was a good one, ms. Source: heartbeat of the stream. */
const GOOD_MS = 15_000

/** Keeps a stream open until `signal` says stop: connects, waits after a failure, and connects again. */
export async function followStream({ connect, onState, onGap, hasGap, sleep, nowMs, random, signal }: FollowOptions): Promise<void> {
  let failures = 0
  let sinceMs: number | undefined
  let gap = hasGap
  while (!signal.aborted) {
    let openedAtMs: number | undefined
    const end = await connect(() => {
      openedAtMs = nowMs()
      sinceMs = undefined
      onState(gap ? { kind: 'live', refreshedAtMs: openedAtMs } : { kind: 'live' })
      if (gap) onGap()
      gap = true
    })
    if (signal.aborted) return
    const wasGood = openedAtMs !== undefined && nowMs() - openedAtMs >= GOOD_MS
    if (wasGood) failures = 0
    // The usual end of a stream, every quarter of an hour: nothing is lost if the next one opens at once.
    if (end.why === 'expired' && wasGood) continue
    failures += 1
    sinceMs ??= nowMs()
    const waitMs = Math.max(reconnectWaitMs(failures, random()), end.why === 'crowded' ? end.retryAfterMs : 0)
    const kind = end.why === 'crowded' ? 'crowded' : 'reconnecting'
    onState({ kind, sinceMs, retryAtMs: nowMs() + waitMs })
    await sleep(waitMs)
    if (!signal.aborted) onState({ kind, sinceMs })
  }
}
