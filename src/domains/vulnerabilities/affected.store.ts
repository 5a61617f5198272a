import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { AffectedProduct } from './applicability/cna-affected.ts'
import type { Configuration } from './applicability/configurations.ts'

/** What a CVE says of the products that it hits. */
export type NamingRow = { id: string; configurations: Configuration[]; affected: AffectedProduct[] }

/** CVEs in the order of their identifiers, behind one. */
export async function listNamings(db: Db, after: string, limit: number): Promise<NamingRow[]> {
  const { rows } = await sql<NamingRow>`
    select id, configurations::json, affected::json from cves where id > ${after} order by id limit ${limit}`.execute(db)
  return rows
}

export type Naming = { cve_id: string; vendor: string; product: string }

/** Brings the stored products of these CVEs in line with those that they name; every product is stored already. @returns rows written and removed */
export async function replaceNamings(
  db: Db,
  cveIds: readonly string[],
  named: readonly Naming[],
): Promise<{ added: number; removed: number }> {
  const { rows } = await sql<{ added: number; removed: number }>`
    with named as (
      select given.cve_id, cve_products.id as product_id
      from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as given (cve_id text, vendor text, product text)
      join cve_products on cve_products.vendor = given.vendor and cve_products.product = given.product
    ), gone as (
      delete from cve_affected known
      where known.cve_id = any(${cveIds}::text[])
        and not exists (select from named where named.cve_id = known.cve_id collate "C" and named.product_id = known.product_id)
      returning 1
    ), added as (
      insert into cve_affected (product_id, cve_id) select product_id, cve_id from named on conflict do nothing returning 1
    )
    select (select count(*)::int from added) as added, (select count(*)::int from gone) as removed`.execute(db)
  return rows[0] ?? { added: 0, removed: 0 }
}

export type ProductKeysRow = { id: number; vendor: string; product: string; keys: string[] }

/** Products in the order of their ids, behind one. */
export async function listProducts(db: Db, after: number, limit: number): Promise<ProductKeysRow[]> {
  return await db
    .selectFrom('cve_products')
    .select(['id', 'vendor', 'product', 'keys'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Stores other keys of products. */
export async function saveProductKeys(db: Db, products: readonly { id: number; keys: readonly string[] }[]): Promise<void> {
  await sql`
    update cve_products set keys = given.keys
    from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as given (id int, keys text[]) where cve_products.id = given.id`.execute(db)
}
