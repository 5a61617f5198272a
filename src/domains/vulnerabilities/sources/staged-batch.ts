import type { CpeProduct } from '../applicability/product-match.ts'
import type { ReadRecord } from './cve-record.ts'
import { stageRecord, stageRejected } from './staged-record.ts'

/** Records on their way into the database together, each CVE once, and the products that they name. */
export type StagedBatch = {
  lines: Map<string, { text: string; lastModified: Date }>
  /** By vendor and name. */
  products: Map<string, CpeProduct>
}

export function newBatch(): StagedBatch {
  return { lines: new Map(), products: new Map() }
}

/** Adds a record. Of a CVE that comes twice, what was changed last counts. */
export function addToBatch({ lines, products }: StagedBatch, record: Exclude<ReadRecord, { kind: 'refused' }>, textDigest?: string): void {
  const { id, lastModified } = record.kind === 'cve' ? record.cve : record
  const earlier = lines.get(id)
  if (earlier !== undefined && earlier.lastModified > lastModified) return
  if (record.kind === 'rejected') {
    lines.set(id, { text: stageRejected(id, lastModified), lastModified })
    return
  }
  const staged = stageRecord(record.cve, textDigest)
  lines.set(id, { text: staged.line, lastModified })
  for (const product of staged.products) products.set(`${product.vendor}\n${product.product}`, product)
}
