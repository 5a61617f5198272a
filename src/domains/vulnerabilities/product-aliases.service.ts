import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { OwnAlias } from './applicability/own-aliases.ts'
import { wordsOf } from './applicability/product-match.ts'
import { deleteProductAlias, insertProductAlias, listProductAliases, type ProductAliasRow } from './product-aliases.store.ts'

export type ProductAliasesService = {
  list(): Promise<ProductAliasRow[]>
  /** @throws validation_failed for a name without letters and digits, duplicate_name, conflict when there are too many */
  add(actor: Actor, alias: OwnAlias): Promise<ProductAliasRow>
  /** @throws not_found */
  remove(actor: Actor, id: string): Promise<void>
}

/** Every verdict reads them all. Assumption: an organisation has a few dozen. */
const MAX_ALIASES = 1000

/** Names that an organisation uses for products; they count from the next verdict on. */
export function createProductAliasesService({
  db,
  log,
  clock,
  audit,
}: {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
}): ProductAliasesService {
  return {
    list: async () => await listProductAliases(db, MAX_ALIASES),

    async add(actor, given) {
      const alias = {
        id: newId(),
        vendor: toName('vendor', given.vendor),
        product: toName('product', given.product),
        name: toName('name', given.name),
        created_at: clock(),
        created_by: actor.name,
      }
      if ((await listProductAliases(db, MAX_ALIASES)).length === MAX_ALIASES)
        throw new DomainError('conflict', `There are ${MAX_ALIASES} names already. Remove one that nobody uses.`)
      await transact(db, log, async (tx) => {
        await insertProductAlias(tx.db, alias)
        await audit.record(tx, actor, { action: 'product_alias.added', target: { type: 'product_alias', id: alias.id, name: alias.name } })
      })
      return alias
    },

    async remove(actor, id) {
      await transact(db, log, async (tx) => {
        const alias = await deleteProductAlias(tx.db, id)
        if (alias === undefined) throw new DomainError('not_found', 'There is no such name of a product.')
        await audit.record(tx, actor, { action: 'product_alias.removed', target: { type: 'product_alias', id, name: alias.name } })
      })
    },
  }
}

function toName(field: string, given: string): string {
  const name = given.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  if (name.includes('\0') || wordsOf(name).length === 0) throw refuseField(field, 'Give a name with a letter or a digit.')
  return name
}
