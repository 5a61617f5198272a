import { type Selectable, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { CveSyncs } from '#platform/database/schema.ts'
import type { CveSourceName } from './scores.store.ts'

export type SyncRow = Selectable<CveSyncs>
/** The window that is being read. */
export type Walk = { from: Date; to: Date; index: number; total: number | undefined; readAt: Date | undefined }

/** Notes that a round begins. */
export async function beginSync(db: Db, source: CveSourceName, at: Date): Promise<SyncRow> {
  return await db
    .insertInto('cve_syncs')
    .values({ source, started_at: at })
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ started_at: at, error: null }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Notes how a round has ended. @param end.error undefined when it ended well */
export async function endSync(
  db: Db,
  source: CveSourceName,
  end: { at: Date; error: string | undefined; etag?: string; lastModified?: string },
): Promise<void> {
  if (end.error !== undefined) {
    await db.updateTable('cve_syncs').set({ error: end.error }).where('source', '=', source).execute()
    return
  }
  await db
    .updateTable('cve_syncs')
    .set({ error: null, succeeded_at: end.at, is_baselined: true, etag: end.etag ?? null, last_modified: end.lastModified ?? null })
    .where('source', '=', source)
    .execute()
}

/** Notes how far NVD was read, in the transaction that stores what was read. */
export async function saveWalk(db: Db, walk: Walk, records: number): Promise<void> {
  await sql`
    update cve_syncs set window_from = ${walk.from}, window_to = ${walk.to}, window_index = ${walk.index}, window_total = ${walk.total ?? null},
      window_read_at = ${walk.readAt ?? null}, walk_records = walk_records + ${records}
    where source = 'NVD'`.execute(db)
}

/** Notes that a window was read to its end. */
export async function saveCheckpoint(db: Db, checkpoint: Date, records: number): Promise<void> {
  await db
    .updateTable('cve_syncs')
    .set(({ eb }) => ({
      checkpoint,
      window_from: null,
      window_to: null,
      window_index: null,
      window_total: null,
      window_read_at: null,
      walk_records: eb('walk_records', '+', records),
    }))
    .where('source', '=', 'NVD')
    .execute()
}

/** Forgets a first walk that found nothing. */
export async function forgetWalk(db: Db): Promise<void> {
  await db
    .updateTable('cve_syncs')
    .set({
      checkpoint: null,
      window_from: null,
      window_to: null,
      window_index: null,
      window_total: null,
      window_read_at: null,
      walk_records: 0,
    })
    .where('source', '=', 'NVD')
    .execute()
}

export async function listSyncs(db: Db): Promise<SyncRow[]> {
  return await db.selectFrom('cve_syncs').selectAll().execute()
}

/**
 * Takes the next moment at which a host may be asked, for whichever process is first. By the database's clock, which all share, unless another
 * is given. @returns how long to wait for it, milliseconds
 */
export async function takeRequestSlot(db: Db, host: string, { gapMs, at }: { gapMs: number; at: Date | undefined }): Promise<number> {
  const now = at === undefined ? sql`clock_timestamp()` : sql`${at}::timestamptz`
  const { rows } = await sql<{ wait_ms: number }>`
    insert into cve_request_slots as slot (host, free_at) values (${host}, ${now} + ${gapMs} * interval '1 ms')
    on conflict (host) do update set free_at = greatest(slot.free_at, ${now}) + ${gapMs} * interval '1 ms'
    returning ceil(extract(epoch from slot.free_at - ${gapMs} * interval '1 ms' - ${now}) * 1000)::int as wait_ms`.execute(db)
  return Math.max(0, rows[0]?.wait_ms ?? gapMs)
}

/** A request has ended: the next one comes no sooner than the gap after this. */
export async function freeRequestSlot(db: Db, host: string, { gapMs, at }: { gapMs: number; at: Date | undefined }): Promise<void> {
  const now = at === undefined ? sql`clock_timestamp()` : sql`${at}::timestamptz`
  await sql`update cve_request_slots set free_at = greatest(free_at, ${now} + ${gapMs} * interval '1 ms') where host = ${host}`.execute(db)
}

/** Entries of KEV whose CVE NVD has not described: it is not stored, or has no fingerprint of a record. */
export async function listKevWithoutCve(db: Db): Promise<string[]> {
  const { rows } = await sql<{ cve_id: string }>`
    select kev.cve_id from kev_entries kev where not exists (select from cves where cves.id = kev.cve_id and cves.digest <> '') order by kev.cve_id desc`.execute(
    db,
  )
  return rows.map((row) => row.cve_id)
}

/** How many CVEs there are, not more than `limit`. */
export async function countCvesUpTo(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (select from cves limit ${limit}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** CVEs, newest first; only those without an EPSS score unless all are meant. */
export async function listForEpss(db: Db, { all, limit }: { all: boolean; limit: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from cves where ${all}::boolean or not exists (select from epss_scores where epss_scores.cve_id = cves.id)
    order by published desc, id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
