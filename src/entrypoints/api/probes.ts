import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { readSchemaVersion } from '#platform/database/migrations.ts'
import { isReachable } from '#platform/database/transact.ts'
import { NullableTextSchema } from '#platform/http/schemas.ts'
import type { Services } from '../services.ts'
import { VERSION } from '../version.ts'

/** A probe that takes longer than this has its answer. Milliseconds. */
const PROBE_TIMEOUT_MS = 1500

const HealthSchema = Type.Object({
  status: Type.Literal('ok'),
  version: Type.String(),
  environment: Type.String(),
  database: Type.Enum(['connected', 'unreachable'] as const, { type: 'string' }),
})
const CheckSchema = Type.Enum(['ok', 'fail', 'unused'] as const, { type: 'string' })
const ReadySchema = Type.Object({
  status: Type.Enum(['ready', 'not_ready'] as const, { type: 'string' }),
  database: CheckSchema,
  schema: CheckSchema,
  store: CheckSchema,
  detail: NullableTextSchema,
})

/** `/health` says that the process lives; `/ready` that it can work. Source: spec, "Probes and metrics". */
export function probeRoutes(services: Services, environment: string): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/health',
      {
        config: { access: 'public' },
        schema: { operationId: 'getHealth', summary: 'Liveness; always 200', tags: ['probes'], response: { 200: HealthSchema } },
      },
      async () => {
        const connected = await withinTime(isReachable(services.db), false)
        return {
          status: 'ok' as const,
          version: VERSION,
          environment,
          database: connected ? ('connected' as const) : ('unreachable' as const),
        }
      },
    )

    app.get(
      '/ready',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getReadiness',
          summary: 'Readiness: database, schema and store',
          tags: ['probes'],
          response: { 200: ReadySchema, 503: ReadySchema },
        },
      },
      async (_request, reply) => {
        const readiness = await checkReadiness(services)
        return readiness.status === 'ready' ? readiness : await reply.status(503).send(readiness)
      },
    )
  }
}

export type Readiness = { status: 'ready' | 'not_ready'; database: Check; schema: Check; store: Check; detail: string | null }
type Check = 'ok' | 'fail' | 'unused'

/** What the process needs to work. The store may be away: locks and limits then work without it, so its state is shown and not fatal. */
export async function checkReadiness({ db, redis }: Pick<Services, 'db' | 'redis'>): Promise<Readiness> {
  const missing = await withinTime(
    readSchemaVersion(db).then((schema) => schema.missing),
    undefined,
  )
  const store = redis === undefined ? 'unused' : await withinTime(redis.isReachable().then(toCheck), 'fail')
  if (missing === undefined)
    return { status: 'not_ready', database: 'fail', schema: 'ok', store, detail: 'The database cannot be reached.' }
  if (missing > 0)
    return { status: 'not_ready', database: 'ok', schema: 'fail', store, detail: 'The schema is behind. Run: svc db upgrade' }
  return { status: 'ready', database: 'ok', schema: 'ok', store, detail: null }
}

function toCheck(good: boolean): Check {
  return good ? 'ok' : 'fail'
}

async function withinTime<Result>(work: Promise<Result>, otherwise: Result): Promise<Result> {
  const { promise: late, resolve } = Promise.withResolvers<Result>()
  const timer = setTimeout(resolve, PROBE_TIMEOUT_MS, otherwise)
  try {
    return await Promise.race([work.catch(() => otherwise), late])
  } finally {
    clearTimeout(timer)
  }
}
