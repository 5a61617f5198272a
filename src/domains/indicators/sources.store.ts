import { sql } from 'kysely'
import { DomainError } from '#kernel/errors.ts'
import { violatedConstraint } from '#platform/database/constraint.ts'
import type { Db } from '#platform/database/database.ts'
import type { Reliability } from './indicators.model.ts'

export type SourceFields = { name: string; feed_type: string; reliability: Reliability }
/** Where a source's listing stands. */
export type ListingState = { run_no: number; run_at: Date | null; listed: number; feed_type: string }

/** @throws duplicate_name */
export async function insertSource(db: Db, source: SourceFields & { id: string }): Promise<void> {
  await refuseDuplicate(
    source.name,
    db
      .insertInto('sources')
      .values({ ...source, kind: 'FEED' })
      .execute(),
  )
}

/** @throws duplicate_name */
export async function updateSource(db: Db, id: string, fields: Partial<SourceFields>): Promise<void> {
  if (Object.keys(fields).length > 0)
    await refuseDuplicate(fields.name ?? '', db.updateTable('sources').set(fields).where('id', '=', id).execute())
}

export async function getListingState(db: Db, sourceId: string): Promise<ListingState> {
  return await db
    .selectFrom('sources')
    .select(['run_no', 'run_at', 'listed', 'feed_type'])
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow()
}

/** Changes how many values the source lists, within the transaction that lists them. */
export async function addToListed(db: Db, sourceId: string, difference: number): Promise<void> {
  if (difference !== 0) await sql`update sources set listed = listed + ${difference} where id = ${sourceId}`.execute(db)
}

/** Counts one more complete run: every value on the list has been seen again, without a row of its own being written. @returns when the last one was */
export async function countCompleteRun(db: Db, sourceId: string, at: Date): Promise<Date | null> {
  const { rows } = await sql<{ last: Date | null }>`
    update sources set run_no = sources.run_no + 1, run_at = ${at} from sources before
    where sources.id = ${sourceId} and before.id = sources.id returning before.run_at as last`.execute(db)
  return rows[0]?.last ?? null
}

/** The shortest time after which a value of any kind expires, in days. */
export async function getShortestLifetimeDays(db: Db): Promise<number> {
  const { days } = await db
    .selectFrom('indicator_lifetimes')
    .select((select) => select.fn.min<number>('ttl_days').as('days'))
    .executeTakeFirstOrThrow()
  return days
}

/** Takes the expiry mark off whatever the source lists: after a long silence its values may have been marked. */
export async function unmarkListed(db: Db, sourceId: string): Promise<void> {
  await sql`
    update indicators set expired_at = null
    where expired_at is not null and id in (select indicator_id from indicator_sources where source_id = ${sourceId} and listed_from is not null)`.execute(
    db,
  )
}

/** Takes the expiry mark off the given indicators. */
export async function unmarkIndicators(db: Db, ids: string[]): Promise<void> {
  await db.updateTable('indicators').set({ expired_at: null }).where('expired_at', 'is not', null).where('id', 'in', ids).execute()
}

/** Closes the intervals of everything that a source lists; its values keep their sightings and age from its last run. */
export async function endListing(db: Db, sourceId: string): Promise<void> {
  await sql`
    update indicator_sources link set
      hits = link.hits + source.run_no - link.listed_from + 1,
      last_listed_at = case when link.listed_from <= source.run_no then greatest(source.run_at, link.last_listed_at) else link.last_listed_at end,
      listed_from = null
    from sources source
    where source.id = ${sourceId} and link.source_id = source.id and link.listed_from is not null`.execute(db)
  await db.updateTable('sources').set({ listed: 0 }).where('id', '=', sourceId).execute()
}

/** Ends a source: its intervals are closed and its name is free again. */
export async function retireSource(db: Db, sourceId: string, at: Date): Promise<void> {
  await endListing(db, sourceId)
  await db.updateTable('sources').set({ retired_at: at }).where('id', '=', sourceId).execute()
}

async function refuseDuplicate(name: string, write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (violatedConstraint(error) !== 'sources_name_unique') throw error
    throw new DomainError('duplicate_name', `There is already a feed named "${name}" (upper and lower case count as the same).`, [
      { field: 'name', code: 'duplicate', message: 'Taken by another feed.' },
    ])
  }
}
