import { expect, test } from 'vitest'
import { systemInDescription } from './description-hint.ts'

// biome-ignore format: one case per line
test.each([
  { title: 'a system behind "on"',                       text: 'Acme Mail on Windows allows it.',                       want: 'windows' },
  { title: 'a system behind "for"',                      text: 'Acme Mail for macOS before 2.0 allows it.',             want: 'macos' },
  { title: 'its maker before it',                        text: 'when running on Microsoft Windows systems',             want: 'windows' },
  { title: 'the same system twice',                      text: 'Acme for Windows crashes on Windows.',                  want: 'windows' },
  { title: 'two systems in a row are no hint',           text: 'Acme on Windows and macOS allows it.',                  want: undefined },
  { title: 'nor a list of three',                        text: 'Acme for Windows, Linux, and macOS allows it.',         want: undefined },
  { title: 'nor two in two places',                      text: 'Acme on Linux; also Acme for Windows.',                 want: undefined },
  { title: 'a system that is only spoken of',            text: 'passed to Win32 by Windows',                            want: undefined },
  { title: 'Cisco IOS is not Apple\'s iOS',              text: 'a flaw on IOS and IOS XE routers',                      want: undefined },
  { title: 'Apple\'s iOS',                               text: 'Acme for iOS before 3.1',                               want: 'ios' },
  { title: 'a longer word',                              text: 'based on Windowsill',                                   want: undefined },
])('$title', ({ text, want }) => expect(systemInDescription(text)).toBe(want))
