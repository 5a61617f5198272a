import { CopyRows, type RowPlace } from '#kernel/copy-binary.ts'
import { compositeScore, type ScoreInputs } from '../score/composite-score.ts'
import type { ReadRecord } from './cve-record.ts'
import { namedProducts, scoreRow, stageRecord } from './staged-record.ts'

/** Records on their way into the database together, and the products that they name. */
export type StagedBatch = {
  /** A row for each record, also for one that another of the same CVE has taken the place of. */
  rows: CopyRows
  /** What the batch says of each CVE. */
  cves: Map<string, StagedCve>
  /** Those that were not met before, by their names. */
  products: Map<string, MetProduct>
  readonly met: MetProducts
}
/** A product, whose id is known once the batch that has met it first is written. */
export type MetProduct = { id?: number }
/** Products that batches before have met, by their names. */
export type MetProducts = ReadonlyMap<string, MetProduct>
/** One CVE. Without a row it was withdrawn. */
export type StagedCve = { id: string; lastModified: Date; row?: StagedRow }
export type StagedRow = RowPlace & Pick<ScoreInputs, 'cvss' | 'exploit'> & { digest: string; named: MetProduct[]; score?: number }

export function newBatch(met: MetProducts = new Map()): StagedBatch {
  return { rows: new CopyRows(), cves: new Map(), products: new Map(), met }
}

/** Makes room for other records, in the same memory. */
export function clearBatch({ rows, cves, products }: StagedBatch): void {
  rows.clear()
  cves.clear()
  products.clear()
}

/** Adds a record. Of a CVE that comes twice, what was changed last counts. */
export function addToBatch(batch: StagedBatch, record: Exclude<ReadRecord, { kind: 'refused' }>): void {
  const { rows, cves, products, met } = batch
  const { id, lastModified } = record.kind === 'cve' ? record.cve : record
  const earlier = cves.get(id)
  if (earlier !== undefined && earlier.lastModified > lastModified) return
  if (record.kind === 'rejected') {
    cves.set(id, { id, lastModified })
    return
  }
  const { cve } = record
  const from = rows.length
  const digest = stageRecord(rows, cve)
  const named: MetProduct[] = []
  for (const name of namedProducts(cve)) {
    let product = met.get(name) ?? products.get(name)
    if (product === undefined) {
      product = {}
      products.set(name, product)
    }
    named.push(product)
  }
  cves.set(id, { id, lastModified, row: { from, to: rows.length, digest, named, cvss: cve.cvss?.score, exploit: cve.exploit } })
}

/** What is stored of a CVE, as far as it decides whether a record is written. */
export type KnownCve = { last_modified: Date; digest: string }
/** What a batch comes to: CVEs to add, to change and to take away, and how many are left as they are. */
export type BatchChanges = { added: ChangedCve[]; changed: ChangedCve[]; withdrawn: string[]; unchanged: number }
export type ChangedCve = { id: string; row: StagedRow }

/** A record that is the same but for its moment changes nothing, and neither does one that is older than what is known. */
export function changesOf(
  { cves }: StagedBatch,
  known: ReadonlyMap<string, KnownCve>,
  { onlyKnown }: { onlyKnown: boolean },
): BatchChanges {
  const changes: BatchChanges = { added: [], changed: [], withdrawn: [], unchanged: 0 }
  for (const { id, lastModified, row } of cves.values()) {
    const before = known.get(id)
    const isOlder = before !== undefined && lastModified < before.last_modified
    if (row === undefined) {
      if (before !== undefined && !isOlder) changes.withdrawn.push(id)
    } else if (before === undefined && !onlyKnown) changes.added.push({ id, row })
    else if (before === undefined || isOlder || before.digest === row.digest) changes.unchanged++
    else changes.changed.push({ id, row })
  }
  return changes
}

/** Works out the scores of CVEs and writes them into their rows. @param facts of those of which KEV or EPSS says something */
export function scoreRows(
  { rows }: StagedBatch,
  cves: readonly ChangedCve[],
  facts: ReadonlyMap<string, Omit<ScoreInputs, 'cvss' | 'exploit'>>,
): void {
  for (const { id, row } of cves) {
    const composite = compositeScore({ ...(facts.get(id) ?? NO_FACTS), cvss: row.cvss, exploit: row.exploit })
    scoreRow(rows, row.to, composite)
    row.score = composite.score
  }
}
const NO_FACTS = { epssProbability: undefined, epssPercentile: undefined, kev: false, ransomware: false }

/** Which product each CVE names, pair by pair, in the order of the ids. */
export type NamedPair = { productId: number; cveId: string }

/** @throws when one of them names a product that was not stored */
export function namedPairs(cves: readonly ChangedCve[]): NamedPair[] {
  const pairs = cves.flatMap(({ id, row }) =>
    row.named.map((product) => {
      if (product.id === undefined) throw new Error(`${id} names a product that was not stored`)
      return { productId: product.id, cveId: id }
    }),
  )
  return pairs.sort((first, second) => first.productId - second.productId)
}
