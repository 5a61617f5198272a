import { describe, expect, it } from 'vitest'
import { lookupProbes } from './lookup-probes.ts'

describe('lookupProbes', () => {
  it.each([
    ['a name asks for the names above it', 'DOMAIN', 'a.b.evil.com', { parents: ['b.evil.com', 'evil.com'] }],
    ['a name on shared hosting stops below the host', 'DOMAIN', 'x.evil.pages.dev', { parents: ['evil.pages.dev'] }],
    ['an address asks for ranges', 'IPV4', '192.0.2.1', { parents: [], address: '192.0.2.1' }],
    ['an IPv6 address asks for ranges', 'IPV6', '2001:db8::1', { parents: [], address: '2001:db8::1' }],
    [
      'a URL asks for its host and the names above',
      'URL',
      'https://u:p@a.evil.com:8443/x@y?z',
      { parents: ['evil.com'], host: { type: 'DOMAIN', value: 'a.evil.com' } },
    ],
    ['a URL with a query and no path', 'URL', 'http://evil.com?x=/y', { parents: [], host: { type: 'DOMAIN', value: 'evil.com' } }],
    [
      'a URL on an address',
      'URL',
      'http://192.0.2.1:81/x',
      { parents: [], host: { type: 'IPV4', value: '192.0.2.1' }, address: '192.0.2.1' },
    ],
    [
      'a URL on an IPv6 address',
      'URL',
      'http://[2001:db8::1]:81/x',
      { parents: [], host: { type: 'IPV6', value: '2001:db8::1' }, address: '2001:db8::1' },
    ],
    ['an e-mail address has no probes', 'EMAIL', 'bob@evil.com', { parents: [] }],
    ['a hash has no probes', 'HASH', '0123456789abcdef0123456789abcdef', { parents: [] }],
    ['a range has no probes', 'NETWORK', '192.0.2.0/24', { parents: [] }],
  ] as const)('%s', (_case, type, value, expected) => {
    expect(lookupProbes(type, value)).toEqual(expected)
  })
})
