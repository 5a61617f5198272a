import createClient, { type Middleware } from 'openapi-fetch'
import { networkProblem, problemOf } from './problem.ts'
import type { paths } from './schema.gen.ts'
import { currentToken, dropToken } from './token-store.ts'

const LOGIN_PATH = '/api/v1/auth/token'

const bearer: Middleware = {
  onRequest({ request }) {
    const token = currentToken()
    if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
    return request
  },
  onResponse({ request, response }) {
    // A refused login is an answer to the form, not the end of a session.
    if (response.status === 401 && !request.url.endsWith(LOGIN_PATH)) dropToken('refused')
    return response
  },
  onError({ error }) {
    return error instanceof DOMException && error.name === 'AbortError' ? error : networkProblem()
  },
}

/** The API, typed by openapi.json. Wrap each call in `unwrap`, which throws on every refusal. */
export const api = createClient<paths>({ baseUrl: globalThis.location?.origin ?? '' })
api.use(bearer)

type Answer<Data> = { data?: Data; error?: unknown; response: Response }

/** The body of a successful answer. @throws ApiProblem for everything else */
export async function unwrap<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request
  if (!response.ok) throw problemOf(response, error)
  // A 204 has no body and its Data type is undefined; the cast says what the generated types promise.
  return data as Data
}
