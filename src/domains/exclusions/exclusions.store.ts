import { type RawBuilder, sql } from 'kysely'
import type { IndicatorType } from '#domains/indicators/indicators.model.ts'
import type { Db } from '#platform/database/database.ts'
import { BULK_TIMEOUT_MS } from '#platform/database/staging-settings.ts'
import { EXAMPLES, type ExclusionKind, type ExclusionState, type Pattern } from './exclusions.model.ts'

/** An exclusion as it is read. */
export type ExclusionRow = Pattern & {
  id: string
  reason: string
  created_by: string
  created_at: Date
  ends_at: Date | null
  list_id: string | null
  list_name: string | null
}
export type ExclusionFilter = { state?: ExclusionState; kind?: ExclusionKind; listId?: string }
/** An exclusion or, with `listId`, all of a warning list. */
export type Removal = { id: string } | { listId: string }
export type Touched = { id: string; type: IndicatorType; value: string }

/** Up to here the base is counted, some milliseconds. Assumption. */
const EXACT_BASE_ROWS = 100_000
/** Exclusions of one INSERT. Assumption: some megabytes. */
const INSERT_ROWS = 20_000
const COLUMNS = sql.raw('id, kind, type, value, reason, created_by, created_at, ends_at, list_id, list_name')

/**
 * Keeps everybody who stores indicators waiting until the transaction ends, and waits for those who do: a new indicator is marked by the exclusions
 * that its writer sees, and an exclusion marks the indicators that it sees. Reading goes on.
 */
export async function keepWritersOut(db: Db): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(BULK_TIMEOUT_MS)}`.execute(db)
  await sql`lock table indicators in share row exclusive mode`.execute(db)
}

/** Adds exclusions; those that are there already stay as they are. @returns the added ones' ids */
export async function insertExclusions(db: Db, rows: readonly ExclusionRow[]): Promise<string[]> {
  const added: string[] = []
  for (let from = 0; from < rows.length; from += INSERT_ROWS) {
    const { rows: made } = await sql<{ id: string }>`
      insert into exclusions (id, kind, type, value, network, reason, created_by, created_at, ends_at, list_id, list_name)
      select id, kind, type, value, case when kind = 'NETWORK' then value::inet end, reason, created_by, created_at, ends_at, list_id, list_name
      from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + INSERT_ROWS))}::jsonb)
        as given (id uuid, kind text, type text, value text, reason text, created_by text, created_at timestamptz, ends_at timestamptz, list_id uuid, list_name text)
      on conflict do nothing
      returning id`.execute(db)
    added.push(...made.map(({ id }) => id))
  }
  await sql`
    insert into exclusion_lengths (family, length)
    select distinct family(network), masklen(network) from exclusions where network is not null
    on conflict do nothing`.execute(db)
  return added
}

/** Takes ended exclusions of the same patterns away, so that they can be made anew. */
export async function removeEnded(db: Db, patterns: readonly Pattern[], at: Date): Promise<void> {
  await sql`
    delete from exclusions ended
    using unnest(${patterns.map(({ kind }) => kind)}::text[], ${patterns.map(({ value }) => value)}::text[]) given (kind, value)
    where ended.kind = given.kind and indicator_key(ended.value) = indicator_key(given.value) and ended.ends_at <= ${at}`.execute(db)
}

/** The exclusion of exactly this pattern. */
export async function findSame(db: Db, { kind, value }: Pattern): Promise<ExclusionRow | undefined> {
  const { rows } = await sql<ExclusionRow>`
    select ${COLUMNS} from exclusions where kind = ${kind} and indicator_key(value) = indicator_key(${value})`.execute(db)
  return rows[0]
}

export async function findExclusion(db: Db, id: string): Promise<ExclusionRow | undefined> {
  const { rows } = await sql<ExclusionRow>`select ${COLUMNS} from exclusions where id = ${id}`.execute(db)
  return rows[0]
}

/** Newest first, at most `limit` behind the id `after`. */
export async function pageExclusions(
  db: Db,
  filter: ExclusionFilter,
  { after, limit, asOf }: { after: string | undefined; limit: number; asOf: Date },
): Promise<ExclusionRow[]> {
  const behind = after === undefined ? sql`true` : sql`id < ${after}`
  const { rows } = await sql<ExclusionRow>`
    select ${COLUMNS} from exclusions where ${conditions(filter, asOf)} and ${behind} order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Always exact: the largest imports hold some hundred thousand. */
