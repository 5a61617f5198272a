import { Type } from '@fastify/type-provider-typebox'
import { TimestampSchema, UuidSchema } from '#platform/http/schemas.ts'

const NameSchema = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

const NAMES = {
  vendor: NameSchema('Who makes it, as CPE writes it.'),
  product: NameSchema('The product, as CPE writes it.'),
  name: NameSchema('What it is called here.'),
}

export const NewProductAliasSchema = Type.Object(NAMES, { additionalProperties: false })

export const ProductAliasSchema = Type.Object(
  { id: UuidSchema, ...NAMES, created_at: TimestampSchema, created_by: Type.String() },
  { $id: 'ProductAlias' },
)

export const ProductAliasesSchema = Type.Object({ items: Type.Array(ProductAliasSchema) })
export const ProductAliasRemovalSchema = Type.Object({ removed: Type.Boolean() })
