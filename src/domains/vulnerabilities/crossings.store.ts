import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { REARM_POINTS } from './score/alert-crossing.ts'
import type { Priority } from './vulnerabilities.model.ts'

/** A temporary table of the session that names the CVEs whose score was written, and its column. */
export type TouchedTable = 'changed' | 'touched'
const ID_COLUMN: Record<TouchedTable, string> = { changed: 'id', touched: 'cve_id' }

/** A CVE that has reached the threshold, and was not told of. */
export type Crossing = { cve_id: string; generation: number; priority: Priority; score: number; title: string }

/** Notes where the touched CVEs stand, so that it is told to nobody. Two statements along the keys of the touched. */
export async function noteSilently(db: Db, touched: TouchedTable, threshold: number): Promise<void> {
  const id = sql.ref(`${touched}.${ID_COLUMN[touched]}`)
  await sql`
    update cve_crossings set armed = true from ${sql.table(touched)} join cves on cves.id = ${id}
    where cve_crossings.cve_id = cves.id and not cve_crossings.armed and cves.score < ${threshold - REARM_POINTS}`.execute(db)
  await sql`
    insert into cve_crossings (cve_id, generation, armed)
    select distinct cves.id, 1, false from ${sql.table(touched)} join cves on cves.id = ${id} where cves.score >= ${threshold}
    on conflict (cve_id) do update set generation = cve_crossings.generation + 1, armed = false where cve_crossings.armed`.execute(db)
}

/** Arms the CVEs that have fallen well below the threshold, and those that are gone. */
export async function rearm(db: Db, threshold: number): Promise<void> {
  await sql`
    update cve_crossings set armed = true
    where not armed and coalesce((select score from cves where cves.id = cve_crossings.cve_id), -1) < ${threshold - REARM_POINTS}`.execute(
    db,
  )
}

/** Takes every CVE that has reached the threshold and is armed. Along the index of scores. */
export async function takeCrossings(db: Db, threshold: number): Promise<Crossing[]> {
  const { rows } = await sql<Crossing>`
    with reached as (
      insert into cve_crossings (cve_id, generation, armed)
      select cves.id, 1, false from cves left join cve_crossings held on held.cve_id = cves.id
      where cves.score >= ${threshold} and coalesce(held.armed, true)
      on conflict (cve_id) do update set generation = cve_crossings.generation + 1, armed = false
      returning cve_id, generation
    )
    select reached.cve_id, reached.generation, cves.priority, cves.score, coalesce(nullif(kev.name, ''), nullif(cves.description, ''), cves.id) as title
    from reached join cves on cves.id = reached.cve_id left join kev_entries kev on kev.cve_id = reached.cve_id
    order by cves.score desc, cves.id`.execute(db)
  return rows
}

/** The threshold that crossings were last looked for by; undefined before the first look. */
export async function findThreshold(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ threshold: number }>`select threshold from cve_alert_threshold`.execute(db)
  return rows[0]?.threshold
}

/** Remembers the threshold. @returns whether it was the same before */
export async function keepThreshold(db: Db, threshold: number): Promise<boolean> {
  const before = await findThreshold(db)
  if (before === threshold) return true
  await db
    .insertInto('cve_alert_threshold')
    .values({ threshold })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ threshold }))
    .execute()
  return false
}
