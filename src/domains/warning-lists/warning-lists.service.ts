import { createHash } from 'node:crypto'
import { setImmediate as giveWay } from 'node:timers/promises'
import type { AuditService } from '#domains/audit/audit.service.ts'
import type { FindWarnings, IndicatorType, Warning } from '#domains/indicators/indicators.model.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Db } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import {
  addHits,
  createHits,
  findMatches,
  listMatchable,
  listTextEntries,
  type Match,
  type MatchableList,
  pageValues,
  settleHits,
} from './matches.store.ts'
import { type ParsedList, type PublishedList, parseWarningList } from './parse-warning-list.ts'
import { createTextMatcher, type TextMatcher } from './text-matcher.ts'
import { type Entry, LISTS_MAX, WARNINGS_PER_VALUE } from './warning-lists.model.ts'
import {
  countWarningLists,
  deleteWarningList,
  findWarningList,
  listEntries,
  listWarningLists,
  lockByName,
  removeEntries,
  replaceEntries,
  type WarningListRow,
  writeWarningList,
} from './warning-lists.store.ts'

export type WarningList = WarningListRow & { skipped_count: number }
export type ImportResult = { outcome: 'added' | 'replaced' | 'unchanged'; list: WarningList }

export type WarningListsService = {
  /** Every list by name, without its entries. */
  list(): Promise<WarningList[]>
  /** Adds a list, or replaces the one of the same name as a whole; readers see the old one or the new one. @throws validation_failed, conflict */
  import(actor: Actor, published: PublishedList): Promise<ImportResult>
  /** @throws not_found */
  remove(actor: Actor, id: string): Promise<void>
  /** By id or, ignoring case, by name. @throws not_found */
  find(idOrName: string): Promise<WarningList>
  /** The entries of a list. @throws validation_failed when there are more than `max` */
  entriesOf(id: string, max: number): Promise<Entry[]>
  /** The lists that each value stands on. */
  warningsOn: FindWarnings
  /** Puts every indicator that stands on a list into the temporary table `warning_hits (indicator_id, list_id)` of a leased connection. */
  stageHits(db: Db, signal: AbortSignal): Promise<void>
}

/** Values that are compared before other work of the process gets its turn. Assumption: some milliseconds at their worst. */
const VALUES_AT_A_TIME = 200
/** Indicators that are read at a time while all are compared. Assumption: some megabytes. */
const STAGE_ROWS = 20_000

