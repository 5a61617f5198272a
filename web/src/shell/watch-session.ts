import type { QueryClient } from '@tanstack/react-query'
import { isLoggedIn } from '../api/session.ts'
import { onTokenChange } from '../api/token-store.ts'
import { paths } from './paths.ts'
import type { router as appRouter } from './router.tsx'

/** Leads to the login when a session ends, whoever ended it, and forgets what was read in it. */
export function watchSession(router: typeof appRouter, queryClient: QueryClient): void {
  onTokenChange(() => {
    if (isLoggedIn()) return
    queryClient.clear()
    const { pathname, href } = router.state.location
    if (pathname === paths.login) return
    void router.navigate({ to: paths.login, search: { return: href, ended: 'true' } })
  })
}
