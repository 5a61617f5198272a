import { StringDecoder } from 'node:string_decoder'
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
import type { CpeProduct } from './applicability/product-match.ts'
import type { CrossingsService } from './crossings.service.ts'
import { addProducts, lockCves, type MergeCounts, mergeStaged, openImportSession, openRecordStaging } from './cves-import.store.ts'
import type { KevAndEpss } from './scores.service.ts'
import { detectSource, HEAD_CHARS, type SourceKind } from './sources/detect-source.ts'
import { NvdReader } from './sources/read-nvd.ts'
import { type KeyedProduct, stageRecord, stageRejected, withKeys } from './sources/staged-record.ts'

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

/** Of a CVE that a batch names twice, what was changed last. */
type Line = { text: string; lastModified: Date }
type Batch = { lines: Map<string, Line>; chars: number; products: Map<string, KeyedProduct> }

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
  async function writeBatch(lease: LeasedConnection, batch: Batch, onlyKnown: boolean): Promise<MergeCounts> {
    return await transact(lease.db, log, async (tx) => {
      const staging = openRecordStaging(lease.client)
      for (const { text } of batch.lines.values()) await staging.write(text)
      await staging.end()
      await lockCves(tx.db)
      if (batch.products.size > 0) await addProducts(tx.db, [...batch.products.values()])
      const counts = await mergeStaged(tx.db, { at: clock(), onlyKnown })
      if (counts.removed.length > 0) await alerts.withdraw(tx, counts.removed)
      await crossings.noteSilently(tx.db, 'changed')
      return counts
    })
  }

  async function importRecords(text: AsyncIterable<string>, result: FileImport, { onlyKnown, signal }: ImportOptions): Promise<void> {
    await leaseConnection(pool, async (lease) => {
      await openImportSession(lease.client)
      const writer = createBatchWriter(async (batch) => {
        const counts = await writeBatch(lease, batch, onlyKnown)
        result.created += counts.created
        result.updated += counts.updated
        result.unchanged += counts.unchanged
        result.removed += counts.removed.length
      })
      const reader = new NvdReader((record) => {
        result.records++
        if (record.kind === 'refused') {
          result.refused++
          if (result.refusals.length < MAX_REFUSALS) result.refusals.push(`${record.id ?? 'a record'}: ${record.reason}`)
        } else if (record.kind === 'rejected')
          writer.add(record.id, { text: stageRejected(record.id, record.lastModified), lastModified: record.lastModified }, [])
        else {
          const { line, products } = stageRecord(record.cve)
          writer.add(record.cve.id, { text: line, lastModified: record.cve.lastModified }, products)
        }
      })
      try {
        for await (const chunk of text) {
          signal.throwIfAborted()
          reader.push(chunk)
          await writer.settle()
        }
        reader.end()
      } finally {
        // What was read before a fault is good, and kept.
        await writer.end()
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

/** Gathers lines into batches, and writes one while the next is gathered. */
function createBatchWriter(write: (batch: Batch) => Promise<void>) {
  let batch: Batch = { lines: new Map(), chars: 0, products: new Map() }
  let writing: Promise<void> = Promise.resolve()
  const written = new Set<string>()

  async function flush(): Promise<void> {
    // Throws what the batch before has thrown.
    await writing
    const full = batch
    batch = { lines: new Map(), chars: 0, products: new Map() }
    writing = write(full)
    // It is waited for at the next flush; until then a failure is nobody's.
    writing.catch(() => undefined)
  }

  return {
    add(id: string, line: Line, products: readonly CpeProduct[]): void {
      const earlier = batch.lines.get(id)
      if (earlier !== undefined && earlier.lastModified > line.lastModified) return
      batch.lines.set(id, line)
      batch.chars += line.text.length
      for (const product of products) {
        const key = `${product.vendor}\n${product.product}`
        if (written.has(key)) continue
        if (written.size >= MAX_REMEMBERED_PRODUCTS) written.clear()
        written.add(key)
        batch.products.set(key, withKeys(product))
      }
    },
    /** Begins to write when there is enough. */
    async settle(): Promise<void> {
      if (batch.lines.size >= BATCH_RECORDS || batch.chars >= BATCH_CHARS) await flush()
    },
    async end(): Promise<void> {
      if (batch.lines.size > 0) await flush()
      await writing
    },
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
