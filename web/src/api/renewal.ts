import { type ApiProblem, toProblem } from './problem.ts'
import { publicApi } from './public-api.ts'
import { abandonedRenewalMs, forgetSession, noteRenewal, noteSession } from './session-hint.ts'
import { oneAtATime, tellOtherTabs } from './session-tabs.ts'
import { type AccessToken, currentToken, dropToken, keepToken, type SessionEnd } from './token-store.ts'
import { unwrap } from './unwrap.ts'

/** `unreachable`: no answer, or one that says nothing about the session; the session may well go on. */
export type Renewal = { outcome: 'renewed' } | { outcome: 'ended'; why: SessionEnd } | { outcome: 'unreachable'; problem: ApiProblem }

/** How long a token must still live to be used for a request, ms. Assumption: the request arrives within it. */
const USABLE_MS = 5000
/** How long an answer is awaited, ms. Assumption: the service gives up on its database sooner. */
const PATIENCE_MS = 30_000
/** How long a page waits for the answer to a renewal that a page before it began, ms. Assumption: a slow line's round trip. */
const ABANDONED_MS = 3000

let running: Promise<Renewal> | undefined

/** True while `token` can be sent. */
export function isUsable(token: AccessToken | undefined): token is AccessToken {
  return token !== undefined && token.endsAtMs - Date.now() > USABLE_MS
}

/** Gets a new access token in place of `stale`, once for all who ask at the same time and in one tab at a time. */
export function renew(stale: AccessToken | undefined): Promise<Renewal> {
  running ??= oneAtATime(() => renewUnlessDone(stale)).finally(() => {
    running = undefined
  })
  return running
}

async function renewUnlessDone(stale: AccessToken | undefined): Promise<Renewal> {
  const current = currentToken()
  // Another tab was first, and told this one.
  if (current !== stale && isUsable(current)) return { outcome: 'renewed' }
  await waitForAbandoned()
  noteRenewal(Date.now())
  try {
    // An answer that arrives after the page has gone still renews the cookie; without it the next page would use an old token.
    const request = publicApi.POST('/api/v1/auth/refresh', { body: {}, keepalive: true, signal: AbortSignal.timeout(PATIENCE_MS) })
    const { access_token, expires_in } = await unwrap(request)
    noteRenewal(undefined)
    shareToken({ token: access_token, endsAtMs: Date.now() + expires_in * 1000 })
    return { outcome: 'renewed' }
  } catch (error) {
    const problem = toProblem(error)
    // Without an answer, nobody knows yet whether the cookie was used up: a page that is being left takes its requests for failed.
    if (problem.status !== 0) noteRenewal(undefined)
    if (problem.status !== 401 && problem.status !== 403) return { outcome: 'unreachable', problem }
    const why = problem.code === 'refresh_reused' ? 'reused' : 'expired'
    endSession(why)
    return { outcome: 'ended', why }
  }
}

/** A page that was left in the middle of a renewal has used up the cookie, and its successor is on the way. */
async function waitForAbandoned(): Promise<void> {
  const beganMs = abandonedRenewalMs()
  const waitMs = beganMs === undefined ? 0 : beganMs + ABANDONED_MS - Date.now()
  if (waitMs > 0 && waitMs <= ABANDONED_MS) await new Promise((resolve) => setTimeout(resolve, waitMs))
}

/** Keeps a token here and in the other tabs. */
export function shareToken(token: AccessToken): void {
  noteSession()
  keepToken(token)
  tellOtherTabs({ kind: 'token', token })
}

/** Ends the session in this browser: here for the reason given, in the other tabs too. */
export function endSession(why: SessionEnd): void {
  forgetSession()
  dropToken(why)
  tellOtherTabs({ kind: 'ended', why: why === 'logout' ? 'elsewhere' : why })
}
