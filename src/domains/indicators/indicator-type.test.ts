import { describe, expect, it } from 'vitest'
import { tryParseIndicatorType } from './indicator-type.ts'
import { INDICATOR_TYPES } from './indicators.model.ts'

describe('tryParseIndicatorType', () => {
  it.each([
    ['IP', 'ip', 'IP', 'ip_address', 'IP Address', 'ip-dst', 'ip-src'],
    ['IP_PORT', 'ip:port', 'ip-dst|port', 'IP:Port'],
    ['IPV4', 'ipv4', 'IPv4', 'ipv4-addr'],
    ['IPV6', 'ipv6-addr', 'IPv6'],
    ['NETWORK', 'cidr', 'netblock', 'network', 'subnet'],
    ['DOMAIN', 'domain', 'hostname', 'domain-name', 'domain_name', 'fqdn', 'FQDN'],
    ['URL', 'url', 'uri', 'URI', 'link'],
    ['HASH', 'sha256', 'sha256_hash', 'SHA-256', 'md5', 'md5_hash', 'sha1', 'sha512', 'FileHash-MD5', 'FileHash-SHA256', 'file', 'hash'],
    ['EMAIL', 'email', 'email-addr', 'E-Mail', 'email-src'],
    [
      'UNSUPPORTED',
      'mutex',
      'filename',
      'filepath',
      'YARA',
      'ja3',
      'CVE',
      'windows-registry-key',
      'imphash',
      'ssdeep',
      'user-agent',
      'asn',
    ],
  ])('%s', (kind, ...words) => {
    expect(words.map(tryParseIndicatorType)).toEqual(words.map(() => kind))
  })

  it('reads each type by its own name', () => {
    expect(INDICATOR_TYPES.map(tryParseIndicatorType)).toEqual([...INDICATOR_TYPES])
  })

  it.each(['', 'nonsense', 'constructor', '__proto__', 'x'.repeat(10_000)])('knows nothing of %j', (word) => {
    expect(tryParseIndicatorType(word)).toBeUndefined()
  })
})
