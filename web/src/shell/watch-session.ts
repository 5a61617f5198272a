import type { QueryClient } from '@tanstack/react-query'
import { onSessionEvent } from '../api/token-store.ts'
import { loginSearch } from './guard.ts'
import { paths } from './paths.ts'
import type { router as appRouter } from './router.tsx'

/** Follows the session: into the product when it begins, to the login when it ends; what was read in it is forgotten. */
export function watchSession(router: typeof appRouter, queryClient: QueryClient): void {
  const isAtLogin = () => router.state.location.pathname === paths.login
  onSessionEvent((event) => {
    if (event.kind === 'began' && isAtLogin()) void router.invalidate()
    // Somebody else logged in with this browser: nothing on the screen is theirs.
    if (event.kind === 'account-changed') void queryClient.resetQueries()
    if (event.kind === 'ended') {
      queryClient.clear()
      if (!isAtLogin()) void router.navigate({ to: paths.login, search: loginSearch(event.why, router.state.location.href) })
    }
  })
}
