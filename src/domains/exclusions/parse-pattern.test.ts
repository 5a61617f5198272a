import { describe, expect, test } from 'vitest'
import { DomainError } from '#kernel/errors.ts'
import { parsePattern } from './parse-pattern.ts'

const told = (text: string, kind?: string) => {
  const { kind: read, type, value } = parsePattern(text, kind)
  return type === null ? `${read} ${value}` : `${read} ${type} ${value}`
}

// biome-ignore format: one case per line
test.each([
  { title: 'a value is itself, defanged or not',                     text: 'Evil[.]Example[.]org',            kind: undefined, want: 'VALUE DOMAIN evil.example.org' },
  { title: 'a URL is a value',                                       text: 'hxxp://evil[.]example[.]org/a',   kind: undefined, want: 'VALUE URL http://evil.example.org/a' },
  { title: 'a range that is not said to be a pattern is a value',    text: '198.51.100.0/24',                 kind: undefined, want: 'VALUE NETWORK 198.51.100.0/24' },
  { title: 'a leading star makes a domain',                          text: '*.example.org',                   kind: undefined, want: 'DOMAIN example.org' },
  { title: 'the kind is read in any case',                           text: 'example.org',                     kind: 'domain',  want: 'DOMAIN example.org' },
  { title: 'a shared hosting name can be a domain',                  text: 'pages.github.io',                 kind: 'DOMAIN',  want: 'DOMAIN pages.github.io' },
  { title: 'host bits of a range are cleared',                       text: '198.51.100.77/24',                kind: 'NETWORK', want: 'NETWORK 198.51.100.0/24' },
  { title: 'a range may be wider and more private than an IOC',      text: '10.0.0.0/8',                      kind: 'NETWORK', want: 'NETWORK 10.0.0.0/8' },
  { title: 'an address is a range of one',                           text: '198[.]51[.]100[.]7',              kind: 'NETWORK', want: 'NETWORK 198.51.100.7/32' },
  { title: 'an IPv6 range has its short form',                       text: '2001:DB8:0:1::/64',               kind: 'NETWORK', want: 'NETWORK 2001:db8:0:1::/64' },
  { title: 'a host is that of a URL',                                text: 'https://u:p@Files.example.org:8443/x', kind: 'HOST', want: 'HOST files.example.org' },
  { title: 'a host is a name',                                       text: 'files[.]example.org',             kind: 'HOST',    want: 'HOST files.example.org' },
  { title: 'a host is an address',                                   text: '198.51.100.7',                    kind: 'HOST',    want: 'HOST 198.51.100.7' },
  { title: 'an IPv6 host stands in brackets',                        text: '2001:db8::5',                     kind: 'HOST',    want: 'HOST [2001:db8::5]' },
])('$title', ({ text, kind, want }) => {
  expect(told(text, kind)).toBe(want)
})

describe('refused', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'a text that no IOC can be',            text: 'no value',     kind: undefined, field: 'value' },
    { title: 'a public suffix',                      text: '*.co.uk',      kind: undefined, field: 'value' },
    { title: 'a top-level domain',                   text: 'com',          kind: 'DOMAIN',  field: 'value' },
    { title: 'a range of everything',                text: '0.0.0.0/0',    kind: 'NETWORK', field: 'value' },
    { title: 'a name where a range is asked for',    text: 'example.org',  kind: 'NETWORK', field: 'value' },
    { title: 'an address where a name is asked for', text: '198.51.100.7', kind: 'DOMAIN',  field: 'value' },
    { title: 'a path where a host is asked for',     text: 'no host',      kind: 'HOST',    field: 'value' },
    { title: 'a kind that does not exist',           text: 'example.org',  kind: 'REGEX',   field: 'kind' },
  ])('$title', ({ text, kind, field }) => {
    const attempt = () => parsePattern(text, kind)
    expect(attempt).toThrow(DomainError)
    expect(attempt).toThrow(expect.objectContaining({ code: 'validation_failed', fields: [expect.objectContaining({ field })] }))
  })
})
