import { useSyncExternalStore } from 'react'

/** How the stream does; times in ms since the epoch. */
export type LiveState =
  | { kind: 'connecting' }
  /** Events arrive. `refreshedAtMs`: everything on screen was read again, because some may have been missed. */
  | { kind: 'live'; refreshedAtMs?: number }
  /** Lost since `sinceMs`; the next try begins at `retryAtMs`, or is under way. */
  | { kind: 'reconnecting'; sinceMs: number; retryAtMs?: number }
  /** The account has as many streams elsewhere as it may. */
  | { kind: 'crowded'; sinceMs: number; retryAtMs?: number }

let current: LiveState = { kind: 'connecting' }
const listeners = new Set<() => void>()

export function liveState(): LiveState {
  return current
}

export function setLiveState(state: LiveState): void {
  current = state
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How the stream does, for the screen. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(subscribe, liveState)
}
