import { createHash } from 'node:crypto'
import { escapeCopyText } from '#kernel/copy-text.ts'
import type { AffectedProduct } from '../applicability/cna-affected.ts'
import { type Configuration, vulnerableProducts } from '../applicability/configurations.ts'
import { type CpeProduct, candidateKeys } from '../applicability/product-match.ts'
import { searchWords } from '../search-words.ts'
import type { CveRecord } from './cve-record.ts'

/** A CVE on its way into the database, and the products that it names as vulnerable. */
export type StagedRecord = { line: string; products: CpeProduct[] }
/** A product with the keys that it is found by. */
export type KeyedProduct = CpeProduct & { keys: string[] }

/** Characters of a vendor or product name. Source: the longest in published names has about 100. */
const MAX_NAME_CHARS = 200
/** Products of one CVE. Source: the most in published records is about 6,000. */
const MAX_PRODUCTS = 10_000

/** A line of COPY: id, moment of change, fingerprint, record, products. */
export function stageRecord(cve: CveRecord): StagedRecord {
  const products = namedProducts(cve)
  const { id, lastModified, published, cvss, ssvc, references, ...rest } = cve
  const doc = JSON.stringify({
    ...rest,
    cvss: cvss?.score,
    cvss_version: cvss?.version,
    cvss_vector: cvss?.vector,
    cvss_source: cvss?.source,
    ssvc,
    reference_list: references,
    published: published.toISOString(),
    words: [...new Set(searchWords(cve.description))],
  })
  const names = JSON.stringify(products.map(({ vendor, product }) => [vendor, product]))
  const digest = createHash('sha256').update(doc).digest('base64url')
  return { line: `${id}\t${lastModified.toISOString()}\t${digest}\t${escapeCopyText(doc)}\t${escapeCopyText(names)}\n`, products }
}

/** A line that takes a withdrawn CVE away. */
export function stageRejected(id: string, lastModified: Date): string {
  return `${id}\t${lastModified.toISOString()}\t\\N\t\\N\t\\N\n`
}

/** The product with every key that it may be found by. */
export function withKeys(product: CpeProduct): KeyedProduct {
  return { ...product, keys: candidateKeys(product) }
}

/** What both NVD and the CVE's author name, once each. */
export function namedProducts({
  configurations,
  affected,
}: {
  configurations: readonly Configuration[]
  affected: readonly AffectedProduct[]
}): CpeProduct[] {
  const named = new Map<string, CpeProduct>()
  const add = (vendor: string, product: string) => {
    if (product !== '' && vendor.length <= MAX_NAME_CHARS && product.length <= MAX_NAME_CHARS && named.size < MAX_PRODUCTS)
      named.set(`${vendor}\n${product}`, { vendor, product })
  }
  for (const { vendor, product } of vulnerableProducts(configurations)) add(vendor, product)
  for (const { vendor = '', product, packageName } of affected)
    for (const name of [product, packageName?.split(/[:/@]/).at(-1)]) if (name !== undefined) add(vendor.toLowerCase(), name.toLowerCase())
  return [...named.values()]
}
