import { hash } from 'node:crypto'
import type { CopyRows } from '#kernel/copy-binary.ts'
import type { AffectedProduct } from '../applicability/cna-affected.ts'
import { type Configuration, vulnerableProducts } from '../applicability/configurations.ts'
import { type CpeProduct, cutProductName, productName } from '../applicability/cpe.ts'
import { candidateKeys } from '../applicability/product-match.ts'
import type { CompositeScore } from '../score/composite-score.ts'
import { keptWords } from '../search-words.ts'
import { cleanText } from './clean-text.ts'
import type { CveRecord } from './cve-record.ts'

/** A product with the keys that it is found by. */
export type KeyedProduct = CpeProduct & { keys: string[] }

/** Characters of vendor and product together. Source: the longest vendor and the longest product in published names have about 100. */
const MAX_NAME_CHARS = 400
/** Products of one CVE. Source: the most in published records is about 6,000. */
const MAX_PRODUCTS = 10_000
/** The columns of a row of `cves`, in the order in which it is written. */
export const ROW_COLUMNS = [
  ...['id', 'last_modified', 'status', 'published', 'description', 'tags', 'cwes', 'cvss', 'cvss_version', 'cvss_vector'],
  ...['cvss_source', 'ssvc', 'exploit', 'reference_list', 'configurations', 'affected', 'words', 'digest', 'score', 'priority'],
] as const
/** Bytes from the score to the end of a row: its points, and the length and the two letters of the priority. */
const SCORE_BYTES = 10
const UNSCORED: Pick<CompositeScore, 'score' | 'priority'> = { score: 0, priority: 'P3' }

/** Adds the row of a CVE, without its score. @returns the fingerprint of everything that is kept of it but the moment of change */
export function stageRecord(rows: CopyRows, cve: CveRecord): string {
  const { cvss, ssvc } = cve
  rows.begin(ROW_COLUMNS.length)
  rows.text(cve.id)
  rows.moment(cve.lastModified)
  const content = rows.length
  rows.text(cleanText(cve.status))
  rows.moment(cve.published)
  rows.text(cleanText(cve.description))
  rows.texts(cve.tags.map(cleanText))
  rows.texts(cve.cwes)
  rows.double(cvss?.score)
  rows.text(cvss?.version)
  rows.text(cvss && cleanText(cvss.vector))
  rows.text(cvss && cleanText(cvss.source))
  rows.jsonb(ssvc && JSON.stringify(ssvc))
  rows.boolean(cve.exploit)
  rows.text(JSON.stringify(cve.references))
  rows.text(JSON.stringify(cve.configurations))
  rows.text(JSON.stringify(cve.affected))
  rows.words(keptWords(cve.description))
  const digest = hash('sha256', rows.slice(content, rows.length), 'base64url')
  rows.text(digest)
  rows.integer(UNSCORED.score)
  rows.text(UNSCORED.priority)
  return digest
}

/** Gives a row its score. @param to where the row ends */
export function scoreRow(rows: CopyRows, to: number, { score, priority }: Pick<CompositeScore, 'score' | 'priority'>): void {
  const bytes = Buffer.alloc(SCORE_BYTES)
  bytes.write(priority, bytes.writeInt32BE(priority.length, bytes.writeInt32BE(score)))
  rows.overwrite(to - SCORE_BYTES, bytes)
}

/** The product of a name that `namedProducts` gave, with every key that it may be found by. */
export function keyedProduct(name: string): KeyedProduct {
  const product = cutProductName(name)
  return { ...product, keys: candidateKeys(product) }
}

/** What both NVD and the CVE's author name, as `productName` writes it. */
export function namedProducts({
  configurations,
  affected,
}: {
  configurations: readonly Configuration[]
  affected: readonly AffectedProduct[]
}): Set<string> {
  const names = new Set<string>()
  const add = (given: string) => {
    const name = cleanText(given)
    if (name.length <= MAX_NAME_CHARS && names.size < MAX_PRODUCTS) names.add(name)
  }
  for (const name of vulnerableProducts(configurations)) add(name)
  for (const { vendor = '', product, packageName } of affected)
    for (const name of [product, packageName?.split(/[:/@]/).at(-1)])
      if (name !== undefined && name !== '') add(productName({ vendor: vendor.toLowerCase(), product: name.toLowerCase() }))
  return names
}
