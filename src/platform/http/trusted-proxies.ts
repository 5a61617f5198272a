import { DomainError } from '#kernel/errors.ts'
import {
  addressScope,
  formatIpv4,
  formatIpv6,
  type IpNetwork,
  mappedIpv4,
  tryParseIpv4,
  tryParseIpv6,
  tryParseNetwork,
} from '#kernel/ip.ts'

const SETTING = 'FORWARDED_ALLOW_IPS'
/** The widest ranges that proxies can reasonably come from: 10.0.0.0/8 and fc00::/7. Assumption: anything wider is a slip. */
const WIDEST_PREFIX = { 4: 8, 6: 7 } as const
/** First bit of the IPv4 address inside an IPv4-mapped one. Source: RFC 4291, 2.5.5.2. */
const MAPPED_PREFIX = 96

/** Those whose `X-Forwarded-*` headers are believed. Addresses are canonical, as `canonicalAddress` gives them. */
export type TrustedProxies = { includes(address: string): boolean }

/**
 * The setting FORWARDED_ALLOW_IPS: addresses and CIDR ranges, separated by commas.
 *
 * Anything that could trust more than its writer meant is refused: `*`, names, ranges with host bits, ranges of everything, and IPv4-mapped
 * ranges shorter than /96, which other readers take for the whole of IPv4.
 * @throws setting_invalid naming the setting, never its value
 */
export function parseTrustedProxies(setting: string): TrustedProxies {
  const networks = setting
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(parseEntry)
  return {
    includes(address) {
      const ipv4 = tryParseIpv4(address)
      const groups = ipv4 === undefined ? tryParseIpv6(address) : undefined
      return networks.some((network) => {
        if (network.family === 4)
          return ipv4 !== undefined && sharesBits([ipv4 >>> 16, ipv4 & 0xffff], toGroups(network.base), network.prefix)
        return groups !== undefined && sharesBits(groups, network.base, network.prefix)
      })
    },
  }
}

/** The one way to write an address: lower case, shortest, and an IPv4-mapped one as IPv4. Undefined when the text is no address. */
export function canonicalAddress(text: string): string | undefined {
  const ipv4 = tryParseIpv4(text)
  if (ipv4 !== undefined) return formatIpv4(ipv4)
  const groups = tryParseIpv6(text)
  if (groups === undefined) return undefined
  const mapped = mappedIpv4(groups)
  return mapped === undefined ? formatIpv6(groups) : formatIpv4(mapped)
}

function parseEntry(entry: string): IpNetwork {
  const [addressText = '', prefixText] = entry.split('/')
  const address = canonicalAddress(addressText)
  if (address === undefined) throw refuse('takes addresses and CIDR ranges; names, ports and * are not accepted')
  if (addressScope(address) === 'unspecified' && prefixText === undefined) throw refuse('holds an unspecified address, which no proxy has')
  const network = tryParseNetwork(prefixText === undefined ? `${address}/${address.includes(':') ? 128 : 32}` : entry)
  if (network === undefined) throw refuse('holds a range whose prefix length is not valid')
  const groups = tryParseIpv6(addressText)
  if (groups !== undefined && mappedIpv4(groups) !== undefined && network.family === 6)
    throw refuse(`holds an IPv4-mapped range shorter than /${MAPPED_PREFIX}; write it as an IPv4 range`)
  if (network.prefix < WIDEST_PREFIX[network.family]) throw refuse('holds a range that is too wide to be a list of proxies')
  if ((network.family === 4 ? formatIpv4(network.base) : formatIpv6(network.base)) !== address)
    throw refuse('holds a range with bits behind its prefix; write its first address, or the address alone')
  return network
}

function toGroups(ipv4: number): readonly number[] {
  return [ipv4 >>> 16, ipv4 & 0xffff]
}

function sharesBits(address: readonly number[], base: readonly number[], prefix: number): boolean {
  return base.every((group, index) => {
    const bits = Math.min(16, Math.max(0, prefix - index * 16))
    const mask = (0xffff << (16 - bits)) & 0xffff
    return ((address[index] ?? 0) & mask) === (group & mask)
  })
}

function refuse(why: string): DomainError {
  return new DomainError('setting_invalid', `${SETTING} ${why}.`)
}
