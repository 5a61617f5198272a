import { parentNames } from '#kernel/domain-name.ts'
import { tryParseIpv4 } from '#kernel/ip.ts'
import type { IndicatorType } from './indicators.model.ts'

/** What else to search for when a value itself is not known, each as an exact value. */
export type LookupProbes = {
  /** DOMAIN values above the name, nearest first; never a public suffix or a shared-hosting suffix. */
  parents: string[]
  /** The host of a URL as a value of its own. */
  host?: { type: 'DOMAIN' | 'IPV4' | 'IPV6'; value: string }
  /** An address to be searched inside the stored ranges. */
  address?: string
}

/** The probes of a value in its normal form (`normalizeIndicator`). E-mail addresses, hashes and ranges have none. */
export function lookupProbes(type: IndicatorType, value: string): LookupProbes {
  switch (type) {
    case 'DOMAIN':
      return { parents: parentNames(value) }
    case 'IPV4':
    case 'IPV6':
      return { parents: [], address: value }
    case 'URL':
      return probesOfHost(urlHost(value))
    case 'EMAIL':
    case 'HASH':
    case 'NETWORK':
      return { parents: [] }
  }
}

function probesOfHost(host: string): LookupProbes {
  if (host.startsWith('[')) {
    const value = host.slice(1, -1)
    return { parents: [], host: { type: 'IPV6', value }, address: value }
  }
  if (tryParseIpv4(host) !== undefined) return { parents: [], host: { type: 'IPV4', value: host }, address: host }
  return { parents: parentNames(host), host: { type: 'DOMAIN', value: host } }
}

/** The host of a normal URL, IPv6 in its brackets. */
function urlHost(url: string): string {
  const start = url.indexOf('://') + 3
  const end = url.slice(start).search(/[/?]/)
  const authority = end === -1 ? url.slice(start) : url.slice(start, start + end)
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1)
  const bracket = hostAndPort.indexOf(']')
  if (bracket !== -1) return hostAndPort.slice(0, bracket + 1)
  const colon = hostAndPort.indexOf(':')
  return colon === -1 ? hostAndPort : hostAndPort.slice(0, colon)
}