export function createWarningListsService({
  db,
  log,
  clock,
  audit,
}: {
  db: Db
  log: Log
  clock: Clock
  audit: AuditService
}): WarningListsService {
  async function getList(id: string): Promise<WarningListRow> {
    const row = await findWarningList(db, id)
    if (row === undefined) throw noSuchList()
    return row
  }

  /** Prepared anew when a list has changed. */
  let prepared: { key: string; matcher: TextMatcher } | undefined

  /** @returns undefined when no list is compared with parts of a text */
  async function textMatcher(lists: readonly MatchableList[]): Promise<TextMatcher | undefined> {
    const texts = lists.filter((list) => !isFoundByEquality(list))
    if (texts.length === 0) return undefined
    const key = texts.map(({ id, revision }) => `${id} ${revision}`).join()
    if (prepared?.key !== key) {
      const read = texts.map(async ({ id, type, applies_to }) => ({
        id,
        type: type === 'REGEX' ? type : ('SUBSTRING' as const),
        applies_to,
        entries: await listTextEntries(db, id),
      }))
      prepared = { key, matcher: createTextMatcher(await Promise.all(read)) }
    }
    return prepared.matcher
  }

  return {
    async list() {
      return (await listWarningLists(db)).map(toList)
    },

    async import(actor, published) {
      const parsed = parseWarningList(published)
      const digest = digestOf(parsed)
      const { id, outcome } = await transact(db, log, async (tx) => {
        const known = await lockByName(tx.db, parsed.name)
        if (known?.digest === digest) return { id: known.id, outcome: 'unchanged' as const }
        if (known === undefined && (await countWarningLists(tx.db)) >= LISTS_MAX)
          throw new DomainError('conflict', `${LISTS_MAX} lists are held already; remove one first.`)
        const listId = known?.id ?? newId()
        const { entries, ...fields } = parsed
        await writeWarningList(tx.db, listId, { ...fields, entry_count: entries.length, digest, at: clock() })
        await replaceEntries(tx.db, listId, entries)
        await audit.record(tx, actor, {
          action: 'warning_list.imported',
          target: { type: 'warning_list', id: listId, name: parsed.name },
          details: { entries: entries.length, skipped: countSkipped(parsed), replaced: known !== undefined },
        })
        return { id: listId, outcome: known === undefined ? ('added' as const) : ('replaced' as const) }
      })
      return { outcome, list: toList(await getList(id)) }
    },

    async remove(actor, id) {
      const { name } = await getList(id)
      await transact(db, log, async (tx) => {
        // The list first: it waits for an import that is under way, whose entries have to go, too.
        if (!(await deleteWarningList(tx.db, id))) throw noSuchList()
        await removeEntries(tx.db, id)
        await audit.record(tx, actor, { action: 'warning_list.removed', target: { type: 'warning_list', id, name } })
      })
    },

    async find(idOrName) {
      const wanted = idOrName.toLowerCase()
      const row = (await listWarningLists(db)).find(({ id, name }) => id === wanted || name.toLowerCase() === wanted)
      if (row === undefined) throw noSuchList()
      return toList(row)
    },

    async entriesOf(id, max) {
      const entries = await listEntries(db, id, max + 1)
      if (entries.length > max)
        throw new DomainError('validation_failed', `This list has more than ${max} entries; it is too long for that.`)
      return entries
    },

    async warningsOn(values) {
      const lists = values.length === 0 ? [] : await listMatchable(db)
      const spoken = new Set(lists.flatMap(({ applies_to }) => applies_to))
      if (!values.some(({ type }) => spoken.has(type))) return values.map(() => [])
      const found = await Promise.all([
        lists.some(isFoundByEquality) ? findMatches(db, values) : [],
        matchTexts(await textMatcher(lists), values),
      ])
      const nameOf = new Map(lists.map(({ id, name }) => [id, name]))
      const warnings = values.map((): Warning[] => [])
      for (const { n, list_id, match, entry } of found.flat()) {
        const name = nameOf.get(list_id)
        const told = warnings[n - 1]
        // A list that was imported this moment is told of the next time.
        if (name !== undefined && told !== undefined && told.length < WARNINGS_PER_VALUE)
          told.push({ list_id, list_name: name, match, entry })
      }
      return warnings
    },

    async stageHits(session, signal) {
      await createHits(session)
      const lists = (await listMatchable(session)).filter((list) => !isFoundByEquality(list))
      const types = [...new Set(lists.flatMap(({ applies_to }) => applies_to))]
      const matcher = await textMatcher(lists)
      let after: string | undefined
      while (matcher !== undefined && !signal.aborted) {
        const values = await pageValues(session, types, { after, limit: STAGE_ROWS })
        const hits = (await matchTexts(matcher, values)).map(({ n, list_id }) => ({ indicator_id: values[n - 1]?.id ?? '', list_id }))
        if (hits.length > 0) await addHits(session, hits)
        after = values.at(-1)?.id
        if (after === undefined) break
      }
      await settleHits(session)
    },
  }
}

function noSuchList(): DomainError {
  return new DomainError('not_found', 'There is no such warning list. `svc lists list` shows them all.')
}

function isFoundByEquality({ type }: Pick<MatchableList, 'type'>): boolean {
  return type !== 'SUBSTRING' && type !== 'REGEX'
}

async function matchTexts(matcher: TextMatcher | undefined, values: readonly { type: IndicatorType; value: string }[]): Promise<Match[]> {
  if (matcher === undefined) return []
  const matches: Match[] = []
  for (const [index, { type, value }] of values.entries()) {
    if (index % VALUES_AT_A_TIME === VALUES_AT_A_TIME - 1) await giveWay()
    for (const match of matcher(type, value)) matches.push({ n: index + 1, ...match })
  }
  return matches
}

function toList(row: WarningListRow): WarningList {
  return { ...row, skipped_count: countSkipped(row) }
}

function countSkipped({ skipped }: Pick<ParsedList, 'skipped'>): number {
  return skipped.reduce((sum, { count }) => sum + count, 0)
}

/** Of everything that the list says; entries in their own order, so that the order of the file does not matter. */
function digestOf({ entries, skipped, ...fields }: ParsedList): string {
  const hash = createHash('sha256').update(JSON.stringify([fields, skipped.map(({ code, count }) => `${code} ${count}`).sort()]))
  for (const line of entries.map(({ kind, entry }) => `${kind} ${entry}`).sort()) hash.update(`\n${line}`)
  return hash.digest('hex')
}
