import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Blocks that ipaddr.js calls unicast or names as something routable, yet that are no place for a public list:
 * 6to4 relays, the platform address of a large cloud, AS112 sinks.
 *
 * Source: IANA IPv4 Special-Purpose Address Registry; the cloud's own documentation for 168.63.129.16.
 */
const REFUSED_IPV4 = ['192.88.99.0/24', '168.63.129.16/32', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24'].map((block) =>
  ipaddr.IPv4.parseCIDR(block),
)

/** The only part of IPv6 from which global addresses are given out. Source: IANA IPv6 Address Space registry. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Protocol assignments with Teredo and ORCHID, documentation, 6to4, AS112, the returned 6bone block.
 *
 * Source: IANA IPv6 Special-Purpose Address Registry; RFC 3701 for 3ffe::/16; RFC 9637 for 3fff::/20.
 */
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20'].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
)

/** Fifth and sixth group of an interface identifier that embeds an IPv4 address. Source: RFC 5214, 6.1 (ISATAP). */
const ISATAP_GROUPS = new Set([0x0000_5efe, 0x0200_5efe])

/**
 * True for an address that belongs to one host on the public internet. Everything else is refused: private, shared, loopback, link-local,
 * multicast, documentation, and every IPv6 form that carries an IPv4 address inside (mapped, NAT64, 6to4, Teredo, ISATAP).
 *
 * @param text strict dotted decimal, or IPv6 without brackets and zone
 */
export function isGlobalAddress(text: string): boolean {
  if (isIPv4(text)) return isGlobalIpv4(ipaddr.IPv4.parse(text))
  // A zone (`%eth0`) only makes sense on a local link.
  if (!isIPv6(text) || text.includes('%')) return false
  return isGlobalIpv6(ipaddr.IPv6.parse(text))
}

function isGlobalIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !REFUSED_IPV4.some((block) => address.match(block))
}

function isGlobalIpv6(address: ipaddr.IPv6): boolean {
  if (!address.match(GLOBAL_IPV6) || address.range() !== 'unicast') return false
  const [, , , , fifth = 0, sixth = 0] = address.parts
  if (ISATAP_GROUPS.has(fifth * 0x10000 + sixth)) return false
  return !REFUSED_IPV6.some((block) => address.match(block))
}
