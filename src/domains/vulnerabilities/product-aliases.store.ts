import { DomainError } from '#kernel/errors.ts'
import { violatedConstraint } from '#platform/database/constraint.ts'
import type { Db } from '#platform/database/database.ts'

export type ProductAliasRow = { id: string; vendor: string; product: string; name: string; created_at: Date; created_by: string }

/** Every alias, by its product. */
export async function listProductAliases(db: Db, limit: number): Promise<ProductAliasRow[]> {
  return await db.selectFrom('product_aliases').selectAll().orderBy('vendor').orderBy('product').orderBy('name').limit(limit).execute()
}

/** @throws duplicate_name when the product has the name already */
export async function insertProductAlias(db: Db, alias: ProductAliasRow): Promise<void> {
  try {
    await db.insertInto('product_aliases').values(alias).execute()
  } catch (error) {
    if (violatedConstraint(error) !== 'product_aliases_name_unique') throw error
    throw new DomainError('duplicate_name', `"${alias.name}" stands for ${alias.vendor} ${alias.product} already.`)
  }
}

/** @returns what it was; undefined when there is none */
export async function deleteProductAlias(db: Db, id: string): Promise<ProductAliasRow | undefined> {
  return await db.deleteFrom('product_aliases').where('id', '=', id).returningAll().executeTakeFirst()
}
