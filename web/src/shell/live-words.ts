import type { LiveState } from '../api/live/live-state.ts'
import type { TimeZoneChoice } from '../ui/display.tsx'
import { clockTime } from '../ui/time-format.ts'
import { shellText } from './shell.text.ts'

const text = shellText.live

/** How long a lost connection is only being reconnected, ms; after it the reader is told since when nothing arrives. Assumption: a restart takes less. */
const RECONNECTING_MS = 30_000
/** How long the pill says that everything was read again, ms. Assumption: long enough to be seen. */
const REFRESHED_MS = 6000

export type LiveWords = {
  look: 'ok' | 'pending' | 'degraded'
  /** What stands in the header. */
  word: string
  /** The same for screen readers, without what changes every second. */
  spoken: string
  hint: string
}

/** The state of the stream in words. Times in ms since the epoch. */
export function liveWords(state: LiveState, nowMs: number, zone: TimeZoneChoice): LiveWords {
  if (state.kind === 'connecting') return same('pending', text.connecting, text.connectingHint)
  if (state.kind === 'live') {
    const isRefreshed = state.refreshedAtMs !== undefined && nowMs - state.refreshedAtMs < REFRESHED_MS
    return same('ok', isRefreshed ? text.refreshed : text.live, text.liveHint)
  }
  if (state.kind === 'crowded') return same('degraded', text.crowded, text.crowdedHint)
  if (nowMs - state.sinceMs >= RECONNECTING_MS) return same('degraded', text.offline(clockTime(state.sinceMs, zone)), text.lostHint)
  const seconds = state.retryAtMs === undefined ? 0 : Math.ceil((state.retryAtMs - nowMs) / 1000)
  const word = seconds > 0 ? text.reconnectingIn(seconds) : text.reconnecting
  return { look: 'pending', word, spoken: text.reconnecting, hint: text.lostHint }
}

/** True while the words change with the time alone. */
export function isTicking(state: LiveState): boolean {
  return state.kind === 'reconnecting' || (state.kind === 'live' && state.refreshedAtMs !== undefined)
}

function same(look: LiveWords['look'], word: string, hint: string): LiveWords {
  return { look, word, spoken: word, hint }
}
