import { Type } from '@fastify/type-provider-typebox'
import { INDICATOR_TYPES } from '#domains/indicators/indicators.model.ts'
import { CountSchema, NullableTextSchema, NullableTimestampSchema, TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'
import { DAYS_MAX, EXCLUSION_KINDS, EXCLUSION_STATES, REASON_MAX_CHARACTERS } from './exclusions.model.ts'

const KindSchema = Type.Enum(EXCLUSION_KINDS, {
  type: 'string',
  description:
    'VALUE is one value; DOMAIN a name and all names below it; NETWORK a range with all addresses and ranges inside; HOST all URLs on a host.',
})
const TypeSchema = Type.Union([Type.Enum(INDICATOR_TYPES, { type: 'string' }), Type.Null()], { description: 'Of a VALUE.' })

export const ExclusionSchema = Type.Object(
  {
    id: UuidSchema,
    kind: KindSchema,
    type: TypeSchema,
    value: Type.String(),
    reason: Type.String(),
    state: Type.Enum(EXCLUSION_STATES, { type: 'string', description: 'ENDED: it ended by itself and stays as history.' }),
    created_by: Type.String(),
    created_at: TimestampSchema,
    ends_at: NullableTimestampSchema,
    list_id: Type.Union([UuidSchema, Type.Null()], { description: 'The warning list that it came with.' }),
    list_name: NullableTextSchema,
  },
  { $id: 'Exclusion' },
)

export const ExclusionPageSchema = Type.Object({ items: Type.Array(ExclusionSchema), total: CountSchema, next: NullableTextSchema })

export const ExclusionQuerySchema = Type.Object(
  {
    state: Type.Optional(Type.String({ maxLength: 20, description: 'ACTIVE or ENDED; both when not said.' })),
    kind: Type.Optional(Type.String({ maxLength: 20 })),
    list_id: Type.Optional(UuidSchema),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)

export const DryRunQuerySchema = Type.Object(
  { dry_run: Type.Optional(Type.Boolean({ description: 'Says what would happen, and changes nothing.' })) },
  { additionalProperties: false },
)

const terms = {
  reason: Type.String({ maxLength: REASON_MAX_CHARACTERS }),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX, description: 'Ends by itself after so many days.' })),
  confirm_count: Type.Optional(
    Type.Integer({ minimum: 0, description: 'How many IOCs may be silenced, as the refusal with confirmation_required has named it.' }),
  ),
}

export const NewExclusionSchema = Type.Object(
  {
    value: Type.String({ minLength: 1, maxLength: 8192, description: 'Defanged or not; with a leading *. it is a DOMAIN.' }),
    kind: Type.Optional(Type.String({ maxLength: 20, description: 'VALUE when not said.' })),
    ...terms,
    reason: Type.Optional(terms.reason),
  },
  { additionalProperties: false },
)

export const ListExclusionSchema = Type.Object({ list_id: UuidSchema, ...terms }, { additionalProperties: false })

const TouchedSchema = Type.Array(Type.Object({ id: UuidSchema, type: Type.String(), value: Type.String() }), {
  description: 'Some of them.',
})

export const EffectSchema = Type.Object(
  {
    touched: Type.Integer({ minimum: 0, description: 'IOCs that are kept out because of it: not at all before, or for a shorter time.' }),
    base: Type.Integer({ minimum: 0, description: 'IOCs that nothing kept out before; 0 where it is not needed.' }),
    asks_again: Type.Boolean({ description: 'It would silence more than 1 % of the base, and wants confirm_count.' }),
    examples: TouchedSchema,
  },
  { $id: 'ExclusionEffect' },
)

export const ExcludedSchema = Type.Object({
  pattern: Type.Object({ kind: KindSchema, type: TypeSchema, value: Type.String() }),
  exclusion: Type.Union([ExclusionSchema, Type.Null()], {
    description: 'The exclusion; of a dry run one that is there already.',
  }),
  effect: EffectSchema,
})

export const ListExcludedSchema = Type.Object({
  added: CountSchema,
  already: Type.Integer({ minimum: 0, description: 'Entries that were excluded before.' }),
  skipped: Type.Array(Type.Object({ reason: Type.String(), count: CountSchema, example: Type.String() })),
  effect: EffectSchema,
})

export const RemovedSchema = Type.Object({
  removed: Type.Boolean(),
  exclusions: CountSchema,
  comeback: Type.Object({
    active: Type.Integer({ minimum: 0, description: 'IOCs that count again.' }),
    expired: Type.Integer({ minimum: 0, description: 'IOCs that have expired meanwhile.' }),
    still_excluded: Type.Integer({ minimum: 0, description: 'IOCs that another exclusion keeps out.' }),
    examples: TouchedSchema,
  }),
})
