import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { IndicatorType, Reliability, Severity } from './indicators.model.ts'

/** Conditions of the IOC list, already checked and normalised. */
export type IndicatorFilter = {
  types?: IndicatorType[]
  severities?: Severity[]
  minConfidence?: number
  sourceId?: string
  active?: boolean
  /** Only those that exclusions keep out, or only the others. */
  excluded?: boolean
  /** The normalised value asked for. */
  exact?: { type: IndicatorType; value: string }
}

/** An indicator with everything that is worked out at read time. */
export type IndicatorRow = {
  id: string
  type: IndicatorType
  value: string
  severity: Severity
  first_seen: Date
  confidence: number
  active: boolean
  excluded: boolean
  hit_count: number
  source_count: number
  last_seen: Date
  expires_at: Date
  tags: string[]
}

/** Indicators that one page looks at when a filter needs the standing of each: bounds the walk, and makes short pages possible. */
export const WALK_ROWS = 20_000
/** Above this a total is the planner's estimate. Source: docs/decisions/0006. */
export const EXACT_TOTAL_ROWS = 10_000

/**
 * IOCs, newest first seen first, at most `limit` after the id `after` (keyset on the UUIDv7 primary key).
 * @returns the rows, and where the walk stopped when it used up its bound before it filled the page
 */
export async function pageIndicators(
  db: Db,
  filter: IndicatorFilter,
  page: { after: string | undefined; limit: number; asOf: Date },
): Promise<{ rows: IndicatorRow[]; stoppedAt: string | undefined }> {
  const { after, limit, asOf } = page
  const candidates = sql`
    select known.id, known.type, known.value, known.severity, known.first_seen, known.excluded_until
    from ${candidateSource(filter)}
    where ${conditions(filter, { after, asOf })}
    order by ${filter.sourceId === undefined ? sql`known.id` : sql`link.indicator_id`} desc
    limit ${WALK_ROWS}`
  const { rows } = await sql<IndicatorRow>`
    select known.id, known.type, known.value, known.severity, known.first_seen, ${standingColumns(asOf)}
    from (${candidates}) known
    cross join lateral indicator_standing(known.id, known.type, ${asOf}) standing
    where ${standingConditions(filter, asOf)}
    order by known.id desc
    limit ${limit}`.execute(db)
  if (rows.length === limit || !needsStanding(filter)) return { rows, stoppedAt: undefined }
  const { rows: last } = await sql<{
    id: string
    walked: number
  }>`select (min(id::text))::uuid as id, count(*)::int as walked from (${candidates}) known`.execute(db)
  return { rows, stoppedAt: last[0]?.walked === WALK_ROWS ? last[0].id : undefined }
}

/** How many IOCs match: exact up to 10 000, the planner's estimate above; of that, the share that a filter on the standing let through so far. */
export async function countIndicators(db: Db, filter: IndicatorFilter, asOf: Date): Promise<{ total: number; exact: boolean }> {
  const walked = sql`select known.id, known.type, known.excluded_until from ${candidateSource(filter)} where ${conditions(filter, { asOf })} limit ${EXACT_TOTAL_ROWS + 1}`
  const counted = needsStanding(filter)
    ? sql`
      select count(*)::int as walked, count(*) filter (where ${standingConditions(filter, asOf)})::int as matching
      from (${walked}) known cross join lateral indicator_standing(known.id, known.type, ${asOf}) standing`
    : sql`select count(*)::int as walked, count(*)::int as matching from (${walked}) known`
  const { rows } = await sql<{ walked: number; matching: number }>`${counted}`.execute(db)
  const { walked: walkedRows, matching } = rows[0] ?? { walked: 0, matching: 0 }
  if (walkedRows <= EXACT_TOTAL_ROWS) return { total: matching, exact: true }
  const { rows: plan } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json) select 1 from ${candidateSource(filter)} where ${conditions(filter, { asOf })}`.execute(db)
  const estimate = plan[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? walkedRows
  return { total: Math.round((estimate * matching) / walkedRows), exact: false }
}

export async function findIndicator(db: Db, id: string, asOf: Date): Promise<IndicatorRow | undefined> {
  const { rows } = await sql<IndicatorRow>`
    select known.id, known.type, known.value, known.severity, known.first_seen, ${standingColumns(asOf)}
    from indicators known
    cross join lateral indicator_standing(known.id, known.type, ${asOf}) standing
    where known.id = ${id}`.execute(db)
  return rows[0]
}

/** The parts of the confidence, from the same function that lists and filters use. */
/** An indicator by its name alone. */
export type NamedIndicator = Pick<IndicatorRow, 'id' | 'type' | 'value' | 'severity'>

/** Those of the indicators that are stored, in the order of their ids. */
export async function listNamed(db: Db, ids: readonly string[]): Promise<NamedIndicator[]> {
  const { rows } = await sql<NamedIndicator>`
    select id, type, value, severity from indicators where id = any(${ids}::uuid[]) order by id`.execute(db)
  return rows
}

export type Standing = { source_points: number; freshness_points: number; recurrence_points: number; confidence: number; hit_count: number }

export async function getStanding(db: Db, of: { id: string; type: IndicatorType }, asOf: Date): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select source_points, freshness_points, recurrence_points, confidence, hit_count from indicator_standing(${of.id}, ${of.type}, ${asOf})`.execute(
    db,
  )
  const standing = rows[0]
  if (standing === undefined) throw new Error('indicator_standing gives one row always')
  return standing
}

