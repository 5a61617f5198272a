import { redirect } from '@tanstack/react-router'
import type { ApiProblem } from '../api/problem.ts'
import { restoreSession } from '../api/session.ts'
import type { SessionEnd } from '../api/token-store.ts'
import { paths, safeReturnPath } from './paths.ts'

/** There may be a session, but the service cannot be asked: neither the product nor the login is the right page. */
export class CannotStart extends Error {
  readonly problem: ApiProblem
  constructor(problem: ApiProblem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** Lets in who has a session; others go to the login and come back. @throws CannotStart when nobody knows */
export async function requireSession(location: { pathname: string; href: string }): Promise<void> {
  const restored = await restoreSession()
  if (restored.outcome === 'renewed') return
  if (restored.outcome === 'unreachable') throw new CannotStart(restored.problem)
  const why = restored.outcome === 'ended' ? restored.why : undefined
  throw redirect({ to: paths.login, search: loginSearch(why, location.pathname === '/' ? undefined : location.href), replace: true })
}

/** Leads past the login who has a session already. */
export async function skipLogin(wished: string | undefined): Promise<void> {
  const { outcome } = await restoreSession()
  if (outcome === 'renewed') throw redirect({ href: safeReturnPath(wished), replace: true })
}

type LoginSearch = { return?: string; ended?: Exclude<SessionEnd, 'logout'> }

/** The login's address after a session: the way back, and why it is needed. Who left by themselves begins anew. */
export function loginSearch(why: SessionEnd | undefined, href: string | undefined): LoginSearch {
  if (why === 'logout') return {}
  return { ...(href === undefined ? {} : { return: href }), ...(why === undefined ? {} : { ended: why }) }
}
