import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { openCopy, type Staging } from '#platform/database/copy.ts'
import type { Db } from '#platform/database/database.ts'
import { STAGING_SETTINGS } from '#platform/database/staging-settings.ts'
import type { KevStub } from './kev-stub.ts'
import type { KevEntry } from './sources/read-kev.ts'

/** Makes the temporary tables in which changes of scores are gathered; they die with the session. */
export async function openScoreSession(client: PoolClient): Promise<void> {
  await client.query(`${STAGING_SETTINGS}
    create temp table touched (cve_id text collate "C" not null, reason text not null, was_kev boolean);
    create temp table staged_epss (cve_id text collate "C" not null, probability double precision not null, percentile double precision not null)`)
}

/** Opens a stream of EPSS lines into the session's staging table. */
export function openEpssStaging(client: PoolClient): Staging {
  return openCopy(client, 'copy staged_epss from stdin')
}

export type KevCounts = { added: number; changed: number; removed: number; stored: number }

/**
 * Brings the stored catalogue in line with a whole one, and remembers whose score it touches. Writes only what differs.
 * @returns `stored` entries before
 */
export async function applyKev(db: Db, entries: readonly KevEntry[]): Promise<KevCounts> {
  const { rows } = await sql<KevCounts>`
    with given as (
      select "cveId" as cve_id, "vendorProject" as vendor_project, product, name, "dateAdded" as date_added, "dueDate" as due_date,
        "requiredAction" as required_action, ransomware
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (
        "cveId" text, "vendorProject" text, product text, name text, "dateAdded" text, "dueDate" text, "requiredAction" text, ransomware boolean)
    ), compared as (
      select given.cve_id, known.cve_id is null as is_new, known.ransomware is distinct from given.ransomware as other_ransomware
      from given left join kev_entries known on known.cve_id = given.cve_id
      where known.cve_id is null
        or (known.vendor_project, known.product, known.name, known.date_added, known.due_date, known.required_action, known.ransomware)
          is distinct from (given.vendor_project, given.product, given.name, given.date_added, given.due_date, given.required_action, given.ransomware)
    ), gone as (
      delete from kev_entries known where not exists (select from given where given.cve_id = known.cve_id) returning cve_id
    ), written as (
      insert into kev_entries select given.* from given join compared on compared.cve_id = given.cve_id
      on conflict (cve_id) do update set vendor_project = excluded.vendor_project, product = excluded.product, name = excluded.name,
        date_added = excluded.date_added, due_date = excluded.due_date, required_action = excluded.required_action, ransomware = excluded.ransomware
    ), noted as (
      insert into touched (cve_id, reason, was_kev)
      select cve_id, case when is_new then 'kev_added' else 'ransomware' end, not is_new from compared where is_new or other_ransomware
      union all select cve_id, 'kev_removed', true from gone
    )
    select (select count(*)::int from compared where is_new) as added, (select count(*)::int from compared where not is_new) as changed,
      (select count(*)::int from gone) as removed, (select count(*)::int from kev_entries) as stored`.execute(db)
  return rows[0] ?? { added: 0, changed: 0, removed: 0, stored: 0 }
}

/** Entries of KEV whose CVE is not stored at all. */
export async function listUndescribed(db: Db): Promise<{ cve_id: string; name: string; date_added: string }[]> {
  const { rows } = await sql<{ cve_id: string; name: string; date_added: string }>`
    select cve_id, name, date_added from kev_entries kev where not exists (select from cves where cves.id = kev.cve_id) order by cve_id`.execute(
    db,
  )
  return rows
}

/** Stores what stands for CVEs that KEV names, with its score. Its fingerprint is that of no record, so that NVD's takes its place. */
export async function insertKevStubs(db: Db, stubs: readonly KevStub[], status: string): Promise<void> {
  await sql`
    insert into cves (id, status, published, last_modified, description, tags, cwes, exploit, reference_list, configurations, affected, words, digest, score, priority)
    select id, ${status}, published, last_modified, description, '{}', '{}', false, '[]', '[]', '[]', array_to_tsvector(words), '', score, cve_priority(score, true)
    from (
      select given.*, cve_score(null, epss.probability, epss.percentile, true, kev.ransomware, false) as score
      from jsonb_to_recordset(${JSON.stringify(stubs)}::jsonb) as given (id text, published timestamptz, last_modified timestamptz, description text, words text[])
      join kev_entries kev on kev.cve_id = given.id left join epss_scores epss on epss.cve_id = given.id
    ) scored
    on conflict (id) do nothing`.execute(db)
}

export type EpssCounts = { rows: number; changed: number; removed: number }

