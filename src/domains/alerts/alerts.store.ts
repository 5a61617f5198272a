import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { AlertPriority, AlertSort, AlertState, NewAlert, Notification } from './alerts.model.ts'

/** Above this a total is the planner's estimate. Source: docs/decisions/0006. */
const EXACT_TOTAL_ROWS = 10_000

/** An alert as it is read. */
export type AlertRow = {
  id: string
  cve_id: string
  priority: AlertPriority
  score: number
  title: string
  created_at: Date
  notification: Notification
  attempts: number
  next_attempt_at: Date | null
  acknowledged_at: Date | null
  acknowledged_by: string | null
}
export type AlertFilter = {
  state?: AlertState
  priorities?: AlertPriority[]
  notification?: Notification
  cve_id?: string
  /** Whether the CVE is known to be exploited today. */
  kev?: boolean
  /** Raised at this moment or before. */
  raised_by?: Date
}
/** `URGENCY`: the highest priority first, and in it what has waited longest. */
export type AlertPlace = { sort: AlertSort; after: string | undefined; limit: number }

const COLUMNS = [
  'id',
  'cve_id',
  'priority',
  'score',
  'title',
  'created_at',
  'notification',
  'attempts',
  'next_attempt_at',
  'acknowledged_at',
  'acknowledged_by',
] as const

/** Raises alerts; a CVE that has an open one, and a crossing that was told before, raise nothing. @returns those that are new */
export async function insertAlerts(
  db: Db,
  alerts: readonly (NewAlert & { id: string })[],
  { at, notification }: { at: Date; notification: 'NONE' | 'PENDING' },
): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    insert into alerts (id, cve_id, generation, priority, score, title, created_at, notification, next_attempt_at)
    select id, "cveId", generation, priority, score, title, ${at}, ${notification}, case when ${notification} = 'PENDING' then ${at}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(alerts)}::jsonb)
      as given (id uuid, "cveId" text, generation int, priority text, score int, title text)
    order by id
    on conflict do nothing
    returning ${columns()}`.execute(db)
  return rows
}

/** Alerts in the given order, at most `limit` behind the one with the id `after`. */
export async function pageAlerts(db: Db, filter: AlertFilter, { sort, after, limit }: AlertPlace): Promise<AlertRow[]> {
  const { order, behind } = ORDERS[sort]
  const { rows } = await sql<AlertRow>`
    select ${columns()} from alerts where ${conditions(filter)} and ${after === undefined ? sql`true` : behind(after)}
    order by ${order} limit ${limit}`.execute(db)
  return rows
}

const ORDERS: Record<AlertSort, { order: RawBuilder<unknown>; behind: (id: string) => RawBuilder<unknown> }> = {
  NEWEST: { order: sql`id desc`, behind: (id) => sql`id < ${id}` },
  // Neither of the two ever changes, so the place stays good when the alert itself is acknowledged meanwhile.
  URGENCY: { order: sql`priority, id`, behind: (id) => sql`(priority, id) > (select priority, id from alerts where id = ${id})` },
}

/** How many alerts match: exact up to 10 000, the planner's estimate above. */
export async function countAlerts(db: Db, filter: AlertFilter): Promise<{ total: number; exact: boolean }> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from alerts where ${conditions(filter)} limit ${EXACT_TOTAL_ROWS + 1}) found`.execute(db)
  const count = rows[0]?.count ?? 0
  if (count <= EXACT_TOTAL_ROWS) return { total: count, exact: true }
  const { rows: plan } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json) select 1 from alerts where ${conditions(filter)}`.execute(db)
  return { total: Math.max(count, plan[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? count), exact: false }
}

export async function findAlert(db: Db, id: string): Promise<AlertRow | undefined> {
  return (await db.selectFrom('alerts').select(COLUMNS).where('id', '=', id).executeTakeFirst()) as AlertRow | undefined
}

/** Those of the alerts that are stored, in the order of their ids. */
export async function listNamedAlerts(db: Db, ids: readonly string[]): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`select ${columns()} from alerts where id = any(${ids}::uuid[]) order by id`.execute(db)
  return rows
}

/** The open alert of a CVE, else its newest. */
export async function findAlertOfCve(db: Db, cveId: string): Promise<AlertRow | undefined> {
  const { rows } = await sql<AlertRow>`
    select ${columns()} from alerts where cve_id = ${cveId} order by acknowledged_at is null desc, generation desc limit 1`.execute(db)
  return rows[0]
}

/** Acknowledges those of the alerts that are open. In the order of their ids, so that two who acknowledge the same ones wait instead of blocking. */
export async function acknowledgeAlerts(
  db: Db,
  ids: readonly string[],
  { at, byId, by }: { at: Date; byId: string | null; by: string },
): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    update alerts set acknowledged_at = ${at}, acknowledged_by_id = ${byId}, acknowledged_by = ${by}
    where id in (select id from alerts where id = any(${ids}::uuid[]) and acknowledged_at is null order by id for update)
    returning ${columns()}`.execute(db)
  return rows
}

/** The open alerts of these CVEs. */
export async function listOpenAlertIds(db: Db, cveIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from alerts where cve_id = any(${cveIds}::text[]) and acknowledged_at is null order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Open alerts by priority. */
export async function countOpenAlerts(db: Db): Promise<{ priority: AlertPriority; count: number }[]> {
  const { rows } = await sql<{ priority: AlertPriority; count: number }>`
    select priority, count(*)::int as count from alerts where acknowledged_at is null group by priority`.execute(db)
  return rows
}

function columns(): RawBuilder<unknown> {
  return sql.join(COLUMNS.map((column) => sql.ref(`alerts.${column}`)))
}

function conditions({ state, priorities, notification, cve_id, kev, raised_by }: AlertFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (state === 'OPEN') all.push(sql`acknowledged_at is null`)
  if (state === 'ACKNOWLEDGED') all.push(sql`acknowledged_at is not null`)
  if (priorities !== undefined && priorities.length > 0) all.push(sql`priority = any(${priorities}::text[])`)
  if (notification !== undefined) all.push(sql`notification = ${notification}`)
  if (cve_id !== undefined) all.push(sql`cve_id = ${cve_id}`)
  if (kev !== undefined) all.push(sql`is_known_exploited(cve_id) = ${kev}`)
  if (raised_by !== undefined) all.push(sql`created_at <= ${raised_by}`)
  return sql.join(all, sql` and `)
}
