import type { AuditService } from '#domains/audit/audit.service.ts'
import type { FindExclusions } from '#domains/indicators/indicators.model.ts'
import type { WarningListsService } from '#domains/warning-lists/warning-lists.service.ts'
import type { Actor } from '#kernel/actor.ts'
import { type Clock, MS_PER_DAY } from '#kernel/clock.ts'
import { parseCursor, toCursor } from '#kernel/cursor.ts'
import { DomainError, refuseField } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { parseWord } from '#kernel/parse-word.ts'
import type { Db } from '#platform/database/database.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { EventBus } from '#platform/events/event-bus.ts'
import type { Log } from '#platform/logging/logger.ts'
import {
  ASK_AGAIN_SHARE,
  EXCLUSION_KINDS,
  EXCLUSION_PAGE_ROWS,
  EXCLUSION_STATES,
  type ExclusionState,
  LIST_EXCLUSIONS_MAX,
  type Pattern,
  REASON_MAX_CHARACTERS,
  REASON_MIN_CHARACTERS,
} from './exclusions.model.ts'
import {
  type Comeback,
  countBase,
  countCovered,
  countExclusions,
  deleteExclusions,
  type ExclusionFilter,
  type ExclusionRow,
  findCovering,
  findExclusion,
  findSame,
  foreseeComeback,
  hasExclusions,
  insertExclusions,
  keepWritersOut,
  listCovered,
  markCovered,
  markCoveredByList,
  pageExclusions,
  type Removal,
  refreshMarks,
  removeEnded,
  type Touched,
} from './exclusions.store.ts'
import { parsePattern } from './parse-pattern.ts'
import { type SkippedEntries, toPatterns } from './to-patterns.ts'

export type Exclusion = ExclusionRow & { state: ExclusionState }
export type ExclusionQuery = { state?: string; kind?: string; list_id?: string; cursor?: string }
export type ExclusionPage = { items: Exclusion[]; total: number; next: string | null }
/** Why and for how long; `confirm_count` is the number of indicators that the caller knows about. */
export type Terms = { reason: string; days?: number; confirm_count?: number }
export type NewExclusion = Terms & { value: string; kind?: string }

/** What an exclusion does to what is stored now; values that arrive later are kept out as well. */
export type Effect = {
  /** Indicators that are kept out because of it: not at all before, or for a shorter time. */
  touched: number
  /** Indicators that nothing kept out before. */
  base: number
  /** Whether it asks again, with the number. */
  asks_again: boolean
  examples: Touched[]
}
export type Excluded = { pattern: Pattern; exclusion: Exclusion | null; effect: Effect }
export type ListExcluded = { added: number; already: number; skipped: SkippedEntries[]; effect: Effect }
export type Removed = { removed: boolean; exclusions: number; comeback: Comeback }

export type ExclusionsService = {
  /** Newest first; an exclusion that has ended by itself stays as history. @throws validation_failed */
  page(query: ExclusionQuery): Promise<ExclusionPage>
  /** @throws not_found */
  get(id: string): Promise<Exclusion>
  /** What an exclusion would do; writes nothing. @throws validation_failed */
  preview(input: Omit<NewExclusion, keyof Terms>): Promise<Excluded>
  /** @throws validation_failed, conflict when it is there already, confirmation_required */
  exclude(actor: Actor, input: NewExclusion): Promise<Excluded>
  /** What would come back; writes nothing. @throws not_found */
  previewRemoval(id: string): Promise<Removed>
  /** @throws not_found */
  remove(actor: Actor, id: string): Promise<Removed>
  /** Excludes what a warning list names. @param dryRun works everything out and takes it back. @throws not_found, validation_failed, confirmation_required */
  excludeList(actor: Actor, listId: string, terms: Terms & { dryRun?: boolean }): Promise<ListExcluded>
  /** Removes every exclusion that came with a warning list. @param dryRun only says what would come back. @throws not_found */
  removeList(actor: Actor, listId: string, options?: { dryRun?: boolean }): Promise<Removed>
  /** By id or by value, as it was excluded. @throws not_found, validation_failed */
  find(idOrValue: string, kind?: string): Promise<Exclusion>
  /** What keeps each value out now. */
  covering: FindExclusions
}

