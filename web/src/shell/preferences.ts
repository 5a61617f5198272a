import { useSyncExternalStore } from 'react'

export type Density = 'compact' | 'normal' | 'roomy'
export type Preferences = { timeZone: 'UTC' | 'LOCAL'; density: Density; letterKeys: boolean; railCollapsed: boolean }

const STORAGE_KEY = 'svc.preferences'
const DEFAULTS: Preferences = { timeZone: 'UTC', density: 'normal', letterKeys: true, railCollapsed: false }
const listeners = new Set<() => void>()
let current = read()
show()

/** What this reader chose in this browser, and how to change it. */
export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  return [useSyncExternalStore(subscribe, () => current), changePreferences]
}

export function changePreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current))
  } catch {
    // A full or forbidden storage only means that the choice ends with the tab.
  }
  show()
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(): void {
  document.documentElement.dataset['density'] = current.density
}

function read(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof stored === 'object' && stored !== null ? valid({ ...stored }) : DEFAULTS
  } catch {
    return DEFAULTS
  }
}

/** Storage is written by older versions and by hand: each value is checked, a bad one gives way to its default. */
function valid(stored: Record<string, unknown>): Preferences {
  const { timeZone, density, letterKeys, railCollapsed } = stored
  return {
    timeZone: timeZone === 'LOCAL' ? 'LOCAL' : 'UTC',
    density: density === 'compact' || density === 'roomy' ? density : 'normal',
    letterKeys: letterKeys !== false,
    railCollapsed: railCollapsed === true,
  }
}
