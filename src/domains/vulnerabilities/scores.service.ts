import type pg from 'pg'
import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { leaseConnection } from '#platform/database/leased-connection.ts'
import { type Tx, transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { CrossingsService } from './crossings.service.ts'
import { lockCves } from './cves-import.store.ts'
import { kevStub, STUB_STATUS } from './kev-stub.ts'
import {
  applyEpss,
  applyKev,
  compareStagedEpss,
  findSource,
  insertKevStubs,
  listUndescribed,
  openEpssStaging,
  openScoreSession,
  rescoreTouched,
  type SourceState,
  saveSource,
  touchAll,
} from './scores.store.ts'
import { looksLikeOtherModel } from './sources/epss-freshness.ts'
import { type EpssHeader, EpssReader } from './sources/read-epss.ts'
import { MAX_CATALOGUE_CHARS, parseKevCatalogue, requireBelievableRemovals } from './sources/read-kev.ts'

/** What a catalogue or a day of scores has changed. */
export type ScoreImport = {
  records: number
  created: number
  updated: number
  unchanged: number
  removed: number
  refused: number
  /** CVEs whose priority changed. */
  priorities: number
}

/** `silent`: what crosses the threshold by it is told to nobody, now or later. */
export type Telling = { silent: boolean }
/** `isDelta`: scores of some CVEs, which do not make the rest newer. */
export type EpssTelling = Telling & { isDelta?: boolean }
export type KevAndEpss = {
  /** Brings KEV in line with a whole catalogue. @throws source_malformed when it is not believed; then nothing has changed */
  applyKevCatalogue(text: AsyncIterable<string>, telling: Telling): Promise<ScoreImport>
  /** Takes over EPSS scores; those of another model tell nobody. @throws source_malformed; then nothing has changed */
  applyEpssScores(text: AsyncIterable<string>, options: EpssTelling & { signal: AbortSignal }): Promise<ScoreImport>
}
export type ScoresService = KevAndEpss & {
  /** Works every score out again, without alerts. @returns how many changed */
  rescoreAll(actor: Actor): Promise<{ scores: number; priorities: number }>
}

export function createScoresService({
  pool,
  log,
  clock,
  audit,
  crossings,
}: {
  pool: pg.Pool
  log: Log
  clock: Clock
  audit: AuditService
  crossings: CrossingsService
}): ScoresService {
  /** Takes over the scores that are staged. */
  async function takeOverEpss(
    tx: Tx,
    { model, day }: EpssHeader,
    { silent, isDelta = false }: EpssTelling,
  ): Promise<Omit<ScoreImport, 'refused'>> {
    const known = await findSource(tx.db, 'EPSS')
    const isWholeDay = model !== undefined
    if (isWholeDay && day !== undefined && known?.data_day != null && day < known.data_day)
      throw new DomainError('source_malformed', `These EPSS scores are of ${day}; those of ${known.data_day} are stored already.`)
    const isOtherModel = await isOfOtherModel(tx.db, model, known)
    // What has crossed by itself is told before the new model moves everything.
    if (isOtherModel && !silent) await crossings.raise(tx)
    const reason = isOtherModel ? `epss_model:${model ?? day ?? 'unknown'}` : 'epss'
    const { rows, changed, removed } = await applyEpss(tx.db, { reason, isWholeDay })
    const { priorities } = await rescoreTouched(tx.db, clock())
    if (silent || isOtherModel) await crossings.noteSilently(tx.db, 'touched')
    if (isOtherModel) log.warn('cve.epss_model_changed', { model, day, changed })
    if (!isDelta) {
      const days = [day, known?.data_day].filter((each) => each != null).sort()
      await saveSource(tx.db, {
        source: 'EPSS',
        version: model ?? known?.version ?? null,
        data_day: days.at(-1) ?? null,
        updated_at: clock(),
      })
    }
    return { records: rows, created: 0, updated: changed, unchanged: rows - changed, removed, priorities }
  }

  return {
    async applyKevCatalogue(text, { silent }) {
      const { version, entries } = parseKevCatalogue(await gather(text))
      return await leaseConnection(pool, async ({ client, db }) => {
        await openScoreSession(client)
        return await transact(db, log, async (tx) => {
          await lockCves(tx.db)
          const { added, changed, removed, stored } = await applyKev(tx.db, entries)
          requireBelievableRemovals(stored, removed)
          const undescribed = await listUndescribed(tx.db)
          if (undescribed.length > 0) await insertKevStubs(tx.db, undescribed.map(kevStub), STUB_STATUS)
          const { priorities } = await rescoreTouched(tx.db, clock())
          if (silent) await crossings.noteSilently(tx.db, 'touched')
          await saveSource(tx.db, { source: 'KEV', version, data_day: version.replaceAll('.', '-').slice(0, 10), updated_at: clock() })
          return {
            records: entries.length,
            created: added,
            updated: changed,
            unchanged: entries.length - added - changed,
            removed,
            refused: 0,
            priorities,
          }
        })
      })
    },

    async applyEpssScores(text, { signal, ...telling }) {
      return await leaseConnection(pool, async ({ client, db }) => {
        await openScoreSession(client)
        let lines = ''
        const reader = new EpssReader(({ cveId, probability, percentile }) => {
          lines += `${cveId}\t${probability}\t${percentile}\n`
        })
        const staging = openEpssStaging(client)
        try {
          for await (const chunk of text) {
            signal.throwIfAborted()
            reader.push(chunk)
            await staging.write(lines)
            lines = ''
          }
          reader.end()
          await staging.write(lines)
        } finally {
          await staging.end()
        }
        return await transact(db, log, async (tx) => {
          await lockCves(tx.db)
          const counts = await takeOverEpss(tx, reader.header, telling)
          return { ...counts, refused: reader.refused }
        })
      })
    },

    async rescoreAll(actor) {
      return await leaseConnection(pool, async ({ client, db }) => {
        await openScoreSession(client)
        return await transact(db, log, async (tx) => {
          await lockCves(tx.db)
          await touchAll(tx.db, 'rescore')
          const counts = await rescoreTouched(tx.db, clock())
          await crossings.noteSilently(tx.db, 'touched')
          await audit.record(tx, actor, { action: 'cves.rescored', target: { type: 'cves' }, details: counts })
          return counts
        })
      })
    },
  }
}

/** By its name, or where the scores come without one, by how they have moved. */
async function isOfOtherModel(db: Db, model: string | undefined, known: SourceState | undefined): Promise<boolean> {
  if (model === undefined) return looksLikeOtherModel(await compareStagedEpss(db))
  return known !== undefined && known.version !== null && known.version !== model
}

/** A whole catalogue as one text. @throws source_malformed for one that does not end */
async function gather(text: AsyncIterable<string>): Promise<string> {
  let whole = ''
  for await (const chunk of text) {
    whole += chunk
    if (whole.length > MAX_CATALOGUE_CHARS)
      throw new DomainError('source_malformed', `The KEV catalogue is not believed: it is longer than ${MAX_CATALOGUE_CHARS} characters.`)
  }
  return whole
}
