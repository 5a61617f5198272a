import type { AccessToken, SessionEnd } from './token-store.ts'

const CHANNEL = 'svc.session'
const CHANGE_LOCK = 'svc.session.change'
const PRESENCE_LOCK = 'svc.session.tab'

/** What the tabs of one browser tell each other: they share one cookie, so they share one session. */
export type TabMessage = { kind: 'token'; token: AccessToken } | { kind: 'ended'; why: SessionEnd } | { kind: 'ask' }

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL)
// Browsers offer locks to pages that came over TLS or from this computer only.
const locks: LockManager | undefined = globalThis.navigator?.locks

export function tellOtherTabs(message: TabMessage): void {
  channel?.postMessage(message)
}

/** Calls `listener` with what other tabs say. @returns the function that stops it */
export function onOtherTabs(listener: (message: TabMessage) => void): () => void {
  // Only pages of this origin can post here.
  const listen = (event: MessageEvent<TabMessage>) => listener(event.data)
  channel?.addEventListener('message', listen)
  return () => channel?.removeEventListener('message', listen)
}

let present = false

/** Shows other tabs, for as long as this page lives, that there is one to ask. */
export function showPresence(): void {
  if (present) return
  present = true
  void locks?.request(PRESENCE_LOCK, { mode: 'shared' }, () => new Promise(() => undefined))
}

/** True when another tab, which may know the token, is open. Never true without locks. */
export async function hasOtherTabs(): Promise<boolean> {
  const held = (await locks?.query())?.held ?? []
  return held.some(({ name }) => name === PRESENCE_LOCK)
}

let queue: Promise<unknown> = Promise.resolve()

/**
 * Does one thing with the session cookie at a time over all tabs: a refresh token that is used twice ends the session.
 * Without locks the order holds within this tab only.
 */
export async function oneAtATime<Result>(act: () => Promise<Result>): Promise<Result> {
  if (locks !== undefined) return (await locks.request(CHANGE_LOCK, act)) as Result
  const done = queue.then(act, act)
  queue = done.catch(() => undefined)
  return await done
}