export type ExclusionsDeps = {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
  events: Pick<EventBus, 'publish'>
  warningLists: Pick<WarningListsService, 'find' | 'entriesOf'>
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Carries what a dry run found out of the transaction that it takes back. */
class DryRunEnded extends Error {
  readonly found: ListExcluded
  constructor(found: ListExcluded) {
    super('a dry run takes everything back')
    this.found = found
  }
}

export function createExclusionsService({ db, log, clock, audit, events, warningLists }: ExclusionsDeps): ExclusionsService {
  async function get(id: string): Promise<Exclusion> {
    const row = await findExclusion(db, id)
    if (row === undefined) throw noSuchExclusion()
    return toExclusion(row, clock())
  }

  /** Tells every client that lists and counts have changed. */
  async function tell(tx: Tx, actor: Actor, data: { change: 'created' | 'removed'; touched: number }): Promise<void> {
    await events.publish(tx, { name: 'exclusions.changed', data: { ...data, actor: actor.name } })
  }

  async function remove(actor: Actor, removal: Removal): Promise<Removed> {
    return await transact(db, log, async (tx) => {
      await keepWritersOut(tx.db)
      const comeback = await foreseeComeback(tx.db, removal, clock())
      const { count, first } = await deleteExclusions(tx.db, removal)
      if (first === undefined) throw noSuchExclusion()
      await refreshMarks(tx.db)
      const target = 'id' in removal ? { type: 'exclusion', id: first.id, name: first.value } : listTarget(removal.listId, first.list_name)
      await audit.record(tx, actor, {
        action: 'exclusion.removed',
        target,
        details: { exclusions: count, restored: comeback.active, reason: first.reason },
      })
      await tell(tx, actor, { change: 'removed', touched: comeback.active })
      return { removed: true, exclusions: count, comeback }
    })
  }

  return {
    async page({ cursor, ...query }) {
      const asOf = clock()
      const filter = toFilter(query)
      const after = cursor === undefined ? undefined : parseCursor(cursor)
      const [rows, total] = await Promise.all([
        pageExclusions(db, filter, { after, limit: EXCLUSION_PAGE_ROWS + 1, asOf }),
        countExclusions(db, filter, asOf),
      ])
      const items = rows.slice(0, EXCLUSION_PAGE_ROWS).map((row) => toExclusion(row, asOf))
      const last = rows.length > EXCLUSION_PAGE_ROWS ? items.at(-1)?.id : undefined
      return { items, total, next: last === undefined ? null : toCursor(last) }
    },

    get,

    async preview({ value, kind }) {
      const asOf = clock()
      const pattern = parsePattern(value, kind)
      const [same, touched, base, examples] = await Promise.all([
        findSame(db, pattern),
        countCovered(db, pattern, asOf),
        countBase(db, asOf),
        listCovered(db, pattern, asOf),
      ])
      const standing = same === undefined ? null : toExclusion(same, asOf)
      return {
        pattern,
        exclusion: standing?.state === 'ACTIVE' ? standing : null,
        effect: { touched, base, asks_again: pattern.kind !== 'VALUE' && asksAgain(base, touched), examples },
      }
    },

    async exclude(actor, { value, kind, ...terms }) {
      const pattern = parsePattern(value, kind)
      const at = clock()
      const row = { id: newId(), ...pattern, ...toRow(actor, terms, at), list_id: null, list_name: null }
      const effect = await transact(db, log, async (tx) => {
        await keepWritersOut(tx.db)
        await removeEnded(tx.db, [pattern], at)
        const base = pattern.kind === 'VALUE' ? 0 : await countBase(tx.db, at)
        if ((await insertExclusions(tx.db, [row])).length === 0) throw alreadyExcluded(await findSame(tx.db, pattern))
        const { touched, examples } = await markCovered(tx.db, pattern, row.ends_at)
        if (pattern.kind !== 'VALUE') requireConfirmed(base, touched, terms.confirm_count)
        await audit.record(tx, actor, {
          action: 'exclusion.created',
          target: { type: 'exclusion', id: row.id, name: pattern.value },
          details: { kind: pattern.kind, touched, reason: row.reason, days: terms.days ?? null },
        })
        await tell(tx, actor, { change: 'created', touched })
        return { touched, base, asks_again: false, examples }
      })
      return { pattern, exclusion: toExclusion(row, at), effect }
    },

    async previewRemoval(id) {
      await get(id)
      return { removed: false, exclusions: 1, comeback: await foreseeComeback(db, { id }, clock()) }
    },

    async remove(actor, id) {
      return await remove(actor, { id })
    },

    async excludeList(actor, listId, { dryRun = false, ...terms }) {
      const list = await warningLists.find(listId)
      const { patterns, skipped } = toPatterns(await warningLists.entriesOf(list.id, LIST_EXCLUSIONS_MAX), list.applies_to)
      if (patterns.length === 0)
        throw new DomainError('validation_failed', `Nothing on "${list.name}" can be excluded: exclusions are values, names and ranges.`)
      const at = clock()
      const fields = { ...toRow(actor, terms, at), list_id: list.id, list_name: list.name }
      try {
        return await transact(db, log, async (tx) => {
          await keepWritersOut(tx.db)
          await removeEnded(tx.db, patterns, at)
          const base = await countBase(tx.db, at)
          const added = await insertExclusions(
            tx.db,
            patterns.map((pattern) => ({ id: newId(), ...pattern, ...fields })),
          )
          const { touched, examples } = await markCoveredByList(tx.db, list.id)
          const effect = { touched, base, asks_again: asksAgain(base, touched), examples }
          const found = { added: added.length, already: patterns.length - added.length, skipped, effect }
          if (dryRun) throw new DryRunEnded(found)
          requireConfirmed(base, touched, terms.confirm_count)
          await audit.record(tx, actor, {
            action: 'exclusion.list_imported',
            target: listTarget(list.id, list.name),
            details: { added: added.length, touched, reason: fields.reason, days: terms.days ?? null },
          })
          await tell(tx, actor, { change: 'created', touched })
          return found
        })
      } catch (error) {
        if (error instanceof DryRunEnded) return error.found
        throw error
      }
    },

    async removeList(actor, listId, { dryRun = false } = {}) {
      if (!dryRun) return await remove(actor, { listId })
      const exclusions = await countExclusions(db, { listId }, clock())
      if (exclusions === 0) throw noSuchExclusion()
      return { removed: false, exclusions, comeback: await foreseeComeback(db, { listId }, clock()) }
    },

    async find(idOrValue, kind) {
      if (UUID.test(idOrValue)) return await get(idOrValue)
      const row = await findSame(db, parsePattern(idOrValue, kind))
      if (row === undefined) throw noSuchExclusion()
      return toExclusion(row, clock())
    },

    async covering(values) {
      const notes = values.map(() => null) as Awaited<ReturnType<FindExclusions>> // the cast: filled below
      // Thousands of values are not sent to be compared with nothing.
      if (values.length === 0 || !(await hasExclusions(db))) return notes
      for (const row of await findCovering(db, values, clock())) {
        const { id, kind, value, reason, created_by, created_at, ends_at } = row
        notes[row.n - 1] = { id, kind, value, reason, created_by, created_at, ends_at }
      }
      return notes
    },
  }
}

/** @throws confirmation_required when it touches so much that a person has to say the number */
function requireConfirmed(base: number, touched: number, confirmed: number | undefined): void {
  if (!asksAgain(base, touched) || (confirmed !== undefined && confirmed >= touched)) return
  const share = ((100 * touched) / base).toFixed(1)
  throw new DomainError(
    'confirmation_required',
    `This would silence ${touched} of ${base} IOCs (${share} %). To go on, send it again with confirm_count ${touched}.`,
  )
}

/** Whether a pattern would silence so much of the base that a person has to say the number. */
function asksAgain(base: number, touched: number): boolean {
  return touched > base * ASK_AGAIN_SHARE
}

function toRow(actor: Actor, { reason, days }: Terms, at: Date): Pick<ExclusionRow, 'reason' | 'created_by' | 'created_at' | 'ends_at'> {
  const text = reason.trim()
  if (text.length < REASON_MIN_CHARACTERS || text.length > REASON_MAX_CHARACTERS)
    throw refuseField('reason', `Say why, in ${REASON_MIN_CHARACTERS} to ${REASON_MAX_CHARACTERS} characters.`)
  return {
    reason: text,
    created_by: actor.name,
    created_at: at,
    ends_at: days === undefined ? null : new Date(at.getTime() + days * MS_PER_DAY),
  }
}

function toExclusion(row: ExclusionRow, asOf: Date): Exclusion {
  return { ...row, state: row.ends_at === null || row.ends_at > asOf ? 'ACTIVE' : 'ENDED' }
}

function toFilter({ state, kind, list_id }: Omit<ExclusionQuery, 'cursor'>): ExclusionFilter {
  return {
    ...(state === undefined ? {} : { state: parseWord('state', state, EXCLUSION_STATES) }),
    ...(kind === undefined ? {} : { kind: parseWord('kind', kind, EXCLUSION_KINDS) }),
    ...(list_id === undefined ? {} : { listId: list_id }),
  }
}

function listTarget(id: string, name: string | null) {
  return { type: 'warning_list', id, ...(name === null ? {} : { name }) }
}

function noSuchExclusion(): DomainError {
  return new DomainError('not_found', 'There is no such exclusion. `svc soc exclusions` shows them all.')
}

function alreadyExcluded(same: ExclusionRow | undefined): DomainError {
  const by = same === undefined ? '' : ` by ${same.created_by} since ${same.created_at.toISOString()}, because: ${same.reason}`
  return new DomainError('conflict', `This is excluded already${by}.`)
}
