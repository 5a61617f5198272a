import { expect, test } from 'vitest'
import { createKindReader, withoutPort } from './kind-word.ts'

// biome-ignore format: one case per line
test.each([
  { title: 'a domain word',                            word: 'domain',     want: { kind: 'DOMAIN', port: false } },
  { title: 'capitals and blanks do not matter',        word: ' SHA256 ',   want: { kind: 'HASH', port: false } },
  { title: 'the ThreatFox word strips the port',       word: 'ip:port',    want: { kind: 'IP', port: true } },
  { title: 'a mutex is not held',                      word: 'mutex',      want: { kind: 'UNSUPPORTED', port: false, name: 'mutex' } },
  { title: 'an unknown word is not guessed at',        word: 'zzz-unheard', want: { kind: 'UNSUPPORTED', port: false, name: 'zzz-unheard' } },
  { title: 'an empty cell leaves the kind open',       word: '',           want: undefined },
  { title: 'the map of the feed wins',                 word: 'C2',         want: { kind: 'IP', port: true } },
])('$title', ({ word, want }) => expect(createKindReader({ c2: 'IP_PORT' })(word)).toEqual(want))

// biome-ignore format: one case per line
test.each([
  { title: 'an address with port',           raw: '192.0.2.1:443',         want: '192.0.2.1' },
  { title: 'an IPv6 address with port',      raw: '[2001:db8::1]:443',     want: '2001:db8::1' },
  { title: 'an IPv6 address in brackets',    raw: '[2001:db8::1]',         want: '2001:db8::1' },
  { title: 'a bare IPv6 address stays',      raw: '2001:db8::1',           want: '2001:db8::1' },
  { title: 'a name with port',               raw: 'c2.example:8080',       want: 'c2.example' },
  { title: 'a URL keeps its port',           raw: 'http://c2.example:80/', want: 'http://c2.example:80/' },
  { title: 'six digits are no port',         raw: '192.0.2.1:123456',      want: '192.0.2.1:123456' },
  { title: 'letters are no port',            raw: '192.0.2.1:https',       want: '192.0.2.1:https' },
  { title: 'a colon without a port stays',   raw: '192.0.2.1:',            want: '192.0.2.1:' },
  { title: 'an open bracket stays',          raw: '[2001:db8::1',          want: '[2001:db8::1' },
  { title: 'a leading colon stays',          raw: ':443',                  want: ':443' },
])('$title', ({ raw, want }) => expect(withoutPort(raw)).toBe(want))
