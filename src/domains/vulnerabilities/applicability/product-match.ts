import { trimOf } from '#kernel/text.ts'
import type { CpeProduct } from './cpe.ts'
import { PRODUCT_ALIASES, type ProductAlias, VENDOR_ALIASES } from './product-aliases.ts'

/** Words of a company's name that say nothing of who it is. Assumption: docs/decisions/0016. */
// biome-ignore format: one list
const COMPANY_WORDS = new Set([
  'ab', 'ag', 'co', 'company', 'corp', 'corporation', 'foundation', 'gmbh', 'group', 'inc', 'incorporated', 'international', 'labs',
  'limited', 'llc', 'ltd', 'networks', 'org', 'plc', 'project', 'sa', 'software', 'systems', 'team', 'technologies', 'technology', 'the',
])
/** What CPE puts behind the name of a model, and vendors behind the name of a program. */
const TRAILING_WORDS = new Set(['firmware', 'software'])

/** What somebody says they run. */
export type NamedAsset = { product: string; vendor?: string | undefined }

/** The words of a name: `_`, `-`, `\` and blanks between them; `.`, `+` and `#` belong to a word, so that C++ is not C. */
export function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .replace(/\\/g, ' ')
    .split(/[^\p{L}\p{N}.+#]+/u)
    .map((word) => trimOf(word, '.'))
    .filter((word) => word !== '')
}

/**
 * Whether a CPE names the product that the asset runs: equal names after taking away the vendor's words, `<model>_firmware` for the
 * model, and aliases. Never a part of a name: libssh is not libssh2, PHP-Fusion is not PHP. A vendor that is given must agree.
 *
 * Source: docs/decisions/0016.
 */
export function isSameProduct(asset: NamedAsset, cpe: CpeProduct, aliases: readonly ProductAlias[] = PRODUCT_ALIASES): boolean {
  if (!vendorsAgree(asset.vendor, cpe.vendor)) return false
  const ofVendor = aliasesOf(cpe.vendor, aliases)
  const keys = new Set(productKeys(cpe.product, [cpe.vendor], ofVendor))
  return productKeys(asset.product, [asset.vendor ?? '', cpe.vendor], ofVendor).some((key) => keys.has(key))
}

/**
 * Keys to store with a CPE product, so that one lookup by `probeKeys` finds every product that `isSameProduct` could agree to. They find
 * candidates; equality is the decision.
 */
export function candidateKeys({ vendor, product }: CpeProduct, aliases: readonly ProductAlias[] = PRODUCT_ALIASES): string[] {
  const ofVendor = aliasesOf(vendor, aliases)
  const own = productKeys(product, [vendor], ofVendor)
  const known = ofVendor.filter(({ names }) => own.includes(names[0])).flatMap(({ names }) => names)
  const keys = [...own, ...known]
  const { keys: vendorKeys } = vendorName(vendor)
  return [...new Set([...keys, ...keys.flatMap((key) => vendorKeys.map((vendorKey) => vendorKey + key))])].sort()
}

/** Keys under which the candidates of an asset are stored. */
export function probeKeys(asset: NamedAsset): string[] {
  return productKeys(asset.product, [asset.vendor ?? ''], [])
}

/** Squashed keys of a name: with and without the vendors' words and the trailing word, and CPE's own name where an alias is known. */
function productKeys(product: string, vendors: readonly string[], aliases: readonly ProductAlias[]): string[] {
  const words = wordsOf(product)
  const vendorWords = new Set(vendors.map(vendorName).flatMap(({ words, keys }) => [...words, keys[0]]))
  const keys = new Set<string>()
  for (const form of [words, words.filter((word) => !vendorWords.has(word)), withoutVendorName(words, vendors)])
    for (const key of [squash(form), squash(withoutTrailing(form))]) if (key !== '') keys.add(key)
  for (const { names } of aliases) if (names.some((name) => keys.has(name))) keys.add(names[0])
  return [...keys]
}

/** Loose on purpose, since the product decides: Progress Software is progress, Red Hat is redhat. Nothing given agrees with all. */
export function vendorsAgree(given: string | undefined, cpeVendor: string): boolean {
  return given === undefined || given.trim() === '' || namesAgree(vendorName(given), vendorName(cpeVendor))
}

/**
 * A vendor's name taken apart: its significant words, its squashed keys, and every other name that it is known under; and those of `PRODUCT_ALIASES` that
 * are its own, once asked for.
 */
type VendorName = {
  words: readonly string[]
  keys: readonly [whole: string, significant: string]
  others: readonly string[]
  aliases?: readonly ProductAlias[]
}

/** Vendors that have been taken apart; an import asks for each of them again with each of its products. */
const vendorNames = new Map<string, VendorName>()
/** Beyond it the memory begins again. Source: 22,000 in the published records. */
const MAX_VENDOR_NAMES = 50_000

function vendorName(vendor: string): VendorName {
  const known = vendorNames.get(vendor)
  if (known !== undefined) return known
  if (vendorNames.size >= MAX_VENDOR_NAMES) vendorNames.clear()
  const words = wordsOf(vendor)
  const significant = significantOf(words)
  const keys = [squash(words), squash(significant)] as const
  const name: VendorName = { words: significant, keys, others: VENDOR_ALIASES.filter((names) => isOneOf(keys, names)).flat() }
  vendorNames.set(vendor, name)
  return name
}

function namesAgree(ours: VendorName, theirs: VendorName): boolean {
  if (beginsWith(ours.words, theirs.words) || beginsWith(theirs.words, ours.words)) return true
  return isOneOf(theirs.keys, ours.keys) || isOneOf(theirs.keys, ours.others)
}

function isOneOf(keys: readonly string[], names: readonly string[]): boolean {
  return keys.some((key) => names.includes(key))
}

/** The aliases of the products of a vendor. */
function aliasesOf(vendor: string, aliases: readonly ProductAlias[]): readonly ProductAlias[] {
  if (vendor.trim() === '') return aliases
  const name = vendorName(vendor)
  const agreeing = () => aliases.filter((alias) => namesAgree(name, vendorName(alias.vendor)))
  if (aliases !== PRODUCT_ALIASES) return agreeing()
  name.aliases ??= agreeing()
  return name.aliases
}

/** What the names of every vendor begin with that `vendorsAgree` could agree to; they find candidates, it is the decision. */
export function vendorBeginnings(given: string): string[] {
  const {
    words: [first],
    others,
  } = vendorName(given)
  return [...new Set([...(first === undefined ? [] : [first]), ...others])]
}

/** The words that name a company; a company named by nothing else keeps all of its words. */
function significantOf(words: readonly string[]): readonly string[] {
  const significant = words.filter((word) => !COMPANY_WORDS.has(word))
  return significant.length > 0 ? significant : words
}

function beginsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.length > 0 && start.every((word, at) => words[at] === word)
}

/** Takes away a vendor that CPE writes as one word and the product as several: `redhat` in "Red Hat Enterprise Linux". */
function withoutVendorName(words: readonly string[], vendors: readonly string[]): readonly string[] {
  for (const vendor of vendors) {
    const [key] = vendorName(vendor).keys
    for (let count = 2; count < words.length; count++) if (squash(words.slice(0, count)) === key) return words.slice(count)
  }
  return words
}

function withoutTrailing(words: readonly string[]): readonly string[] {
  const last = words.at(-1)
  return last !== undefined && words.length > 1 && TRAILING_WORDS.has(last) ? words.slice(0, -1) : words
}

/** One key; a dot between letters is a matter of taste (Node.js, nodejs), one between digits is not. */
function squash(words: readonly string[]): string {
  const joined = words.join('')
  return joined.includes('.') ? joined.replace(/(?<=\p{L})\.(?=\p{L})/gu, '') : joined
}
