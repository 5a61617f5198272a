const HINT_KEY = 'svc.session'
const RENEWAL_KEY = 'svc.renewal'

/**
 * Whether this browser may hold a session cookie, which no script can see. Without the hint, every visit of the login would ask for a
 * renewal that must be refused. It is true where storage is forbidden: asking once too often is better than asking for a password.
 */
export function mayHaveSession(): boolean {
  return read(HINT_KEY, '1') !== null
}

export function noteSession(): void {
  write(HINT_KEY, '1')
}

export function forgetSession(): void {
  write(HINT_KEY, undefined)
}

/** Marks a renewal as under way, for a page that is loaded while the answer to the one before it is still coming. */
export function noteRenewal(atMs: number | undefined): void {
  write(RENEWAL_KEY, atMs?.toString())
}

/** When the renewal began that nobody has ended, ms since the epoch. */
export function abandonedRenewalMs(): number | undefined {
  const value = Number(read(RENEWAL_KEY, null))
  return value > 0 ? value : undefined
}

function read(key: string, whenForbidden: string | null): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return whenForbidden
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Without storage there is only no hint.
  }
}
