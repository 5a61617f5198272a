import { Type } from '@fastify/type-provider-typebox'
import { INDICATOR_TYPES, RELIABILITIES, SEVERITIES } from '#domains/indicators/indicators.model.ts'
import { CountSchema, NullableTextSchema, NullableTimestampSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import {
  FEED_FORMATS,
  FEED_PAGE_MAX,
  FEED_STATUSES,
  FREQUENCY_MAX_SECONDS,
  FREQUENCY_MIN_SECONDS,
  RUN_LIST_MAX,
  RUN_OUTCOMES,
  TLP_LEVELS,
} from './feeds.model.ts'

/** Settings of the reader; every part is optional and found out from the first rows when it is left out. See docs/feeds.md. */
const ParserSchema = Type.Record(Type.String(), Type.Unknown(), { description: 'How to read the rows; see docs/feeds.md.' })

export const RejectionSchema = Type.Object({ line: CountSchema, value: Type.String(), code: Type.String(), reason: Type.String() })

export const RunSchema = Type.Object(
  {
    id: UuidSchema,
    started_at: TimestampSchema,
    duration_ms: Type.Union([CountSchema, Type.Null()]),
    outcome: Type.Enum(RUN_OUTCOMES, { type: 'string' }),
    fetched_bytes: Type.Union([CountSchema, Type.Null()], { description: 'As the publisher sent it; null when nothing came.' }),
    decoded_bytes: Type.Union([CountSchema, Type.Null()], { description: 'Unpacked.' }),
    decoding: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'How what was sent became text, in order: how it was packed, then the encoding of a list.',
      examples: [['gzip', 'utf-8']],
    }),
    row_count: CountSchema,
    new_count: CountSchema,
    updated_count: CountSchema,
    gone_count: CountSchema,
    rejected_count: CountSchema,
    unsupported_count: CountSchema,
    unsupported_by_kind: Type.Record(Type.String(), CountSchema, { description: 'Rows of kinds that are not held here, by kind.' }),
    rejected_by_code: Type.Record(Type.String(), CountSchema),
    error: Type.Union([Type.String(), Type.Null()], { description: 'ADMIN only; null for others.' }),
    has_error: Type.Boolean(),
    warning: NullableTextSchema,
    rejections: Type.Array(RejectionSchema),
  },
  { $id: 'Run' },
)

export const FeedSchema = Type.Object(
  {
    id: UuidSchema,
    name: Type.String(),
    url: Type.String(),
    format: Type.Enum(FEED_FORMATS, { type: 'string' }),
    feed_type: Type.String(),
    status: Type.Enum(FEED_STATUSES, { type: 'string' }),
    is_active: Type.Boolean(),
    reliability: Type.Enum(RELIABILITIES, { type: 'string' }),
    frequency: Type.Integer({ description: 'Seconds between collections.' }),
    parser: ParserSchema,
    tlp: Type.Enum(TLP_LEVELS, { type: 'string' }),
    licence: NullableTextSchema,
    homepage: NullableTextSchema,
    listed: Type.Integer({ description: 'Values that stand on the feed’s list now.' }),
    last_successful_run: NullableTimestampSchema,
    last_error: Type.Union([Type.String(), Type.Null()], { description: 'ADMIN only; null for others.' }),
    has_error: Type.Boolean(),
    collecting: Type.Boolean(),
    version: Type.Integer(),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
  },
  { $id: 'Feed' },
)

export const FeedPageSchema = Type.Object({
  items: Type.Array(FeedSchema),
  total: CountSchema,
  total_exact: Type.Boolean(),
  next: Type.Null(),
})

export const FeedQuerySchema = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FEED_PAGE_MAX, default: FEED_PAGE_MAX })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
    is_active: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.String()),
    feed_type: Type.Optional(Type.String({ maxLength: 40 })),
  },
  { additionalProperties: false },
)

/** The state of one feed in the last seven days. */
export const FeedHealthSchema = Type.Object({
  feed_id: UuidSchema,
  name: Type.String(),
  status: Type.Enum(FEED_STATUSES, { type: 'string' }),
  is_active: Type.Boolean(),
  last_attempt: NullableTimestampSchema,
  last_success: NullableTimestampSchema,
  last_run: Type.Union([RunSchema, Type.Null()]),
  collections_7d: CountSchema,
  failures_7d: CountSchema,
  consecutive_failures: CountSchema,
  next_attempt: NullableTimestampSchema,
  strip: Type.Array(Type.Enum(['ok', 'failed', 'none'] as const, { type: 'string' }), {
    description: '28 cells of 6 hours, oldest first.',
  }),
})
export const FeedHealthListSchema = Type.Object({ items: Type.Array(FeedHealthSchema) })

