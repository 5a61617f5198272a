import { tryParseIndicatorType } from '#domains/indicators/indicator-type.ts'
import type { RowKind } from './feed-row.ts'

/** What a feed's word for a kind means; `port`: the value carries a port that is not part of it. */
export type KindWord = { kind: RowKind; port: boolean }

/** Words that name an address with a port. Source: ThreatFox (`ip:port`). */
const PORT_WORDS = new Set([
  'ip:port',
  'ip_port',
  'ipport',
  'ip|port',
  'ip-dst|port',
  'ip-src|port',
  'ipv4:port',
  'ipv4_port',
  'ipv6:port',
  'host:port',
  'socket',
])

/** Words of feeds that the indicator vocabulary may not know. Source: TweetFeed, ThreatFox, citizenlab lists, MISP attribute types. */
const OTHER_WORDS: Record<string, RowKind> = {
  ip_address: 'IP',
  ipaddress: 'IP',
  'ip-dst': 'IP',
  'ip-src': 'IP',
  md5_hash: 'HASH',
  sha1_hash: 'HASH',
  sha256_hash: 'HASH',
  sha512_hash: 'HASH',
  'filehash-md5': 'HASH',
  'filehash-sha1': 'HASH',
  'filehash-sha256': 'HASH',
  'filehash-sha512': 'HASH',
}

/** Kinds that the service does not hold, so their values are counted as unsupported and never guessed at (`invoice.com` is also a file name). */
const UNSUPPORTED_WORDS = new Set([
  ...[
    'unsupported',
    'mutex',
    'mutant',
    'file',
    'filename',
    'file_name',
    'filepath',
    'file_path',
    'path',
    'process',
    'service',
    'regkey',
    'registry',
  ],
  ...[
    'registry_key',
    'yara',
    'sigma',
    'snort',
    'cve',
    'vulnerability',
    'ja3',
    'ja3s',
    'jarm',
    'imphash',
    'pehash',
    'filehash-imphash',
    'filehash-pehash',
  ],
  ...[
    'ssdeep',
    'tlsh',
    'envelope',
    'user-agent',
    'user_agent',
    'useragent',
    'btc',
    'bitcoinaddress',
    'xmr',
    'wallet',
    'asn',
    'as',
    'certificate',
  ],
  ...[
    'sslcertfingerprint',
    'x509-fingerprint-sha1',
    'pdb',
    'phone',
    'phone_number',
    'telegram',
    'uri',
    'named pipe',
    'pipe',
    'password',
    'port',
  ],
])

/** @returns undefined for a word that names no kind at all */
export function toKindWord(word: string): KindWord | undefined {
  const lower = word.trim().toLowerCase()
  if (lower === '') return undefined
  if (PORT_WORDS.has(lower)) return { kind: 'IP', port: true }
  if (UNSUPPORTED_WORDS.has(lower)) return { kind: 'UNSUPPORTED', port: false }
  const kind = Object.hasOwn(OTHER_WORDS, lower) ? OTHER_WORDS[lower] : tryParseIndicatorType(lower)
  return kind === undefined ? undefined : { kind, port: false }
}

const UNSUPPORTED: KindWord = { kind: 'UNSUPPORTED', port: false }

/**
 * Reads the words of a type column. An unknown word means a kind that the service does not hold: guessing from the value would make a domain
 * of a file name. An empty cell leaves the kind open (undefined).
 */
export function createKindReader(map: Record<string, RowKind | 'IP_PORT'> = {}): (word: string) => KindWord | undefined {
  const known = new Map<string, KindWord>()
  for (const [word, kind] of Object.entries(map)) known.set(word, kind === 'IP_PORT' ? { kind: 'IP', port: true } : { kind, port: false })
  return (word) => {
    const hit = known.get(word)
    if (hit !== undefined) return hit
    const lower = word.trim().toLowerCase()
    if (lower === '') return undefined
    const found = known.get(lower) ?? toKindWord(lower) ?? UNSUPPORTED
    // Bounded: a hostile column must not fill the map with its own words.
    if (known.size < 1000) known.set(word, found)
    return found
  }
}

/** Whether the word means something, by the feed's own map or by the general vocabulary. */
export function isKindWord(word: string, map: Record<string, RowKind | 'IP_PORT'> = {}): boolean {
  return Object.hasOwn(map, word.trim().toLowerCase()) || toKindWord(word) !== undefined
}

/** `192.0.2.1:443`, `[2001:db8::1]:443`, `[2001:db8::1]` and `name.example:8080` without their ports; anything else as it is. */
export function withoutPort(raw: string): string {
  if (raw.startsWith('[')) {
    const close = raw.indexOf(']')
    if (close === -1) return raw
    return close === raw.length - 1 || isPort(raw, close + 1) ? raw.slice(1, close) : raw
  }
  const colon = raw.indexOf(':')
  return colon > 0 && raw.indexOf(':', colon + 1) === -1 && isPort(raw, colon) ? raw.slice(0, colon) : raw
}

/** A colon at `at` and then one to five digits to the end. */
function isPort(raw: string, at: number): boolean {
  if (raw[at] !== ':' || raw.length - at < 2 || raw.length - at > 6) return false
  for (let i = at + 1; i < raw.length; i++) {
    const code = raw.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return true
}
