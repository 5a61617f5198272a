import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { readSchemaVersion, type SchemaVersion } from '#platform/database/migrations.ts'
import { isReachable } from '#platform/database/transact.ts'
import { NullableTextSchema } from '#platform/http/schemas.ts'
import type { Services } from '../services.ts'
import { VERSION } from '../version.ts'
import { shared, withinTime } from './bounded-check.ts'

const HealthSchema = Type.Object({
  status: Type.Literal('ok'),
  version: Type.String(),
  environment: Type.String(),
  database: Type.Enum(['connected', 'unreachable'] as const, { type: 'string' }),
})
const CheckSchema = Type.Enum(['ok', 'fail', 'unused'] as const, { type: 'string' })
const SchemaCheckSchema = Type.Enum(['ok', 'fail', 'unknown'] as const, { type: 'string' })
const ReadySchema = Type.Object({
  status: Type.Enum(['ready', 'not_ready'] as const, { type: 'string' }),
  database: CheckSchema,
  schema: SchemaCheckSchema,
  store: CheckSchema,
  detail: NullableTextSchema,
})

/** `/health` says that the process lives; `/ready` that it can work. Source: spec, "Probes and metrics". */
export function probeRoutes(services: Services, environment: string): FastifyPluginAsyncTypebox {
  const checks = probeChecks(services)
  return async (app) => {
    app.get(
      '/health',
      {
        config: { access: 'public' },
        schema: { operationId: 'getHealth', summary: 'Liveness; always 200', tags: ['probes'], response: { 200: HealthSchema } },
      },
      async () => {
        const connected = await withinTime(checks.database(), false)
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
        const readiness = await checkReadiness(checks)
        return readiness.status === 'ready' ? readiness : await reply.status(503).send(readiness)
      },
    )
  }
}

type Readiness = {
  status: 'ready' | 'not_ready'
  database: 'ok' | 'fail'
  schema: 'ok' | 'fail' | 'unknown'
  store: 'ok' | 'fail' | 'unused'
  detail: string | null
}
type Checks = {
  database(): Promise<boolean>
  schema(): Promise<SchemaVersion>
  /** Undefined when no store is used. */
  store: (() => Promise<boolean>) | undefined
}

function probeChecks({ db, redis }: Pick<Services, 'db' | 'redis'>): Checks {
  return {
    database: shared(async () => await isReachable(db)),
    schema: shared(async () => await readSchemaVersion(db)),
    store: redis === undefined ? undefined : shared(async () => await redis.isReachable()),
  }
}

/** What the process needs to work. The store may be away: locks and limits then work without it, so its state is shown and not fatal. */
async function checkReadiness(checks: Checks): Promise<Readiness> {
  const [connected, version, storeAnswers] = await Promise.all([
    withinTime(checks.database(), false),
    withinTime<SchemaVersion | undefined>(checks.schema(), undefined),
    checks.store === undefined ? undefined : withinTime(checks.store(), false),
  ])
  const store = storeAnswers === undefined ? 'unused' : storeAnswers ? 'ok' : 'fail'
  if (!connected) return { status: 'not_ready', database: 'fail', schema: 'unknown', store, detail: 'The database cannot be reached.' }
  const fault = schemaFault(version)
  if (fault !== undefined) return { status: 'not_ready', database: 'ok', schema: 'fail', store, detail: fault }
  return { status: 'ready', database: 'ok', schema: 'ok', store, detail: null }
}

function schemaFault(version: SchemaVersion | undefined): string | undefined {
  if (version === undefined) return 'The schema cannot be read at the moment, as while a migration runs.'
  if (version.missing > 0) return 'The schema is behind. Run: svc db upgrade'
  // Written by a later version, whose rules this one does not know.
  return version.current === version.head ? undefined : 'The schema is newer than this version of the service.'
}
