import { Type } from '@fastify/type-provider-typebox'
import { INDICATOR_TYPES } from '#domains/indicators/indicators.model.ts'
import { CountSchema, NullableTimestampSchema, UuidSchema } from '#platform/http/schemas.ts'

const ShareSchema = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
    description: `${description} 0 to 1; null when there is nothing to measure.`,
  })

/** What one feed is worth. */
export const FeedQualitySchema = Type.Object(
  {
    feed_id: UuidSchema,
    name: Type.String(),
    held: Type.Integer({ description: 'Values that the feed holds: those on its list, or that it reported within 90 days.' }),
    unique_count: CountSchema,
    unique_share: ShareSchema('Values that no other source holds.'),
    compared_count: Type.Integer({ description: 'Values that it and another source brought while both were being collected.' }),
    first_count: Type.Integer({ description: 'Those of them that it brought first.' }),
    first_share: ShareSchema('Compared values that it brought first.'),
    lead_seconds: Type.Union([Type.Number(), Type.Null()], {
      description: 'Median lead over the other sources, seconds; negative when it comes later.',
    }),
    row_count: Type.Integer({ description: 'Rows read within 30 days.' }),
    rejected_count: CountSchema,
    reject_share: ShareSchema('Rows that were refused.'),
    run_count: Type.Integer({ description: 'Complete runs within 30 days.' }),
    churn_share: ShareSchema('Values that came or left in one run, on average.'),
    warned_count: Type.Integer({ description: 'Values that stand on a warning list.' }),
    warned_share: ShareSchema('Values that stand on a warning list.'),
  },
  { $id: 'FeedQuality' },
)

const computed = {
  computed_at: NullableTimestampSchema,
  duration_ms: Type.Union([CountSchema, Type.Null()]),
  computing: Type.Boolean({ description: 'True while a newer report is being worked out.' }),
}

export const QualityReportSchema = Type.Object({
  ...computed,
  items: Type.Array(FeedQualitySchema),
  overlap: Type.Object(
    {
      feed_ids: Type.Array(UuidSchema, { description: 'The 20 feeds that hold most, in the order of the matrix.' }),
      shared: Type.Array(Type.Array(CountSchema), {
        description: 'shared[row][column]: values that both feeds hold; on the diagonal, all that the feed holds.',
      }),
    },
    { description: 'How many values each two feeds both hold.' },
  ),
})

export const OneFeedQualitySchema = Type.Object({
  ...computed,
  quality: Type.Union([FeedQualitySchema, Type.Null()]),
  overlaps: Type.Array(
    Type.Object({
      feed_id: UuidSchema,
      name: Type.String(),
      shared_count: CountSchema,
      share: ShareSchema('Of the values that this feed holds.'),
    }),
    { description: 'The 20 feeds that share most with it.' },
  ),
  warning_lists: Type.Array(
    Type.Object({
      list_id: UuidSchema,
      name: Type.String(),
      hit_count: CountSchema,
      examples: Type.Array(
        Type.Object({ indicator_id: UuidSchema, type: Type.Enum(INDICATOR_TYPES, { type: 'string' }), value: Type.String() }),
      ),
    }),
    { description: 'Warning lists that its values stand on, the most hits first, with at most 5 of the values.' },
  ),
})

export const QualityStartSchema = Type.Object({ started: Type.Boolean() })
