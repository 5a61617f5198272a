import { expect, test } from 'vitest'
import { parsePattern } from './parse-pattern.ts'
import { readPatternValues } from './pattern-values.ts'

/** Values in short, `!` for a refusal, `?what` for what is not held. */
function inShort(pattern: string): string {
  const parsed = parsePattern(pattern)
  if (!parsed.ok) throw new Error(parsed.reason)
  const reading = readPatternValues(parsed.pattern)
  if (reading.kind === 'refused') return '!'
  if (reading.kind === 'unsupported') return `?${reading.what}`
  return reading.values.map(({ raw, kind }) => (kind === undefined ? raw : `${raw}/${kind}`)).join(' ')
}

// biome-ignore format: one case per line
test.each([
  { title: 'an IPv4 address',                        pattern: "[ipv4-addr:value = '198.51.100.7']",                                    want: '198.51.100.7/IPV4' },
  { title: 'an IPv6 address',                        pattern: "[ipv6-addr:value = '2001:db8::7']",                                     want: '2001:db8::7/IPV6' },
  { title: 'an address with a prefix is a range',    pattern: "[ipv4-addr:value = '198.51.100.0/24']",                                 want: '198.51.100.0/24/NETWORK' },
  { title: 'ISSUBSET is a range',                    pattern: "[ipv6-addr:value ISSUBSET '2001:db8::/32']",                            want: '2001:db8::/32/NETWORK' },
  { title: 'ISSUBSET of traffic is a range',         pattern: "[network-traffic:dst_ref.value ISSUBSET '198.51.100.0/24']",            want: '198.51.100.0/24/NETWORK' },
  { title: 'ISSUBSET of a name is none',             pattern: "[domain-name:value ISSUBSET '198.51.100.0/24']",                        want: '!' },
  { title: 'a name',                                 pattern: "[domain-name:value = 'evil.example']",                                  want: 'evil.example/DOMAIN' },
  { title: 'a URL',                                  pattern: "[url:value = 'http://evil.example/']",                                  want: 'http://evil.example//URL' },
  { title: 'a mailbox',                              pattern: "[email-addr:value = 'a@evil.example']",                                 want: 'a@evil.example/EMAIL' },
  { title: 'a hash as the standard writes it',       pattern: "[file:hashes.'SHA-256' = 'x']",                                         want: 'x/HASH' },
  { title: 'a hash in small letters',                pattern: "[file:hashes.sha256 = 'x']",                                            want: 'x/HASH' },
  { title: 'a hash in capitals without a hyphen',    pattern: "[file:hashes.SHA1 = 'x']",                                              want: 'x/HASH' },
  { title: 'a digest that is not held',              pattern: "[file:hashes.SSDEEP = 'x']",                                            want: '?file:hashes.SSDEEP' },
  { title: 'the digest of a certificate',            pattern: "[x509-certificate:hashes.'SHA-1' = 'x']",                               want: "?x509-certificate:hashes.'SHA-1'" },
  { title: 'traffic to somewhere',                   pattern: "[network-traffic:dst_ref.value = '198.51.100.7']",                      want: '198.51.100.7' },
  { title: 'traffic from somewhere',                 pattern: "[network-traffic:src_ref.value = 'evil.example']",                      want: 'evil.example' },
  { title: 'a sender',                               pattern: "[email-message:from_ref.value = 'a@evil.example']",                     want: 'a@evil.example/EMAIL' },
  { title: 'a recipient is no indicator',            pattern: "[email-message:to_refs[*].value = 'a@victim.example']",                 want: '?email-message:to_refs[*].value' },
  { title: 'what a name resolves to',                pattern: "[domain-name:resolves_to_refs[*].value = '198.51.100.7']",              want: '198.51.100.7' },
  { title: 'a set',                                  pattern: "[ipv4-addr:value IN ('198.51.100.7', '198.51.100.8')]",                 want: '198.51.100.7/IPV4 198.51.100.8/IPV4' },
  { title: 'an empty set',                           pattern: '[ipv4-addr:value IN ()]',                                               want: '!' },
  { title: 'alternatives',                           pattern: "[ipv4-addr:value = '198.51.100.7' OR domain-name:value = 'a.example']", want: '198.51.100.7/IPV4 a.example/DOMAIN' },
  { title: 'alternatives of brackets',               pattern: "[url:value = 'u'] OR ([url:value = 'v'] OR [url:value = 'w'])",         want: 'u/URL v/URL w/URL' },
  { title: 'an alternative that is not held',        pattern: "[url:value = 'u' OR process:name = 'p']",                               want: 'u/URL' },
  { title: 'an alternative that is none',            pattern: "[url:value = 'u' OR url:value LIKE 'v%']",                              want: 'u/URL' },
  { title: 'two values together',                    pattern: "[domain-name:value = 'a.example' AND ipv4-addr:value = '198.51.100.7']", want: '!' },
  { title: 'two brackets together',                  pattern: "[domain-name:value = 'a.example'] AND [url:value = 'u']",               want: '!' },
  { title: 'a value and a file name',                pattern: "[file:hashes.MD5 = 'x' AND file:name = 'a.exe']",                       want: 'x/HASH' },
  { title: 'a value and a port',                     pattern: "[network-traffic:dst_port = 443 AND network-traffic:dst_ref.value = '198.51.100.7']", want: '198.51.100.7' },
  { title: 'a value and a size that it has not',     pattern: "[file:hashes.MD5 = 'x' AND file:size != 5]",                            want: 'x/HASH' },
  { title: 'a value and a process',                  pattern: "[url:value = 'u' AND process:name = 'p']",                              want: '?process:name' },
  { title: 'a sender and a subject',                 pattern: "[email-message:from_ref.value = 'a@evil.example' AND email-message:subject = 's']", want: '?email-message:subject' },
  { title: 'several digests of one file',            pattern: "[file:hashes.MD5 = 'x' AND file:hashes.'SHA-1' = 'y' AND file:name = 'n']", want: 'x/HASH y/HASH' },
  { title: 'two MD5 of one file',                    pattern: "[file:hashes.MD5 = 'x' AND file:hashes.MD5 = 'y']",                     want: '!' },
  { title: 'digests of two files',                   pattern: "[file:hashes.MD5 = 'x'] AND [file:hashes.'SHA-1' = 'y']",               want: '!' },
  { title: 'one of two, and a third',                pattern: "[(url:value = 'u' OR url:value = 'v') AND domain-name:value = 'a.example']", want: '!' },
  { title: 'what it is not',                         pattern: "[ipv4-addr:value != '198.51.100.7']",                                   want: '!' },
  { title: 'what it is NOT',                         pattern: "[ipv4-addr:value NOT = '198.51.100.7']",                                want: '!' },
  { title: 'what it is NOT in',                      pattern: "[ipv4-addr:value NOT IN ('198.51.100.7')]",                             want: '!' },
  { title: 'a value, and what it is not',            pattern: "[url:value = 'u' AND url:value != 'v']",                                want: '!' },
  { title: 'LIKE',                                   pattern: "[url:value LIKE 'http://evil.example/%']",                              want: '!' },
  { title: 'MATCHES',                                pattern: "[domain-name:value MATCHES '^evil']",                                   want: '!' },
  { title: 'ISSUPERSET',                             pattern: "[ipv4-addr:value ISSUPERSET '198.51.100.0/24']",                        want: '!' },
  { title: 'EXISTS',                                 pattern: '[EXISTS ipv4-addr:value]',                                              want: '!' },
  { title: 'greater than',                           pattern: "[ipv4-addr:value > '198.51.100.7']",                                    want: '!' },
  { title: 'a number for a value',                   pattern: '[ipv4-addr:value = 5]',                                                 want: '!' },
  { title: 'one after the other',                    pattern: "[url:value = 'u'] FOLLOWEDBY [url:value = 'v']",                        want: '!' },
  { title: 'a qualifier does not matter',            pattern: "[url:value = 'u'] REPEATS 5 TIMES WITHIN 10 SECONDS",                   want: 'u/URL' },
  { title: 'context alone',                          pattern: "[file:name = 'a.exe']",                                                 want: '?file:name' },
  { title: 'context alone, several',                 pattern: "[file:name = 'a.exe' AND file:size = 5]",                               want: '?file:name' },
  { title: 'a registry key',                         pattern: "[windows-registry-key:key = 'k']",                                      want: '?windows-registry-key:key' },
])('$title: $want', ({ pattern, want }) => expect(inShort(pattern)).toBe(want))
