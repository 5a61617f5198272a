import { StringDecoder } from 'node:string_decoder'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import type { AlertsService } from '#domains/alerts/alerts.service.ts'
import type { AuditService } from '#domains/audit/audit.service.ts'
import type { Actor } from '#kernel/actor.ts'
import type { Clock } from '#kernel/clock.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { type LeasedConnection, leaseConnection } from '#platform/database/leased-connection.ts'
import { transact } from '#platform/database/transact.ts'
import { openDecodedFile } from '#platform/decoding/decoded-file.ts'
import type { Log } from '#platform/logging/logger.ts'
import type { CrossingsService } from './crossings.service.ts'
import { commitWithoutWaiting, openImportSession } from './cves-import.store.ts'
import type { KevAndEpss } from './scores.service.ts'
import { detectSource, HEAD_CHARS, type SourceKind } from './sources/detect-source.ts'
import { NvdReader, type UnreadRecord } from './sources/read-nvd.ts'
import { addToBatch, clearBatch, type MetProduct, newBatch, type StagedBatch } from './sources/staged-batch.ts'
import { createWriteStaged, type StagedWrite } from './staged-write.service.ts'

/** What an import of one file has done. A file that fails keeps what was committed before, and says so in `error`. */
export type FileImport = {
  path: string
  source: SourceKind
  /** Rows that the file gave, of whatever kind. */
  records: number
  created: number
  updated: number
  unchanged: number
  removed: number
  refused: number
  /** Some of the refused, with their reasons. */
  refusals: string[]
  /** CVEs whose priority changed. */
  priorities: number
  error: string | null
}
export type ImportProgress = { bytes: number; bytesRead: number; records: number }
export type ImportOptions = {
  /** Updates what is known and adds nothing. */
  onlyKnown: boolean
  signal: AbortSignal
  onProgress(progress: ImportProgress): void
}

export type CvesImportService = {
  /**
   * Takes over a file of NVD records, a KEV catalogue or EPSS scores, packed by gzip, xz, zstd or zip, or not. Streams; memory is bounded by a few batches.
   * An import raises no alert.
   */
  importFile(actor: Actor, path: string, options: ImportOptions): Promise<FileImport>
}

/** CVEs of one committed batch, and the bytes of their rows at which a batch of long ones ends. */
const BATCH_RECORDS = 2000
const BATCH_BYTES = 4_194_304
/** Batches in turn: one is filled while others wait to be written, since writing takes now longer and now shorter than reading. */
const BATCHES = 3
/** What is read before the answers of the database are listened to, bytes: a millisecond of work. */
const PIECE_BYTES = 32_768
const MAX_REFUSALS = 20
/** Products that are remembered; others are looked up with each batch. Source: 57,000 in the published records. */
const MAX_MET_PRODUCTS = 200_000

