import { sql } from 'kysely'
import type { IndicatorType } from '#domains/indicators/indicators.model.ts'
import { DomainError } from '#kernel/errors.ts'
import { violatedConstraint } from '#platform/database/constraint.ts'
import type { Db } from '#platform/database/database.ts'
import { BULK_TIMEOUT_MS } from '#platform/database/staging-settings.ts'
import type { Entry, Skipped, WarningListType } from './warning-lists.model.ts'

/** A list without its entries. */
export type WarningListRow = {
  id: string
  name: string
  description: string | null
  type: WarningListType
  list_version: number | null
  applies_to: IndicatorType[]
  entry_count: number
  skipped: Skipped[]
  revision: number
  imported_at: Date
}
export type ListFields = Omit<WarningListRow, 'id' | 'revision' | 'imported_at'> & { digest: string; at: Date }

const COLUMNS = [
  'id',
  'name',
  'description',
  'type',
  'list_version',
  'applies_to',
  'entry_count',
  'skipped',
  'revision',
  'imported_at',
] as const

/** Rows of one INSERT. Assumption: about a megabyte. */
const INSERT_ROWS = 20_000

/** Every list, by name. */
export async function listWarningLists(db: Db): Promise<WarningListRow[]> {
  const { rows } = await sql<WarningListRow>`
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))} from warning_lists order by lower(name)`.execute(db)
  return rows
}

export async function findWarningList(db: Db, id: string): Promise<WarningListRow | undefined> {
  // The JSON column and the closed arrays hold what `writeWarningList` wrote.
  return (await db.selectFrom('warning_lists').select(COLUMNS).where('id', '=', id).executeTakeFirst()) as WarningListRow | undefined
}

/** The list of this name, ignoring case, held against other imports of it until the transaction ends. */
export async function lockByName(db: Db, name: string): Promise<{ id: string; digest: string } | undefined> {
  const { rows } = await sql<{ id: string; digest: string }>`
    select id, digest from warning_lists where lower(name) = lower(${name}) for update`.execute(db)
  return rows[0]
}

/** Entries of a list in their own order, at most `limit`. */
export async function listEntries(db: Db, listId: string, limit: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select kind, entry from warning_list_entries where list_id = ${listId} order by entry, kind limit ${limit}`.execute(db)
  return rows
}

export async function countWarningLists(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from warning_lists`.execute(db)
  return rows[0]?.count ?? 0
}

/** Adds a list, or replaces the fields of the one with this id. @throws conflict when another import adds the same name at this moment */
export async function writeWarningList(db: Db, id: string, { at, skipped, ...fields }: ListFields): Promise<void> {
  const row = { ...fields, skipped: JSON.stringify(skipped), imported_at: at }
  try {
    await db
      .insertInto('warning_lists')
      .values({ id, ...row })
      .onConflict((on) => on.column('id').doUpdateSet((given) => ({ ...row, revision: sql`${given.ref('warning_lists.revision')} + 1` })))
      .execute()
  } catch (error) {
    if (violatedConstraint(error) !== 'warning_lists_name_unique') throw error
    throw new DomainError('conflict', `The list "${fields.name}" is being imported by somebody else at this moment.`)
  }
}

/** Puts these entries in the place of whatever the list named before. */
export async function replaceEntries(db: Db, listId: string, entries: readonly Entry[]): Promise<void> {
  await removeEntries(db, listId)
  for (let from = 0; from < entries.length; from += INSERT_ROWS) {
    const rows = entries.slice(from, from + INSERT_ROWS)
    await sql`
      insert into warning_list_entries (list_id, kind, entry, network)
      select ${listId}::uuid, kind, entry, case when kind = 'NETWORK' then entry::inet end
      from unnest(${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ entry }) => entry)}::text[]) given (kind, entry)`.execute(db)
  }
  await sql`
    insert into warning_list_lengths (list_id, family, length)
    select distinct list_id, family(network), masklen(network) from warning_list_entries where list_id = ${listId} and network is not null`.execute(
    db,
  )
}

/** Removes what a list names. */
export async function removeEntries(db: Db, listId: string): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(BULK_TIMEOUT_MS)}`.execute(db)
  await sql`delete from warning_list_lengths where list_id = ${listId}`.execute(db)
  await sql`delete from warning_list_entries where list_id = ${listId}`.execute(db)
}

/** @returns false when it is gone */
export async function deleteWarningList(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('warning_lists').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}
