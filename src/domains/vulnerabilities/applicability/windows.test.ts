import { expect, test } from 'vitest'
import { wordsOf } from './product-match.ts'
import { isSameWindows, toWindowsName } from './windows.ts'

const same = (wanted: string, declared: string, anyRelease = false) =>
  isSameWindows(toWindowsName(wordsOf(wanted)), toWindowsName(wordsOf(declared)), anyRelease)

// biome-ignore format: one case per line
test.each([
  { title: 'any Windows is every Windows',                     wanted: 'windows',                declared: 'Windows 11',                 want: 'T' },
  { title: 'the same edition',                                 wanted: 'windows_7',              declared: 'Windows 7',                  want: 'T' },
  { title: 'another edition',                                  wanted: 'windows_7',              declared: 'Windows 8.1',                want: 'F' },
  { title: 'a number with a point is another edition',         wanted: 'windows_8',              declared: 'Windows 8.1',                want: 'F' },
  { title: 'no edition is declared',                           wanted: 'windows_7',              declared: 'Windows',                    want: 'U' },
  { title: 'a server of no year',                              wanted: 'windows_server_2012',    declared: 'Windows Server',             want: 'U' },
  { title: 'a server is no client',                            wanted: 'windows_10',             declared: 'Windows Server',             want: 'F' },
  { title: 'the same year',                                    wanted: 'windows_server_2019',    declared: 'Windows Server 2019',        want: 'T' },
  { title: 'the word server may be left out',                  wanted: 'windows_server_2019',    declared: 'Windows 2019 Datacenter',    want: 'T' },
  { title: 'another year',                                     wanted: 'windows_server_2019',    declared: 'Windows Server 2022',        want: 'F' },
  { title: 'R2 is another release',                            wanted: 'windows_server_2012 r2', declared: 'Windows Server 2012',        want: 'F' },
  { title: 'and not the one without',                          wanted: 'windows_server_2012',    declared: 'Windows Server 2012 R2',     want: 'F' },
  { title: 'the same R2',                                      wanted: 'windows_server_2012 r2', declared: 'Windows Server 2012 R2',     want: 'T' },
  { title: 'the same service pack',                            wanted: 'windows_7 sp1',          declared: 'Windows 7 SP1',              want: 'T' },
  { title: 'a service pack in words',                          wanted: 'windows_7 sp1',          declared: 'Windows 7 Service Pack 1',   want: 'T' },
  { title: 'another service pack',                             wanted: 'windows_server_2008 sp2', declared: 'Windows Server 2008 SP1',   want: 'F' },
  { title: 'no service pack is declared',                      wanted: 'windows_7 sp1',          declared: 'Windows 7',                  want: 'U' },
  { title: 'the same feature update',                          wanted: 'windows_10 1607',        declared: 'Windows 10 1607',            want: 'T' },
  { title: 'another feature update',                           wanted: 'windows_10 1607',        declared: 'Windows 10 version 1809',    want: 'F' },
  { title: 'no feature update is declared',                    wanted: 'windows_10_21h2',        declared: 'Windows 10',                 want: 'U' },
  { title: 'RT is another system',                             wanted: 'windows_rt_8.1',         declared: 'Windows 8.1',                want: 'F' },
  { title: 'a server named by its update',                     wanted: 'windows_server_20h2',    declared: 'Windows Server 20H2',        want: 'T' },
  { title: 'a server named by its update is no year',          wanted: 'windows_server_20h2',    declared: 'Windows Server 2019',        want: 'F' },
])('$title', ({ wanted, declared, want }) => expect(same(wanted, declared)).toBe(want))

test('a CPE without any release means R2 as well', () => expect(same('windows_server_2012', 'Windows Server 2012 R2', true)).toBe('T'))
