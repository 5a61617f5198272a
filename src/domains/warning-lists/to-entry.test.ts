import { expect, test } from 'vitest'
import { toEntry } from './to-entry.ts'
import { ENTRY_MAX_BYTES, SUBSTRING_MAX_CHARACTERS, type WarningListType } from './warning-lists.model.ts'

// biome-ignore format: one case per line
const HELD: { title: string; type: WarningListType; raw: string; kind: string; entry: string }[] = [
  { title: 'a range',                                 type: 'CIDR',      raw: '198.51.100.0/24',         kind: 'NETWORK',   entry: '198.51.100.0/24' },
  { title: 'a range with host bits',                  type: 'CIDR',      raw: ' 198.51.100.77/24 ',      kind: 'NETWORK',   entry: '198.51.100.0/24' },
  { title: 'an address among ranges',                 type: 'CIDR',      raw: '198.51.100.7',            kind: 'NETWORK',   entry: '198.51.100.7/32' },
  { title: 'an IPv6 address among ranges',            type: 'CIDR',      raw: '2001:DB8::1',             kind: 'NETWORK',   entry: '2001:db8::1/128' },
  { title: 'a range that no IOC could be',            type: 'CIDR',      raw: '10.0.0.0/8',              kind: 'NETWORK',   entry: '10.0.0.0/8' },
  { title: 'a host',                                  type: 'HOSTNAME',  raw: 'CDN.Example.com.',        kind: 'HOST',      entry: 'cdn.example.com' },
  { title: 'an international host',                   type: 'HOSTNAME',  raw: 'bücher.example',          kind: 'HOST',      entry: 'xn--bcher-kva.example' },
  { title: 'everything below a host, with a dot',     type: 'HOSTNAME',  raw: '.dyn.example.net',        kind: 'BELOW',     entry: 'dyn.example.net' },
  { title: 'everything below a host, with a star',    type: 'HOSTNAME',  raw: '*.dyn.example.net',       kind: 'BELOW',     entry: 'dyn.example.net' },
  { title: 'a public suffix of two labels',           type: 'HOSTNAME',  raw: 'co.uk',                   kind: 'HOST',      entry: 'co.uk' },
  { title: 'a value, defanged',                       type: 'STRING',    raw: 'hxxp://a[.]example[.]com/X', kind: 'EXACT',  entry: 'http://a.example.com/X' },
  { title: 'a hash in capitals',                      type: 'STRING',    raw: 'DA39A3EE5E6B4B0D3255BFEF95601890AFD80700', kind: 'EXACT', entry: 'da39a3ee5e6b4b0d3255bfef95601890afd80700' },
  { title: 'a part of a value',                       type: 'SUBSTRING', raw: '@Mailbox.example',        kind: 'SUBSTRING', entry: '@mailbox.example' },
  { title: 'a pattern between slashes, with flags',   type: 'REGEX',     raw: '/^ns\\d+\\./i',           kind: 'PATTERN',   entry: '^ns\\d+\\.' },
  { title: 'a pattern without',                       type: 'REGEX',     raw: '^ns\\d+\\.',              kind: 'PATTERN',   entry: '^ns\\d+\\.' },
]

test.each(HELD)('$title is held as $kind $entry', ({ type, raw, kind, entry }) => {
  expect(toEntry(type, raw)).toEqual({ ok: true, kind, entry })
})

// biome-ignore format: one case per line
const SKIPPED: { title: string; type: WarningListType; raw: unknown; code: string }[] = [
  { title: 'a number',                                type: 'STRING',    raw: 7,                         code: 'not_text' },
  { title: 'nothing',                                 type: 'STRING',    raw: '  ',                      code: 'not_text' },
  { title: 'a NUL',                                   type: 'SUBSTRING', raw: 'text\u0000text',          code: 'not_text' },
  { title: 'half of a surrogate pair',                type: 'SUBSTRING', raw: 'text\ud800text',          code: 'not_text' },
  { title: 'a name among ranges',                     type: 'CIDR',      raw: 'example.com',             code: 'not_a_network' },
  { title: 'an octal address',                        type: 'CIDR',      raw: '010.1.1.1',               code: 'not_a_network' },
  { title: 'all addresses',                           type: 'CIDR',      raw: '0.0.0.0/0',               code: 'covers_everything' },
  { title: 'all IPv6 addresses',                      type: 'CIDR',      raw: '::/0',                    code: 'covers_everything' },
  { title: 'a top-level domain',                      type: 'HOSTNAME',  raw: '.com',                    code: 'covers_everything' },
  { title: 'a host with a path',                      type: 'HOSTNAME',  raw: 'example.com/a',           code: 'not_a_host' },
  { title: 'a word among values',                     type: 'STRING',    raw: 'setup',                   code: 'not_an_indicator' },
  { title: 'a part of three characters',              type: 'SUBSTRING', raw: '.tk',                     code: 'too_short' },
  { title: 'a part beyond the longest',               type: 'SUBSTRING', raw: 'a'.repeat(SUBSTRING_MAX_CHARACTERS + 1), code: 'too_long' },
  { title: 'a value beyond what an index holds',      type: 'STRING',    raw: `http://example.com/${'a'.repeat(ENTRY_MAX_BYTES)}`, code: 'too_long' },
  { title: 'a back-reference',                        type: 'REGEX',     raw: '/(a+)\\1/',               code: 'pattern_not_linear' },
  { title: 'looking ahead',                           type: 'REGEX',     raw: '/a(?=b)/',                code: 'pattern_not_linear' },
  { title: 'a flag that changes the meaning',         type: 'REGEX',     raw: '/a b/x',                  code: 'pattern_not_linear' },
  { title: 'a pattern that cannot be read',           type: 'REGEX',     raw: '/(/',                     code: 'pattern_not_linear' },
]

test.each(SKIPPED)('$title is skipped as $code, with a sentence', ({ type, raw, code }) => {
  expect(toEntry(type, raw)).toEqual({ ok: false, code, reason: expect.stringMatching(/^[A-Z].*[.]$/) })
})
