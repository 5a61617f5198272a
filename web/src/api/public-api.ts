import createClient, { type Middleware } from 'openapi-fetch'
import { ApiProblem, networkProblem } from './problem.ts'
import type { paths } from './schema.gen.ts'

/** Every failure to get an answer as an ApiProblem; a request that was called off stays what it is. */
export const failures: Middleware = {
  onError({ error }) {
    if (error instanceof ApiProblem) return error
    return error instanceof DOMException && error.name === 'AbortError' ? error : networkProblem()
  },
}

export const BASE_URL = globalThis.location?.origin ?? ''

/** The API without a login: what is public, and what makes and ends sessions. */
export const publicApi = createClient<paths>({ baseUrl: BASE_URL, fetch: (request) => fetch(request) })
publicApi.use(failures)
