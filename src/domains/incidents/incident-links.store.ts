import { sql } from 'kysely'
import type { IndicatorType } from '#domains/indicators/indicators.model.ts'
import type { Db } from '#platform/database/database.ts'
import type { IncidentBrief } from './incidents.model.ts'

/** An IOC that an incident is about. */
export type LinkedIndicator = { id: string; type: IndicatorType; value: string; severity: string; linked_at: Date }
/** A CVE that an incident is about; null where it has been withdrawn since. */
export type LinkedCve = { id: string; priority: string | null; score: number | null; description: string | null; linked_at: Date }
/** An alert that an incident was opened from. */
export type LinkedAlert = { id: string; cve_id: string; priority: string; title: string; created_at: Date; acknowledged_at: Date | null }
/** An incident with what it shares. */
export type RelatedIncident = IncidentBrief & { shared: string[]; shared_count: number }

/** What an incident that somebody looks at shares with another one is named up to here. Assumption: enough to decide. */
const SHARED_SHOWN = 5

/** Links indicators that are not linked yet. @returns those */
export async function linkIndicators(db: Db, incidentId: string, ids: readonly string[], at: Date): Promise<string[]> {
  const { rows } = await sql<{ indicator_id: string }>`
    insert into incident_indicators (incident_id, indicator_id, linked_at)
    select ${incidentId}, id, ${at} from unnest(${ids}::uuid[]) id
    on conflict do nothing returning indicator_id`.execute(db)
  return rows.map(({ indicator_id }) => indicator_id)
}

/** Links CVEs that are not linked yet. @returns those */
export async function linkCves(db: Db, incidentId: string, ids: readonly string[], at: Date): Promise<string[]> {
  const { rows } = await sql<{ cve_id: string }>`
    insert into incident_cves (incident_id, cve_id, linked_at)
    select ${incidentId}, id, ${at} from unnest(${ids}::text[]) id
    on conflict do nothing returning cve_id`.execute(db)
  return rows.map(({ cve_id }) => cve_id)
}

export async function linkAlerts(db: Db, incidentId: string, ids: readonly string[]): Promise<void> {
  await sql`insert into incident_alerts (incident_id, alert_id) select ${incidentId}, id from unnest(${ids}::uuid[]) id`.execute(db)
}

/** @returns the value of the indicator that was linked; undefined when it was not */
export async function unlinkIndicator(db: Db, incidentId: string, indicatorId: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string | null }>`
    delete from incident_indicators where incident_id = ${incidentId} and indicator_id = ${indicatorId}
    returning (select value from indicators where id = ${indicatorId}) as value`.execute(db)
  return rows.length === 0 ? undefined : (rows[0]?.value ?? indicatorId)
}

/** @returns whether it was linked */
export async function unlinkCve(db: Db, incidentId: string, cveId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from incident_cves where incident_id = ${incidentId} and cve_id = ${cveId} returning cve_id`.execute(db)
  return rows.length > 0
}

/** How many CVEs and indicators hang on an incident. */
export async function countLinks(db: Db, incidentId: string): Promise<{ cves: number; indicators: number }> {
  const { rows } = await sql<{ cves: number; indicators: number }>`
    select (select count(*)::int from incident_cves where incident_id = ${incidentId}) as cves,
      (select count(*)::int from incident_indicators where incident_id = ${incidentId}) as indicators`.execute(db)
  return rows[0] ?? { cves: 0, indicators: 0 }
}

/** The indicators of an incident, in the order of their linking. */
export async function listLinkedIndicators(db: Db, incidentId: string, limit: number): Promise<LinkedIndicator[]> {
  const { rows } = await sql<LinkedIndicator>`
    select known.id, known.type, known.value, known.severity, link.linked_at
    from incident_indicators link join indicators known on known.id = link.indicator_id
    where link.incident_id = ${incidentId} order by link.linked_at, known.id limit ${limit}`.execute(db)
  return rows
}

/** The CVEs of an incident, in the order of their linking. */
export async function listLinkedCves(db: Db, incidentId: string, limit: number): Promise<LinkedCve[]> {
  const { rows } = await sql<LinkedCve>`
    select link.cve_id as id, cves.priority, cves.score, cves.description, link.linked_at
    from incident_cves link left join cves on cves.id = link.cve_id
    where link.incident_id = ${incidentId} order by link.linked_at, link.cve_id limit ${limit}`.execute(db)
  return rows
}

/** The alerts that an incident was opened from. */
export async function listLinkedAlerts(db: Db, incidentId: string, limit: number): Promise<LinkedAlert[]> {
  const { rows } = await sql<LinkedAlert>`
    select alerts.id, alerts.cve_id, alerts.priority, alerts.title, alerts.created_at, alerts.acknowledged_at
    from incident_alerts link join alerts on alerts.id = link.alert_id
    where link.incident_id = ${incidentId} order by alerts.id limit ${limit}`.execute(db)
  return rows
}

/** Incidents that are about any of these CVEs and indicators (an excluded indicator relates nothing): open ones first, then those that share most, then the newest. */
export async function listRelated(
  db: Db,
  { cveIds, indicatorIds, except }: { cveIds: readonly string[]; indicatorIds: readonly string[]; except: string | undefined },
  { limit, asOf }: { limit: number; asOf: Date },
): Promise<RelatedIncident[]> {
  const { rows } = await sql<RelatedIncident>`
    with shared as (
      select incident_id, cve_id as name from incident_cves where cve_id = any(${cveIds}::text[])
      union all
      select link.incident_id, known.value from incident_indicators link join indicators known on known.id = link.indicator_id
      where link.indicator_id = any(${indicatorIds}::uuid[]) and not is_excluded(known.excluded_until, ${asOf})
    ), counted as (
      select incident_id, count(*)::int as shared_count, (array_agg(name order by name))[1:${sql.lit(SHARED_SHOWN)}] as shared
      from shared where ${except === undefined ? sql`true` : sql`incident_id <> ${except}`} group by incident_id
    )
    select incidents.id, incidents.title, incidents.status, incidents.severity, incidents.level, incidents.created_at, shared, shared_count
    from counted join incidents on incidents.id = counted.incident_id
    order by incidents.status = 'CLOSED', shared_count desc, incidents.id desc limit ${limit}`.execute(db)
  return rows
}

/** The CVEs and indicators of an incident, by their ids. */
export async function findLinkIds(db: Db, incidentId: string, limit: number): Promise<{ cveIds: string[]; indicatorIds: string[] }> {
  const { rows } = await sql<{ cveIds: string[]; indicatorIds: string[] }>`
    select array(select cve_id from incident_cves where incident_id = ${incidentId} limit ${limit}) as "cveIds",
      array(select indicator_id::text from incident_indicators where incident_id = ${incidentId} limit ${limit}) as "indicatorIds"`.execute(
    db,
  )
  return rows[0] ?? { cveIds: [], indicatorIds: [] }
}

/** The newest incidents about a CVE. */
export async function listIncidentsOfCve(db: Db, cveId: string, limit: number): Promise<IncidentBrief[]> {
  const { rows } = await sql<IncidentBrief>`
    select incidents.id, title, status, severity, level, created_at
    from incident_cves link join incidents on incidents.id = link.incident_id
    where link.cve_id = ${cveId} order by link.incident_id desc limit ${limit}`.execute(db)
  return rows
}
