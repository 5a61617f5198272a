import { type RawBuilder, sql } from 'kysely'
import type { Reliability } from '#domains/indicators/indicators.model.ts'
import type { Db } from '#platform/database/database.ts'
import type { FeedFormat, FeedStatus, Tlp } from './feeds.model.ts'
import type { ParserSettings } from './parser-settings.ts'

/** A feed as it is kept, with the parts of it that its source holds. */
export type FeedRow = {
  id: string
  name: string
  url: string
  format: FeedFormat
  feed_type: string
  status: FeedStatus
  is_active: boolean
  reliability: Reliability
  frequency: number
  parser: ParserSettings
  tlp: Tlp
  licence: string | null
  homepage: string | null
  listed: number
  last_successful_run: Date | null
  last_error: string | null
  collecting: boolean
  version: number
  created_at: Date
  updated_at: Date
}

/** The columns of `threat_feeds` that a user sets. */
export type FeedFields = {
  url: string
  format: FeedFormat
  is_active: boolean
  frequency: number
  parser: ParserSettings
  tlp: Tlp
  licence: string | null
  homepage: string | null
}

/** What a collection needs to know beyond the feed itself. */
export type CollectionState = { etag: string | null; last_modified: string | null; body_digest: string | null }

export type FeedFilter = { is_active?: boolean; status?: FeedStatus; feed_type?: string }

const FEED_COLUMNS = sql`
  feed.id, source.name, feed.url, feed.format, source.feed_type, feed.status, feed.is_active, source.reliability, feed.frequency, feed.parser, feed.tlp,
  feed.licence, feed.homepage, source.listed, feed.last_successful_run, feed.last_error, feed.collecting_run is not null as collecting, feed.version,
  feed.created_at, feed.updated_at`
const FEEDS = sql`threat_feeds feed join sources source on source.id = feed.id`

/** Feeds by name. */
export async function pageFeeds(
  db: Db,
  filter: FeedFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: FeedRow[]; total: number }> {
  const where = conditions(filter)
  const { rows } = await sql<FeedRow>`
    select ${FEED_COLUMNS} from ${FEEDS} where ${where} order by lower(source.name), feed.id limit ${page.limit} offset ${page.offset}`.execute(
    db,
  )
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total from ${FEEDS} where ${where}`.execute(db)
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function findFeed(db: Db, id: string): Promise<FeedRow | undefined> {
  const { rows } = await sql<FeedRow>`select ${FEED_COLUMNS} from ${FEEDS} where feed.id = ${id}`.execute(db)
  return rows[0]
}

export async function findFeedByName(db: Db, name: string): Promise<FeedRow | undefined> {
  const { rows } = await sql<FeedRow>`
    select ${FEED_COLUMNS} from ${FEEDS} where lower(source.name) = lower(${name}) and source.retired_at is null`.execute(db)
  return rows[0]
}

export async function findCollectionState(db: Db, id: string): Promise<CollectionState | undefined> {
  return await db.selectFrom('threat_feeds').select(['etag', 'last_modified', 'body_digest']).where('id', '=', id).executeTakeFirst()
}

export async function insertFeed(db: Db, feed: FeedFields & { id: string; at: Date }): Promise<void> {
  const { at, parser, ...fields } = feed
  await db
    .insertInto('threat_feeds')
    .values({ ...fields, parser: JSON.stringify(parser), created_at: at, updated_at: at })
    .execute()
}

/**
 * Changes a feed that still has the version its editor saw.
 * @param restart true when what is fetched or how it is read has changed: the feed is PENDING again and forgets what it knows of the last body
 * @returns false when someone else was faster
 */
export async function updateFeed(
  db: Db,
  id: string,
  change: { version: number; fields: Partial<FeedFields>; restart: boolean; at: Date },
): Promise<boolean> {
  const { parser, ...fields } = change.fields
  const forgotten = {
    status: 'PENDING' as const,
    etag: null,
    last_modified: null,
    body_digest: null,
    last_error: null,
    postponed_until: null,
    // A run that is under way speaks of the feed as it was.
    collecting_run: null,
  }
  const { numUpdatedRows } = await db
    .updateTable('threat_feeds')
    .set({
      ...fields,
      ...(parser === undefined ? {} : { parser: JSON.stringify(parser) }),
      ...(change.restart ? forgotten : {}),
      updated_at: change.at,
      version: change.version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', change.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes the feed and its runs. Its source stays, retired. @returns false when it was gone already */
export async function deleteFeed(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('threat_feeds').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Names the run that may write from now on: every other collector of this feed is fenced out. */
export async function claimFeed(db: Db, id: string, runId: string): Promise<void> {
  await db.updateTable('threat_feeds').set({ collecting_run: runId }).where('id', '=', id).execute()
}

/** Switches a feed off and claims it, so that nobody collects it while it is being taken apart. @returns false when it is gone */
export async function beginRemoval(db: Db, id: string, removalId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('threat_feeds')
    .set(({ eb }) => ({ is_active: false, collecting_run: removalId, updated_at: at, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether the run may still write; holds the feed against changes of that until the transaction ends. */
export async function holdsClaim(db: Db, id: string, runId: string): Promise<boolean> {
  const held = await db
    .selectFrom('threat_feeds')
    .select('id')
    .where('id', '=', id)
    .where('collecting_run', '=', runId)
    .forShare()
    .executeTakeFirst()
  return held !== undefined
}

/** How a collection leaves its feed; `undefined` leaves a column as it is. */
export type FeedAfterRun = {
  status?: FeedStatus
  last_successful_run?: Date
  last_error?: string | null
  postponed_until?: Date | null
  etag?: string | null
  last_modified?: string | null
  body_digest?: string | null
}

/** Writes the end of a run to its feed and lets go of the claim. @returns false when the claim was lost */
export async function settleFeed(db: Db, id: string, runId: string, after: FeedAfterRun): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('threat_feeds')
    .set({ ...after, collecting_run: null })
    .where('id', '=', id)
    .where('collecting_run', '=', runId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function conditions({ is_active, status, feed_type }: FeedFilter): RawBuilder<unknown> {
  const terms: RawBuilder<unknown>[] = [sql`true`]
  if (is_active !== undefined) terms.push(sql`feed.is_active = ${is_active}`)
  if (status !== undefined) terms.push(sql`feed.status = ${status}`)
  if (feed_type !== undefined) terms.push(sql`source.feed_type = ${feed_type}`)
  return sql.join(terms, sql` and `)
}
