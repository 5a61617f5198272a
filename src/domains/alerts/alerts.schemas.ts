import { Type } from '@fastify/type-provider-typebox'
import { CountSchema, NullableTextSchema, NullableTimestampSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import { ACKNOWLEDGE_MAX, ALERT_PRIORITIES, ALERT_STATES, DELIVERY_OUTCOMES, MAX_AGE_HOURS, NOTIFICATIONS } from './alerts.model.ts'

export const AlertSchema = Type.Object(
  {
    id: UuidSchema,
    cve_id: Type.String({ examples: ['CVE-2026-10001'] }),
    state: Type.Enum(ALERT_STATES, { type: 'string' }),
    priority: Type.Enum(ALERT_PRIORITIES, { type: 'string' }),
    score: Type.Integer({ minimum: 0, maximum: 100, description: 'Of the CVE when it crossed the threshold.' }),
    title: Type.String(),
    created_at: TimestampSchema,
    notification: Type.Enum(NOTIFICATIONS, {
      type: 'string',
      description: 'What has become of the message to the webhook; NONE when there was no webhook.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Attempts of the present delivery.' }),
    next_attempt_at: NullableTimestampSchema,
    acknowledged_at: NullableTimestampSchema,
    acknowledged_by: NullableTextSchema,
    kev: Type.Boolean({ description: 'Of the CVE today: known to be exploited.' }),
    ransomware: Type.Boolean(),
    kev_due_date: NullableTextSchema,
    exploit: Type.Boolean({ description: 'Of the CVE today: a public exploit.' }),
    epss: Type.Union([Type.Number({ description: 'Of the CVE today: probability of exploitation within 30 days, 0 to 1.' }), Type.Null()]),
    epss_percentile: Type.Union([Type.Number(), Type.Null()]),
  },
  { $id: 'Alert' },
)

export const AlertQuerySchema = Type.Object(
  {
    state: Type.Optional(Type.String({ maxLength: 40, description: 'OPEN or ACKNOWLEDGED.' })),
    priority: Type.Optional(Type.String({ maxLength: 40, description: 'One or more of P0 to P3, separated by commas.' })),
    notification: Type.Optional(Type.String({ maxLength: 40, description: 'What has become of the message to the webhook.' })),
    kev: Type.Optional(Type.Boolean({ description: 'Whether the CVE is known to be exploited today.' })),
    min_age_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AGE_HOURS, description: 'Raised at least so many hours ago.' })),
    sort: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'NEWEST (default), or URGENCY: the highest priority first, and in it what has waited longest; of open alerts only.',
      }),
    ),
    cve_id: Type.Optional(Type.String({ pattern: '^[Cc][Vv][Ee]-\\d{4}-\\d{4,19}$' })),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)

export const AlertPageSchema = Type.Object({
  items: Type.Array(AlertSchema),
  total: CountSchema,
  total_exact: Type.Boolean(),
  next: NullableTextSchema,
})

export const AcknowledgeManySchema = Type.Object(
  { ids: Type.Array(UuidSchema, { minItems: 1, maxItems: ACKNOWLEDGE_MAX }) },
  { additionalProperties: false },
)
export const AcknowledgementSchema = Type.Object({
  acknowledged: Type.Array(AlertSchema),
  unchanged: Type.Integer({ minimum: 0, description: 'Of the named: acknowledged before, or not known.' }),
})

export const DeliveriesSchema = Type.Object({
  items: Type.Array(
    Type.Object({
      id: UuidSchema,
      attempt: Type.Integer({ minimum: 1 }),
      started_at: TimestampSchema,
      ended_at: NullableTimestampSchema,
      outcome: Type.Enum(DELIVERY_OUTCOMES, { type: 'string', description: 'UNDER_WAY without an end was cut short by a stop.' }),
      status: Type.Union([Type.Integer(), Type.Null()]),
      reason: NullableTextSchema,
    }),
  ),
})
