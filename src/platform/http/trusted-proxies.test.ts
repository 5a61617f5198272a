import { describe, expect, test } from 'vitest'
import { DomainError } from '#kernel/errors.ts'
import { clientAddress } from './client-address.ts'
import { canonicalAddress, parseTrustedProxies } from './trusted-proxies.ts'

describe('FORWARDED_ALLOW_IPS takes addresses and ranges', () => {
  test.each([
    { title: 'one address', setting: '127.0.0.1', inside: ['127.0.0.1'], outside: ['127.0.0.2', '::1'] },
    { title: 'a list with blanks', setting: ' 10.0.0.1 ,\t10.0.0.2 ', inside: ['10.0.0.1', '10.0.0.2'], outside: ['10.0.0.3'] },
    { title: 'a range', setting: '10.0.0.0/8', inside: ['10.0.0.0', '10.255.255.255'], outside: ['9.255.255.255', '11.0.0.0'] },
    { title: 'a range that ends inside a byte', setting: '172.16.0.0/12', inside: ['172.31.255.255'], outside: ['172.32.0.0'] },
    { title: 'a range of one', setting: '192.0.2.7/32', inside: ['192.0.2.7'], outside: ['192.0.2.6'] },
    { title: 'an IPv6 address in any form', setting: '2001:DB8:0::1', inside: ['2001:db8::1'], outside: ['2001:db8::2'] },
    { title: 'an IPv6 range', setting: '2001:db8:1::/48', inside: ['2001:db8:1:ffff::1'], outside: ['2001:db8:2::1'] },
    { title: 'unique local addresses', setting: 'fc00::/7', inside: ['fd12::1'], outside: ['fe80::1', '10.0.0.1'] },
    { title: 'an IPv4-mapped address, as IPv4', setting: '::ffff:10.0.0.1', inside: ['10.0.0.1'], outside: ['10.0.0.2'] },
    { title: 'an IPv4-mapped range, as IPv4', setting: '::ffff:10.0.0.0/104', inside: ['10.9.9.9'], outside: ['11.0.0.0', '::a09:909'] },
    { title: 'nothing, which trusts nobody', setting: ' , ', inside: [], outside: ['127.0.0.1', '::1'] },
  ])('$title', ({ setting, inside, outside }) => {
    const proxies = parseTrustedProxies(setting)
    expect(inside.filter((address) => !proxies.includes(address))).toEqual([])
    expect(outside.filter((address) => proxies.includes(address))).toEqual([])
  })

  test.each([
    ['*'],
    ['127.0.0.1,*'],
    ['localhost'],
    ['proxy.example.org'],
    ['loopback'],
    ['0.0.0.0/0'],
    ['::/0'],
    ['0.0.0.0'],
    ['::'],
    ['::ffff:0:0/96'],
    ['::ffff:10.0.0.0/8'],
    ['::ffff:a00:0/95'],
    ['10.0.0.1/8'],
    ['2001:db8::1/32'],
    ['10.0.0.0/33'],
    ['2001:db8::/129'],
    ['10.0.0.0/'],
    ['10.0.0.0/08'],
    ['10.0.0.0/-1'],
    ['10.0.0.0/255.0.0.0'],
    ['10.0.0.0/8/8'],
    ['10.0.0'],
    ['010.0.0.1'],
    ['0x7f.0.0.1'],
    ['127.0.0.1:8080'],
    ['[::1]'],
    ['fe80::1%eth0'],
    ['10.0.0.1;10.0.0.2'],
    ['128.0.0.0/1'],
    ['true'],
    ['1'],
  ])('%s is refused, naming the setting and not the value', (setting) => {
    const refusal = (() => {
      try {
        parseTrustedProxies(setting)
        return undefined
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(DomainError)
    expect(refusal).toMatchObject({ code: 'setting_invalid', message: expect.stringContaining('FORWARDED_ALLOW_IPS') })
    if (setting.length > 3) expect((refusal as DomainError).message).not.toContain(setting)
  })
})

test('every spelling of an address becomes one', () => {
  expect(['::FFFF:192.0.2.1', '2001:0DB8:0:0::1', '192.0.2.1', '192.0.2.1:80', ' 192.0.2.1', ''].map(canonicalAddress)).toEqual([
    '192.0.2.1',
    '2001:db8::1',
    '192.0.2.1',
    undefined,
    undefined,
    undefined,
  ])
})

describe('a peer without an address', () => {
  test.each([undefined, '', 'not an address'])('%s counts as 0.0.0.0 whatever it claims', (peer) => {
    expect(clientAddress(peer, '203.0.113.9', parseTrustedProxies('127.0.0.1'))).toBe('0.0.0.0')
  })

  test('a link-local peer is taken without its zone', () => {
    expect(clientAddress('fe80::1%eth0', undefined, parseTrustedProxies('127.0.0.1'))).toBe('fe80::1')
  })
})