/** A source's sightings of one indicator, with the lifetime that applies to them. */
export type SightingRow = {
  source_id: string
  kind: 'FEED' | 'ANALYST'
  name: string
  feed_type: string
  reliability: Reliability
  weight: number
  first_seen: Date
  last_seen: Date
  hits: number
  listed: boolean
  severity: Severity | null
  tags: string[]
  description: string | null
  reported_first_seen: Date | null
  reported_last_seen: Date | null
  valid_until: Date | null
  half_life_days: number
  ttl_days: number
}

/** Every source of one indicator, heaviest first. */
export async function listSightings(db: Db, of: { id: string; type: IndicatorType }): Promise<SightingRow[]> {
  const { rows } = await sql<SightingRow>`
    select seen.source_id, seen.kind, seen.name, seen.feed_type, seen.reliability, seen.weight, seen.first_seen, seen.last_seen, seen.hits, seen.listed,
      seen.severity, coalesce(seen.tags, '{}') as tags, seen.description, seen.reported_first_seen, seen.reported_last_seen, seen.valid_until, life.half_life_days, life.ttl_days
    from source_sightings seen
    join indicator_lifetimes life on life.type = ${of.type} and life.phishing = (seen.feed_type = 'phishing')
    where seen.indicator_id = ${of.id}
    order by seen.weight desc, seen.name
    limit 500`.execute(db)
  return rows
}

/** Marks what has expired and unmarks what has come back, for one stretch of ids. @returns the stretch's last id, or undefined at the end */
export async function markExpired(
  db: Db,
  stretch: { after: string | undefined; limit: number; asOf: Date },
): Promise<{ last: string | undefined; marked: number; unmarked: number }> {
  const { after, limit, asOf } = stretch
  const { rows } = await sql<{ last: string | null; marked: number; unmarked: number }>`
    with walked as (
      select id, type, expired_at from indicators where ${after === undefined ? sql`true` : sql`id > ${after}`} order by id limit ${limit}
    ), judged as (
      select walked.id, walked.expired_at, standing.expires_at <= ${asOf} as expired
      from walked cross join lateral indicator_standing(walked.id, walked.type, ${asOf}) standing
    ), written as (
      update indicators set expired_at = case when judged.expired then ${asOf}::timestamptz end
      from judged where judged.id = indicators.id and judged.expired <> (judged.expired_at is not null)
      returning indicators.expired_at
    )
    select (select max(id::text) from walked) as last, count(*) filter (where expired_at is not null)::int as marked, count(*) filter (where expired_at is null)::int as unmarked
    from written`.execute(db)
  const result = rows[0]
  return { last: result?.last ?? undefined, marked: result?.marked ?? 0, unmarked: result?.unmarked ?? 0 }
}

/** Columns that come from the standing and the sources; `known` and `standing` must be in scope. */
export function standingColumns(asOf: Date): RawBuilder<unknown> {
  return sql`
    standing.confidence, (standing.expires_at > ${asOf} and not ${isExcluded(asOf)}) as active, ${isExcluded(asOf)} as excluded, standing.hit_count, standing.source_count, standing.last_seen, standing.expires_at,
    coalesce((select array_agg(distinct tag order by tag) from indicator_sources said, unnest(said.tags) tag where said.indicator_id = known.id), '{}') as tags`
}

/** What migration 0022 decides; `known` must be in scope. */
function isExcluded(asOf: Date): RawBuilder<unknown> {
  return sql`is_excluded(known.excluded_until, ${asOf})`
}

function needsStanding(filter: IndicatorFilter): boolean {
  return filter.active !== undefined || filter.minConfidence !== undefined
}

/** With a feed the walk goes along the source's own key, which is ordered by indicator. */
function candidateSource(filter: IndicatorFilter): RawBuilder<unknown> {
  return filter.sourceId === undefined
    ? sql`indicators known`
    : sql`indicator_sources link join indicators known on known.id = link.indicator_id`
}

function conditions(filter: IndicatorFilter, { after, asOf }: { after?: string | undefined; asOf: Date }): RawBuilder<unknown> {
  const terms: RawBuilder<unknown>[] = []
  if (filter.sourceId !== undefined) terms.push(sql`link.source_id = ${filter.sourceId}`)
  if (filter.exact !== undefined)
    terms.push(
      sql`known.type = ${filter.exact.type} and indicator_key(known.value) = indicator_key(${filter.exact.value}) and known.value = ${filter.exact.value}`,
    )
  if (filter.types !== undefined)
    terms.push(filter.types.length === 1 ? sql`known.type = ${filter.types[0]}` : sql`known.type = any(${filter.types})`)
  if (filter.severities !== undefined) terms.push(sql`known.severity = any(${filter.severities})`)
  // The mark spares the walk most of the expired; the standing decides.
  if (filter.active === true) terms.push(sql`known.expired_at is null`)
  // Whatever is active is not excluded; said here, the walk passes the excluded by before their standing is worked out.
  const excluded = filter.active === true ? false : filter.excluded
  if (excluded !== undefined) terms.push(excluded ? isExcluded(asOf) : sql`not ${isExcluded(asOf)}`)
  if (after !== undefined) terms.push(filter.sourceId === undefined ? sql`known.id < ${after}` : sql`link.indicator_id < ${after}`)
  return terms.length === 0 ? sql`true` : sql.join(terms, sql` and `)
}

function standingConditions(filter: IndicatorFilter, asOf: Date): RawBuilder<unknown> {
  const terms: RawBuilder<unknown>[] = []
  if (filter.active === true) terms.push(sql`standing.expires_at > ${asOf}`)
  if (filter.active === false) terms.push(sql`(standing.expires_at <= ${asOf} or ${isExcluded(asOf)})`)
  if (filter.minConfidence !== undefined) terms.push(sql`standing.confidence >= ${filter.minConfidence}`)
  return terms.length === 0 ? sql`true` : sql.join(terms, sql` and `)
}