export async function countExclusions(db: Db, filter: ExclusionFilter, asOf: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from exclusions where ${conditions(filter, asOf)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether there is any exclusion, ended ones included. */
export async function hasExclusions(db: Db): Promise<boolean> {
  const { rows } = await sql`select from exclusions limit 1`.execute(db)
  return rows.length > 0
}

/** The exclusion that keeps each value out now, if any: the value's own first, then the one that lasts longest. */
export async function findCovering(
  db: Db,
  values: readonly { type: IndicatorType; value: string }[],
  asOf: Date,
): Promise<(ExclusionRow & { n: number })[]> {
  const { rows } = await sql<ExclusionRow & { n: number }>`
    select distinct on (given.n) given.n::int, covering.id, covering.kind, covering.type, covering.value, covering.reason, covering.created_by,
      covering.created_at, covering.ends_at, covering.list_id, covering.list_name
    from unnest(${values.map(({ type }) => type)}::text[], ${values.map(({ value }) => value)}::text[]) with ordinality given (type, value, n)
    cross join lateral exclusions_covering(given.type, given.value) covering
    where covering.ends_at is null or covering.ends_at > ${asOf}
    order by given.n, covering.kind = 'VALUE' desc, covering.ends_at desc nulls first, covering.id`.execute(db)
  return rows
}

/** How many indicators a pattern would keep out in addition. */
export async function countCovered(db: Db, pattern: Pattern, asOf: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from indicators known where ${covers(pattern)} and not is_excluded(excluded_until, ${asOf})`.execute(db)
  return rows[0]?.count ?? 0
}

/** Some of the indicators that a pattern would keep out in addition. */
export async function listCovered(db: Db, pattern: Pattern, asOf: Date): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    select id, type, value from indicators known
    where ${covers(pattern)} and not is_excluded(excluded_until, ${asOf}) limit ${sql.lit(EXAMPLES)}`.execute(db)
  return rows
}

/** How many indicators no exclusion keeps out now: exact up to 100 000, the planner's estimate above, as totals of lists are. */
export async function countBase(db: Db, asOf: Date): Promise<number> {
  const counting = sql`select 1 from indicators where not is_excluded(excluded_until, ${asOf})`
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${counting} limit ${sql.lit(EXACT_BASE_ROWS + 1)}) counted`.execute(db)
  const count = rows[0]?.count ?? 0
  if (count <= EXACT_BASE_ROWS) return count
  const { rows: plan } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`explain (format json) ${counting}`.execute(db)
  return Math.max(count, plan[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? count)
}

/** What a new exclusion has marked: how many indicators last longer than they were kept out before, and some of them. */
export type Marked = { touched: number; examples: Touched[] }

/** Marks what a new exclusion covers, for as long as it lasts. */
export async function markCovered(db: Db, pattern: Pattern, endsAt: Date | null): Promise<Marked> {
  const until = endsAt === null ? sql`'infinity'::timestamptz` : sql`${endsAt}::timestamptz`
  return await tellMarked(
    db,
    sql`
      update indicators known set excluded_until = ${until}
      where ${covers(pattern)} and (excluded_until is null or excluded_until < ${until})
      returning id, type, value`,
  )
}

/** Marks what the exclusions of a warning list cover. A walk over all indicators, some microseconds for each. */
export async function markCoveredByList(db: Db, listId: string): Promise<Marked> {
  return await tellMarked(
    db,
    sql`
      update indicators set excluded_until = covered.until
      from (
        select known.id, max(coalesce(covering.ends_at, 'infinity')) as until
        from indicators known cross join lateral exclusions_covering(known.type, known.value) covering
        where covering.list_id = ${listId}
        group by known.id
      ) covered
      where indicators.id = covered.id and (indicators.excluded_until is null or indicators.excluded_until < covered.until)
      returning indicators.id, indicators.type, indicators.value`,
  )
}

async function tellMarked(db: Db, marking: RawBuilder<unknown>): Promise<Marked> {
  const { rows } = await sql<{ touched: number; examples: Touched[] | null }>`
    with marked as (${marking})
    select count(*)::int as touched, (select jsonb_agg(shown) from (select * from marked limit ${sql.lit(EXAMPLES)}) shown) as examples
    from marked`.execute(db)
  return { touched: rows[0]?.touched ?? 0, examples: rows[0]?.examples ?? [] }
}

/** @returns the removed exclusions, at most the first of a list's */
export async function deleteExclusions(db: Db, removal: Removal): Promise<{ count: number; first: ExclusionRow | undefined }> {
  const { rows } = await sql<ExclusionRow & { total: number }>`
    with gone as (delete from exclusions where ${isRemoved(removal)} returning ${COLUMNS})
    select ${COLUMNS}, (count(*) over ())::int as total from gone limit 1`.execute(db)
  const [first] = rows
  return { count: first?.total ?? 0, first }
}

/** Marks every indicator that is kept out by what still covers it. After a removal. */
export async function refreshMarks(db: Db): Promise<void> {
  await sql`
    update indicators set excluded_until = now_covered.until
    from (select known.id, (${lastEnd(sql`true`)}) as until from indicators known where known.excluded_until is not null) now_covered
    where indicators.id = now_covered.id and indicators.excluded_until is distinct from now_covered.until`.execute(db)
}

/** What comes back when exclusions go: how many indicators count again, how many have expired meanwhile, and how many something else keeps out. */
export type Comeback = { active: number; expired: number; still_excluded: number; examples: Touched[] }

export async function foreseeComeback(db: Db, removal: Removal, asOf: Date): Promise<Comeback> {
  const covered = sql`
    select known.id, known.type, known.value,
      is_excluded((${lastEnd(sql`not (${isRemoved(removal, 'covering')})`)}), ${asOf}) as stays
    from indicators known
    where known.excluded_until is not null and is_excluded(known.excluded_until, ${asOf})
      and exists (select from exclusions_covering(known.type, known.value) covering where ${isRemoved(removal, 'covering')})`
  const { rows } = await sql<Omit<Comeback, 'examples'> & { examples: Touched[] | null }>`
    with covered as materialized (${covered}),
    judged as (
      select covered.*, standing.expires_at > ${asOf} as fresh from covered cross join lateral indicator_standing(covered.id, covered.type, ${asOf}) standing
    )
    select
      (count(*) filter (where not stays and fresh))::int as active,
      (count(*) filter (where not stays and not fresh))::int as expired,
      (count(*) filter (where stays))::int as still_excluded,
      (select jsonb_agg(jsonb_build_object('id', id, 'type', type, 'value', value)) from (select id, type, value from judged where not stays and fresh order by id desc limit ${sql.lit(EXAMPLES)}) shown) as examples
    from judged`.execute(db)
  const [found] = rows
  return {
    active: found?.active ?? 0,
    expired: found?.expired ?? 0,
    still_excluded: found?.still_excluded ?? 0,
    examples: found?.examples ?? [],
  }
}

/** The last end among the exclusions that cover an indicator; `known` must be in scope. */
function lastEnd(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select max(coalesce(covering.ends_at, 'infinity')) from exclusions_covering(known.type, known.value) covering where ${which}`
}

function isRemoved(removal: Removal, alias = 'exclusions'): RawBuilder<unknown> {
  return 'id' in removal
    ? sql`${sql.ref(`${alias}.id`)} = ${removal.id}`
    : sql`(${sql.ref(`${alias}.list_id`)} is not null and ${sql.ref(`${alias}.list_id`)} = ${removal.listId})`
}

/** Whether a pattern covers an indicator, for a walk over the indicators; `known` must be in scope. The other way round it is `exclusions_covering`. */
function covers({ kind, type, value }: Pattern): RawBuilder<unknown> {
  switch (kind) {
    case 'VALUE':
      return sql`known.type = ${type} and indicator_key(known.value) = indicator_key(${value})`
    case 'DOMAIN':
      // Underscores stand in names, and for any character in LIKE.
      return sql`known.type = 'DOMAIN' and (known.value = ${value} or known.value like ${`%.${value.replaceAll('_', '\\_')}`})`
    case 'HOST':
      // The search for the text spares most URLs being taken apart.
      return sql`known.type = 'URL' and strpos(known.value, ${value}) > 0 and host_of(known.type, known.value) = ${value}`
    case 'NETWORK':
      // Only a case keeps the cast from other values.
      return sql`case when known.type in ('IPV4', 'IPV6', 'NETWORK') then known.value::inet <<= ${value}::inet else false end`
  }
}

function conditions({ state, kind, listId }: ExclusionFilter, asOf: Date): RawBuilder<unknown> {
  const terms: RawBuilder<unknown>[] = [sql`true`]
  if (state === 'ACTIVE') terms.push(sql`(ends_at is null or ends_at > ${asOf})`)
  if (state === 'ENDED') terms.push(sql`ends_at <= ${asOf}`)
  if (kind !== undefined) terms.push(sql`kind = ${kind}`)
  if (listId !== undefined) terms.push(sql`list_id = ${listId}`)
  return sql.join(terms, sql` and `)
}
