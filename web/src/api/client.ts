import createClient from 'openapi-fetch'
import { authorizedFetch } from './authorized-fetch.ts'
import { BASE_URL, failures } from './public-api.ts'
import type { paths } from './schema.gen.ts'

/** The API behind the login, typed by openapi.json. Wrap each call in `unwrap`, which throws on every refusal. */
export const api = createClient<paths>({ baseUrl: BASE_URL, fetch: authorizedFetch })
api.use(failures)
