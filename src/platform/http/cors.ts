import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { ANY_ORIGIN } from './web-origins.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const REQUEST_HEADERS = ['authorization', 'content-type', 'x-request-id']
/** What a script of another origin may read beside the body. */
const ANSWER_HEADERS = ['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy']
/** How long a browser may remember the answer to a preflight, seconds. Assumption: a change of the setting may take ten minutes. */
const PREFLIGHT_MAX_AGE_SECONDS = 600

/** Lets pages of the named origins call the API; every other origin, and `null`, gets no answer that its page could read. */
export async function installCors(app: FastifyInstance, origins: ReadonlySet<string>): Promise<void> {
  if (origins.size === 0) return
  await app.register(cors, {
    delegator: async ({ headers: { origin } }: { headers: { origin?: string | undefined } }) => {
      const isListed = origin !== undefined && origin !== ANY_ORIGIN && origins.has(origin)
      return {
        origin: isListed ? origin : origins.has(ANY_ORIGIN) ? ANY_ORIGIN : false,
        credentials: isListed,
        methods: METHODS,
        allowedHeaders: REQUEST_HEADERS,
        exposedHeaders: ANSWER_HEADERS,
        maxAge: PREFLIGHT_MAX_AGE_SECONDS,
        strictPreflight: false,
      }
    },
  })
}
