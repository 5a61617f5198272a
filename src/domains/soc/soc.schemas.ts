import { Type } from '@fastify/type-provider-typebox'
import { INCIDENT_SEVERITIES, INCIDENT_STEPS, RESOLUTIONS, SOC_LEVELS } from '#domains/incidents/incidents.model.ts'
import { CountSchema, NullableTextSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import { CLOCKS, DAYS_DEFAULT, DAYS_MAX } from './soc.model.ts'

const SeveritySchema = Type.Enum(INCIDENT_SEVERITIES, { type: 'string' })
const LevelSchema = Type.Enum(SOC_LEVELS, { type: 'string' })
const NullableMsSchema = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])

export const SocQuerySchema = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: DAYS_MAX, default: DAYS_DEFAULT, description: 'Days of the period, today included, UTC.' }),
    ),
  },
  { additionalProperties: false },
)

const DELAYS = {
  n: Type.Integer({ minimum: 0, description: 'How many the figures are over.' }),
  mean_ms: NullableMsSchema,
  median_ms: NullableMsSchema,
  p90_ms: NullableMsSchema,
}
const DelaysSchema = Type.Object({
  ...DELAYS,
  by_severity: Type.Array(
    Type.Object({
      severity: SeveritySchema,
      ...DELAYS,
      target_ms: Type.Integer({ minimum: 0 }),
      breached: CountSchema,
      total: CountSchema,
    }),
    { description: 'The worst first.' },
  ),
})
const RunningClocksSchema = Type.Array(
  Type.Object({
    incident_id: UuidSchema,
    title: Type.String(),
    severity: SeveritySchema,
    level: LevelSchema,
    status: Type.Enum(INCIDENT_STEPS, { type: 'string' }),
    assignee: NullableTextSchema,
    clock: Type.Enum(CLOCKS, { type: 'string' }),
    due_at: TimestampSchema,
    remaining_ms: Type.Integer({ description: 'Negative once it is overdue.' }),
  }),
)
const LevelCountsSchema = Type.Array(Type.Object({ level: LevelSchema, count: CountSchema }))

export const SocMetricsSchema = Type.Object({
  as_of: TimestampSchema,
  since: TimestampSchema,
  days: Type.Integer(),
  take_in: DelaysSchema,
  resolution: DelaysSchema,
  apart: Type.Array(Type.Object({ resolution: Type.Enum(RESOLUTIONS, { type: 'string' }), count: CountSchema }), {
    description: 'Closed in the period as false positive or duplicate; not in the figures of the resolution.',
  }),
  open: Type.Object({
    total: CountSchema,
    by_level: LevelCountsSchema,
    by_severity: Type.Array(Type.Object({ severity: SeveritySchema, count: CountSchema })),
  }),
  breaches: Type.Object({ take_in: CountSchema, resolution: CountSchema, items: RunningClocksSchema }),
  next: RunningClocksSchema,
  escalations: LevelCountsSchema,
  load: Type.Array(
    Type.Object({
      analyst: Type.Union([Type.String(), Type.Null()], { description: 'Null for incidents that nobody has.' }),
      l1: CountSchema,
      l2: CountSchema,
      l3: CountSchema,
      total: CountSchema,
    }),
    { description: 'Open incidents by analyst; empty for a VIEWER.' },
  ),
  per_day: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date' }),
      opened: CountSchema,
      closed: CountSchema,
      reopened: CountSchema,
      backlog: Type.Integer({ minimum: 0, description: 'Open at the end of the day.' }),
    }),
  ),
})
