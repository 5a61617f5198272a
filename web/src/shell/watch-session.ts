import type { QueryClient } from '@tanstack/react-query'
import { onTokenChange } from '../api/token-store.ts'
import { paths } from './paths.ts'
import type { router as appRouter } from './router.tsx'

/** Leads to the login when a session ends and forgets what was read in it; a session that was cut off finds its way back after the login. */
export function watchSession(router: typeof appRouter, queryClient: QueryClient): void {
  onTokenChange((end) => {
    if (end === undefined) return
    queryClient.clear()
    const { pathname, href } = router.state.location
    if (pathname === paths.login) return
    void router.navigate({ to: paths.login, search: end === 'logout' ? {} : { return: href, ended: 'true' } })
  })
}
