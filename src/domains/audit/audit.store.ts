import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { AuditEvents } from '#platform/database/schema.ts'
import type { AuditEvent, AuditOutcome } from './audit.model.ts'
import { fitsChain } from './chain.store.ts'
import { firstIdOf } from './first-id.ts'

/** A place in the chain: the row's lane, its number there, and its hash in hex digits. */
export type Link = { lane: number; seq: number; hash: string }

/** Appends one row to the journal. @returns its place in the chain, which the database has worked out */
export async function insertAuditEvent(db: Db, event: Insertable<AuditEvents>): Promise<Link> {
  return await db
    .insertInto('audit_events')
    .values(event)
    .returning(['lane', 'seq', sql<string>`encode(hash, 'hex')`.as('hash')])
    .executeTakeFirstOrThrow()
}

/** Conditions of the list, already checked. */
export type AuditFilter = {
  /** The exact actions that are meant; never empty. */
  actions?: string[]
  outcome?: AuditOutcome
  since?: Date
  /** In any case. */
  actorName?: string
  requestId?: string
}

/** Rows that one page looks at when one index cannot answer the whole filter: bounds the walk, and makes short pages possible. Assumption. */
export const AUDIT_WALK_ROWS = 10_000
/** Above this a total is an estimate. Source: docs/decisions/0006. */
const EXACT_TOTAL_ROWS = 10_000
/** An id is made moments before or after the row's own time. Assumption: a clock that is set back while the service runs costs no row. */
const ID_MARGIN_MS = 60_000

const EVENT_COLUMNS = sql`
  event.id, event.at, event.action, event.outcome, event.actor_id, event.actor_name, event.target_type, event.target_id, event.target_name, event.client_ip,
  event.request_id, event.details, case when ${fitsChain()} then 'OK' else 'BROKEN' end as chain`

/**
 * The journal, newest first, at most `limit` rows after the id `after` (keyset on the UUIDv7 primary key).
 * @returns the rows, and where the walk stopped when it used up its bound before it filled the page
 */
export async function pageAuditEvents(
  db: Db,
  filter: AuditFilter,
  page: { after: string | undefined; limit: number },
): Promise<{ rows: AuditEvent[]; stoppedAt: string | undefined }> {
  const { walk, rest } = splitFilter(filter)
  const bound = rest.length === 0 ? page.limit : AUDIT_WALK_ROWS
  const walked = candidates(walk, page.after, bound)
  const { rows } = await sql<AuditEvent>`
    select ${EVENT_COLUMNS} from (
      select event.* from (${walked}) event where ${allOf(rest)} order by event.id desc limit ${page.limit}
    ) event order by event.id desc`.execute(db)
  if (rows.length === page.limit || rest.length === 0) return { rows, stoppedAt: undefined }
  const { rows: last } = await sql<{ id: string; walked: number }>`
    select (min(event.id::text))::uuid as id, count(*)::int as walked from (${walked}) event`.execute(db)
  return { rows, stoppedAt: last[0]?.walked === bound ? last[0].id : undefined }
}

/** How many rows match: exact up to 10 000 rows of the filter's index, above an estimate from the share that matched so far. */
export async function countAuditEvents(db: Db, filter: AuditFilter): Promise<{ total: number; exact: boolean }> {
  const { walk, rest } = splitFilter(filter)
  const { rows } = await sql<{ walked: number; matching: number }>`
    select count(*)::int as walked, count(*) filter (where ${allOf(rest)})::int as matching
    from (${candidates(walk, undefined, EXACT_TOTAL_ROWS + 1)}) event`.execute(db)
  const { walked, matching } = rows[0] ?? { walked: 0, matching: 0 }
  if (walked <= EXACT_TOTAL_ROWS) return { total: matching, exact: true }
  const { rows: plan } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json) select 1 from audit_events event where ${allOf(walk.conditions)} and ${walk.actions === undefined ? sql`true` : sql`event.action = any(${walk.actions})`}`.execute(
    db,
  )
  const estimate = Math.max(plan[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? walked, walked)
  return { total: Math.round((estimate * matching) / walked), exact: false }
}

/** What one request did, in the order of doing; a client may use its id again, so there is a bound. */
export async function listEventsOfRequest(db: Db, requestId: string, limit: number): Promise<AuditEvent[]> {
  const { rows } = await sql<AuditEvent>`
    select ${EVENT_COLUMNS} from (
      select event.* from audit_events event where event.request_id = ${requestId} order by event.id desc limit ${limit}
    ) event order by event.id`.execute(db)
  return rows
}

/** Every action of the journal that begins with the text: one look into the index for each action there is. */
export async function listActions(db: Db, prefix: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive known (action) as (
      (select action from audit_events where action ~>=~ ${prefix} order by action using ~<~ limit 1)
      union all
      select (select next.action from audit_events next where next.action ~>~ known.action order by next.action using ~<~ limit 1)
      from known where starts_with(known.action, ${prefix})
    )
    select action from known where starts_with(action, ${prefix})`.execute(db)
  return rows.map(({ action }) => action)
}

/** What an index is walked by, in the order of ids. */
type Walk = { conditions: RawBuilder<unknown>[]; actions?: string[] }

/** The most selective part of the filter goes along an index; what is left is looked at row by row, within the bound of the walk. */
function splitFilter({ actions, outcome, since, actorName, requestId }: AuditFilter): { walk: Walk; rest: RawBuilder<unknown>[] } {
  const byRequest = requestId === undefined ? undefined : sql`event.request_id = ${requestId}`
  const byActor = actorName === undefined ? undefined : sql`lower(event.actor_name) = lower(${actorName})`
  const byOutcome = outcome === undefined ? undefined : sql`event.outcome = ${outcome}`
  const byActions = actions === undefined ? undefined : sql`event.action = any(${actions})`
  const driver = byRequest ?? byActor ?? (actions === undefined ? byOutcome : undefined)
  const walksActions = driver === undefined && actions !== undefined
  const rest = [byActor, byOutcome, walksActions ? undefined : byActions].filter((term) => term !== undefined && term !== driver)
  if (since !== undefined) rest.push(sql`event.at >= ${since}`)
  const conditions = driver === undefined ? [] : [driver]
  if (since !== undefined) conditions.push(sql`event.id >= ${firstIdOf(new Date(since.getTime() - ID_MARGIN_MS))}`)
  return { walk: walksActions ? { conditions, actions } : { conditions }, rest: rest.filter((term) => term !== undefined) }
}

/** At most `limit` rows of the walk. Each action has its own walk: an index gives one action in the order of ids, not several. */
function candidates({ conditions, actions }: Walk, after: string | undefined, limit: number): RawBuilder<unknown> {
  const terms = after === undefined ? conditions : [...conditions, sql`event.id < ${after}`]
  const walk = (own: RawBuilder<unknown>[]) =>
    sql`select event.* from audit_events event where ${allOf([...own, ...terms])} order by event.id desc limit ${limit}`
  if (actions === undefined) return walk([])
  return sql`
    select event.* from unnest(${actions}::text[]) wanted (action) cross join lateral (${walk([sql`event.action = wanted.action`])}) event
    order by event.id desc limit ${limit}`
}

function allOf(terms: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return terms.length === 0 ? sql`true` : sql.join(terms, sql` and `)
}
