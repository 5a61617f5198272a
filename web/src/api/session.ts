import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api, unwrap } from './client.ts'
import { currentToken, dropToken, keepToken, onTokenChange } from './token-store.ts'

export type Role = 'ADMIN' | 'ANALYST' | 'VIEWER'
export type CurrentUser = { id: string; username: string; role: Role }

/** Starts a session in this tab. @throws ApiProblem 401 `invalid_credentials`, 429 `login_blocked` */
export async function login(username: string, password: string): Promise<void> {
  const token = await unwrap(
    api.POST('/api/v1/auth/token', {
      body: { username, password },
      bodySerializer: (body) => new URLSearchParams({ username: body.username, password: body.password }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )
  keepToken(token.access_token, token.expires_in)
}

/** Ends the session of this tab; the shell then shows the login. */
export function logout(): void {
  dropToken('logout')
}

/** True while this tab holds a token that has not ended. */
export function isLoggedIn(): boolean {
  return currentToken() !== undefined
}

/** True while this tab is logged in; renders again at login and logout. */
export function useLoggedIn(): boolean {
  return useSyncExternalStore(onTokenChange, isLoggedIn)
}

export const currentUserQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<CurrentUser> => await unwrap(api.GET('/api/v1/users/me', { signal })),
  staleTime: 60_000,
})

/** The account of this session; undefined until the server has answered. */
export function useCurrentUser(): CurrentUser | undefined {
  const loggedIn = useLoggedIn()
  return useQuery({ ...currentUserQuery, enabled: loggedIn }).data
}
