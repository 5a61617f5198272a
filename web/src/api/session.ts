import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api } from './client.ts'
import { publicApi } from './public-api.ts'
import { endSession, type Renewal, renew, shareToken } from './renewal.ts'
import type { operations } from './schema.gen.ts'
import { mayHaveSession } from './session-hint.ts'
import { hasOtherTabs, oneAtATime, onOtherTabs, showPresence, tellOtherTabs } from './session-tabs.ts'
import { currentToken, dropToken, keepToken, onSessionEvent } from './token-store.ts'
import { unwrap } from './unwrap.ts'

export type User = operations['getCurrentUser']['responses'][200]['content']['application/json']
export type Role = User['role']

/** How long before its end a token is renewed while the page is looked at, ms. Assumption: longer than a background tab's slow clock. */
const RENEW_BEFORE_MS = 90_000
/** Pauses between tries while the service cannot be reached, ms. */
const RETRY_FIRST_MS = 5000
const RETRY_MAX_MS = 60_000
/** How long another tab has to hand its token over, ms. Assumption: one that is asleep does not answer at all. */
const HAND_OVER_MS = 100

/** Starts a session in this browser. @throws ApiProblem 401 `invalid_credentials`, 429 `login_blocked` */
export async function login(username: string, password: string): Promise<void> {
  await oneAtATime(async () => {
    const { access_token, expires_in } = await unwrap(
      publicApi.POST('/api/v1/auth/token', {
        body: { username, password, transport: 'cookie' },
        bodySerializer: (body) => new URLSearchParams(body).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    )
    shareToken({ token: access_token, endsAtMs: Date.now() + expires_in * 1000 })
  })
}

/** Ends the session in all tabs of this browser at once. @throws ApiProblem when the server could not be told */
export async function logout(): Promise<void> {
  const token = currentToken()
  const headers = token === undefined ? {} : { authorization: `Bearer ${token.token}` }
  endSession('logout')
  await oneAtATime(() => unwrap(publicApi.POST('/api/v1/auth/logout', { body: {}, headers, keepalive: true })))
}

/** True while this tab has a session, as far as it knows. */
export function isLoggedIn(): boolean {
  return currentToken() !== undefined
}

/** True while this tab is logged in; renders again at login and logout. */
export function useLoggedIn(): boolean {
  return useSyncExternalStore(onSessionEvent, isLoggedIn)
}

export const currentUserQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<User> => await unwrap(api.GET('/api/v1/users/me', { signal })),
  staleTime: 60_000,
})

/** The account of this session; undefined until the server has answered. */
export function useCurrentUser(): User | undefined {
  const loggedIn = useLoggedIn()
  return useQuery({ ...currentUserQuery, enabled: loggedIn }).data
}

export type Restoration = Renewal | { outcome: 'none' }

/** The session that this browser has, if any: handed over by another tab, or else renewed by the cookie. */
export async function restoreSession(): Promise<Restoration> {
  if (isLoggedIn()) return { outcome: 'renewed' }
  if (!mayHaveSession()) return { outcome: 'none' }
  if (await hasOtherTabs()) await tokenOfOtherTab()
  return isLoggedIn() ? { outcome: 'renewed' } : await renew(undefined)
}

async function tokenOfOtherTab(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = onSessionEvent(() => resolve())
    setTimeout(() => {
      stop()
      resolve()
    }, HAND_OVER_MS)
    tellOtherTabs({ kind: 'ask' })
  })
}

/** Listens to the other tabs, and renews the token in time while somebody looks at the page. */
export function keepSession(): void {
  onOtherTabs((message) => {
    const own = currentToken()
    if (message.kind === 'token') keepToken(message.token)
    else if (message.kind === 'ended') dropToken(message.why)
    else if (own !== undefined) tellOtherTabs({ kind: 'token', token: own })
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = (retryMs = 0) => {
    clearTimeout(timer)
    const token = currentToken()
    if (token === undefined || document.visibilityState === 'hidden') return
    const waitMs = Math.max(token.endsAtMs - RENEW_BEFORE_MS - Date.now(), retryMs)
    timer = setTimeout(async () => {
      const { outcome } = await renew(token)
      if (outcome === 'unreachable') plan(Math.min(Math.max(retryMs * 2, RETRY_FIRST_MS), RETRY_MAX_MS))
    }, waitMs)
  }
  onSessionEvent(({ kind }) => {
    if (kind === 'began') showPresence()
    plan()
  })
  document.addEventListener('visibilitychange', () => plan())
}