/**
 * Takes over the staged scores, and remembers whose changed. Writes only what differs.
 * @param given.isWholeDay a CVE that is not in the file has no score any more
 */
export async function applyEpss(db: Db, given: { reason: string; isWholeDay: boolean }): Promise<EpssCounts> {
  const { rows } = await sql<EpssCounts>`
    with once as (
      select distinct on (cve_id) cve_id, probability, percentile from staged_epss order by cve_id
    ), written as (
      insert into epss_scores as known
      select once.* from once left join epss_scores known on known.cve_id = once.cve_id
      where known.cve_id is null or known.probability <> once.probability or known.percentile <> once.percentile
      order by once.cve_id
      on conflict (cve_id) do update set probability = excluded.probability, percentile = excluded.percentile
      returning known.cve_id
    ), gone as (
      delete from epss_scores known where ${given.isWholeDay}::boolean and not exists (select from staged_epss where staged_epss.cve_id = known.cve_id)
      returning cve_id
    ), noted as (
      insert into touched (cve_id, reason) select cve_id, ${given.reason}::text from written union all select cve_id, ${given.reason}::text from gone
    )
    select (select count(*)::int from once) as rows, (select count(*)::int from written) as changed, (select count(*)::int from gone) as removed`.execute(
    db,
  )
  return rows[0] ?? { rows: 0, changed: 0, removed: 0 }
}

/** How many of the staged scores are known with another value, and how many of these moved by more than half. */
export async function compareStagedEpss(db: Db): Promise<{ compared: number; moved: number }> {
  const { rows } = await sql<{ compared: number; moved: number }>`
    select count(*)::int as compared, count(*) filter (where abs(staged.probability - known.probability) > known.probability / 2)::int as moved
    from staged_epss staged join epss_scores known on known.cve_id = staged.cve_id`.execute(db)
  return rows[0] ?? { compared: 0, moved: 0 }
}

/** Marks every CVE as touched. */
export async function touchAll(db: Db, reason: string): Promise<void> {
  await sql`insert into touched (cve_id, reason) select id, ${reason}::text from cves`.execute(db)
}

/**
 * Works out the score of every touched CVE again, writes those that changed, and notes each change of a priority with its reasons in order.
 * @returns how many scores changed, and how many priorities
 */
export async function rescoreTouched(db: Db, at: Date): Promise<{ scores: number; priorities: number }> {
  const { rows } = await sql<{ scores: number; priorities: number }>`
    with asked as (
      select cve_id, string_agg(distinct reason, ',' order by reason) as reason, bool_or(was_kev) as was_kev from touched group by cve_id
    ), scored as (
      select cves.id, cves.score as old_score, cves.priority as old_priority, asked.reason, kev.cve_id is not null as kev,
        coalesce(asked.was_kev, kev.cve_id is not null) as was_kev,
        cve_score(cves.cvss, epss.probability, epss.percentile, kev.cve_id is not null, coalesce(kev.ransomware, false), cves.exploit) as new_score
      from asked join cves on cves.id = asked.cve_id
      left join kev_entries kev on kev.cve_id = cves.id left join epss_scores epss on epss.cve_id = cves.id
    ), changed as (
      select *, cve_priority(new_score, kev) as new_priority from scored
      where old_score <> new_score or old_priority <> cve_priority(new_score, kev)
    ), written as (
      update cves set score = changed.new_score, priority = changed.new_priority from changed where cves.id = changed.id
    ), noted as (
      insert into cve_priority_history (cve_id, at, old_priority, new_priority, old_score, new_score, reason)
      select id, ${at}, old_priority, new_priority, old_score, new_score, reason || case when kev and new_score < 60 then '+floor_kev' else '' end
      from changed where old_priority <> new_priority or (was_kev and old_score < 60) <> (kev and new_score < 60)
      returning 1
    )
    select (select count(*)::int from changed) as scores, (select count(*)::int from noted) as priorities`.execute(db)
  return rows[0] ?? { scores: 0, priorities: 0 }
}

export type CveSourceName = 'NVD' | 'KEV' | 'EPSS'
export type SourceState = { source: CveSourceName; version: string | null; data_day: string | null; updated_at: Date }

/** What is held of a source; undefined before its first data. */
export async function findSource(db: Db, source: CveSourceName): Promise<SourceState | undefined> {
  return await db.selectFrom('cve_sources').selectAll().where('source', '=', source).executeTakeFirst()
}

export async function saveSource(db: Db, state: SourceState): Promise<void> {
  const { version, data_day, updated_at } = state
  await db
    .insertInto('cve_sources')
    .values(state)
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ version, data_day, updated_at }))
    .execute()
}
