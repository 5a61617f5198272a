import { hash } from 'node:crypto'
import { escapeCopyText } from '#kernel/copy-text.ts'
import type { AffectedProduct } from '../applicability/cna-affected.ts'
import { type Configuration, vulnerableProducts } from '../applicability/configurations.ts'
import { type CpeProduct, candidateKeys } from '../applicability/product-match.ts'
import { searchWords } from '../search-words.ts'
import { cleanText } from './clean-text.ts'
import type { CveRecord } from './cve-record.ts'

/** A CVE on its way into the database, and the products that it names as vulnerable. */
export type StagedRecord = { line: string; products: CpeProduct[] }
/** A product with the keys that it is found by. */
export type KeyedProduct = CpeProduct & { keys: string[] }

/** Characters of a vendor or product name. Source: the longest in published names has about 100. */
const MAX_NAME_CHARS = 200
/** Products of one CVE. Source: the most in published records is about 6,000. */
const MAX_PRODUCTS = 10_000
/**
 * How a record is read, as a number: a text that was read in another way is read anew. A test holds what one record amounts to, and fails when this
 * has to be raised.
 */
const READING = '1\n'

/** The columns of a staged line, in its order. The first two stand in every line, the rest are null for a CVE that is withdrawn. */
export const STAGED_COLUMNS = [
  ...[
    'id',
    'last_modified',
    'text_digest',
    'digest',
    'status',
    'published',
    'description',
    'tags',
    'cwes',
    'cvss',
    'cvss_version',
    'cvss_vector',
  ],
  ...['cvss_source', 'ssvc', 'exploit', 'reference_list', 'configurations', 'affected', 'words', 'vendors', 'products'],
] as const
const NULL = '\\N'

/** A line of COPY with everything that is kept of a CVE. @param textDigest of the text that it was read from, when the same text may come again */
export function stageRecord(cve: CveRecord, textDigest?: string): StagedRecord {
  const products = namedProducts(cve)
  const { cvss, ssvc } = cve
  const content = [
    field(cve.status),
    cve.published.toISOString(),
    field(cve.description),
    field(toArray(cve.tags)),
    field(toArray(cve.cwes)),
    field(cvss?.score.toString()),
    field(cvss?.version),
    field(cvss?.vector),
    field(cvss?.source),
    field(ssvc === undefined ? undefined : JSON.stringify(ssvc)),
    String(cve.exploit),
    field(JSON.stringify(cve.references)),
    field(JSON.stringify(cve.configurations)),
    field(JSON.stringify(cve.affected)),
    searchWords(cve.description).join(' '),
    field(toArray(products.map(({ vendor }) => vendor))),
    field(toArray(products.map(({ product }) => product))),
  ].join('\t')
  const line = `${cve.id}\t${cve.lastModified.toISOString()}\t${textDigest ?? NULL}\t${digestOf(content)}\t${content}\n`
  return { line, products }
}

/** A line that takes a withdrawn CVE away. */
export function stageRejected(id: string, lastModified: Date): string {
  return `${[id, lastModified.toISOString(), ...STAGED_COLUMNS.slice(2).map(() => NULL)].join('\t')}\n`
}

/** The fingerprint of a text that a record is read from. */
export function textDigestOf(text: string): string {
  return digestOf(READING + text)
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** A column as COPY reads it. What a stranger wrote may hold characters that no text of the database can. */
function field(text: string | undefined): string {
  return text === undefined ? NULL : escapeCopyText(cleanText(text))
}

/** Source: PostgreSQL 16, "Array Value Input". */
function toArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
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
      named.set(`${vendor}\n${product}`, { vendor: cleanText(vendor), product: cleanText(product) })
  }
  for (const { vendor, product } of vulnerableProducts(configurations)) add(vendor, product)
  for (const { vendor = '', product, packageName } of affected)
    for (const name of [product, packageName?.split(/[:/@]/).at(-1)]) if (name !== undefined) add(vendor.toLowerCase(), name.toLowerCase())
  return [...named.values()]
}
