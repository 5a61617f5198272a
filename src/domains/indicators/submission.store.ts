import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { ANALYST_SOURCE_ID, type IndicatorType, type Severity } from './indicators.model.ts'
import { keepPurgesOut } from './orphans.store.ts'

/** One submitted indicator, normalised; values are distinct within a submission. */
export type SubmittedIndicator = {
  id: string
  type: IndicatorType
  value: string
  severity: Severity
  tags: string[]
  description: string | null
}

/**
 * Stores a submission as one sighting each under the analysts' source: a new indicator, or a re-sight that keeps the highest severity and adds tags.
 * Six statements, whatever the size; rows are always touched in the same order, so that submissions and collections cannot lock each other out.
 */
export async function saveSubmission(db: Db, submitted: SubmittedIndicator[], at: Date): Promise<{ created: number; updated: number }> {
  const rows = sql`jsonb_to_recordset(${JSON.stringify(submitted)}::jsonb) as given (id uuid, type text, value text, severity text, tags jsonb, description text)`
  const known = sql`
    select given.severity, given.tags, given.description, stored.id, stored.value
    from ${rows} join indicators stored on stored.type = given.type and indicator_key(stored.value) = indicator_key(given.value)`
  await keepPurgesOut(db)
  const made = await sql`
    insert into indicators (id, type, value, severity, first_seen)
    select id, type, value, severity, ${at}::timestamptz from ${rows} order by type collate "C", value collate "C"
    on conflict (type, indicator_key(value)) do nothing`.execute(db)
  await sql`
    with claims as (${known}), lower as (
      select stored.id, claims.severity, claims.id as claimed from indicators stored join claims using (id) order by stored.id for no key update of stored
    )
    update indicators set expired_at = null, severity = case when severity_rank(lower.severity) > severity_rank(indicators.severity) then lower.severity else indicators.severity end
    from lower where indicators.id = lower.id and (indicators.expired_at is not null or severity_rank(lower.severity) > severity_rank(indicators.severity))`.execute(
    db,
  )
  await sql`
    insert into indicator_sources as link (source_id, indicator_id, first_seen, last_listed_at, hash_a, hash_b, hits, severity, tags, description)
    select ${ANALYST_SOURCE_ID}::uuid, claims.id, ${at}::timestamptz, ${at}::timestamptz, hashtextextended(claims.value, 0), hashtextextended(claims.value, 1), 1, claims.severity, array(select jsonb_array_elements_text(claims.tags)), claims.description
    from (${known}) claims order by claims.id
    on conflict (source_id, indicator_id) do update set
      hits = link.hits + 1,
      last_listed_at = greatest(link.last_listed_at, excluded.last_listed_at),
      severity = case when severity_rank(excluded.severity) > severity_rank(link.severity) then excluded.severity else link.severity end,
      tags = array(select distinct tag from unnest(link.tags || excluded.tags) tag order by tag),
      description = coalesce(excluded.description, link.description)`.execute(db)
  await sql`
    insert into network_lengths (family, length)
    select distinct family(value::cidr), masklen(value::cidr) from ${rows} where type = 'NETWORK' order by 1, 2
    on conflict do nothing`.execute(db)
  const created = Number(made.numAffectedRows ?? 0n)
  return { created, updated: submitted.length - created }
}
