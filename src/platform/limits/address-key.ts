import { formatIpv6, mappedIpv4, tryParseIpv6 } from '#kernel/ip.ts'

/** Bits of an IPv6 address that one household or server gets at least, so that it cannot pass for many. Source: RFC 6177, 2. */
const IPV6_PREFIX = 64
const GROUP_BITS = 16

/** What a limit counts an address as: an IPv4 address alone, an IPv6 address with its whole /64. */
export function addressKey(address: string): string {
  const groups = tryParseIpv6(address)
  if (groups === undefined || mappedIpv4(groups) !== undefined) return address
  return `${formatIpv6(groups.map((group, index) => (index < IPV6_PREFIX / GROUP_BITS ? group : 0)))}/${IPV6_PREFIX}`
}
