import type { QueryClient } from '@tanstack/react-query'
import { isLoggedIn } from '../session.ts'
import { onSessionEvent } from '../token-store.ts'
import { followStream } from './follow-stream.ts'
import { type LiveState, liveState, setLiveState } from './live-state.ts'
import { CAN_ELECT, leadAlone, onTabs, tellTabs } from './live-tabs.ts'
import { openStream } from './open-stream.ts'
import { createRefresher } from './refresh.ts'

/** How long a tab that nobody sees goes on, ms. Source: design brief, "Live". Where every tab has its own stream, it gives it up at once. */
const HIDDEN_MS = CAN_ELECT ? 300_000 : 0

let wake: (() => void) | undefined
let readAgain: (() => void) | undefined

/** Reads everything on screen again; without a connection, tries to get one now instead of at the end of the wait, in whichever tab does so. */
export function refreshNow(): void {
  readAgain?.()
  if (liveState().kind === 'live') {
    setLiveState({ kind: 'live', refreshedAtMs: Date.now() })
    return
  }
  wake?.()
  tellTabs({ kind: 'retry' })
}

/** Keeps one stream of events for all tabs of this browser while somebody is logged in, and the screens up to date by it. */
export function keepLive(client: QueryClient): void {
  const refresh = createRefresher(client)
  readAgain = refresh.everything
  let leading = false
  let hadStream = false
  let contending: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  onTabs((message) => {
    if (message.kind === 'state') show(message.state)
    else if (message.kind === 'event') refresh.onEvent(message.event)
    else if (message.kind === 'resync') refresh.everything()
    else if (message.kind === 'retry') wake?.()
    else if (leading) tellTabs({ kind: 'state', state: liveState() })
  })

  function show(state: LiveState): void {
    if (state.kind === 'live') hadStream = true
    setLiveState(state)
  }

  function tellState(state: LiveState): void {
    show(state)
    tellTabs({ kind: 'state', state })
  }

  function resync(): void {
    refresh.everything()
    tellTabs({ kind: 'resync' })
  }

  async function lead(signal: AbortSignal): Promise<void> {
    leading = true
    await followStream({
      connect: async (onOpen) =>
        await openStream({
          signal,
          onOpen,
          onMessage: (event) => {
            if (event.name === 'resync') {
              tellState({ kind: 'live', refreshedAtMs: Date.now() })
              resync()
              return
            }
            refresh.onEvent(event)
            tellTabs({ kind: 'event', event })
          },
        }),
      onState: tellState,
      onGap: resync,
      hasGap: hadStream,
      sleep: async (ms) => await sleep(ms, signal),
      nowMs: Date.now,
      random: Math.random,
      signal,
    })
    leading = false
  }

  function start(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(pause, HIDDEN_MS)
    if (contending !== undefined || !isLoggedIn()) return
    const own = new AbortController()
    contending = own
    tellTabs({ kind: 'ask' })
    void leadAlone(async () => await lead(own.signal), own.signal)
  }

  function stop(): void {
    clearTimeout(timer)
    contending?.abort()
    contending = undefined
  }

  /** Another tab takes over, if there is one that somebody looks at. */
  function pause(): void {
    if (leading) tellState({ kind: 'connecting' })
    stop()
  }

  onSessionEvent(({ kind }) => {
    if (kind === 'renewed') return
    stop()
    hadStream = false
    setLiveState({ kind: 'connecting' })
    start()
  })
  document.addEventListener('visibilitychange', start)
  globalThis.addEventListener('online', () => wake?.())
  start()
}

/** Waits, or until somebody asks for a try at once, or for an end. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  wake = resolve
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
  wake = undefined
}
