import type { AuditService } from '#domains/audit/audit.service.ts'
import type { SourcesService } from '#domains/indicators/sources.service.ts'
import type { Actor } from '#kernel/actor.ts'
import { type Clock, MS_PER_DAY } from '#kernel/clock.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Locks } from '#platform/jobs/locks.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { dropCursors } from './collecting/collector-state.store.ts'
import { deliveryOf } from './collecting/delivery.ts'
import {
  type FeedHistory,
  listHistories,
  listNewestRuns,
  listRunCells,
  listRuns,
  purgeRuns,
  type RunCell,
  type RunRow,
} from './collection-runs.store.ts'
import { type CheckedFeed, checkFeedInput, type FeedInput, requireFields } from './feed-input.ts'
import { createFeedRemoval, type FeedRemovalService } from './feed-removal.service.ts'
import { FEED_PAGE_MAX, FEED_STATUSES, type FeedFormat, FREQUENCY_DEFAULT_SECONDS, RUN_RETENTION_DAYS } from './feeds.model.ts'
import { type FeedFilter, type FeedRow, findFeed, findFeedByName, insertFeed, pageFeeds, updateFeed } from './feeds.store.ts'
import { requirePulseHost } from './pulse/pulse-address.ts'
import { dueSince, isDue, nextRunAt } from './schedule/next-run.ts'

export type Feed = FeedRow & { has_error: boolean }
export type Run = RunRow & { has_error: boolean }
export type FeedPage = { items: Feed[]; total: number; total_exact: true; next: null }
export type FeedQuery = { limit?: number; offset?: number; is_active?: boolean; status?: string; feed_type?: string }
export type StripCell = 'ok' | 'failed' | 'none'
export type DueFeed = { id: string; name: string; url: string; dueSince: Date }
export type FeedHealth = Omit<FeedHistory, 'url' | 'frequency' | 'created_at' | 'postponed_until'> & {
  last_run: Run | null
  collections_7d: number
  failures_7d: number
  next_attempt: Date | null
  strip: StripCell[]
}

export type FeedsService = FeedRemovalService & {
  page(actor: Actor, query: FeedQuery): Promise<FeedPage>
  /** @throws not_found */
  get(actor: Actor, id: string): Promise<Feed>
  /** By id or, ignoring case, by name. @throws not_found */
  find(idOrName: string): Promise<FeedRow>
  /** @throws validation_failed, feed_url_forbidden, duplicate_name */
  create(actor: Actor, input: FeedInput): Promise<Feed>
  /** @throws not_found, conflict, validation_failed, feed_url_forbidden, duplicate_name */
  change(actor: Actor, id: string, patch: FeedInput & { version: number }): Promise<Feed>
  health(actor: Actor): Promise<FeedHealth[]>
  /** @throws not_found */
  runs(actor: Actor, id: string, limit: number): Promise<Run[]>
  /** Active feeds that are due, the longest waiting first. */
  listDue(): Promise<DueFeed[]>
  purgeOldRuns(): Promise<number>
}

const WEEK_DAYS = 7
const CELL_HOURS = 6
const STRIP_CELLS = (WEEK_DAYS * 24) / CELL_HOURS
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export type FeedsDeps = {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  sources: SourcesService
  outbound: Outbound
  pulseBase: URL
  locks: Locks
}

