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
import {
  addProducts,
  commitWithoutWaiting,
  findTextDigests,
  lockCves,
  type MergeCounts,
  mergeStaged,
  openImportSession,
  openRecordStaging,
} from './cves-import.store.ts'
import type { KevAndEpss } from './scores.service.ts'
import { detectSource, HEAD_CHARS, type SourceKind } from './sources/detect-source.ts'
import { NvdReader, type UnreadRecord } from './sources/read-nvd.ts'
import { addToBatch, newBatch, type StagedBatch } from './sources/staged-batch.ts'
import { textDigestOf, withKeys } from './sources/staged-record.ts'

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
   * Takes over a file of NVD records, a KEV catalogue or EPSS scores, packed by gzip or xz or not. Streams; memory is bounded by two batches.
   * An import raises no alert.
   */
  importFile(actor: Actor, path: string, options: ImportOptions): Promise<FileImport>
}

/** Records of one committed batch, and the characters at which a batch of long ones ends. */
const BATCH_RECORDS = 1000
const BATCH_CHARS = 4_194_304
const MAX_REFUSALS = 20
/** Products remembered as written; beyond it the memory begins again. Source: 28,000 in the published records. */
const MAX_REMEMBERED_PRODUCTS = 200_000

/** Records that are read before the answers of the database are listened to. Milliseconds of work. */
const RECORDS_A_TURN = 25

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
  crossings: Pick<CrossingsService, 'noteSilently'>
}): CvesImportService {
  /** Writes one batch and commits it. */
  async function writeBatch(lease: LeasedConnection, { lines, products }: StagedBatch, onlyKnown: boolean): Promise<MergeCounts> {
    return await transact(lease.db, log, async (tx) => {
      const staging = openRecordStaging(lease.client)
      for (const { text } of lines.values()) await staging.write(text)
      await staging.end()
      await lockCves(tx.db)
      if (products.size > 0) await addProducts(tx.db, [...products.values()].map(withKeys))
      const counts = await mergeStaged(tx.db, { at: clock(), onlyKnown })
      if (counts.removed.length > 0) await alerts.withdraw(tx, counts.removed)
      await crossings.noteSilently(tx.db, 'changed')
      return counts
    })
  }

  /** Of the records of a batch, those whose text the base has not taken over yet. */
  async function keepUnknown(records: readonly UnreadRecord[]): Promise<{ record: UnreadRecord; digest: string }[]> {
    const found = records.map((record) => ({
      record,
      digest: textDigestOf(record.text),
      id: /"(CVE-\d{4}-\d{4,19})"/.exec(record.text)?.[1],
    }))
    const known = await findTextDigests(
      db,
      found.flatMap(({ id }) => id ?? []),
    )
    return found.filter(({ digest, id }) => id === undefined || known.get(id) !== digest)
  }

  /** Reads records into a batch, and those that cannot be into the result. */
  async function readBatch(records: readonly UnreadRecord[], result: FileImport): Promise<StagedBatch> {
    const batch = newBatch()
    const unknown = await keepUnknown(records)
    result.records += records.length
    result.unchanged += records.length - unknown.length
    for (const [at, { record, digest }] of unknown.entries()) {
      if (at % RECORDS_A_TURN === 0) await nextTurn()
      const read = record.read()
      if (read.kind !== 'refused') addToBatch(batch, read, digest)
      else {
        result.refused++
        if (result.refusals.length < MAX_REFUSALS) result.refusals.push(`${read.id ?? 'a record'}: ${read.reason}`)
      }
    }
    return batch
  }

  async function importRecords(text: AsyncIterable<string>, result: FileImport, { onlyKnown, signal }: ImportOptions): Promise<void> {
    await leaseConnection(pool, async (lease) => {
      await openImportSession(lease.client)
      // A batch that a crash of the database takes back was told to nobody: the journal's row, which is written last, waits for all of them.
      await commitWithoutWaiting(lease.client)
      const forgetWritten = rememberProducts()
      let unread: UnreadRecord[] = []
      let chars = 0
      let writing: Promise<void> = Promise.resolve()
      const reader = new NvdReader((record) => {
        unread.push(record)
        chars += record.text.length
      })
      async function write(batch: StagedBatch): Promise<void> {
        if (batch.lines.size === 0) return
        const counts = await writeBatch(lease, batch, onlyKnown)
        result.created += counts.created
        result.updated += counts.updated
        result.unchanged += counts.unchanged
        result.removed += counts.removed.length
      }
      /** Reads what has been gathered, while the batch before is written. */
      async function flush(): Promise<void> {
        const records = unread
        unread = []
        chars = 0
        const batch = await readBatch(records, result)
        forgetWritten(batch)
        // Throws what the batch before has thrown.
        await writing
        writing = write(batch)
        // It is waited for at the next flush; until then a failure is nobody's.
        writing.catch(() => undefined)
      }
      try {
        for await (const chunk of text) {
          signal.throwIfAborted()
          reader.push(chunk)
          if (unread.length >= BATCH_RECORDS || chars >= BATCH_CHARS) await flush()
          // Unpacked text comes without a pause; the answers of the database have to be heard in between.
          else await nextTurn()
        }
        reader.end()
      } finally {
        // What was read before a fault is good, and kept.
        await flush()
        await writing
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

/** Takes the products out of a batch that an earlier one of the same import has written. */
function rememberProducts(): (batch: StagedBatch) => void {
  const written = new Set<string>()
  return ({ products }) => {
    for (const name of products.keys()) {
      if (written.has(name)) products.delete(name)
      else {
        if (written.size >= MAX_REMEMBERED_PRODUCTS) written.clear()
        written.add(name)
      }
    }
  }
}

async function* decodeText(bytes: AsyncIterable<Uint8Array>, onChunk: () => void): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let isFirst = true
  for await (const chunk of bytes) {
    const text = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    if (text !== '') {
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
