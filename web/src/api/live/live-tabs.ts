import type { StreamMessage } from './event-stream.ts'
import type { LiveState } from './live-state.ts'

const CHANNEL = 'svc.live'
const LEADER_LOCK = 'svc.live.leader'

/** What the tab that holds the stream tells the others, and what they ask of it. */
export type LiveMessage =
  | { kind: 'state'; state: LiveState }
  | { kind: 'event'; event: StreamMessage }
  | { kind: 'resync' }
  | { kind: 'ask' }
  | { kind: 'retry' }

// Browsers offer locks to pages that came over TLS or from this computer only.
const locks: LockManager | undefined = typeof BroadcastChannel === 'undefined' ? undefined : globalThis.navigator?.locks

/** False where tabs cannot agree on one of them: then each has a stream of its own, and tells nobody. */
export const CAN_ELECT = locks !== undefined

const channel = CAN_ELECT ? new BroadcastChannel(CHANNEL) : undefined

export function tellTabs(message: LiveMessage): void {
  channel?.postMessage(message)
}

/** Calls `listener` with what other tabs say. */
export function onTabs(listener: (message: LiveMessage) => void): void {
  // Only pages of this origin can post here.
  channel?.addEventListener('message', (event: MessageEvent<LiveMessage>) => listener(event.data))
}

/**
 * Waits until no other tab of this browser leads, then leads for as long as `lead` runs. The browser passes the lead on as soon as a tab is
 * closed, however it ended.
 */
export async function leadAlone(lead: () => Promise<void>, signal: AbortSignal): Promise<void> {
  if (locks === undefined) return await lead()
  // A wait that is called off is refused with an AbortError, which is what was wanted.
  await locks.request(LEADER_LOCK, { signal }, lead).catch(() => undefined)
}
