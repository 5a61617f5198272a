import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** Where the collection of a cursor feed stands. `url` is the address, unfilled, that it belongs to. */
export type CursorEntry = { entry: string; feedId: string; url: string; cursor: Record<string, unknown>; at: Date }

/** The cursor that was kept for this address; a cursor of another address is none. */
export async function findCursor(db: Db, entry: string, url: string): Promise<Record<string, unknown> | undefined> {
  const row = await db.selectFrom('collector_state').select('cursor').where('entry', '=', entry).where('url', '=', url).executeTakeFirst()
  // The column holds what `saveCursor` wrote.
  return row?.cursor as Record<string, unknown> | undefined
}

export async function saveCursor(db: Db, { entry, feedId, url, cursor, at }: CursorEntry): Promise<void> {
  await sql`
    insert into collector_state (entry, feed_id, url, cursor, updated_at) values (${entry}, ${feedId}, ${url}, ${JSON.stringify(cursor)}, ${at})
    on conflict (entry) do update set url = excluded.url, cursor = excluded.cursor, updated_at = excluded.updated_at`.execute(db)
}

/** Forgets where the collection of a feed stands: the next one reads everything. */
export async function dropCursors(db: Db, feedId: string): Promise<void> {
  await db.deleteFrom('collector_state').where('feed_id', '=', feedId).execute()
}
