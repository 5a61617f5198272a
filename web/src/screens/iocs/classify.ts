import type { IndicatorType } from '../../api/indicators.ts'

/** Hexadecimal characters of the digests that the service holds. Source: RFC 1321, FIPS 180-4. */
const HASH_LENGTHS: ReadonlySet<number> = new Set([32, 40, 64, 128])
/** Longest name, characters. Source: RFC 1035. */
const NAME_MAX_CHARACTERS = 253
/** Longest text that is looked at. Assumption: as long as the API accepts. */
const TEXT_MAX_CHARACTERS = 8192
/** The longest way to write an address: eight groups of four digits, or six and an IPv4 address in full. */
const IPV6_MAX_CHARACTERS = 45

const BRACKETED = /\s{0,4}[[({]\s{0,2}(?:(\.|dot)|(:\/\/)|(:)|(@|at))\s{0,2}[\])}]\s{0,4}|\\\.|\[\.|\.\]/gi
const DEFANGED_SCHEME = /^h(?:xx|xt|tx|\*\*)p(s?)(?=:)/i
const SCHEME = /^[a-z][a-z0-9+-]{0,30}:\/\//i
const HASH_PREFIX = /^(?:md5|sha-?1|sha-?256|sha-?512)\s{0,2}[:=]\s{0,2}/i
const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u

/** The text as it was before it was defanged for a report; good enough to recognise a type by, the server judges exactly. */
export function refang(raw: string): string {
  const restored = raw.trim().replace(BRACKETED, (_match, ...[, scheme, colon, at]) => {
    if (scheme !== undefined) return '://'
    if (colon !== undefined) return ':'
    return at === undefined ? '.' : '@'
  })
  return restored.replace(DEFANGED_SCHEME, 'http$1')
}

/** What a pasted text seems to be, defanged or not; undefined for nothing that is held. A preview: the server is the judge. */
export function classify(raw: string): IndicatorType | undefined {
  if (raw.length > TEXT_MAX_CHARACTERS) return undefined
  const text = refang(raw)
  if (text === '') return undefined
  if (SCHEME.test(text)) return 'URL'
  if (isHash(text)) return 'HASH'
  if (/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)) return 'EMAIL'
  if (isIpv4(text)) return 'IPV4'
  if (isIpv6(text)) return 'IPV6'
  if (isNetwork(text)) return 'NETWORK'
  return isName(text) ? 'DOMAIN' : undefined
}

/** How many of each type, in order of first appearance; undefined counts what was not recognised. */
export function countByType(values: readonly string[]): Map<IndicatorType | undefined, number> {
  const counts = new Map<IndicatorType | undefined, number>()
  for (const value of values) {
    const type = classify(value)
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return counts
}

function isHash(text: string): boolean {
  const digest = text.replace(HASH_PREFIX, '')
  return HASH_LENGTHS.has(digest.length) && /^[0-9a-f]+$/i.test(digest)
}

function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255)
}

function isIpv6(text: string): boolean {
  // The browser's own parser knows every spelling; the first test keeps it to texts that can be one.
  return (
    text.length <= IPV6_MAX_CHARACTERS && /^[0-9a-f:.]+$/i.test(text) && text.split(':').length > 2 && URL.canParse(`http://[${text}]/`)
  )
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/')
  if (more.length === 0 && /^[0-9]{1,3}$/.test(bits)) {
    if (isIpv4(address)) return Number(bits) <= 32
    return isIpv6(address) && Number(bits) <= 128
  }
  const ends = text.split('-').map((end) => end.trim())
  return ends.length === 2 && (ends.every(isIpv4) || ends.every(isIpv6))
}

function isName(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  if (name.length > NAME_MAX_CHARACTERS) return false
  const labels = name.split('.')
  const last = labels.at(-1) ?? ''
  return labels.length > 1 && last.length > 1 && !/^[0-9]+$/.test(last) && labels.every((label) => LABEL.test(label))
}
