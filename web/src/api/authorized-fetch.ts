import { ApiProblem } from './problem.ts'
import { endSession, isUsable, renew } from './renewal.ts'
import { type AccessToken, currentToken } from './token-store.ts'

const NOT_LOGGED_IN = 'Your session has ended. Log in again.'
/** Refusals that a new token can mend. */
const MENDABLE = ['token_expired', 'token_invalid', 'token_missing']

/**
 * Sends a request with the access token, renewed first when it has ended. A refused token is renewed once and the request sent once more.
 * @throws ApiProblem when there is no session, or when it cannot be renewed now
 */
export async function authorizedFetch(request: Request): Promise<Response> {
  const token = await usableToken(currentToken())
  // A body can be sent only once, so that the second try needs a copy.
  const spare = request.clone()
  const answer = await send(request, token)
  const code = await refusalOf(answer)
  if (code === 'account_disabled') endSession('disabled')
  if (code === undefined || !MENDABLE.includes(code)) return answer
  const again = await send(spare, await renewedToken(token))
  if ((await refusalOf(again)) !== undefined) endSession('expired')
  return again
}

async function usableToken(token: AccessToken | undefined): Promise<AccessToken> {
  if (token === undefined) throw notLoggedIn()
  return isUsable(token) ? token : await renewedToken(token)
}

async function renewedToken(stale: AccessToken): Promise<AccessToken> {
  const current = currentToken()
  if (current !== stale && isUsable(current)) return current
  // Somebody logged out while the request was under way.
  if (current === undefined) throw notLoggedIn()
  const renewal = await renew(stale)
  if (renewal.outcome === 'unreachable') throw renewal.problem
  const token = currentToken()
  if (token === undefined) throw notLoggedIn()
  return token
}

async function send(request: Request, { token }: AccessToken): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`)
  return await fetch(request)
}

/** The code of a 401; undefined for every other answer, whose body stays unread. */
async function refusalOf(answer: Response): Promise<string | undefined> {
  if (answer.status !== 401) return undefined
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''
}

function notLoggedIn(): ApiProblem {
  return new ApiProblem({
    status: 401,
    code: 'token_missing',
    detail: NOT_LOGGED_IN,
    requestId: undefined,
    fields: [],
    retryAfterSeconds: undefined,
  })
}