export function createFeedsService({ db, log, clock, audit, sources, outbound, pulseBase, locks }: FeedsDeps): FeedsService {
  const removal = createFeedRemoval({ db, log, clock, audit, sources, locks })

  async function getFeed(id: string): Promise<FeedRow> {
    const feed = await findFeed(db, id)
    if (feed === undefined) throw noSuchFeed()
    return feed
  }

  /** Judged as text only: no name is resolved and no packet leaves before the refusal. */
  function requireAllowedUrl(url: string, format: FeedFormat): void {
    const verdict = outbound.judge(url)
    if (!verdict.ok)
      throw new DomainError('feed_url_forbidden', verdict.reason, [{ field: 'url', code: 'forbidden', message: verdict.reason }])
    if (format === 'PULSE') requirePulseHost(verdict.url, pulseBase)
  }

  return {
    async page(actor, query) {
      const { rows, total } = await pageFeeds(db, toFilter(query), { limit: query.limit ?? FEED_PAGE_MAX, offset: query.offset ?? 0 })
      return { items: rows.map((row) => toFeed(row, actor)), total, total_exact: true, next: null }
    },

    async get(actor, id) {
      return toFeed(await getFeed(id), actor)
    },

    async find(idOrName) {
      const feed = UUID.test(idOrName) ? await findFeed(db, idOrName.toLowerCase()) : await findFeedByName(db, idOrName)
      if (feed === undefined) throw noSuchFeed()
      return feed
    },

    async create(actor, input) {
      const { name, url, format, ...rest } = requireFields(checkFeedInput(input))
      requireAllowedUrl(url, format)
      const id = newId()
      await transact(db, log, async (tx) => {
        await sources.create(tx, { id, name, feed_type: rest.feed_type ?? 'other', reliability: rest.reliability ?? 'C' })
        await insertFeed(tx.db, {
          id,
          url,
          format,
          is_active: rest.is_active ?? true,
          frequency: rest.frequency ?? FREQUENCY_DEFAULT_SECONDS,
          parser: rest.parser ?? {},
          tlp: rest.tlp ?? 'CLEAR',
          licence: rest.licence ?? null,
          homepage: rest.homepage ?? null,
          at: clock(),
        })
        await audit.record(tx, actor, { action: 'feed.created', target: { type: 'feed', id, name }, details: { format } })
      })
      return toFeed(await getFeed(id), actor)
    },

    async change(actor, id, { version, ...input }) {
      const before = await getFeed(id)
      const checked = checkFeedInput(input)
      if (isElsewhere(before, checked)) requireAllowedUrl(checked.url ?? before.url, checked.format ?? before.format)
      const { name, feed_type, reliability, ...fields } = checked
      const restart = restarts(before, checked)
      await transact(db, log, async (tx) => {
        const changed = await updateFeed(tx.db, id, { version, fields, restart, at: clock() })
        if (!changed)
          throw new DomainError('conflict', 'Someone else has changed this feed meanwhile. Read it again, then repeat your change.')
        // What was refused under another TLP or could not be read would else never be asked for again.
        if (restart) await dropCursors(tx.db, id)
        // What a list had listed would otherwise stay listed for ever: a cursor feed says of nothing that it is gone.
        if (checked.format !== undefined && deliveryOf(before.format) === 'listing' && deliveryOf(checked.format) === 'cursor')
          await sources.endListing(tx, id)
        await sources.change(tx, id, definedOnly({ name, feed_type, reliability }))
        await audit.record(tx, actor, {
          action: 'feed.updated',
          target: { type: 'feed', id, name: name ?? before.name },
          details: { fields: Object.keys(checked).join(', ') },
        })
      })
      return toFeed(await getFeed(id), actor)
    },

    remove: removal.remove,

    async health(actor) {
      const since = new Date(clock().getTime() - WEEK_DAYS * MS_PER_DAY)
      const [histories, newest, cells] = await Promise.all([
        listHistories(db),
        listNewestRuns(db),
        listRunCells(db, { since, cellHours: CELL_HOURS }),
      ])
      const runOf = new Map(newest.map((run) => [run.feed_id, run]))
      const cellsOf = Map.groupBy(cells, (cell) => cell.feed_id)
      return histories.map((history) =>
        toHealth(history, { run: runOf.get(history.feed_id), cells: cellsOf.get(history.feed_id) ?? [], actor }),
      )
    },

    async runs(actor, id, limit) {
      await getFeed(id)
      return (await listRuns(db, id, limit)).map((run) => toRun(run, actor))
    },

    async listDue() {
      const now = clock()
      return (await listHistories(db))
        .filter((history) => isDue(history, now))
        .map((history) => ({ id: history.feed_id, name: history.name, url: history.url, dueSince: dueSince(history) }))
        .sort((first, second) => first.dueSince.getTime() - second.dueSince.getTime())
    },

    async purgeOldRuns() {
      return await purgeRuns(db, new Date(clock().getTime() - RUN_RETENTION_DAYS * MS_PER_DAY))
    },
  }
}

function noSuchFeed(): DomainError {
  return new DomainError('not_found', 'There is no such feed. `svc feeds list` shows them all.')
}

/** Only ADMIN sees why a collection failed: the reason can speak of inner addresses. Source: spec, "Permissions". */
function toFeed(row: FeedRow, actor: Actor): Feed {
  return { ...row, last_error: actor.role === 'ADMIN' ? row.last_error : null, has_error: row.last_error !== null }
}

function toRun(row: RunRow, actor: Actor): Run {
  return { ...row, error: actor.role === 'ADMIN' ? row.error : null, has_error: row.error !== null }
}

function toFilter({ is_active, status, feed_type }: FeedQuery): FeedFilter {
  const filter: FeedFilter = {}
  if (is_active !== undefined) filter.is_active = is_active
  if (feed_type !== undefined) filter.feed_type = feed_type.toLowerCase()
  if (status === undefined) return filter
  const word = FEED_STATUSES.find((candidate) => candidate === status.toUpperCase())
  if (word === undefined) throw refuseField('status', `"${status}" is not one of ${FEED_STATUSES.join(', ')}.`)
  return { ...filter, status: word }
}

/** A change of what is fetched, of how it is read or of what may be stored makes the last body meaningless. Source: spec, "Feed status". */
function restarts(before: FeedRow, after: CheckedFeed): boolean {
  const readsAnew = after.parser !== undefined && JSON.stringify(after.parser) !== JSON.stringify(before.parser)
  return isElsewhere(before, after) || readsAnew || (after.tlp !== undefined && after.tlp !== before.tlp)
}

/** Another address or format. */
function isElsewhere(before: FeedRow, after: CheckedFeed): boolean {
  const differs = <Key extends 'url' | 'format'>(key: Key) => after[key] !== undefined && after[key] !== before[key]
  return differs('url') || differs('format')
}

function definedOnly<Fields extends Record<string, unknown>>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>
  }
}

function toHealth(history: FeedHistory, { run, cells, actor }: { run: RunRow | undefined; cells: RunCell[]; actor: Actor }): FeedHealth {
  const { url: _url, frequency: _frequency, created_at: _created, postponed_until: _postponed, ...shown } = history
  const strip: StripCell[] = Array.from({ length: STRIP_CELLS }, () => 'none')
  for (const { cell, succeeded, failed } of cells) {
    const at = Math.min(Math.max(cell, 0), STRIP_CELLS - 1)
    if (succeeded > 0) strip[at] = 'ok'
    else if (failed > 0 && strip[at] === 'none') strip[at] = 'failed'
  }
  const sum = (pick: (cell: RunCell) => number) => cells.reduce((total, cell) => total + pick(cell), 0)
  return {
    ...shown,
    last_run: run === undefined ? null : toRun(run, actor),
    collections_7d: sum(({ succeeded, failed }) => succeeded + failed),
    failures_7d: sum(({ failed }) => failed),
    next_attempt: history.is_active ? (nextRunAt(history) ?? null) : null,
    strip,
  }
}
