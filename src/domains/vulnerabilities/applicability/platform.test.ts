import { expect, test } from 'vitest'
import { familyOf, isSameFamily, parsePlatform } from './platform.ts'

// biome-ignore format: one case per line
test.each([
  { text: 'Windows Server 2019',              family: 'windows', system: 'windows', release: '2019' },
  { text: 'Debian 10',                        family: 'linux',   system: 'debian',  release: '10' },
  { text: 'Debian GNU/Linux 11 (bullseye)',   family: 'linux',   system: 'debian',  release: '11' },
  { text: 'Ubuntu 20.04 LTS',                 family: 'linux',   system: 'ubuntu',  release: '20.04' },
  { text: 'RHEL 8',                           family: 'linux',   system: 'rhel',    release: '8' },
  { text: 'Red Hat Enterprise Linux 8.4',     family: 'linux',   system: 'rhel',    release: '8.4' },
  { text: 'Oracle Linux 8',                   family: 'linux',   system: 'oracle',  release: '8' },
  { text: 'SLES 15 SP3',                      family: 'linux',   system: 'sles',    release: '15 sp3' },
  { text: 'Alpine Linux 3.15',                family: 'linux',   system: 'alpine',  release: '3.15' },
  { text: 'Linux',                            family: 'linux',   system: 'linux',   release: undefined },
  { text: 'Linux, Debian 12 in a container',  family: 'linux',   system: 'debian',  release: '12' },
  { text: 'macOS 13.2',                       family: 'macos',   system: 'macos',   release: '13.2' },
  { text: 'Mac OS X 10.15',                   family: 'macos',   system: 'macos',   release: '10.15' },
  { text: 'FreeBSD 13',                       family: 'bsd',     system: 'freebsd', release: '13' },
  { text: 'JDK 11 on Ubuntu 22.04',           family: 'linux',   system: 'ubuntu',  release: '22.04' },
  { text: 'Cisco IOS 15.2',                   family: undefined, system: undefined, release: undefined },
  { text: 'HyperFlex HX240c M5',              family: undefined, system: undefined, release: undefined },
])('"$text" is $family, $system, release $release', ({ text, family, system, release }) => {
  expect(parsePlatform(text)).toMatchObject({ family, system, release })
})

test('no platform, a blank one and one without a word are all none', () => {
  expect([undefined, '', '  ', '--'].map(parsePlatform)).toEqual([undefined, undefined, undefined, undefined])
})

// biome-ignore format: one case per line
test.each([
  { name: 'windows_10',   family: 'windows' },
  { name: 'linux_kernel', family: 'linux' },
  { name: 'mac_os_x',     family: 'macos' },
  { name: 'iphone_os',    family: 'ios' },
  { name: 'android',      family: 'android' },
  { name: 'wordpress',    family: undefined },
  { name: 'node.js',      family: undefined },
])('target_sw $name is of family $family', ({ name, family }) => expect(familyOf(name)).toBe(family))

// biome-ignore format: one case per line
test.each([
  { wanted: 'linux',   actual: 'linux',   want: true },
  { wanted: 'linux',   actual: 'windows', want: false },
  { wanted: 'unix',    actual: 'linux',   want: true },
  { wanted: 'solaris', actual: 'unix',    want: true },
  { wanted: 'unix',    actual: 'windows', want: false },
  { wanted: 'windows', actual: 'unix',    want: false },
] as const)('a program for $wanted runs on $actual: $want', ({ wanted, actual, want }) => expect(isSameFamily(wanted, actual)).toBe(want))
