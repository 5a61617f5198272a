import { isPlainName } from '#kernel/domain-name.ts'
import { hasBlankOrControl, stripInvisible } from '#kernel/text.ts'
import type { DeclaredKind } from './indicator-type.ts'
import type { IndicatorType, Normalized } from './indicators.model.ts'
import {
  ambiguousAddress,
  normalizeAddress,
  normalizeAddressWithPort,
  normalizeNetwork,
  tryJudgeAddress,
  tryJudgeIpv4,
  tryJudgeNetwork,
} from './normalization/normalize-address.ts'
import { isAmbiguousAddress, judgePlainName, normalizeDomain } from './normalization/normalize-domain.ts'
import { hasMailto, normalizeEmail } from './normalization/normalize-email.ts'
import { looksLikeHash, normalizeHash } from './normalization/normalize-hash.ts'
import { normalizeUrl } from './normalization/normalize-url.ts'
import { refang, splitScheme } from './normalization/refang.ts'
import { refused } from './normalization/verdict.ts'

/** Assumption: the longest storable value (4096) with every dot defanged stays below this; it bounds the work on hostile input. */
const RAW_MAX_CHARACTERS = 16_384
/** Assumption: what is no URL is at most an e-mail address (320); defanging each dot of it as `[dot]` stays below this. */
const RAW_MAX_CHARACTERS_BUT_URL = 2048
const ONE = 49
const NINE = 57

const TYPE_NAMES: Record<IndicatorType, string> = {
  IPV4: 'an IPv4 address',
  IPV6: 'an IPv6 address',
  NETWORK: 'a range of addresses',
  DOMAIN: 'a domain name',
  URL: 'a URL',
  HASH: 'a hash',
  EMAIL: 'an e-mail address',
}

const TOO_LONG = 'The value is longer than any indicator can be.'

/**
 * The one normal form of a raw value and its type, or the reason why it has none. Idempotent; never throws; linear in the length.
 *
 * With `declared`, a value of another kind is refused; without it the kind is recognised. An IPv4-mapped IPv6 address and a range
 * of one address come back as the address that they are. About 0.3 microseconds for a value that is in its normal form already.
 *
 * Source: spec, "Normalization rules"; UTS-46 (names), RFC 5952 (IPv6), RFC 3986 (URLs).
 */
export function normalizeIndicator(raw: string, declared?: DeclaredKind): Normalized {
  const first = raw.charCodeAt(0)
  if (first >= ONE && first <= NINE && (declared === undefined || declared === 'IPV4' || declared === 'IP' || declared === 'IP_PORT')) {
    const verdict = tryJudgeIpv4(raw)
    if (verdict !== undefined) return verdict
  }
  if ((declared === undefined || declared === 'DOMAIN') && isPlainName(raw)) return judgePlainName(raw)
  return normalizeUnusual(raw, declared)
}

/** Everything that is not yet a plain name or address. */
function normalizeUnusual(raw: string, declared: DeclaredKind | undefined): Normalized {
  if (raw.length > RAW_MAX_CHARACTERS) return refused('too_long', TOO_LONG)
  const text = stripInvisible(raw)
  if (text === '') return refused('empty', 'The value is empty.')
  if (!text.isWellFormed() || text.includes('\u0000'))
    return refused('not_an_indicator', 'The value holds damaged characters: check its encoding.')
  if (text.length > RAW_MAX_CHARACTERS_BUT_URL && splitScheme(text) === undefined) return refused('too_long', TOO_LONG)
  if (declared === undefined) return recognize(text)
  const verdict = normalizeAs(text, declared)
  if (verdict.ok) return fits(verdict.type, text, declared) ? verdict : mismatch(verdict.type, declared)
  const recognized = recognize(text)
  return recognized.ok ? mismatch(recognized.type, declared) : verdict
}

function normalizeAs(text: string, declared: DeclaredKind): Normalized {
  switch (declared) {
    case 'IP':
    case 'IPV4':
    case 'IPV6':
      return normalizeAddress(text)
    case 'IP_PORT':
      return normalizeAddressWithPort(text)
    case 'NETWORK':
      return normalizeNetwork(text)
    case 'DOMAIN':
      return normalizeDomain(text)
    case 'URL':
      return normalizeUrl(text)
    case 'HASH':
      return normalizeHash(text)
    case 'EMAIL':
      return normalizeEmail(text)
  }
}

/** The type found may differ from the one declared only where one address has two spellings: mapped in IPv6, or as a range of one. */
function fits(found: IndicatorType, text: string, declared: DeclaredKind): boolean {
  if (found === declared) return true
  if (declared === 'IP' || declared === 'IP_PORT') return found === 'IPV4' || found === 'IPV6' || found === 'NETWORK'
  if (declared === 'NETWORK') return found === 'IPV4' || found === 'IPV6'
  return declared === 'IPV6' && found === 'IPV4' && text.includes(':')
}

function mismatch(found: IndicatorType, declared: DeclaredKind): Normalized {
  const wanted = declared === 'IP' || declared === 'IP_PORT' ? 'an IP address' : TYPE_NAMES[declared]
  return refused('type_mismatch', `The value is ${TYPE_NAMES[found]}, but it was declared as ${wanted}: correct the type or leave it out.`)
}

/** The verdict on a value of unknown kind. The order matters: a URL may hold an at sign, an e-mail address may hold a slash. */
function recognize(text: string): Normalized {
  if (splitScheme(text) !== undefined) return normalizeUrl(text)
  if (looksLikeHash(text)) return normalizeHash(text)
  const plain = refang(text).trim()
  if (hasMailto(text)) return normalizeEmail(text)
  if (plain.includes('@')) return recognizeAroundAt(text, plain)
  const address = tryJudgeAddress(plain) ?? tryJudgeNetwork(plain)
  if (address !== undefined) return address
  if (isAmbiguousAddress(plain)) return ambiguousAddress()
  if (/[/?#]/.test(plain)) return recognizePath(plain)
  return recognizeName(text, plain)
}

function recognizeAroundAt(text: string, plain: string): Normalized {
  const email = normalizeEmail(text)
  return !email.ok && /^[^@]*\//.test(plain) ? recognizePath(plain) : email
}

function recognizePath(plain: string): Normalized {
  const host = plain.replace(/^\/\//, '').split(/[/?#:]/, 1)[0] ?? ''
  if (tryJudgeAddress(host) === undefined && !normalizeDomain(host).ok)
    return refused('not_an_indicator', 'The value is no address, range, domain name, URL, hash or e-mail address.')
  return refused('url_no_scheme', 'A URL without its scheme is ambiguous: put http:// or https:// before it, or give the host alone.')
}

function recognizeName(text: string, plain: string): Normalized {
  if (/^[^:]+:[0-9]{1,5}$|^\[[^\]]+\]:[0-9]{1,5}$/.test(plain)) {
    return refused('not_an_indicator', 'The value carries a port: give the address or name alone, or the whole URL with its scheme.')
  }
  const verdict = normalizeDomain(text)
  if (verdict.ok || (verdict.code !== 'type_mismatch' && plain.includes('.') && !hasBlankOrControl(plain))) return verdict
  if (verdict.code === 'domain_single_label' || verdict.code === 'domain_local') return verdict
  return refused('not_an_indicator', 'The value is no address, range, domain name, URL, hash or e-mail address.')
}
