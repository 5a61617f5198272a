import { Type } from '@fastify/type-provider-typebox'
import { CountSchema, NullableTextSchema, NullableTimestampSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import {
  CONFIDENCE_LEVELS,
  INDICATOR_TYPES,
  LOOKUP_MAX_VALUES,
  RELATIONS,
  RELIABILITIES,
  SEVERITIES,
  SUBMISSION_MAX_ITEMS,
  WARNING_MATCHES,
} from './indicators.model.ts'

const TypeSchema = Type.Enum(INDICATOR_TYPES, { type: 'string' })
const SeveritySchema = Type.Enum(SEVERITIES, { type: 'string' })
const LevelSchema = Type.Enum(CONFIDENCE_LEVELS, { type: 'string' })

/** What keeps a value out. */
export const ExclusionNoteSchema = Type.Object({
  id: UuidSchema,
  kind: Type.Enum(['VALUE', 'DOMAIN', 'NETWORK', 'HOST'] as const, { type: 'string' }),
  value: Type.String({ description: 'What is excluded: the value, or what covers it.' }),
  reason: Type.String(),
  created_by: Type.String(),
  created_at: TimestampSchema,
  ends_at: NullableTimestampSchema,
})
const NullableExclusionSchema = Type.Union([ExclusionNoteSchema, Type.Null()], { description: 'What keeps it out now.' })

/** An indicator as lists show it. */
export const IndicatorSchema = Type.Object(
  {
    id: UuidSchema,
    type: TypeSchema,
    value: Type.String(),
    hash_algorithm: NullableTextSchema,
    severity: SeveritySchema,
    confidence: Type.Integer({ minimum: 0, maximum: 100 }),
    confidence_level: LevelSchema,
    active: Type.Boolean({ description: 'False when expired or excluded.' }),
    exclusion: NullableExclusionSchema,
    hit_count: CountSchema,
    source_count: CountSchema,
    first_seen: TimestampSchema,
    last_seen: TimestampSchema,
    expires_at: TimestampSchema,
    tags: Type.Array(Type.String()),
  },
  { $id: 'Indicator' },
)

/** What one source says about an indicator, and what it weighs in the confidence. */
export const SightingSchema = Type.Object({
  source_id: UuidSchema,
  kind: Type.Enum(['FEED', 'ANALYST'] as const, { type: 'string' }),
  name: Type.String(),
  feed_type: Type.String(),
  reliability: Type.Enum(RELIABILITIES, { type: 'string' }),
  weight: Type.Number({ description: '0 to 1' }),
  first_seen: TimestampSchema,
  last_seen: TimestampSchema,
  hits: CountSchema,
  listed: Type.Boolean({ description: 'True while the value stands on the feed’s list.' }),
  severity: NullableTextSchema,
  tags: Type.Array(Type.String()),
  description: NullableTextSchema,
  reported_first_seen: NullableTimestampSchema,
  reported_last_seen: NullableTimestampSchema,
  valid_until: NullableTimestampSchema,
})

/** The arithmetic of the confidence: the three parts add up to it, rounded once. */
export const ConfidenceBreakdownSchema = Type.Object({
  sources: Type.Object({ points: Type.Number(), max: Type.Integer(), weights: Type.Array(Type.Number()) }),
  freshness: Type.Object({
    points: Type.Number(),
    max: Type.Integer(),
    age_days: Type.Number(),
    half_life_days: Type.Number(),
    ttl_days: Type.Integer(),
  }),
  recurrence: Type.Object({ points: Type.Number(), max: Type.Integer(), hit_count: CountSchema }),
  total: Type.Integer(),
})

/** A warning list that a value stands on. */
export const WarningSchema = Type.Object(
  {
    list_id: UuidSchema,
    list_name: Type.String(),
    match: Type.Enum(WARNING_MATCHES, { type: 'string', description: 'How the entry meets the value.' }),
    entry: Type.String({ description: 'The entry of the list.' }),
  },
  { $id: 'Warning' },
)
const WarningsSchema = Type.Array(WarningSchema, { description: 'Warning lists that the value stands on; they change no figure.' })

export const IndicatorDetailSchema = Type.Intersect([
  IndicatorSchema,
  Type.Object({
    sources: Type.Array(SightingSchema),
    confidence_breakdown: ConfidenceBreakdownSchema,
    notes: Type.Array(Type.String({ description: 'Facts worth knowing, such as a non-routable address or a warning list.' })),
    warnings: WarningsSchema,
  }),
])

export const IndicatorPageSchema = Type.Object({
  items: Type.Array(IndicatorSchema),
  total: CountSchema,
  total_exact: Type.Boolean(),
  next: NullableTextSchema,
  searched_value: NullableTextSchema,
})

export const IndicatorQuerySchema = Type.Object(
  {
    type: Type.Optional(Type.String({ description: 'One or more types, separated by commas.' })),
    severity: Type.Optional(Type.String({ description: 'One or more severities, separated by commas.' })),
    min_severity: Type.Optional(Type.String()),
    min_confidence: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    feed_id: Type.Optional(UuidSchema),
    active: Type.Optional(Type.Boolean({ description: 'Neither expired nor excluded; false for the others.' })),
    excluded: Type.Optional(
      Type.Boolean({
        description:
          'Only excluded ones, or only the others. Without it, a search for a value and active=false show both, everything else the others.',
      }),
    ),
    value: Type.Optional(Type.String({ maxLength: 8192, description: 'Exact value, defanged or not.' })),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)

export const SubmissionSchema = Type.Object(
  {
    indicators: Type.Array(
      Type.Object(
        {
          value: Type.String({ maxLength: 8192 }),
          type: Type.Optional(Type.String({ maxLength: 40 })),
          severity: Type.Optional(Type.String({ maxLength: 20 })),
          tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 })),
          description: Type.Optional(Type.String({ maxLength: 2000 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: SUBMISSION_MAX_ITEMS },
    ),
  },
  { additionalProperties: false },
)

export const SubmissionResultSchema = Type.Object({
  created: CountSchema,
  updated: CountSchema,
  duplicates: CountSchema,
  rejected: CountSchema,
  rejections: Type.Array(Type.Object({ index: CountSchema, value: Type.String(), code: Type.String(), reason: Type.String() })),
})

export const LookupSchema = Type.Object(
  { values: Type.Array(Type.String({ maxLength: 8192 }), { minItems: 1, maxItems: LOOKUP_MAX_VALUES }) },
  { additionalProperties: false },
)

export const LookupResultSchema = Type.Object({
  items: Type.Array(
    Type.Object({
      input: Type.String(),
      status: Type.Enum(['known', 'excluded', 'unknown', 'rejected'] as const, { type: 'string' }),
      type: Type.Union([TypeSchema, Type.Null()]),
      value: NullableTextSchema,
      reason: NullableTextSchema,
      relation: Type.Union([Type.Enum(RELATIONS, { type: 'string' }), Type.Null()]),
      indicator: Type.Union([IndicatorSchema, Type.Null()]),
      exclusion: NullableExclusionSchema,
      warnings: WarningsSchema,
    }),
  ),
})
