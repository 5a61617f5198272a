import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressScope,
  endsInNumber,
  formatIpv4,
  formatIpv6,
  formatNetwork,
  mappedIpv4,
  networkScope,
  tryParseIpv4,
  tryParseIpv6,
  tryParseNetwork,
} from './ip.ts'

const canonicalIpv6 = (text: string) => {
  const groups = tryParseIpv6(text)
  return groups === undefined ? undefined : formatIpv6(groups)
}

describe('tryParseIpv4', () => {
  it.each([
    ['lowest', '0.0.0.0', 0],
    ['highest', '255.255.255.255', 4_294_967_295],
    ['plain', '192.0.2.1', 3_221_225_985],
    ['leading zero', '192.0.02.1', undefined],
    ['double zero', '192.0.00.1', undefined],
    ['above 255', '256.0.0.1', undefined],
    ['three parts', '1.2.3', undefined],
    ['five parts', '1.2.3.4.5', undefined],
    ['empty part', '1..2.3', undefined],
    ['ends in a dot', '1.2.3.', undefined],
    ['trailing dot', '1.2.3.4.', undefined],
    ['hexadecimal', '0x7f.0.0.1', undefined],
    ['blank', '1.2.3.4 ', undefined],
    ['other digits', '１.2.3.4', undefined],
    ['empty', '', undefined],
  ])('%s', (_case, text, expected) => {
    expect(tryParseIpv4(text)).toBe(expected)
  })

  it('is the inverse of formatIpv4', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => tryParseIpv4(formatIpv4(value)) === value))
  })
})

describe('IPv6 in the form of RFC 5952', () => {
  it.each([
    ['lower case', '2001:DB8::A', '2001:db8::a'],
    ['no leading zeros', '2001:0db8:0000:0001::0001', '2001:db8:0:1::1'],
    ['a single zero group is not shortened', '2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['a shortened single group is written out', '2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['the longest run is shortened', '2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['the first of two equal runs is shortened', '2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['a run at the end', '2001:db8:1:0:0:0:0:0', '2001:db8:1::'],
    ['a run at the start', '0:0:0:0:0:0:1:2', '::1:2'],
    ['all zeros', '0:0:0:0:0:0:0:0', '::'],
    ['dotted tail', '64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['dotted tail without gap', '1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['seven groups', '1:2:3:4:5:6:7', undefined],
    ['nine groups', '1:2:3:4:5:6:7:8:9', undefined],
    ['eight groups and a gap', '1:2:3:4::5:6:7:8', undefined],
    ['two gaps', '1::2::3', undefined],
    ['three colons', '1:::2', undefined],
    ['five digits', '12345::', undefined],
    ['leading colon', ':1::2', undefined],
    ['trailing colon', '1::2:', undefined],
    ['dotted before the end', '1.2.3.4::', undefined],
    ['dotted with leading zero', '::1.2.3.04', undefined],
    ['zone identifier', 'fe80::1%eth0', undefined],
    ['no colon', '1234', undefined],
    ['rubbish', 'g::1', undefined],
    ['too long', `${'0'.repeat(60)}::1`, undefined],
  ])('%s', (_case, text, expected) => {
    expect(canonicalIpv6(text)).toBe(expected)
  })

  it('parses back to the same groups', () => {
    const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 })
    fc.assert(fc.property(groups, (value) => tryParseIpv6(formatIpv6(value))?.join() === value.join()))
  })
})

describe('mappedIpv4', () => {
  it.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::192.0.2.1', undefined],
    ['1::ffff:192.0.2.1', undefined],
  ])('%s', (text, expected) => {
    const value = mappedIpv4(tryParseIpv6(text) ?? [])
    expect(value === undefined ? undefined : formatIpv4(value)).toBe(expected)
  })
})

describe('addressScope', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['8.8.8.8', 'public'],
    ['10.0.0.1', 'private'],
    ['11.0.0.1', 'public'],
    ['100.63.255.255', 'public'],
    ['100.64.0.1', 'shared'],
    ['100.128.0.0', 'public'],
    ['127.255.0.1', 'loopback'],
    ['169.254.1.1', 'link_local'],
    ['172.15.255.255', 'public'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.0.0.8', 'reserved'],
    ['192.0.2.1', 'documentation'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmark'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['223.255.255.255', 'public'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::2', 'reserved'],
    ['::ffff:10.0.0.1', 'private'],
    ['2606:4700::1', 'public'],
    ['2001:db8::1', 'documentation'],
    ['3fff:fff::1', 'documentation'],
    ['2001:2::1', 'benchmark'],
    ['fc00::1', 'private'],
    ['fdff::1', 'private'],
    ['fe80::1', 'link_local'],
    ['febf::1', 'link_local'],
    ['ff02::1', 'multicast'],
    ['4000::1', 'reserved'],
    ['evil.example', undefined],
  ])('%s is %s', (text, expected) => {
    expect(addressScope(text)).toBe(expected)
  })
})

describe('networks', () => {
  it.each([
    ['clears host bits', '192.0.2.77/24', '192.0.2.0/24', 'documentation'],
    ['clears IPv6 host bits inside a group', '2606:4700:ffff::1/35', '2606:4700:e000::/35', 'public'],
    ['keeps the whole space', '0.0.0.0/0', '0.0.0.0/0', 'public'],
    ['turns a mapped range into IPv4', '::ffff:8.8.8.8/120', '8.8.8.0/24', 'public'],
    ['keeps one address', '8.8.8.8/32', '8.8.8.8/32', 'public'],
    ['touches a private block without lying in it', '172.0.0.0/8', '172.0.0.0/8', 'public'],
    ['lies in a private block', '172.16.0.0/12', '172.16.0.0/12', 'private'],
    ['lies in the IPv6 local block', 'fd00::/48', 'fd00::/48', 'private'],
  ])('%s', (_case, text, canonical, scope) => {
    const network = tryParseNetwork(text)
    expect(network === undefined ? undefined : [formatNetwork(network), networkScope(network)]).toEqual([canonical, scope])
  })

  it.each([
    '192.0.2.0',
    '192.0.2.0/',
    '192.0.2.0/33',
    '192.0.2.0/024',
    '192.0.2.0/-1',
    '192.0.2/24',
    '192.0.2.0/255.255.255.0',
    '2001:db8::/129',
    '2001:db8::/32/32',
    'evil.example/24',
  ])('%s is no range', (text) => {
    expect(tryParseNetwork(text)).toBeUndefined()
  })
})

describe('endsInNumber', () => {
  it.each([
    ['127.1', true],
    ['2130706433', true],
    ['a.0x7f', true],
    ['a.0x', true],
    ['a.1.', true],
    ['a.1b', false],
    ['1.a', false],
    ['', false],
  ])('%s: %s', (text, expected) => {
    expect(endsInNumber(text)).toBe(expected)
  })
})
