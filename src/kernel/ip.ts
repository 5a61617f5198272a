/** Eight 16-bit groups, most significant first. */
export type Ipv6Groups = readonly number[]

/** What an address is for. Source: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890). */
export type AddressScope =
  | 'public'
  | 'private'
  | 'shared'
  | 'link_local'
  | 'documentation'
  | 'benchmark'
  | 'reserved'
  | 'unspecified'
  | 'loopback'
  | 'multicast'
  | 'broadcast'

/** A range with its host bits cleared; `base` is a 32-bit number (IPv4) or eight groups (IPv6). */
export type IpNetwork = { family: 4; base: number; prefix: number } | { family: 6; base: Ipv6Groups; prefix: number }

/** Longest text of an IPv6 address: eight groups, the last two as dotted decimal. Source: RFC 4291, 2.2. */
const IPV6_MAX_CHARACTERS = 45
const IPV4_MAX_CHARACTERS = 15
const DOT = 46
const ZERO = 48

/**
 * The 32-bit value of a dotted decimal address; undefined for octal, hexadecimal and short forms, and numbers above 255.
 *
 * Source: RFC 6943, 3.1.1 (strict form).
 */
export function tryParseIpv4(text: string): number | undefined {
  const length = text.length
  if (length < 7 || length > IPV4_MAX_CHARACTERS) return undefined
  let value = 0
  let octet = 0
  let digits = 0
  let dots = 0
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      if (digits === 0) return undefined
      value = value * 256 + octet
      octet = 0
      digits = 0
      dots += 1
    } else {
      const digit = code - ZERO
      // A leading zero means octal to some readers and decimal to others.
      if (digit < 0 || digit > 9 || (digits > 0 && octet === 0)) return undefined
      octet = octet * 10 + digit
      if (octet > 255) return undefined
      digits += 1
    }
  }
  return dots === 3 && digits > 0 ? value * 256 + octet : undefined
}

