/** One CPE 2.3 name in lower case with its escapes undone; `*` is any, `-` is none. */
export type Cpe = {
  part: 'a' | 'o' | 'h'
  vendor: string
  product: string
  version: string
  update: string
  swEdition: string
  targetSw: string
}

const ATTRIBUTES = 11
/** Characters of one name. Source: the longest in 1.5 million published ones has 262; above this it is damage. */
const MAX_CPE_CHARS = 1024
const PREFIX = 'cpe:2.3:'
const PREFIX_PARTS = 2
/** Where the vendor begins: behind the prefix, the part and a colon. */
export const VENDOR_AT = 10
const PARTS: ReadonlySet<string> = new Set(['a', 'o', 'h'])

/** Part, vendor and product, which are never empty, and eight values more; a character behind a backslash is a part of its value. */
const CPE = /^cpe:2\.3:[aoh](?::(?:[^:\\]|\\.)+){2}(?::(?:[^:\\]|\\.)*){8}\\?$/is

/** Whether `tryParseCpe` reads it, at a third of the cost: an import asks this of millions. */
export function isCpe(text: string): boolean {
  return text.length <= MAX_CPE_CHARS && CPE.test(text)
}

/**
 * Reads a CPE 2.3 formatted string. Colons inside a value are escaped, so the text is cut at the others only.
 *
 * Source: NISTIR 7695, 6.2. @returns undefined for anything else: one name that cannot be read must not cost the whole record
 */
export function tryParseCpe(text: string): Cpe | undefined {
  if (text.length > MAX_CPE_CHARS || text.slice(0, PREFIX.length).toLowerCase() !== PREFIX) return undefined
  const values = cutAtColons(text).slice(PREFIX_PARTS)
  if (values.length !== ATTRIBUTES) return undefined
  const [part = '', vendor = '', product = '', version = '', update = '', , , swEdition = '', targetSw = ''] = values
  if (!isPart(part) || vendor === '' || product === '') return undefined
  return { part, vendor, product, version: orAny(version), update: orAny(update), swEdition: orAny(swEdition), targetSw: orAny(targetSw) }
}

/** A product as CPE names it. */
export type CpeProduct = Pick<Cpe, 'vendor' | 'product'>

/** What has to be escaped in a value, so that two of them can be cut apart again. */
const NEEDS_ESCAPE = /[\\:]/g

/** Vendor and product in one text: nearly always as they stand in a CPE name. */
export function productName({ vendor, product }: CpeProduct): string {
  return `${vendor.replace(NEEDS_ESCAPE, '\\$&')}:${product.replace(NEEDS_ESCAPE, '\\$&')}`
}

/** The vendor and the product of what `productName` wrote. */
export function cutProductName(name: string): CpeProduct {
  const [vendor = '', product = ''] = cutAtColons(name)
  return { vendor, product }
}

/** The product of a name, in one text. @param cpe a name that `isCpe` accepts */
export function productNameOf(cpe: string): string {
  const name = cpe.slice(VENDOR_AT, cpe.indexOf(':', cpe.indexOf(':', VENDOR_AT) + 1))
  // Nearly every product is without an escape, and there are millions in an import.
  if (!name.includes('\\')) return name.toLowerCase()
  const [vendor = '', product = ''] = cutAtColons(cpe.slice(VENDOR_AT))
  return productName({ vendor, product })
}

/** True for `*` and `-`: the name does not say which. */
export function isUnstated(value: string): boolean {
  return value === '*' || value === '-'
}

function cutAtColons(text: string): string[] {
  // Nearly every name is without an escape, and there are millions in an import.
  if (!text.includes('\\')) return text.toLowerCase().split(':')
  const values: string[] = []
  let value = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\' && at + 1 < text.length) {
      at++
      value += text[at]
    } else if (character === ':') {
      values.push(value.toLowerCase())
      value = ''
    } else value += character
  }
  values.push(value.toLowerCase())
  return values
}

function orAny(value: string): string {
  return value === '' ? '*' : value
}

function isPart(part: string): part is Cpe['part'] {
  return PARTS.has(part)
}
