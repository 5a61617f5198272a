import { sql } from 'kysely'
import type { CveFacts } from '#domains/alerts/alerts.model.ts'
import type { Db } from '#platform/database/database.ts'
import type { AffectedProduct } from './applicability/cna-affected.ts'
import type { Configuration } from './applicability/configurations.ts'
import type { CveReference, Priority, Ssvc } from './vulnerabilities.model.ts'

/** A CVE as lists show it. */
export type CveRow = {
  id: string
  status: string
  description: string
  published: Date
  last_modified: Date
  cvss: number | null
  cvss_version: string | null
  exploit: boolean
  score: number
  priority: Priority
  epss: number | null
  epss_percentile: number | null
  kev: boolean
  ransomware: boolean
  kev_due_date: string | null
}

/** What lists show of a CVE, and what it is joined with for that. */
export const CVE_COLUMNS = sql`cves.id, cves.status, cves.description, cves.published, cves.last_modified, cves.cvss, cves.cvss_version, cves.exploit, cves.score, cves.priority,
  epss.probability as epss, epss.percentile as epss_percentile, kev.cve_id is not null as kev, coalesce(kev.ransomware, false) as ransomware, kev.due_date as kev_due_date`
export const CVE_JOINS = sql`left join kev_entries kev on kev.cve_id = cves.id left join epss_scores epss on epss.cve_id = cves.id`

/** A CVE with everything that is known of it. */
export type CveDetailRow = CveRow & {
  tags: string[]
  cwes: string[]
  cvss_vector: string | null
  cvss_source: string | null
  ssvc: Ssvc | null
  references: CveReference[]
  configurations: Configuration[]
  affected: AffectedProduct[]
  kev_name: string | null
  kev_date_added: string | null
  kev_required_action: string | null
  epss_day: string | null
  epss_model: string | null
}

export async function findCve(db: Db, id: string): Promise<CveDetailRow | undefined> {
  const { rows } = await sql<CveDetailRow>`
    select ${CVE_COLUMNS}, cves.tags, cves.cwes, cves.cvss_vector, cves.cvss_source, cves.ssvc, cves.reference_list::json as references,
      cves.configurations::json, cves.affected::json, kev.name as kev_name, kev.date_added as kev_date_added, kev.required_action as kev_required_action,
      source.data_day as epss_day, source.version as epss_model
    from cves ${CVE_JOINS} left join cve_sources source on source.source = 'EPSS'
    where cves.id = ${id}`.execute(db)
  return rows[0]
}

/** Those of the CVEs that are stored, in their order. */
export async function listKnownCves(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from cves where id = any(${ids}::text[]) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** What is told of CVEs beside their alerts; those that are not stored are left out. */
export async function listCveFacts(db: Db, ids: readonly string[]): Promise<(CveFacts & { id: string })[]> {
  const { rows } = await sql<CveFacts & { id: string }>`
    select cves.id, cves.exploit, epss.probability as epss, epss.percentile as epss_percentile, kev.cve_id is not null as kev,
      coalesce(kev.ransomware, false) as ransomware, kev.due_date as kev_due_date
    from cves ${CVE_JOINS} where cves.id = any(${ids}::text[])`.execute(db)
  return rows
}

export type HistoryRow = { at: Date; old_priority: Priority; new_priority: Priority; old_score: number; new_score: number; reason: string }

/** Changes of a CVE's priority, newest first. */
export async function listPriorityHistory(db: Db, id: string): Promise<HistoryRow[]> {
  return await db
    .selectFrom('cve_priority_history')
    .select(['at', 'old_priority', 'new_priority', 'old_score', 'new_score', 'reason'])
    .where('cve_id', '=', id)
    .orderBy('id', 'desc')
    .limit(500)
    .execute()
}
