import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { IncidentBrief, IncidentSeverity, IncidentStep, Resolution, SocLevel } from './incidents.model.ts'

/** Above this a total is the planner's estimate. Source: docs/decisions/0006. */
const EXACT_TOTAL_ROWS = 10_000

/** An incident as it is read. */
export type IncidentRow = IncidentBrief & {
  description: string
  assignee_id: string | null
  assignee: string | null
  resolution: Resolution | null
  summary: string | null
  version: number
  event_count: number
  reopen_count: number
  opened_by: string
  acknowledged_at: Date | null
  closed_at: Date | null
  updated_at: Date
}
/** A row of the list, with how much hangs on it. */
export type IncidentListRow = IncidentRow & { cve_count: number; indicator_count: number }

/** The moments before which an open incident of a severity had to be opened to be late now. */
export type Lateness = { severity: IncidentSeverity; takeInBefore: Date; resolutionBefore: Date }
export type IncidentFilter = {
  statuses?: readonly IncidentStep[]
  severities?: readonly IncidentSeverity[]
  levels?: readonly SocLevel[]
  /** Null: those of nobody. */
  assigneeId?: string | null
  open?: boolean
  overdue?: readonly Lateness[]
  indicatorId?: string
  cveId?: string
}

const COLUMNS = sql`incidents.id, incidents.title, incidents.description, incidents.status, incidents.severity, incidents.level, incidents.assignee_id,
  (select username from users where users.id = incidents.assignee_id) as assignee, incidents.resolution, incidents.summary, incidents.version,
  incidents.event_count, incidents.reopen_count, incidents.opened_by, incidents.created_at, incidents.acknowledged_at, incidents.closed_at,
  incidents.updated_at`
const COUNTS = sql`
  (select count(*)::int from incident_cves link where link.incident_id = incidents.id) as cve_count,
  (select count(*)::int from incident_indicators link where link.incident_id = incidents.id) as indicator_count`

export type NewIncident = {
  id: string
  title: string
  description: string
  severity: IncidentSeverity
  assignee_id: string | null
  opened_by_id: string | null
  opened_by: string
  at: Date
}

/** Stores an incident that has just been opened; one with an assignee is taken in at once. */
export async function insertIncident(db: Db, { at, ...incident }: NewIncident): Promise<void> {
  await db
    .insertInto('incidents')
    .values({ ...incident, created_at: at, updated_at: at, acknowledged_at: incident.assignee_id === null ? null : at })
    .execute()
}

export async function findIncident(db: Db, id: string): Promise<IncidentListRow | undefined> {
  const { rows } = await sql<IncidentListRow>`select ${COLUMNS}, ${COUNTS} from incidents where id = ${id}`.execute(db)
  return rows[0]
}

/** How many rows the timeline of an incident has; undefined when there is no such incident. */
export async function findEventCount(db: Db, id: string): Promise<number | undefined> {
  return (await db.selectFrom('incidents').select('event_count').where('id', '=', id).executeTakeFirst())?.event_count
}

/** Incidents, held in the order of their ids until the transaction ends: whoever changes one waits for whoever changes it now. */
export async function lockIncidents(db: Db, ids: readonly string[]): Promise<IncidentRow[]> {
  const { rows } = await sql<IncidentRow>`
    select ${COLUMNS} from incidents where id = any(${ids}::uuid[]) order by id for no key update`.execute(db)
  return rows
}

/** What a change may set. */
export type IncidentFields = {
  title?: string
  severity?: IncidentSeverity
  status?: IncidentStep
  level?: SocLevel
  assignee_id?: string | null
  resolution?: Resolution | null
  summary?: string | null
  reopen_count?: number
  acknowledged_at?: Date
  closed_at?: Date | null
}

/** Writes a change of an incident that the transaction holds. */
export async function updateIncident(
  db: Db,
  id: string,
  { at, ...fields }: IncidentFields & { version: number; event_count: number; at: Date },
): Promise<void> {
  await db
    .updateTable('incidents')
    .set({ ...fields, updated_at: at })
    .where('id', '=', id)
    .execute()
}

/** Incidents, newest first, at most `limit` behind the id `after`. */
export async function pageIncidents(
  db: Db,
  filter: IncidentFilter,
  page: { after: string | undefined; limit: number },
): Promise<IncidentListRow[]> {
  const behind = page.after === undefined ? sql`true` : sql`incidents.id < ${page.after}`
  const { rows } = await sql<IncidentListRow>`
    select ${COLUMNS}, ${COUNTS} from incidents where ${conditions(filter)} and ${behind} order by incidents.id desc limit ${page.limit}`.execute(
    db,
  )
  return rows
}

/** How many incidents match: exact up to 10 000, the planner's estimate above. */
export async function countIncidents(db: Db, filter: IncidentFilter): Promise<{ total: number; exact: boolean }> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from incidents where ${conditions(filter)} limit ${EXACT_TOTAL_ROWS + 1}) found`.execute(
    db,
  )
  const count = rows[0]?.count ?? 0
  if (count <= EXACT_TOTAL_ROWS) return { total: count, exact: true }
  const { rows: plan } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json) select 1 from incidents where ${conditions(filter)}`.execute(db)
  return { total: Math.max(count, plan[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? count), exact: false }
}

/** Incidents that are not closed, by severity. */
export async function countOpenIncidents(db: Db): Promise<{ severity: IncidentSeverity; count: number }[]> {
  const { rows } = await sql<{ severity: IncidentSeverity; count: number }>`
    select severity, count(*)::int as count from incidents where status <> 'CLOSED' group by severity`.execute(db)
  return rows
}

function conditions({ statuses, severities, levels, assigneeId, open, overdue, indicatorId, cveId }: IncidentFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (statuses !== undefined) all.push(sql`incidents.status = any(${statuses}::text[])`)
  if (severities !== undefined) all.push(sql`incidents.severity = any(${severities}::text[])`)
  if (levels !== undefined) all.push(sql`incidents.level = any(${levels}::text[])`)
  if (assigneeId !== undefined)
    all.push(assigneeId === null ? sql`incidents.assignee_id is null` : sql`incidents.assignee_id = ${assigneeId}`)
  if (open !== undefined) all.push(open ? sql`incidents.status <> 'CLOSED'` : sql`incidents.status = 'CLOSED'`)
  if (overdue !== undefined) all.push(sql`incidents.status <> 'CLOSED' and (${sql.join(overdue.map(isLate), sql` or `)})`)
  if (indicatorId !== undefined)
    all.push(sql`incidents.id in (select incident_id from incident_indicators where indicator_id = ${indicatorId})`)
  if (cveId !== undefined) all.push(sql`incidents.id in (select incident_id from incident_cves where cve_id = ${cveId})`)
  return sql.join(all, sql` and `)
}

function isLate({ severity, takeInBefore, resolutionBefore }: Lateness): RawBuilder<unknown> {
  return sql`(incidents.severity = ${severity} and (incidents.created_at < ${resolutionBefore}
    or (incidents.acknowledged_at is null and incidents.created_at < ${takeInBefore})))`
}
