import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { sendCopy } from '#platform/database/copy.ts'
import type { Db } from '#platform/database/database.ts'
import { COMMIT_WITHOUT_WAITING, STAGING_SETTINGS } from '#platform/database/staging-settings.ts'
import type { CpeProduct } from './applicability/cpe.ts'
import type { ScoreInputs } from './score/composite-score.ts'
import type { KnownCve, NamedPair } from './sources/staged-batch.ts'
import { type KeyedProduct, ROW_COLUMNS } from './sources/staged-record.ts'

/**
 * Makes the temporary tables of an import; they empty themselves with each committed batch and die with the session. `changed` names the CVEs that the
 * batch writes, and how those stood that were known.
 */
export async function openImportSession(client: PoolClient): Promise<void> {
  await client.query(`${STAGING_SETTINGS}
    create temp table staged (like cves) on commit delete rows;
    create temp table changed (id text collate "C" primary key, known boolean not null, old_score int, old_priority text, old_cvss double precision,
      old_exploit boolean) on commit delete rows`)
}

/**
 * Lets the session's commits not wait for the disk. Whoever tells of them commits once more in another session, which waits for all that was
 * committed before.
 */
export async function commitWithoutWaiting(client: PoolClient): Promise<void> {
  await client.query(COMMIT_WITHOUT_WAITING)
}

/** Waits for every other writer of CVEs: scores, entries and histories are written from what the writer before has left. */
export async function lockCves(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('svc.cves'))`.execute(db)
}

/** Stores the products that are not known, and finds the others. The caller holds the lock of CVEs. */
export async function addProducts(db: Db, products: readonly KeyedProduct[]): Promise<(CpeProduct & { id: number })[]> {
  const given = sql`
    unnest(${products.map(({ vendor }) => vendor)}::text[], ${products.map(({ product }) => product)}::text[], ${products.map(({ keys }) => keys.join('\n'))}::text[])
      as given (vendor, product, keys)`
  const { rows: added } = await sql<CpeProduct & { id: number }>`
    insert into cve_products (vendor, product, keys) select vendor, product, string_to_array(keys, ${'\n'}) from ${given} order by vendor collate "C", product collate "C"
    on conflict (vendor, product) do nothing returning id, vendor, product`.execute(db)
  if (added.length === products.length) return added
  const { rows: all } = await sql<CpeProduct & { id: number }>`
    select known.id, known.vendor, known.product from ${given} join cve_products known using (vendor, product)`.execute(db)
  return all
}

/** What is stored of these CVEs, by their identifiers. One statement along the key. */
export async function findKnown(db: Db, ids: readonly string[]): Promise<Map<string, KnownCve>> {
  const { rows } = await sql<KnownCve & { id: string }>`
    select id, last_modified, digest from cves where id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** What KEV and EPSS say of these CVEs, of which they say anything. Along the keys. */
export async function findScoreFacts(db: Db, ids: readonly string[]): Promise<Map<string, Omit<ScoreInputs, 'cvss' | 'exploit'>>> {
  const { rows } = await sql<{ id: string; probability: number | null; percentile: number | null; kev: boolean; ransomware: boolean }>`
    select given.id, epss.probability, epss.percentile, kev.cve_id is not null as kev, coalesce(kev.ransomware, false) as ransomware
    from unnest(${ids}::text[]) as given (id) left join kev_entries kev on kev.cve_id = given.id left join epss_scores epss on epss.cve_id = given.id
    where kev.cve_id is not null or epss.cve_id is not null`.execute(db)
  return new Map(
    rows.map(({ id, probability, percentile, kev, ransomware }) => [
      id,
      { epssProbability: probability ?? undefined, epssPercentile: percentile ?? undefined, kev, ransomware },
    ]),
  )
}

/** Takes CVEs away, with the products that they name. */
export async function removeCves(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    with gone as (delete from cves where id = any(${ids}::text[]) returning id)
    delete from cve_affected using gone where cve_affected.cve_id = gone.id`.execute(db)
}

/** Notes in `changed` which CVEs a batch writes, and how those stand that are known. Before they are written. */
export async function noteChanged(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    insert into changed
    select given.id, cves.id is not null, cves.score, cves.priority, cves.cvss, cves.exploit
    from unnest(${ids}::text[]) as given (id) left join cves on cves.id = given.id`.execute(db)
}

/** Puts rows of CVEs that are not known straight into their table, by COPY in its binary form. */
export async function copyNew(client: PoolClient, pieces: Iterable<Uint8Array>): Promise<void> {
  await sendCopy(client, `copy cves (${ROW_COLUMNS.join(', ')}) from stdin (format binary)`, pieces)
}

/** Puts what CVEs that are not known name straight into its table. */
export async function copyNamed(client: PoolClient, pieces: Iterable<Uint8Array>): Promise<void> {
  await sendCopy(client, 'copy cve_affected (product_id, cve_id) from stdin (format binary)', pieces)
}

/** Puts rows of CVEs that are known into the session's staging table. */
export async function copyStaged(client: PoolClient, pieces: Iterable<Uint8Array>): Promise<void> {
  await sendCopy(client, `copy staged (${ROW_COLUMNS.join(', ')}) from stdin (format binary)`, pieces)
}

const STAGED_CHANGES = sql.raw(ROW_COLUMNS.map((column) => `${column} = staged.${column}`).join(', '))

/** Gives the known CVEs what is staged of them, with the history of their priorities. */
export async function updateStaged(db: Db, at: Date): Promise<void> {
  await sql`
    with written as (
      update cves set ${STAGED_CHANGES} from staged where staged.id = cves.id
      returning cves.id, cves.score, cves.priority, cves.cvss, cves.exploit
    )
    insert into cve_priority_history (cve_id, at, old_priority, new_priority, old_score, new_score, reason)
    select written.id, ${at}, changed.old_priority, written.priority, changed.old_score, written.score,
      coalesce(nullif(concat_ws(',',
        case when written.cvss is distinct from changed.old_cvss then 'cvss' end,
        case when written.exploit <> changed.old_exploit then 'exploit' end), ''), 'rescore')
        || case when kev.cve_id is not null and written.score < 60 then '+floor_kev' else '' end
    from written join changed on changed.id = written.id left join kev_entries kev on kev.cve_id = written.id
    where changed.old_priority <> written.priority or (kev.cve_id is not null and (changed.old_score < 60) <> (written.score < 60))`.execute(
    db,
  )
}

/** Brings the stored products of the known CVEs of `changed` in line with those that they name now. */
export async function replaceNamed(db: Db, pairs: readonly NamedPair[]): Promise<void> {
  await sql`
    with named as (
      select cve_id, product_id
      from unnest(${pairs.map(({ cveId }) => cveId)}::text[], ${pairs.map(({ productId }) => productId)}::int[]) as given (cve_id, product_id)
    ), gone as (
      delete from cve_affected using changed
      where changed.known and cve_affected.cve_id = changed.id
        and not exists (select from named where named.cve_id = cve_affected.cve_id collate "C" and named.product_id = cve_affected.product_id)
    )
    insert into cve_affected (product_id, cve_id) select product_id, cve_id from named on conflict do nothing`.execute(db)
}
