import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** A row of the chain as the walk sees it. `fits`: its hash is that of the row before it and of itself. */
export type ChainRow = { id: string; lane: number; seq: number; hash: string; fits: boolean }

/** Rows in the order of the chain, from lane to lane, at most `limit` after a place. */
export async function pageChain(db: Db, after: { lane: number; seq: number } | undefined, limit: number): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select event.id, event.lane, event.seq, encode(event.hash, 'hex') as hash, ${fitsChain()} as fits from audit_events event
    where ${after === undefined ? sql`true` : sql`(event.lane, event.seq) > (${after.lane}, ${after.seq})`}
    order by event.lane, event.seq limit ${limit}`.execute(db)
  return rows
}

/** Whether the row after this place would fit if it stood here: then the row that does stand here came in between. */
export async function wouldFitOneEarlier(db: Db, { lane, seq }: { lane: number; seq: number }): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`
    select event.hash = sha256(${hashBefore(sql`${seq}`)} || ${canonical(sql`${seq}::bigint`)}) as fits
    from audit_events event where event.lane = ${lane} and event.seq = ${seq + 1}`.execute(db)
  return rows[0]?.fits ?? false
}

/** The hash of the row at a place, in hex digits. */
export async function findHash(db: Db, { lane, seq }: { lane: number; seq: number }): Promise<string | undefined> {
  const { rows } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from audit_events where lane = ${lane} and seq = ${seq}`.execute(db)
  return rows[0]?.hash
}

/** Whether the row `event` is what was written after the row before it. Worked out here and not by the trigger's function, which could be replaced. */
export function fitsChain(): RawBuilder<boolean> {
  return sql`event.hash = sha256(${hashBefore(sql`event.seq`)} || ${canonical(sql`event.seq`)})`
}

/** A lane begins after the empty hash; so does a row whose predecessor is gone, which then does not fit. */
function hashBefore(seq: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select earlier.hash from audit_events earlier where earlier.lane = event.lane and earlier.seq = ${seq} - 1), '')`
}

/** Every column of the row `event` but its hash, in one text. Source: migrations/0006. */
function canonical(seq: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`convert_to(jsonb_build_array(
    event.lane, ${seq}, event.id, (extract(epoch from event.at) * 1000)::bigint, event.action, event.outcome, event.actor_id, event.actor_name,
    event.target_type, event.target_id, event.target_name, event.client_ip::text, event.request_id, event.details)::text, 'UTF8')`
}
