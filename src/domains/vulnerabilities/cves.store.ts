import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { AffectedProduct } from './applicability/cna-affected.ts'
import type { Configuration } from './applicability/configurations.ts'
import { searchWords } from './search-words.ts'
import type { CveReference, Priority, Ssvc } from './vulnerabilities.model.ts'

/** Above this a total is the planner's estimate. Source: docs/decisions/0006. */
const EXACT_TOTAL_ROWS = 10_000

/** Conditions of the CVE list, already checked. */
export type CveFilter = {
  /** Found in the identifier or the description, as it stands. */
  q?: string
  priorities?: Priority[]
  kev?: boolean
  exploit?: boolean
}
/** The place in the list behind which a page begins. */
export type CvePlace = { score: number; id: string }

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

const COLUMNS = sql`cves.id, cves.status, cves.description, cves.published, cves.last_modified, cves.cvss, cves.cvss_version, cves.exploit, cves.score, cves.priority,
  epss.probability as epss, epss.percentile as epss_percentile, kev.cve_id is not null as kev, coalesce(kev.ransomware, false) as ransomware, kev.due_date as kev_due_date`
const JOINS = sql`left join kev_entries kev on kev.cve_id = cves.id left join epss_scores epss on epss.cve_id = cves.id`

/** CVEs, highest score first, at most `limit` behind the place. One statement, by index. */
export async function pageCves(db: Db, filter: CveFilter, page: { after: CvePlace | undefined; limit: number }): Promise<CveRow[]> {
  const { after, limit } = page
  const behind = after === undefined ? sql`` : sql`and (cves.score, cves.id) < (${after.score}, ${after.id})`
  const { rows } = await sql<CveRow>`
    select ${COLUMNS} from cves ${JOINS}
    where ${conditions(filter)} ${behind}
    order by cves.score desc, cves.id desc limit ${limit}`.execute(db)
  return rows
}

/** How many CVEs match: exact up to 10 000, the planner's estimate above. */
export async function countCves(db: Db, filter: CveFilter): Promise<{ total: number; exact: boolean }> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from cves where ${conditions(filter)} limit ${EXACT_TOTAL_ROWS + 1}) found`.execute(db)
  const count = rows[0]?.count ?? 0
  if (count <= EXACT_TOTAL_ROWS) return { total: count, exact: true }
  const { rows: plan } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json) select 1 from cves where ${conditions(filter)}`.execute(db)
  return { total: Math.max(count, plan[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? count), exact: false }
}

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
    select ${COLUMNS}, cves.tags, cves.cwes, cves.cvss_vector, cves.cvss_source, cves.ssvc, cves.reference_list as references, cves.configurations,
      cves.affected, kev.name as kev_name, kev.date_added as kev_date_added, kev.required_action as kev_required_action,
      source.data_day as epss_day, source.version as epss_model
    from cves ${JOINS} left join cve_sources source on source.source = 'EPSS'
    where cves.id = ${id}`.execute(db)
  return rows[0]
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

function conditions({ q, priorities, kev, exploit }: CveFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (q !== undefined) all.push(textCondition(q))
  if (priorities !== undefined && priorities.length > 0) all.push(sql`cves.priority = any(${priorities}::text[])`)
  if (kev !== undefined) all.push(sql`${kev ? sql`` : sql`not`} exists (select from kev_entries entry where entry.cve_id = cves.id)`)
  if (exploit !== undefined) all.push(sql`cves.exploit = ${exploit}`)
  return sql.join(all, sql` and `)
}

/** The beginning of an identifier is looked up by its index; other text by its words, and then as it stands. */
function textCondition(q: string): RawBuilder<unknown> {
  const text = q.toLowerCase()
  const number = /^(?:cve-)?(\d{4}-\d*)$/.exec(text)?.[1]
  if (number !== undefined) return sql`cves.id >= ${`CVE-${number}`} and cves.id < ${`CVE-${number}~`}`
  const words = searchWords(q)
  const asItStands = sql`strpos(lower(cves.description), ${text}) > 0`
  if (words.length === 0) return asItStands
  const last = words.length - 1
  const query = words.map((word, at) => (at === last ? `'${word}':*` : `'${word}'`)).join(' & ')
  return sql`cves.words @@ ${query}::tsquery and ${asItStands}`
}
