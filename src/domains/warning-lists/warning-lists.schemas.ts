import { Type } from '@fastify/type-provider-typebox'
import { INDICATOR_TYPES } from '#domains/indicators/indicators.model.ts'
import { CountSchema, NullableTextSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import { SKIP_CODES, WARNING_LIST_TYPES } from './warning-lists.model.ts'

export const WarningListSchema = Type.Object(
  {
    id: UuidSchema,
    name: Type.String(),
    description: NullableTextSchema,
    type: Type.Enum(WARNING_LIST_TYPES, { type: 'string' }),
    list_version: Type.Union([CountSchema, Type.Null()], { description: 'As its publisher numbers it.' }),
    applies_to: Type.Array(Type.Enum(INDICATOR_TYPES, { type: 'string' }), { description: 'Kinds of IOCs that the list speaks of.' }),
    entry_count: CountSchema,
    skipped_count: CountSchema,
    skipped: Type.Array(
      Type.Object({ code: Type.Enum(SKIP_CODES, { type: 'string' }), count: CountSchema, reason: Type.String(), example: Type.String() }),
      { description: 'Entries that are not held, by reason.' },
    ),
    revision: Type.Integer({ description: 'Imports that changed the list.' }),
    imported_at: TimestampSchema,
  },
  { $id: 'WarningList' },
)

export const WarningListsSchema = Type.Object({ items: Type.Array(WarningListSchema) })

/** A list as MISP publishes it; further fields are ignored. */
export const WarningListImportSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.String({ maxLength: 20, description: 'cidr, hostname, string, substring or regex' }),
  list: Type.Array(Type.Unknown()),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  version: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 40 })])),
  matching_attributes: Type.Optional(Type.Array(Type.String({ maxLength: 80 }), { maxItems: 200 })),
})

export const WarningListImportResultSchema = Type.Object({
  outcome: Type.Enum(['added', 'replaced', 'unchanged'] as const, { type: 'string' }),
  list: WarningListSchema,
})
export const WarningListRemovalSchema = Type.Object({ removed: Type.Boolean() })
