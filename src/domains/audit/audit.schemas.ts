import { Type } from '@fastify/type-provider-typebox'
import { CountSchema, NullableTextSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import { AUDIT_OUTCOMES, AUDIT_PAGE_MAX, AUDIT_PAGE_ROWS, AUDIT_SINCE_MAX_HOURS, CHAIN_STATES } from './audit.model.ts'

/** PostgreSQL holds no NUL, so none can be searched for. */
const WITHOUT_NUL = '^[^\\u0000]*$'
/** The form of a request id. Source: docs/decisions/0006. */
const RequestIdSchema = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' })

export const AuditEventSchema = Type.Object(
  {
    id: UuidSchema,
    at: TimestampSchema,
    action: Type.String(),
    outcome: Type.Enum(AUDIT_OUTCOMES, { type: 'string' }),
    actor_id: Type.Union([UuidSchema, Type.Null()], { description: 'Null for the service itself, the command line and unknown names.' }),
    actor_name: Type.String(),
    target_type: NullableTextSchema,
    target_id: NullableTextSchema,
    target_name: NullableTextSchema,
    client_ip: NullableTextSchema,
    request_id: NullableTextSchema,
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'Short facts: texts, numbers, booleans and nulls.' }),
    chain: Type.Enum(CHAIN_STATES, {
      type: 'string',
      description: 'BROKEN when the row is not what was written, or the row before it is gone.',
    }),
  },
  { $id: 'AuditEvent' },
)

export const AuditQuerySchema = Type.Object(
  {
    action: Type.Optional(Type.String({ maxLength: 64, pattern: WITHOUT_NUL, description: 'Beginning of the action, such as "feed.".' })),
    outcome: Type.Optional(Type.Enum(AUDIT_OUTCOMES, { type: 'string' })),
    since: Type.Optional(Type.Integer({ minimum: 1, maximum: AUDIT_SINCE_MAX_HOURS, description: 'Only the last so many hours.' })),
    actor: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern: WITHOUT_NUL, description: 'Whole name, in any case.' })),
    request_id: Type.Optional(RequestIdSchema),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Integer({ minimum: 1, maximum: AUDIT_PAGE_MAX, default: AUDIT_PAGE_ROWS }),
  },
  { additionalProperties: false },
)

export const AuditPageSchema = Type.Object({
  items: Type.Array(AuditEventSchema),
  total: CountSchema,
  total_exact: Type.Boolean(),
  next: NullableTextSchema,
})

export const RequestParamsSchema = Type.Object({ request_id: RequestIdSchema })

export const RequestTraceSchema = Type.Object({
  access: Type.Union(
    [
      Type.Object({
        at: TimestampSchema,
        method: Type.String(),
        path: Type.String({ description: 'The route, not the address as it was typed.' }),
        status: Type.Integer(),
        duration_ms: CountSchema,
        client: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'The line of the request, while this process remembers it.' },
  ),
  items: Type.Array(AuditEventSchema),
})