/** Dotted decimal. */
export function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`
}

/** The groups of an IPv6 address; undefined when it is not one. Zone identifiers (`%eth0`) are not part of an address. Source: RFC 4291, 2.2. */
export function tryParseIpv6(text: string): Ipv6Groups | undefined {
  if (text.length < 2 || text.length > IPV6_MAX_CHARACTERS || !text.includes(':')) return undefined
  const gap = text.indexOf('::')
  if (gap === -1) {
    const groups = parseGroups(text)
    return groups?.length === 8 ? groups : undefined
  }
  // `::` stands for one group of zeros at least, so seven may be written (RFC 5952, 4.2.2 shortens no single group, but readers accept it).
  const head = gap === 0 ? [] : parseGroups(text.slice(0, gap))
  const tailText = text.slice(gap + 2)
  const tail = tailText === '' ? [] : parseGroups(tailText)
  if (head === undefined || tail === undefined || head.length + tail.length > 7) return undefined
  if (text.slice(0, gap).includes('.')) return undefined
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function parseGroups(text: string): number[] | undefined {
  const parts = text.split(':')
  const groups: number[] = []
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16))
    } else {
      const dotted = index === parts.length - 1 ? tryParseIpv4(part) : undefined
      if (dotted === undefined) return undefined
      groups.push(dotted >>> 16, dotted & 0xffff)
    }
  }
  return groups.length <= 8 ? groups : undefined
}

/** Lower case, no leading zeros, the longest run of two or more zero groups (the first of equals) as `::`. Source: RFC 5952, 4. */
export function formatIpv6(groups: Ipv6Groups): string {
  let bestStart = -1
  let bestLength = 1
  for (let i = 0; i < 8; i += 1) {
    let end = i
    while (end < 8 && groups[end] === 0) end += 1
    if (end - i > bestLength) {
      bestStart = i
      bestLength = end - i
    }
    if (end > i) i = end
  }
  const hex = groups.map((group) => group.toString(16))
  if (bestStart === -1) return hex.join(':')
  return `${hex.slice(0, bestStart).join(':')}::${hex.slice(bestStart + bestLength).join(':')}`
}

/** The IPv4 address inside an IPv4-mapped one (`::ffff:0:0/96`). Source: RFC 4291, 2.5.5.2. */
export function mappedIpv4(groups: Ipv6Groups): number | undefined {
  const [a, b, c, d, e, f, g = 0, h = 0] = groups
  if (a || b || c || d || e || f !== 0xffff) return undefined
  return g * 0x10000 + h
}

type Ipv4Block = { base: number; prefix: number; scope: AddressScope }

/** More specific blocks first. Source: IANA IPv4 Special-Purpose Address Registry. */
const IPV4_BLOCKS: readonly Ipv4Block[] = [
  ['255.255.255.255', 32, 'broadcast'],
  ['192.0.2.0', 24, 'documentation'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['169.254.0.0', 16, 'link_local'],
  ['198.18.0.0', 15, 'benchmark'],
  ['172.16.0.0', 12, 'private'],
  ['100.64.0.0', 10, 'shared'],
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['127.0.0.0', 8, 'loopback'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
].map(([base, prefix, scope]) => ({ base: tryParseIpv4(String(base)) ?? 0, prefix: Number(prefix), scope: scope as AddressScope })) // the cast: `map` over a tuple list loses the third type

/** What a 32-bit IPv4 address is for. `0.0.0.0/8` ("this network") counts as unspecified. */
export function ipv4Scope(value: number): AddressScope {
  const first = value >>> 24
  // Most addresses on lists lie in none of the blocks; their first octets are few.
  if (first !== 0 && first !== 10 && first !== 100 && first !== 127 && first !== 169 && first !== 172 && first < 192) return 'public'
  return ipv4BlockScope(value, 32)
}

function ipv4BlockScope(base: number, prefix: number): AddressScope {
  for (const block of IPV4_BLOCKS) {
    if (prefix >= block.prefix && maskIpv4(base, block.prefix) === block.base) return block.scope
  }
  return 'public'
}

function maskIpv4(value: number, prefix: number): number {
  return prefix === 0 ? 0 : ((value >>> (32 - prefix)) << (32 - prefix)) >>> 0
}

/** What an IPv6 address is for. Everything outside 2000::/3 that has no name here is reserved. Source: IANA IPv6 Special-Purpose Address Registry. */
export function ipv6Scope(groups: Ipv6Groups): AddressScope {
  const mapped = mappedIpv4(groups)
  if (mapped !== undefined) return ipv4Scope(mapped)
  const last = groups[7] ?? 0
  if (last <= 1 && groups.every((group, index) => index === 7 || group === 0)) return last === 0 ? 'unspecified' : 'loopback'
  return ipv6PrefixScope(groups)
}

function ipv6PrefixScope(groups: Ipv6Groups): AddressScope {
  const [first = 0, second = 0] = groups
  if (first >= 0xff00) return 'multicast'
  if ((first & 0xffc0) === 0xfe80) return 'link_local'
  if ((first & 0xfe00) === 0xfc00) return 'private'
  if ((first & 0xe000) !== 0x2000) return 'reserved'
  if (first === 0x2001 && second === 0x0db8) return 'documentation'
  if (first === 0x3fff && second < 0x1000) return 'documentation'
  if (first === 0x2001 && second === 2 && groups[2] === 0) return 'benchmark'
  return 'public'
}

/** What the address in the text is for; undefined when the text is no address. */
export function addressScope(text: string): AddressScope | undefined {
  const ipv4 = tryParseIpv4(text)
  if (ipv4 !== undefined) return ipv4Scope(ipv4)
  const ipv6 = tryParseIpv6(text)
  return ipv6 === undefined ? undefined : ipv6Scope(ipv6)
}

/**
 * A range in CIDR form, host bits cleared; a range of IPv4-mapped addresses becomes the IPv4 range. Undefined when it is not one.
 *
 * The prefix length is decimal without leading zeros; netmasks and first-last pairs are not CIDR.
 */
export function tryParseNetwork(text: string): IpNetwork | undefined {
  const slash = text.indexOf('/')
  const prefixText = text.slice(slash + 1)
  if (slash === -1 || !/^(?:0|[1-9][0-9]{0,2})$/.test(prefixText)) return undefined
  const prefix = Number(prefixText)
  const ipv4 = tryParseIpv4(text.slice(0, slash))
  if (ipv4 !== undefined) return prefix <= 32 ? { family: 4, base: maskIpv4(ipv4, prefix), prefix } : undefined
  const groups = tryParseIpv6(text.slice(0, slash))
  if (groups === undefined || prefix > 128) return undefined
  const mapped = mappedIpv4(groups)
  if (mapped !== undefined && prefix >= 96) return { family: 4, base: maskIpv4(mapped, prefix - 96), prefix: prefix - 96 }
  return { family: 6, base: maskIpv6(groups, prefix), prefix }
}

function maskIpv6(groups: Ipv6Groups, prefix: number): Ipv6Groups {
  return groups.map((group, index) => {
    const bits = Math.min(16, Math.max(0, prefix - index * 16))
    return group & (0xffff << (16 - bits)) & 0xffff
  })
}

/** What a whole range is for: the scope of the block that it lies in completely; `public` when it only touches one. */
export function networkScope(network: IpNetwork): AddressScope {
  if (network.family === 4) return ipv4BlockScope(network.base, network.prefix)
  return network.prefix >= 16 ? ipv6PrefixScope(network.base) : 'public'
}

/** CIDR form, the address part canonical. */
export function formatNetwork(network: IpNetwork): string {
  return `${network.family === 4 ? formatIpv4(network.base) : formatIpv6(network.base)}/${network.prefix}`
}

/** True when the last label is a number in any base, so that some programs would read the text as an IPv4 address. Source: WHATWG URL, "ends in a number". */
export function endsInNumber(text: string): boolean {
  const end = text.endsWith('.') ? text.length - 1 : text.length
  const last = text.slice(text.lastIndexOf('.', end - 1) + 1, end)
  return /^(?:[0-9]+|0x[0-9a-f]*)$/i.test(last)
}