const writable = {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  format: Type.String({ maxLength: 10 }),
  feed_type: Type.String({ minLength: 1, maxLength: 40 }),
  reliability: Type.String({ maxLength: 1 }),
  frequency: Type.Integer({ minimum: FREQUENCY_MIN_SECONDS, maximum: FREQUENCY_MAX_SECONDS }),
  parser: ParserSchema,
  tlp: Type.String({ maxLength: 12 }),
  licence: Type.Union([Type.String({ maxLength: 300 }), Type.Null()]),
  homepage: Type.Union([Type.String({ maxLength: 2048 }), Type.Null()]),
  is_active: Type.Boolean(),
}

export const FeedCreateSchema = Type.Object(
  {
    name: writable.name,
    url: writable.url,
    format: writable.format,
    feed_type: Type.Optional(writable.feed_type),
    reliability: Type.Optional(writable.reliability),
    frequency: Type.Optional(writable.frequency),
    parser: Type.Optional(writable.parser),
    tlp: Type.Optional(writable.tlp),
    licence: Type.Optional(writable.licence),
    homepage: Type.Optional(writable.homepage),
    is_active: Type.Optional(writable.is_active),
  },
  { additionalProperties: false },
)

export const FeedPatchSchema = Type.Object(
  { version: Type.Integer(), ...Type.Partial(Type.Object(writable)).properties },
  { additionalProperties: false },
)

export const FeedProbeSchema = Type.Object(
  {
    url: writable.url,
    format: writable.format,
    parser: Type.Optional(writable.parser),
    feed_type: Type.Optional(writable.feed_type),
    tlp: Type.Optional(writable.tlp),
  },
  { additionalProperties: false },
)

/** The first rows of a feed as they would be read. Nothing is stored. */
export const FeedProbeResultSchema = Type.Object({
  bytes: CountSchema,
  content_type: NullableTextSchema,
  row_count: CountSchema,
  accepted_count: CountSchema,
  rejected_count: CountSchema,
  unsupported_count: CountSchema,
  unsupported_by_kind: Type.Record(Type.String(), CountSchema),
  layout: Type.Record(Type.String(), Type.Unknown(), { description: 'What was found out about the columns.' }),
  types: Type.Record(Type.String(), CountSchema),
  samples: Type.Array(
    Type.Object({
      line: CountSchema,
      raw: Type.String(),
      type: Type.Union([Type.Enum(INDICATOR_TYPES, { type: 'string' }), Type.Null()]),
      value: NullableTextSchema,
      severity: Type.Union([Type.Enum(SEVERITIES, { type: 'string' }), Type.Null()]),
      tags: Type.Array(Type.String()),
    }),
  ),
  rejections: Type.Array(RejectionSchema),
})

export const RunQuerySchema = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RUN_LIST_MAX, default: 20 })) },
  { additionalProperties: false },
)
export const RunListSchema = Type.Object({ items: Type.Array(RunSchema) })

export const FeedFetchSchema = Type.Object(
  { accept_shrink: Type.Optional(Type.Boolean({ description: 'Believes a list that has lost more than nine tenths of its values.' })) },
  { additionalProperties: false },
)
export const FeedFetchResultSchema = Type.Object({ started: Type.Boolean() })

export const FeedDeleteQuerySchema = Type.Object(
  {
    purge: Type.Optional(Type.Literal('orphans', { description: 'Also removes the values that no other source has reported.' })),
    dry_run: Type.Optional(Type.Boolean({ description: 'Counts what would be removed and removes nothing.' })),
  },
  { additionalProperties: false },
)
export const FeedDeleteResultSchema = Type.Object({
  deleted: Type.Boolean(),
  listed: CountSchema,
  orphans: Type.Integer({ minimum: 0, description: 'IOCs that only this feed has ever reported: removed by a purge.' }),
  kept: Type.Integer({
    minimum: 0,
    description: 'IOCs that others have reported, too, or that are needed elsewhere: a purge leaves them.',
  }),
  examples: Type.Array(
    Type.Object({ indicator_id: UuidSchema, type: Type.Enum(INDICATOR_TYPES, { type: 'string' }), value: Type.String() }),
    { description: 'In a dry run at most 10 of the orphans.' },
  ),
})
