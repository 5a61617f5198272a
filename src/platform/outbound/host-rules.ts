import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { normalizeName } from '#kernel/domain-name.ts'
import { endsInNumber } from '#kernel/ip.ts'
import { isAscii } from '#kernel/text.ts'
import { isGlobalAddress } from './address-guard.ts'

/** A host in the form that `URL.hostname` has, or the reason of the refusal as a sentence. */
export type HostVerdict = { ok: true; hostname: string } | { ok: false; reason: string }

/**
 * Names that never leave the machine or the site, and name spaces outside the DNS.
 *
 * Source: RFC 6761, 6762, 7686, 8375, 9476; ICANN resolution 2024.07.29.06 (.internal); the rest by custom of routers and clusters.
 */
// biome-ignore format: one list, read as a whole
const LOCAL_SUFFIXES = [
  'localhost', 'local', 'localdomain', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'workgroup', 'svc', 'consul',
  'arpa', 'onion', 'i2p', 'alt',
]

/** Services whose names resolve to whatever address is written inside them, or to loopback, by design. */
const ADDRESS_IN_NAME_SUFFIXES = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
  '1u.ms',
  'rbndr.us',
  'rebind.it',
]

const REASON = {
  empty: 'The address names no host.',
  internal: 'The host is an internal or otherwise non-global IP address.',
  ambiguous: 'The host is a number in a form that programs read differently. Write an IPv4 address as four plain decimal numbers.',
  ipv6: 'The host is not a valid IPv6 address in brackets.',
  lookalike: 'The host contains characters that are rewritten to others (full-width letters, digits or dots).',
  name: 'The host is not a valid domain name.',
  local: 'The host is a local name. Use a full public domain name.',
  addressInName: 'The host belongs to a service whose names point to any address, internal ones included.',
} as const

/** What an IP literal or a name of a URL may be, judged from the text as it was written. */
export function judgeHost(raw: string): HostVerdict {
  const written = canonicalHost(raw)
  if (!written.ok) return written
  const { hostname } = written
  if (hostname.startsWith('[')) return isGlobalAddress(hostname.slice(1, -1)) ? written : refuse('internal')
  if (isIPv4(hostname)) return isGlobalAddress(hostname) ? written : refuse('internal')
  return judgeName(hostname)
}

/**
 * The host in its one form when the text cannot be misread; exempt hosts need no more than this.
 *
 * A trailing dot of a name is dropped. Everything that the URL parser would rewrite, capitals apart, is refused.
 */
export function canonicalHost(raw: string): HostVerdict {
  if (raw === '') return refuse('empty')
  if (raw.startsWith('[')) return canonicalIpv6(raw)
  if (isIPv4(raw)) return { ok: true, hostname: raw }
  const name = raw.endsWith('.') ? raw.slice(0, -1) : raw
  if (endsInNumber(name) || isIPv4(name)) return refuse('ambiguous')
  if (!isAscii(name)) return canonicalUnicodeName(name)
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(name)) return refuse('name')
  const lower = name.toLowerCase()
  return domainToASCII(lower) === lower ? { ok: true, hostname: lower } : refuse('name')
}

function canonicalIpv6(raw: string): HostVerdict {
  const inside = raw.slice(1, -1)
  if (!raw.endsWith(']') || inside.includes('%') || !isIPv6(inside)) return refuse('ipv6')
  return { ok: true, hostname: new URL(`http://${raw}/`).hostname }
}

function canonicalUnicodeName(name: string): HostVerdict {
  // Digits of other scripts keep their look through every normal form, so they are refused apart.
  if (/(?![0-9])\p{N}/u.test(name)) return refuse('lookalike')
  // The Kelvin sign and its like become plain letters by mere lower-casing, which the comparison below would miss.
  if (name.normalize('NFKC') !== name) return refuse('lookalike')
  const ascii = domainToASCII(name)
  if (ascii === '' || domainToUnicode(ascii) !== name.toLowerCase()) return refuse('lookalike')
  return { ok: true, hostname: ascii }
}

function judgeName(hostname: string): HostVerdict {
  const verdict = normalizeName(hostname)
  if (!verdict.ok) {
    if (verdict.fault === 'numeric') return refuse('ambiguous')
    return verdict.fault === 'local' || verdict.fault === 'single_label' ? refuse('local') : refuse('name')
  }
  if (LOCAL_SUFFIXES.some((suffix) => isUnder(hostname, suffix))) return refuse('local')
  if (ADDRESS_IN_NAME_SUFFIXES.some((suffix) => isUnder(hostname, suffix))) return refuse('addressInName')
  return { ok: true, hostname }
}

function isUnder(hostname: string, suffix: string): boolean {
  return hostname === suffix || hostname.endsWith(`.${suffix}`)
}

function refuse(reason: keyof typeof REASON): HostVerdict {
  return { ok: false, reason: REASON[reason] }
}
