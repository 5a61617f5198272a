import type pg from 'pg'
import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import { leaseConnection } from '#platform/database/leased-connection.ts'
import { transact } from '#platform/database/transact.ts'
import type { Log } from '#platform/logging/logger.ts'
import { lockCves } from './cves-import.store.ts'
import { applyEpss, applyKev, findSource, openEpssStaging, openScoreSession, rescoreTouched, saveSource, touchAll } from './scores.store.ts'
import { EpssReader } from './sources/read-epss.ts'
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

export type KevAndEpss = {
  /** Brings KEV in line with a whole catalogue. @throws source_malformed when it is not believed; then nothing has changed */
  applyKevCatalogue(text: AsyncIterable<string>): Promise<ScoreImport>
  /** Takes over a day of EPSS scores. @throws source_malformed; then nothing has changed */
  applyEpssScores(text: AsyncIterable<string>, signal: AbortSignal): Promise<ScoreImport>
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
}: {
  pool: pg.Pool
  log: Log
  clock: Clock
  audit: AuditService
}): ScoresService {
  return {
    async applyKevCatalogue(text) {
      const { version, entries } = parseKevCatalogue(await gather(text))
      return await leaseConnection(pool, async ({ client, db }) => {
        await openScoreSession(client)
        return await transact(db, log, async (tx) => {
          await lockCves(tx.db)
          const { added, changed, removed, stored } = await applyKev(tx.db, entries)
          requireBelievableRemovals(stored, removed)
          const { priorities } = await rescoreTouched(tx.db, clock())
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

    async applyEpssScores(text, signal) {
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
          const { model, day } = reader.header
          const known = await findSource(tx.db, 'EPSS')
          if (day !== undefined && known?.data_day != null && day < known.data_day)
            throw new DomainError('source_malformed', `These EPSS scores are of ${day}; those of ${known.data_day} are stored already.`)
          const isOtherModel = model !== undefined && known?.version != null && model !== known.version
          const counts = await applyEpss(tx.db, { reason: isOtherModel ? `epss_model:${model}` : 'epss', isWholeDay: model !== undefined })
          const { priorities } = await rescoreTouched(tx.db, clock())
          await saveSource(tx.db, {
            source: 'EPSS',
            version: model ?? known?.version ?? null,
            data_day: day ?? known?.data_day ?? null,
            updated_at: clock(),
          })
          const { rows, changed, removed } = counts
          return { records: rows, created: 0, updated: changed, unchanged: rows - changed, removed, refused: reader.refused, priorities }
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
          await audit.record(tx, actor, { action: 'cves.rescored', target: { type: 'cves' }, details: counts })
          return counts
        })
      })
    },
  }
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
