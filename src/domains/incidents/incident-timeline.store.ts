import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Resolution, TimelineEntry, TimelineKind } from './incidents.model.ts'

/** A row that is to be added. */
export type NewEntry = {
  kind: TimelineKind
  from?: string | null
  to?: string | null
  indicator_id?: string
  resolution?: Resolution
  note?: string | null
}

const COLUMNS = sql`seq, version, at, kind, actor_name as actor, from_value as "from", to_value as "to", indicator_id, resolution, note`

/** Adds rows behind the last one of an incident that the transaction holds. One statement. */
export async function insertEntries(
  db: Db,
  entries: readonly NewEntry[],
  of: { incidentId: string; lastSeq: number; version: number; at: Date; actorId: string | null; actorName: string },
): Promise<void> {
  await sql`
    insert into incident_events (incident_id, seq, version, at, kind, actor_id, actor_name, from_value, to_value, indicator_id, resolution, note)
    select ${of.incidentId}, ${of.lastSeq}::int + entry.n, ${of.version}, ${of.at}, entry.kind, ${of.actorId}, ${of.actorName},
      entry."from", entry."to", entry.indicator_id, entry.resolution, entry.note
    from rows from (jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as (kind text, "from" text, "to" text, indicator_id uuid, resolution text, note text))
      with ordinality as entry (kind, "from", "to", indicator_id, resolution, note, n)`.execute(db)
}

/** The timeline, oldest first, at most `limit` rows behind the row `after`. */
export async function pageEntries(
  db: Db,
  incidentId: string,
  { after, limit }: { after: number; limit: number },
): Promise<TimelineEntry[]> {
  const { rows } = await sql<TimelineEntry>`
    select ${COLUMNS} from incident_events where incident_id = ${incidentId} and seq > ${after} order by seq limit ${limit}`.execute(db)
  return rows
}

/** What happened since an incident had this version, oldest first. */
export async function listEntriesSince(db: Db, incidentId: string, version: number, limit: number): Promise<TimelineEntry[]> {
  const { rows } = await sql<TimelineEntry>`
    select ${COLUMNS} from incident_events where incident_id = ${incidentId} and version > ${version} order by seq limit ${limit}`.execute(
    db,
  )
  return rows
}
