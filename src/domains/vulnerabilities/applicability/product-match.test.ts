import { describe, expect, test } from 'vitest'
import { candidateKeys, isSameProduct, probeKeys, vendorsAgree, wordsOf } from './product-match.ts'

// biome-ignore format: one case per line
describe('the same product', () => {
  test.each([
    { title: 'the same word in any case',                     asset: { product: 'OpenSSL' },                                   cpe: { vendor: 'openssl', product: 'openssl' } },
    { title: 'blanks are underscores',                        asset: { product: 'FileZilla Server' },                          cpe: { vendor: 'filezilla-project', product: 'filezilla_server' } },
    { title: 'the vendor may stand in the asset\'s name',     asset: { product: 'Cisco IOS', vendor: 'Cisco' },                cpe: { vendor: 'cisco', product: 'ios' } },
    { title: 'even when no vendor is given',                  asset: { product: 'Cisco IOS' },                                 cpe: { vendor: 'cisco', product: 'ios' } },
    { title: 'the vendor may stand in the CPE\'s name',       asset: { product: 'Mail', vendor: 'Acme' },                      cpe: { vendor: 'acme', product: 'acme_mail' } },
    { title: 'a vendor of two words',                         asset: { product: 'Red Hat Ansible Engine', vendor: 'Red Hat' }, cpe: { vendor: 'redhat', product: 'ansible_engine' } },
    { title: 'a vendor of two words in the name alone',       asset: { product: 'Red Hat Ansible Engine' },                    cpe: { vendor: 'redhat', product: 'ansible_engine' } },
    { title: 'an alias',                                      asset: { product: 'Apache Log4j2' },                             cpe: { vendor: 'apache', product: 'log4j' } },
    { title: 'a short name',                                  asset: { product: 'ASA', vendor: 'Cisco' },                      cpe: { vendor: 'cisco', product: 'adaptive_security_appliance_software' } },
    { title: 'a short name behind the vendor',                asset: { product: 'Citrix ADC' },                                cpe: { vendor: 'citrix', product: 'netscaler_application_delivery_controller' } },
    { title: 'a model is its firmware',                       asset: { product: 'DIR-615' },                                   cpe: { vendor: 'dlink', product: 'dir-615_firmware' } },
    { title: 'advisories write software behind the name',     asset: { product: 'Cisco IOS XE Software' },                     cpe: { vendor: 'cisco', product: 'ios_xe' } },
    { title: 'a dash in the name',                            asset: { product: 'PAN-OS' },                                    cpe: { vendor: 'paloaltonetworks', product: 'pan-os' } },
    { title: 'an old owner',                                  asset: { product: 'Spring Framework', vendor: 'Pivotal' },       cpe: { vendor: 'vmware', product: 'spring_framework' } },
    { title: 'Node.js with and without its dot',              asset: { product: 'Nodejs' },                                    cpe: { vendor: 'nodejs', product: 'node.js' } },
    { title: 'a product named as its vendor',                 asset: { product: 'Redis', vendor: 'Redis' },                    cpe: { vendor: 'redis', product: 'redis' } },
  ])('$title', ({ asset, cpe }) => {
    expect(isSameProduct(asset, cpe)).toBe(true)
    // The index of candidates must find what the decision agrees to.
    expect(candidateKeys(cpe)).toEqual(expect.arrayContaining([expect.toBeOneOf(probeKeys(asset))]))
  })
})

// biome-ignore format: one case per line
describe('another product', () => {
  test.each([
    { title: 'a longer name',                     asset: { product: 'libssh' },                                     cpe: { vendor: 'libssh2', product: 'libssh2' } },
    { title: 'a name behind a dash',              asset: { product: 'PHP-Fusion' },                                 cpe: { vendor: 'php', product: 'php' } },
    { title: 'and the other way round',           asset: { product: 'PHP' },                                        cpe: { vendor: 'php-fusion', product: 'php-fusion' } },
    { title: 'another product of the vendor',     asset: { product: 'FortiManager', vendor: 'Fortinet' },           cpe: { vendor: 'fortinet', product: 'fortios' } },
    { title: 'a product with a further word',     asset: { product: 'MOVEit Transfer', vendor: 'Progress' },        cpe: { vendor: 'progress', product: 'moveit_cloud' } },
    { title: 'a beginning of the name',           asset: { product: 'Log4', vendor: 'Apache' },                     cpe: { vendor: 'apache', product: 'log4j' } },
    { title: 'the same name of another vendor',   asset: { product: 'Gateway', vendor: 'Acme' },                    cpe: { vendor: 'citrix', product: 'netscaler_gateway' } },
    { title: 'another year',                      asset: { product: 'Windows Server 2022', vendor: 'Microsoft' },   cpe: { vendor: 'microsoft', product: 'windows_server_2019' } },
    { title: 'C++ is not C',                      asset: { product: 'Acme C' },                                     cpe: { vendor: 'acme', product: 'c++' } },
    { title: 'the vendor alone',                  asset: { product: 'Fortinet' },                                   cpe: { vendor: 'fortinet', product: 'fortios' } },
    { title: 'a short name of another vendor',    asset: { product: 'ASA', vendor: 'Acme' },                        cpe: { vendor: 'acme', product: 'adaptive_security_appliance_software' } },
    { title: 'no name at all',                    asset: { product: ' ' },                                          cpe: { vendor: 'acme', product: 'acme' } },
  ])('$title', ({ asset, cpe }) => expect(isSameProduct(asset, cpe)).toBe(false))
})

// biome-ignore format: one case per line
test.each([
  { given: undefined,                     cpe: 'apache',           want: true },
  { given: ' ',                           cpe: 'apache',           want: true },
  { given: 'Apache Software Foundation',  cpe: 'apache',           want: true },
  { given: 'Progress Software',           cpe: 'progress',         want: true },
  { given: 'Citrix Systems, Inc.',        cpe: 'citrix',           want: true },
  { given: 'Sudo Project',                cpe: 'sudo_project',     want: true },
  { given: 'Red Hat',                     cpe: 'redhat',           want: true },
  { given: 'Palo Alto Networks',          cpe: 'paloaltonetworks', want: true },
  { given: 'Check Point Software',        cpe: 'checkpoint',       want: true },
  { given: 'Node.js',                     cpe: 'nodejs',           want: true },
  { given: 'Amazon Web Services',         cpe: 'amazon',           want: true },
  { given: 'MySQL',                       cpe: 'oracle',           want: true },
  { given: 'Microsoft',                   cpe: 'apache',           want: false },
  { given: 'Software Inc.',               cpe: 'apache',           want: false },
  { given: 'php',                         cpe: 'php-fusion',       want: true },
])('vendor "$given" and CPE vendor $cpe: $want', ({ given, cpe, want }) => expect(vendorsAgree(given, cpe)).toBe(want))

test('a name is cut at blanks, dashes, underscores and backslashes', () => {
  expect(wordsOf('Visual_C\\+\\+ .NET 4.8-Core')).toEqual(['visual', 'c', '+', '+', 'net', '4.8', 'core'])
  expect(wordsOf('visual_c++ node.js c#')).toEqual(['visual', 'c++', 'node.js', 'c#'])
})
