import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'

export type TimeZoneChoice = 'UTC' | 'LOCAL'

/** What the reader chose about how things are shown. */
export type Display = {
  timeZone: TimeZoneChoice
  /** False switches every single-letter key off (WCAG 2.1.4). */
  letterKeys: boolean
}

const DisplayContext = createContext<Display>({ timeZone: 'UTC', letterKeys: true })

export function DisplayProvider({ display, children }: { display: Display; children: ReactNode }) {
  return <DisplayContext value={display}>{children}</DisplayContext>
}

export function useDisplay(): Display {
  return useContext(DisplayContext)
}

/** How often relative times are written anew, ms. Assumption: their smallest step on screen is a minute. */
const TICK_MS = 30_000
const listeners = new Set<() => void>()
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) nowMs = Date.now()
  listeners.add(listener)
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const tell of listeners) tell()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The current time in ms, the same for every part on screen, renewed twice a minute. */
export function useNowMs(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}
