import { Type } from '@fastify/type-provider-typebox'

/** RFC 3339 in UTC with milliseconds; handlers return the Date, the serializer writes it. */
export const TimestampSchema = Type.Unsafe<Date>({ type: 'string', format: 'date-time', examples: ['2026-11-21T08:30:00.000Z'] })
export const NullableTimestampSchema = Type.Union([TimestampSchema, Type.Null()])
export const NullableTextSchema = Type.Union([Type.String(), Type.Null()])
export const UuidSchema = Type.String({ format: 'uuid' })
export const IdParamsSchema = Type.Object({ id: UuidSchema })
/** Whole numbers from 0. */
export const CountSchema = Type.Integer({ minimum: 0 })

/** RFC 9457 problem. `detail` is a sentence for a person, `code` is stable for programs. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() }))),
  },
  { $id: 'Problem' },
)

/** Problem answers by status, for a route's `response`. */
export function problems<Status extends number>(...statuses: Status[]): Record<Status, typeof ProblemSchema> {
  return Object.fromEntries(statuses.map((status) => [status, ProblemSchema])) as Record<Status, typeof ProblemSchema>
}
