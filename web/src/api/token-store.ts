/** An access token and when it ends, ms since the epoch by this computer's clock. */
export type AccessToken = { token: string; endsAtMs: number }

/** `logout`: the person left here; `elsewhere`: in another tab; `expired`: the server no longer takes the session; the others say why. */
export type SessionEnd = 'logout' | 'elsewhere' | 'expired' | 'disabled' | 'reused'

export type SessionEvent = { kind: 'began' } | { kind: 'renewed' } | { kind: 'account-changed' } | { kind: 'ended'; why: SessionEnd }
type Listener = (event: SessionEvent) => void

const listeners = new Set<Listener>()
/** In memory only: what a script could read from a storage would outlive the tab. */
let current: AccessToken | undefined

/** The token of this tab, undefined when nobody is logged in. It may have ended: a session is over only when the server says so. */
export function currentToken(): AccessToken | undefined {
  return current
}

export function keepToken(token: AccessToken): void {
  const before = current
  current = token
  if (before === undefined) tell({ kind: 'began' })
  else if (accountOf(before.token) !== accountOf(token.token)) tell({ kind: 'account-changed' })
  else tell({ kind: 'renewed' })
}

/** Forgets the token; says nothing when there was none. */
export function dropToken(why: SessionEnd): void {
  if (current === undefined) return
  current = undefined
  tell({ kind: 'ended', why })
}

/** Calls `listener` after each change of this tab's session. @returns the function that stops it */
export function onSessionEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(event: SessionEvent): void {
  for (const listener of listeners) listener(event)
}

/** The `sub` of a token, to notice that the cookie belongs to somebody else by now; the server alone judges the token. */
function accountOf(token: string): string | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null && 'sub' in claims ? String(claims.sub) : undefined
  } catch {
    return undefined
  }
}
