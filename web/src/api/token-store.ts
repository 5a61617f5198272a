const STORAGE_KEY = 'svc.session'

type StoredToken = { token: string; endsAt: number }
/** `logout`: the person left; `refused`: the server no longer takes the token. */
export type SessionEnd = 'logout' | 'refused'
/** Called with how the session ended, or undefined after a login. */
type Listener = (end: SessionEnd | undefined) => void

const listeners = new Set<Listener>()
let current = read()

/** The bearer token of this tab, undefined when nobody is logged in or the token has ended. */
export function currentToken(): string | undefined {
  return current !== undefined && current.endsAt > Date.now() ? current.token : undefined
}

export function keepToken(token: string, lifetimeSeconds: number): void {
  current = { token, endsAt: Date.now() + lifetimeSeconds * 1000 }
  // sessionStorage, not localStorage: the token ends with the tab.
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(current))
  for (const tell of listeners) tell(undefined)
}

export function dropToken(end: SessionEnd): void {
  current = undefined
  sessionStorage.removeItem(STORAGE_KEY)
  for (const tell of listeners) tell(end)
}

/** Calls `listener` after each login and logout of this tab. @returns the function that stops it */
export function onTokenChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): StoredToken | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('token' in stored) || !('endsAt' in stored)) return undefined
    const { token, endsAt } = stored
    return typeof token === 'string' && typeof endsAt === 'number' ? { token, endsAt } : undefined
  } catch {
    return undefined
  }
}