export function createCvesImportService({
  db,
  pool,
  log,
  clock,
  audit,
  alerts,
  scores,
  crossings,
}: {
  db: Db
  pool: pg.Pool
  log: Log
  clock: Clock
  audit: AuditService
  alerts: Pick<AlertsService, 'withdraw'>
  scores: KevAndEpss
  crossings: Pick<CrossingsService, 'isReached' | 'noteSilently'>
}): CvesImportService {
  const writeStaged = createWriteStaged({ clock, alerts, crossings })

  /** Writes one batch and commits it. */
  async function writeBatch(lease: LeasedConnection, batch: StagedBatch, onlyKnown: boolean): Promise<StagedWrite> {
    return await transact(lease.db, log, async (tx) => await writeStaged(lease, tx, batch, { onlyKnown, silent: true }))
  }

  /** Reads a record into a batch, or into the result when that cannot be. */
  function readInto(batch: StagedBatch, record: UnreadRecord, result: FileImport): void {
    result.records++
    const read = record.read()
    if (read.kind !== 'refused') addToBatch(batch, read)
    else {
      result.refused++
      if (result.refusals.length < MAX_REFUSALS) result.refusals.push(`${read.id ?? 'a record'}: ${read.reason}`)
    }
  }

  async function importRecords(text: AsyncIterable<string>, result: FileImport, { onlyKnown, signal }: ImportOptions): Promise<void> {
    await leaseConnection(pool, async (lease) => {
      await openImportSession(lease.client)
      // A batch that a crash of the database takes back was told to nobody: the journal's row, which is written last, waits for all of them.
      await commitWithoutWaiting(lease.client)
      const met = new Map<string, MetProduct>()
      let filling = newBatch(met)
      const queue: { batch: StagedBatch; written: Promise<void> }[] = []
      const reader = new NvdReader((record) => readInto(filling, record, result))
      async function write(batch: StagedBatch): Promise<void> {
        if (batch.cves.size === 0) return
        const written = await writeBatch(lease, batch, onlyKnown)
        result.created += written.created
        result.updated += written.updated
        result.unchanged += written.unchanged
        result.removed += written.removed
      }
      /** Has what was read written behind all before it, and goes on in the batch that was written first. @throws what writing has thrown */
      async function flush(): Promise<void> {
        const full = filling
        for (const [name, product] of full.products) if (met.size < MAX_MET_PRODUCTS) met.set(name, product)
        const before = queue.at(-1)?.written
        const written = (async () => {
          await before
          await write(full)
        })()
        // It is waited for below, or at a later flush; until then a failure is nobody's.
        written.catch(() => undefined)
        queue.push({ batch: full, written })
        const first = queue.length < BATCHES ? undefined : queue.shift()
        await first?.written
        filling = first?.batch ?? newBatch(met)
        clearBatch(filling)
      }
      try {
        for await (const chunk of text) {
          signal.throwIfAborted()
          reader.push(chunk)
          if (filling.cves.size >= BATCH_RECORDS || filling.rows.length >= BATCH_BYTES) await flush()
          // Unpacked text comes without a pause; the answers of the database have to be heard in between.
          else await nextTurn()
        }
        reader.end()
      } finally {
        // What was read before a fault is good, and kept.
        await flush()
        for (const { written } of queue) await written
      }
    })
  }

  async function importText(text: AsyncIterable<string>, result: FileImport, options: ImportOptions): Promise<void> {
    const { head, all } = await peek(text)
    result.source = detectSource(head)
    if (result.source === 'NVD') return await importRecords(all, result, options)
    const counts =
      result.source === 'KEV'
        ? await scores.applyKevCatalogue(all, { silent: true })
        : await scores.applyEpssScores(all, { silent: true, signal: options.signal })
    Object.assign(result, counts)
  }

  return {
    async importFile(actor, path, options) {
      const file = await openDecodedFile(path)
      const result: FileImport = {
        path,
        source: 'NVD',
        records: 0,
        created: 0,
        updated: 0,
        unchanged: 0,
        removed: 0,
        refused: 0,
        refusals: [],
        priorities: 0,
        error: null,
      }
      const tell = () => options.onProgress({ bytes: file.bytes, bytesRead: file.bytesRead(), records: result.records })
      try {
        await importText(decodeText(file.read(), tell), result, options)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        result.error = error.message
      } finally {
        await file.close()
      }
      await transact(db, log, async (tx) => {
        const { source, records, created, updated, removed, refused } = result
        await audit.record(tx, actor, {
          action: 'cves.imported',
          outcome: result.error === null ? 'SUCCESS' : 'FAILURE',
          target: { type: 'file', name: path },
          details: { source, records, created, updated, removed, refused },
        })
      })
      return result
    },
  }
}

async function* decodeText(bytes: AsyncIterable<Uint8Array>, onChunk: () => void): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let isFirst = true
  for await (const chunk of bytes) {
    // Each piece is decoded by itself: a slice of a longer text is read at half the speed.
    for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
      const text = decoder.write(chunk.subarray(at, at + PIECE_BYTES))
      if (text === '') continue
      yield isFirst ? text.replace(/^\ufeff/, '') : text
      isFirst = false
    }
    onChunk()
  }
  const rest = decoder.end()
  if (rest !== '') yield rest
}

/** The beginning of a text, and all of it. */
async function peek(text: AsyncIterable<string>): Promise<{ head: string; all: AsyncIterable<string> }> {
  const iterator = text[Symbol.asyncIterator]()
  let head = ''
  while (head.length < HEAD_CHARS) {
    const next = await iterator.next()
    if (next.done === true) break
    head += next.value
  }
  async function* all(): AsyncGenerator<string> {
    if (head !== '') yield head
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  }
  return { head, all: all() }
}
