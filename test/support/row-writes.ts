import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'

/**
 * A mark in the history of the database, to count what is written after it. Row versions carry the transaction that wrote them, which is exact;
 * the server's own counters arrive seconds later.
 */
export async function markWrites(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ mark: number }>`select pg_current_xact_id()::text::bigint as mark`.execute(db)
  return Number(rows[0]?.mark)
}

/** Rows of the two large tables that were inserted or updated since the mark. */
export async function countWritesSince(db: Kysely<Database>, mark: number): Promise<number> {
  const { rows } = await sql<{ writes: number }>`
    select ((select count(*) from indicators where xmin::text::bigint > ${mark}) + (select count(*) from indicator_sources where xmin::text::bigint > ${mark}))::int as writes`.execute(
    db,
  )
  return Number(rows[0]?.writes)
}
