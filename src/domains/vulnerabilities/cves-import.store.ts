import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { openCopy, type Staging } from '#platform/database/copy.ts'
import type { Db } from '#platform/database/database.ts'
import { STAGING_SETTINGS } from '#platform/database/staging-settings.ts'
import { type KeyedProduct, STAGED_COLUMNS } from './sources/staged-record.ts'

/** What a batch did. `unchanged` were known as they are, or newer; `removed` are the identifiers of those that were withdrawn. */
export type MergeCounts = { created: number; updated: number; unchanged: number; removed: string[] }

/**
 * Makes the temporary tables of an import; they empty themselves with each committed batch and die with the session. Long texts are compressed as
 * they come, and go into the table of CVEs as they are.
 */
export async function openImportSession(client: PoolClient): Promise<void> {
  await client.query(`${STAGING_SETTINGS}
    create temp table staged (id text collate "C" not null, last_modified timestamptz(3) not null, text_digest text, digest text, status text,
      published timestamptz(3), description text, tags text[], cwes text[], cvss double precision, cvss_version text, cvss_vector text, cvss_source text,
      ssvc jsonb, exploit boolean, reference_list json, configurations json, affected json, words tsvector, vendors text[], products text[])
      on commit delete rows;
    create temp table changed (id text collate "C" primary key, known boolean not null, old_score int, old_priority text, old_cvss double precision,
      old_exploit boolean) on commit delete rows`)
}

/**
 * Lets the session's commits not wait for the disk. Whoever tells of them commits once more in another session, which waits for all that was
 * committed before.
 */
export async function commitWithoutWaiting(client: PoolClient): Promise<void> {
  await client.query('set synchronous_commit = off')
}

/** Opens a stream of lines into the session's staging table. */
export function openRecordStaging(client: PoolClient): Staging {
  return openCopy(client, `copy staged (${STAGED_COLUMNS.join(', ')}) from stdin`)
}

/** Waits for every other writer of CVEs: scores, entries and histories are written from what the writer before has left. */
export async function lockCves(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('svc.cves'))`.execute(db)
}

/** Products that have not been seen in this run; those that are known stay as they are. */
export async function addProducts(db: Db, products: readonly KeyedProduct[]): Promise<void> {
  await sql`
    insert into cve_products (vendor, product, keys)
    select vendor, product, keys from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as given (vendor text, product text, keys text[])
    order by vendor, product
    on conflict (vendor, product) do nothing`.execute(db)
}

/** The fingerprints of the texts that these CVEs were read from, by their identifiers. One statement along the key. */
export async function findTextDigests(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{
    id: string
    text_digest: string | null
  }>`select id, text_digest from cves where id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, text_digest }) => [id, text_digest]))
}

/**
 * Writes what a staged batch, which names each CVE once, says that is not known yet, with its score, its history and its products; a record that is the same but for its
 * moment costs no write, and one that is older than what is known changes nothing.
 */
export async function mergeStaged(db: Db, { at, onlyKnown }: { at: Date; onlyKnown: boolean }): Promise<MergeCounts> {
  const { rows: removed } = await sql<{ id: string }>`
    with gone as (
      delete from cves using staged where staged.digest is null and cves.id = staged.id and staged.last_modified >= cves.last_modified returning cves.id
    ), unnamed as (
      delete from cve_affected using gone where cve_affected.cve_id = gone.id
    )
    select id from gone`.execute(db)
  const { rows: found } = await sql<{ created: number; updated: number; staged: number }>`
    with fresh as (
      insert into changed
      select staged.id, cves.id is not null, cves.score, cves.priority, cves.cvss, cves.exploit
      from staged left join cves on cves.id = staged.id
      where staged.digest is not null
        and case when cves.id is null then not ${onlyKnown}::boolean else staged.digest <> cves.digest and staged.last_modified >= cves.last_modified end
      returning known
    )
    select count(*) filter (where not known)::int as created, count(*) filter (where known)::int as updated,
      (select count(*)::int from staged where digest is not null) as staged
    from fresh`.execute(db)
  const { created = 0, updated = 0, staged = 0 } = found[0] ?? {}
  if (created + updated > 0) {
    await writeChanged(db, at)
    await writeAffected(db)
  }
  return { created, updated, unchanged: staged - created - updated, removed: removed.map(({ id }) => id) }
}

async function writeChanged(db: Db, at: Date): Promise<void> {
  await sql`
    with scored as (
      select staged.*, kev.cve_id is not null as kev,
        cve_score(staged.cvss, epss.probability, epss.percentile, kev.cve_id is not null, coalesce(kev.ransomware, false), staged.exploit) as score
      from changed join staged on staged.id = changed.id
        left join kev_entries kev on kev.cve_id = changed.id left join epss_scores epss on epss.cve_id = changed.id
    ), written as (
      insert into cves (id, status, published, last_modified, description, tags, cwes, cvss, cvss_version, cvss_vector, cvss_source, ssvc, exploit,
        reference_list, configurations, affected, words, digest, text_digest, score, priority)
      select id, status, published, last_modified, description, tags, cwes, cvss, cvss_version, cvss_vector, cvss_source, ssvc, exploit,
        reference_list, configurations, affected, words, digest, text_digest, score, cve_priority(score, kev)
      from scored order by id
      on conflict (id) do update set
        status = excluded.status, published = excluded.published, last_modified = excluded.last_modified, description = excluded.description,
        tags = excluded.tags, cwes = excluded.cwes, cvss = excluded.cvss, cvss_version = excluded.cvss_version, cvss_vector = excluded.cvss_vector,
        cvss_source = excluded.cvss_source, ssvc = excluded.ssvc, exploit = excluded.exploit, reference_list = excluded.reference_list,
        configurations = excluded.configurations, affected = excluded.affected, words = excluded.words, digest = excluded.digest,
        text_digest = excluded.text_digest, score = excluded.score, priority = excluded.priority
      returning id, score, priority, cvss, exploit
    )
    insert into cve_priority_history (cve_id, at, old_priority, new_priority, old_score, new_score, reason)
    select written.id, ${at}, changed.old_priority, written.priority, changed.old_score, written.score,
      coalesce(nullif(concat_ws(',',
        case when written.cvss is distinct from changed.old_cvss then 'cvss' end,
        case when written.exploit <> changed.old_exploit then 'exploit' end), ''), 'rescore')
        || case when kev.cve_id is not null and written.score < 60 then '+floor_kev' else '' end
    from written join changed on changed.id = written.id left join kev_entries kev on kev.cve_id = written.id
    where changed.known
      and (changed.old_priority <> written.priority or (kev.cve_id is not null and (changed.old_score < 60) <> (written.score < 60)))`.execute(
    db,
  )
}

async function writeAffected(db: Db): Promise<void> {
  await sql`
    with named as (
      select changed.id as cve_id, cve_products.id as product_id
      from changed join staged on staged.id = changed.id
      cross join lateral unnest(staged.vendors, staged.products) as pair (vendor, product)
      join cve_products on cve_products.vendor = pair.vendor and cve_products.product = pair.product
    ), gone as (
      delete from cve_affected using changed
      where changed.known and cve_affected.cve_id = changed.id
        and not exists (select from named where named.cve_id = cve_affected.cve_id and named.product_id = cve_affected.product_id)
    )
    insert into cve_affected (product_id, cve_id) select product_id, cve_id from named on conflict do nothing`.execute(db)
}
