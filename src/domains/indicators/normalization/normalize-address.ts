import {
  type AddressScope,
  endsInNumber,
  formatIpv4,
  formatIpv6,
  formatNetwork,
  type IpNetwork,
  ipv4Scope,
  ipv6Scope,
  mappedIpv4,
  networkScope,
  tryParseIpv4,
  tryParseIpv6,
  tryParseNetwork,
} from '#kernel/ip.ts'
import type { Normalized } from '../indicators.model.ts'
import { isAmbiguousAddress } from './normalize-domain.ts'
import { refang } from './refang.ts'
import { accepted, refused } from './verdict.ts'

/** Shortest prefixes that are stored: wider ranges hold too many innocent hosts. Source: spec, "Normalization rules". */
const IPV4_SHORTEST_PREFIX = 16
const IPV6_SHORTEST_PREFIX = 32

const AMBIGUOUS_REASON =
  'Write the IPv4 address as four decimal numbers from 0 to 255 without leading zeros: programs disagree on how to read other forms.'
const PORT = /^(?:0|[1-9][0-9]{0,4})$/
const PORT_MAX = 65_535

const REFUSED_SCOPES: Partial<Record<AddressScope, Normalized>> = {
  unspecified: refused('ip_not_routable', 'The address stands for "no address" or "this network" and belongs to no host.'),
  broadcast: refused('ip_not_routable', 'The broadcast address belongs to no single host.'),
  multicast: refused('ip_not_routable', 'A multicast address belongs to a group, not to a host.'),
  loopback: refused('ip_not_routable', 'A loopback address means the own machine of everyone who reads it.'),
}

/** The verdict on a dotted decimal address; undefined when the text is none. One pass, no regular expression: it meets every row of an address list. */
export function tryJudgeIpv4(text: string): Normalized | undefined {
  const value = tryParseIpv4(text)
  if (value === undefined) return undefined
  // Strict parsing leaves one spelling, so the text is the canonical form.
  return REFUSED_SCOPES[ipv4Scope(value)] ?? accepted('IPV4', text)
}

/** The verdict on one address, bare or as /32 or /128, IPv6 in brackets or not; undefined when the text is none. Takes refanged text. */
export function tryJudgeAddress(text: string): Normalized | undefined {
  const ipv4 = tryJudgeIpv4(text.endsWith('.') ? text.slice(0, -1) : text)
  if (ipv4 !== undefined) return ipv4
  const groups = tryParseIpv6(withoutBrackets(text))
  return groups === undefined ? undefined : judgeIpv6(groups)
}

function judgeIpv6(groups: readonly number[]): Normalized {
  const mapped = mappedIpv4(groups)
  if (mapped !== undefined) return REFUSED_SCOPES[ipv4Scope(mapped)] ?? accepted('IPV4', formatIpv4(mapped))
  return REFUSED_SCOPES[ipv6Scope(groups)] ?? accepted('IPV6', formatIpv6(groups))
}

function withoutBrackets(text: string): string {
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
}

/** The verdict on a range, a single-address range included; undefined when the text is none. Takes refanged text. */
export function tryJudgeNetwork(text: string): Normalized | undefined {
  const network = tryParseNetwork(text)
  return network === undefined ? undefined : judgeNetwork(network)
}

function judgeNetwork(network: IpNetwork): Normalized {
  if (network.family === 4 && network.prefix === 32)
    return REFUSED_SCOPES[ipv4Scope(network.base)] ?? accepted('IPV4', formatIpv4(network.base))
  if (network.family === 6 && network.prefix === 128) return judgeIpv6(network.base)
  const scope = networkScope(network)
  if (scope !== 'public' && scope !== 'documentation') {
    return refused('network_not_routable', 'The range is internal or reserved: no traffic from the internet comes from it.')
  }
  const shortest = network.family === 4 ? IPV4_SHORTEST_PREFIX : IPV6_SHORTEST_PREFIX
  if (network.prefix < shortest)
    return refused('network_too_wide', 'The range is too wide: IPv4 ranges go from /16 to /31, IPv6 ranges from /32 to /127.')
  return accepted('NETWORK', formatNetwork(network))
}

/** An address declared as IPv4, IPv6, or as one of both. */
export function normalizeAddress(text: string): Normalized {
  const plain = refang(text).trim()
  const verdict = tryJudgeAddress(plain) ?? tryJudgeNetwork(plain)
  if (verdict !== undefined) return verdict
  if (isNumericAddress(plain)) return refused('ip_ambiguous', AMBIGUOUS_REASON)
  if (hasPort(plain)) return refused('type_mismatch', 'The address carries a port: remove the port, or let the parser strip it.')
  return refused('type_mismatch', 'The value is not an IP address.')
}

/** An address that may carry a port (`198.51.100.7:443`, `[2001:db8::1]:443`, `198.51.100.7|443`); the port is dropped. */
export function normalizeAddressWithPort(text: string): Normalized {
  const plain = refang(text).trim()
  const whole = tryJudgeAddress(plain)
  if (whole !== undefined) return whole
  const split = Math.max(plain.lastIndexOf(':'), plain.lastIndexOf('|'))
  const port = plain.slice(split + 1)
  if (split === -1 || !PORT.test(port) || Number(port) > PORT_MAX) return normalizeAddress(text)
  return tryJudgeAddress(plain.slice(0, split).trim()) ?? normalizeAddress(text)
}

function hasPort(plain: string): boolean {
  const split = plain.lastIndexOf(':')
  return split !== -1 && /^[0-9]{1,5}$/.test(plain.slice(split + 1)) && tryJudgeAddress(plain.slice(0, split)) !== undefined
}

function isNumericAddress(plain: string): boolean {
  return isAmbiguousAddress(plain) || (endsInNumber(plain) && /^(?:[0-9]{1,10}|0x[0-9a-f]{1,8})$/i.test(plain))
}

/** A range in CIDR form. */
export function normalizeNetwork(text: string): Normalized {
  return tryJudgeNetwork(refang(text).trim()) ?? refused('type_mismatch', 'The value is not a range in CIDR form, such as 192.0.2.0/24.')
}

/** The refusal of an address in octal, hexadecimal or short form. */
export function ambiguousAddress(): Normalized {
  return refused('ip_ambiguous', AMBIGUOUS_REASON)
}
