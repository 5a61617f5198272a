import type { Normalized } from '../indicators.model.ts'
import { accepted, refused } from './verdict.ts'

export type HashAlgorithm = 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-512'

/** Hexadecimal characters of each digest. Source: RFC 1321, FIPS 180-4. */
const ALGORITHM_BY_LENGTH: ReadonlyMap<number, HashAlgorithm> = new Map([
  [32, 'MD5'],
  [40, 'SHA-1'],
  [64, 'SHA-256'],
  [128, 'SHA-512'],
])

/** Digests of zero bytes: every empty file has them. */
const EMPTY_FILE_HASHES: ReadonlySet<string> = new Set([
  'd41d8cd98f00b204e9800998ecf8427e',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
])

const PREFIX = /^(md5|sha-?1|sha-?256|sha-?512)\s{0,2}[:=]\s{0,2}/i
const HEX = /^[0-9a-f]+$/
/** Hexadecimal text from this length on is taken for a hash of some kind when no type is given (MD5, the shortest one held). */
const SHORTEST_HASH_CHARACTERS = 32

/** The algorithm that a stored hash was made with, from its length. @returns undefined for a length that the service does not hold */
export function hashAlgorithm(value: string): HashAlgorithm | undefined {
  return ALGORITHM_BY_LENGTH.get(value.length)
}

/** True when the text can only be meant as a hash: it names its algorithm, or is hexadecimal and long. */
export function looksLikeHash(text: string): boolean {
  const prefix = PREFIX.exec(text)
  // Only with digits behind it: `md5=bob@evil.example` is an e-mail address.
  if (prefix !== null) return HEX.test(text.slice(prefix[0].length).toLowerCase())
  return text.length >= SHORTEST_HASH_CHARACTERS && text.length <= 256 && HEX.test(text.toLowerCase())
}

/** A digest in lower-case hexadecimal, without the name of its algorithm before it. */
export function normalizeHash(text: string): Normalized {
  const prefix = PREFIX.exec(text)
  const value = text.slice(prefix?.[0].length ?? 0).toLowerCase()
  if (!HEX.test(value)) return refused('type_mismatch', 'A hash holds only the digits 0 to 9 and the letters a to f.')
  const algorithm = hashAlgorithm(value)
  if (algorithm === undefined)
    return refused('hash_length', 'The length fits no hash that is held: MD5 has 32 characters, SHA-1 40, SHA-256 64, SHA-512 128.')
  if (prefix !== null && algorithm.replace('-', '') !== prefix[1]?.toUpperCase().replace('-', '')) {
    return refused('hash_length', 'The length of the hash does not fit the algorithm that is named before it.')
  }
  if (EMPTY_FILE_HASHES.has(value)) return refused('hash_meaningless', 'This is the hash of the empty file, which is on every machine.')
  if (isOneCharacterRepeated(value)) return refused('hash_meaningless', 'A hash of one repeated character is a placeholder, not a digest.')
  return accepted('HASH', value)
}

function isOneCharacterRepeated(value: string): boolean {
  return value === value.charAt(0).repeat(value.length)
}
