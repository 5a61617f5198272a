import { useSyncExternalStore } from 'react'

/** Where a list and a reading pane stand beside each other. Assumption: a laptop screen. */
const WIDE = '(min-width: 1200px)'

/** True where there is room for the alert beside the queue. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
