import { parse } from 'tldts'
import { describe, expect, it } from 'vitest'
import type { DeclaredKind } from './indicator-type.ts'
import { FILE_ENDINGS } from './normalization/normalize-domain.ts'
import { hashAlgorithm } from './normalization/normalize-hash.ts'
import { normalizeIndicator } from './normalize.ts'

const MD5 = '0cc175b9c0f1b6a831c399e269772661'
const SHA1 = '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'
const SHA256 = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afeeab48'
const SHA512 = `${SHA256}${SHA256}`
const LABEL_63 = 'a'.repeat(63)

type Row = readonly [sentence: string, raw: string, expected: string, declared?: DeclaredKind]

/** `TYPE value`, or `refused code`. */
function verdictOf(raw: string, declared?: DeclaredKind): string {
  const verdict = normalizeIndicator(raw, declared)
  return verdict.ok ? `${verdict.type} ${verdict.value}` : `refused ${verdict.code}`
}

function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const [sentence, raw, expected, declared] of rows) {
      it(sentence, () => {
        expect(verdictOf(raw, declared)).toBe(expected)
      })
    }
  })
}

table('defanged names', [
  ['square brackets', 'evil[.]com', 'DOMAIN evil.com'],
  ['every dot', 'www[.]evil[.]com', 'DOMAIN www.evil.com'],
  ['round brackets', 'evil(.)com', 'DOMAIN evil.com'],
  ['braces', 'evil{.}com', 'DOMAIN evil.com'],
  ['the word in square brackets', 'evil[dot]com', 'DOMAIN evil.com'],
  ['the word in round brackets', 'evil(dot)com', 'DOMAIN evil.com'],
  ['the word in upper case', 'evil[DOT]com', 'DOMAIN evil.com'],
  ['the word in braces', 'evil{dot}com', 'DOMAIN evil.com'],
  ['a backslash', 'evil\\.com', 'DOMAIN evil.com'],
  ['blanks around the bracketed dot', 'evil [.] com', 'DOMAIN evil.com'],
  ['blanks inside the brackets', 'evil[ . ]com', 'DOMAIN evil.com'],
  ['blanks around the bracketed word', 'evil [dot] com', 'DOMAIN evil.com'],
  ['the opening half', 'evil[.com', 'DOMAIN evil.com'],
  ['the closing half', 'evil.]com', 'DOMAIN evil.com'],
  ['a zero-width space', 'evil\u200b.com', 'DOMAIN evil.com'],
  ['a byte order mark', '\ufeffevil.com', 'DOMAIN evil.com'],
  ['zero-width characters inside the brackets', 'evil[\u200b.\u200d]com', 'DOMAIN evil.com'],
  ['blanks at both ends', ' \tevil.com\r\n', 'DOMAIN evil.com'],
  ['the word without brackets is no defanging', 'evil dot com', 'refused not_an_indicator'],
  ['declared as well', 'evil[.]com', 'DOMAIN evil.com', 'DOMAIN'],
])

table('names', [
  ['plain', 'evil.com', 'DOMAIN evil.com'],
  ['upper case', 'EVIL.COM', 'DOMAIN evil.com'],
  ['trailing dot', 'evil.com.', 'DOMAIN evil.com'],
  ['two trailing dots', 'evil.com..', 'refused domain_invalid'],
  ['wildcard', '*.evil.com', 'DOMAIN evil.com'],
  ['nested wildcard', '*.*.evil.com', 'DOMAIN evil.com'],
  ['leading dot', '.evil.com', 'DOMAIN evil.com'],
  ['wildcard defanged', '*[.]evil[.]com', 'DOMAIN evil.com'],
  ['wildcard inside', 'a.*.evil.com', 'refused domain_invalid'],
  ['U-label', 'bücher.com', 'DOMAIN xn--bcher-kva.com'],
  ['A-label', 'xn--bcher-kva.com', 'DOMAIN xn--bcher-kva.com'],
  ['A-label in upper case', 'XN--BCHER-KVA.com', 'DOMAIN xn--bcher-kva.com'],
  ['Cyrillic look-alike', 'раypal.com', 'DOMAIN xn--ypal-43d9g.com'],
  ['underscore label', '_dmarc.evil.com', 'DOMAIN _dmarc.evil.com'],
  ['underscore inside', 'a_b.evil.com', 'DOMAIN a_b.evil.com'],
  ['hyphen at an end', '-a-.evil.com', 'DOMAIN -a-.evil.com'],
  ['reverse zone', '8.b.d.0.1.0.0.2.ip6.arpa', 'DOMAIN 8.b.d.0.1.0.0.2.ip6.arpa'],
  ['hidden service', 'abcdefghij.onion', 'DOMAIN abcdefghij.onion'],
  ['top level outside the root', 'evil.bazar', 'DOMAIN evil.bazar'],
  ['253 characters', `${`${LABEL_63}.`.repeat(3)}${'a'.repeat(57)}.com`, `DOMAIN ${`${LABEL_63}.`.repeat(3)}${'a'.repeat(57)}.com`],
  ['254 characters', `${`${LABEL_63}.`.repeat(3)}${'a'.repeat(58)}.com`, 'refused too_long'],
  ['label of 64 characters', `${LABEL_63}a.com`, 'refused domain_invalid'],
  ['empty label', 'evil..com', 'refused domain_invalid'],
  ['single label', 'evil', 'refused domain_single_label'],
  ['single label, declared', 'evil', 'refused domain_single_label', 'DOMAIN'],
  ['.local', 'printer.local', 'refused domain_local'],
  ['.localhost', 'app.localhost', 'refused domain_local'],
  ['localhost', 'localhost', 'refused domain_local'],
  ['.local with a trailing dot', 'Printer.LOCAL.', 'refused domain_local'],
  ['one-label registry suffix', 'com', 'refused domain_single_label'],
  ['registry suffix', 'co.uk', 'refused domain_public_suffix'],
  ['registry suffix behind a wildcard', '*.co.uk', 'refused domain_public_suffix'],
  ['registry suffix, declared', 'com.br', 'refused domain_public_suffix', 'DOMAIN'],
  ['internationalised registry suffix', '個人.hk', 'refused domain_public_suffix'],
  ['hosting suffix is a name', 'github.io', 'DOMAIN github.io'],
  ['dynamic DNS apex is a name', 'duckdns.org', 'DOMAIN duckdns.org'],
  ['name under a hosting suffix', 'evil.pages.dev', 'DOMAIN evil.pages.dev'],
  ['file name', 'invoice.exe', 'refused domain_invalid'],
  ['file name in upper case', 'INVOICE.PDF', 'refused domain_invalid'],
  ['top level that is a file ending too', 'invoice.zip', 'DOMAIN invoice.zip'],
  ['number at the end', 'evil.123', 'refused domain_invalid'],
  ['a blank inside', 'evil site.com', 'refused not_an_indicator'],
  ['a blank inside, declared', 'evil site.com', 'refused domain_invalid', 'DOMAIN'],
  ['a comma', 'evil.com,other.com', 'refused domain_invalid'],
  ['a NUL inside', 'evil\u0000.com', 'refused not_an_indicator'],
  ['half of a surrogate pair', 'evil\ud83d.com', 'refused not_an_indicator'],
  ['a port', 'evil.com:8080', 'refused not_an_indicator'],
  ['a port, declared', 'evil.com:8080', 'refused type_mismatch', 'DOMAIN'],
])

table('URLs', [
  ['plain', 'http://evil.com/x', 'URL http://evil.com/x'],
  ['hxxp', 'hxxp://evil.com/x', 'URL http://evil.com/x'],
  ['hxxps in mixed case', 'hXXps://evil[.]com/x', 'URL https://evil.com/x'],
  ['fxp', 'fxp://evil[.]com/x', 'URL ftp://evil.com/x'],
  ['bracketed colon', 'hxxp[:]//evil[.]com/x', 'URL http://evil.com/x'],
  ['bracketed separator', 'hxxp[://]evil[.]com/x', 'URL http://evil.com/x'],
  ['bracketed slashes', 'hxxp:[//]evil[.]com/x', 'URL http://evil.com/x'],
  ['bracketed slash behind the host', 'hxxp://evil[.]com[/]x', 'URL http://evil.com/x'],
  ['blanks around the dot of the host', 'hxxp://evil [.] com/x', 'URL http://evil.com/x'],
  ['backslashed dot of the host', 'http://evil\\.com/x', 'URL http://evil.com/x'],
  ['half bracket in the host', 'hxxp://evil[.com/x', 'URL http://evil.com/x'],
  ['bracketed port colon', 'hxxp://evil[.]com[:]8080/x', 'URL http://evil.com:8080/x'],
  ['defanged path of a defanged URL', 'hxxp://evil[.]com/a[.]php', 'URL http://evil.com/a.php'],
  ['bracketed dot in the path of a live URL is its own', 'http://evil.com/a[.]php', 'URL http://evil.com/a[.]php'],
  ['defanged address host', 'hxxp://192[.]0[.]2[.]1/x', 'URL http://192.0.2.1/x'],
  ['defanged IPv6 host', 'hxxp://[2001[:]db8[:][:]1]/x', 'URL http://[2001:db8::1]/x'],
  ['zero-width characters', 'http://evil\u200b.com/\u200dx', 'URL http://evil.com/x'],
  ['scheme in upper case', 'HTTPS://evil.com/', 'URL https://evil.com/'],
  ['host in upper case, path untouched', 'http://EVIL.com/PaTh?Q=A', 'URL http://evil.com/PaTh?Q=A'],
  ['default port of http', 'http://evil.com:80/x', 'URL http://evil.com/x'],
  ['default port of https', 'https://evil.com:443', 'URL https://evil.com'],
  ['default port of ftp', 'ftp://evil.com:21/x', 'URL ftp://evil.com/x'],
  ['other default port kept', 'http://evil.com:443/x', 'URL http://evil.com:443/x'],
  ['leading zeros of a port', 'http://evil.com:0080/x', 'URL http://evil.com/x'],
  ['empty port', 'http://evil.com:/x', 'URL http://evil.com/x'],
  ['highest port', 'http://evil.com:65535/', 'URL http://evil.com:65535/'],
  ['port above the highest', 'http://evil.com:65536/', 'refused url_port'],
  ['port zero', 'http://evil.com:0/', 'refused url_port'],
  ['port of letters', 'http://evil.com:http/', 'refused url_port'],
  ['two ports', 'http://evil.com:80:80/', 'refused url_port'],
  ['fragment', 'http://evil.com/x#top', 'URL http://evil.com/x'],
  ['fragment behind the host', 'http://evil.com#top', 'URL http://evil.com'],
  ['empty fragment', 'http://evil.com/#', 'URL http://evil.com/'],
  ['no slash is added', 'http://evil.com', 'URL http://evil.com'],
  ['no slash is added before a query', 'http://evil.com?x=1', 'URL http://evil.com?x=1'],
  ['no dot segments are removed', 'http://evil.com/a/../b/./c', 'URL http://evil.com/a/../b/./c'],
  ['no percent-encoding is changed', 'http://evil.com/%7e%2F%zz', 'URL http://evil.com/%7e%2F%zz'],
  ['no raw character is encoded', 'http://evil.com/é"<>|{}', 'URL http://evil.com/é"<>|{}'],
  ['a spreadsheet formula is not made safe', 'http://evil.com/=cmd()', 'URL http://evil.com/=cmd()'],
  ['double slashes stay', 'http://evil.com//a//b', 'URL http://evil.com//a//b'],
  ['user part kept', 'http://User:Pa%20ss@evil.com/x', 'URL http://User:Pa%20ss@evil.com/x'],
  ['last at sign ends the user part', 'http://a@good.com@evil.com/x', 'URL http://a@good.com@evil.com/x'],
  ['defanged at sign', 'hxxp://user[@]evil[.]com/x', 'URL http://user@evil.com/x'],
  ['backslash before the at sign, where browsers end the host', 'http://evil.com\\@good.com/x', 'refused url_host'],
  ['at sign in the path is no user', 'http://evil.com/@user', 'URL http://evil.com/@user'],
  ['a URL in the query', 'http://evil.com/?u=http://good.com#x', 'URL http://evil.com/?u=http://good.com'],
  ['U-label host', 'http://bücher.com/ü', 'URL http://xn--bcher-kva.com/ü'],
  ['trailing dot of the host', 'http://evil.com./x', 'URL http://evil.com/x'],
  ['underscore in the host', 'http://a_b.evil.com/', 'URL http://a_b.evil.com/'],
  ['host that is a registry suffix', 'https://gov.uk/x', 'URL https://gov.uk/x'],
  ['IPv6 host', 'http://[2001:DB8:0:0::1]:8080/x', 'URL http://[2001:db8::1]:8080/x'],
  ['IPv4-mapped host', 'http://[::ffff:192.0.2.1]/x', 'URL http://192.0.2.1/x'],
  ['private address host', 'http://192.168.1.1/x', 'URL http://192.168.1.1/x'],
  ['loopback host', 'http://127.0.0.1/x', 'refused url_host'],
  ['IPv6 loopback host', 'http://[::1]/x', 'refused url_host'],
  ['unspecified host', 'http://0.0.0.0/x', 'refused url_host'],
  ['IPv6 host without brackets', 'http://2001:db8::1/x', 'refused url_host'],
  ['unclosed bracket', 'http://[2001:db8::1/x', 'refused url_host'],
  ['zone identifier', 'http://[fe80::1%25eth0]/', 'refused url_host'],
  ['hexadecimal host', 'http://0x7f.1/', 'refused url_host'],
  ['short host', 'http://127.1/', 'refused url_host'],
  ['number as host', 'http://2130706433/', 'refused url_host'],
  ['octal host', 'http://0300.0250.0.1/', 'refused url_host'],
  ['full-width address host', 'http://１２７.0.0.1/', 'refused url_host'],
  ['percent in the host', 'http://ev%69l.com/', 'refused url_host'],
  ['single-label host', 'http://intranet/x', 'refused url_host'],
  ['.local host', 'http://printer.local/x', 'refused url_host'],
  ['localhost', 'http://localhost:8080/', 'refused url_host'],
  ['no host', 'http:///x', 'refused url_host'],
  ['user without host', 'http://user@/x', 'refused url_host'],
  ['wildcard host', 'http://*.evil.com/', 'refused url_host'],
  ['leading dot of the host', 'http://.evil.com/', 'refused url_host'],
  ['doubled scheme', 'http://http://evil.com/', 'refused url_host'],
  ['blank inside', 'http://evil.com/a b', 'refused not_an_indicator'],
  ['tab inside', 'http://evil.com/a\tb', 'refused not_an_indicator'],
  ['line break inside', 'http://evil.com/a\nhttp://other.com', 'refused not_an_indicator'],
  ['no-break space inside', 'http://evil.com/a\u00a0b', 'refused not_an_indicator'],
  ['control character inside', 'http://evil.com/a\u0007b', 'refused not_an_indicator'],
  ['other scheme', 'file:///etc/passwd', 'refused url_scheme'],
  ['other scheme, declared', 'ldap://evil.com/x', 'refused url_scheme', 'URL'],
  ['script', 'javascript:alert(1)', 'refused not_an_indicator'],
  ['host and path without scheme', 'evil.com/x', 'refused url_no_scheme'],
  ['address and path without scheme', '192.0.2.1/x', 'refused url_no_scheme'],
  ['host, port and path without scheme', 'evil.com:8080/x', 'refused url_no_scheme'],
  ['defanged host and path without scheme', 'evil[.]com/x', 'refused url_no_scheme'],
  ['slashes without scheme', '//evil.com/x', 'refused url_no_scheme'],
  ['path with an at sign without scheme', 'evil.com/@user', 'refused url_no_scheme'],
  ['path without scheme, declared', 'evil.com/x', 'refused url_no_scheme', 'URL'],
  ['a path alone', '/etc/passwd', 'refused not_an_indicator'],
  ['4096 characters', `http://evil.com/${'a'.repeat(4080)}`, `URL http://evil.com/${'a'.repeat(4080)}`],
  ['4097 characters', `http://evil.com/${'a'.repeat(4081)}`, 'refused too_long'],
  ['4096 characters and a fragment', `http://evil.com/${'a'.repeat(4080)}#${'b'.repeat(500)}`, `URL http://evil.com/${'a'.repeat(4080)}`],
])

table('addresses', [
  ['plain', '192.0.2.1', 'IPV4 192.0.2.1'],
  ['defanged', '192[.]0[.]2[.]1', 'IPV4 192.0.2.1'],
  ['last dot defanged', '192.0.2[.]1', 'IPV4 192.0.2.1'],
  ['defanged by the word', '192(dot)0(dot)2(dot)1', 'IPV4 192.0.2.1'],
  ['trailing dot', '192.0.2.1.', 'IPV4 192.0.2.1'],
  ['declared as IPv4', ' 192.0.2.1 ', 'IPV4 192.0.2.1', 'IPV4'],
  ['declared as an address of either family', '2001:db8::1', 'IPV6 2001:db8::1', 'IP'],
  ['private', '10.0.0.1', 'IPV4 10.0.0.1'],
  ['link local', '169.254.1.1', 'IPV4 169.254.1.1'],
  ['documentation', '203.0.113.9', 'IPV4 203.0.113.9'],
  ['carrier-grade NAT', '100.64.0.1', 'IPV4 100.64.0.1'],
  ['reserved block', '240.0.0.1', 'IPV4 240.0.0.1'],
  ['unspecified', '0.0.0.0', 'refused ip_not_routable'],
  ['this network', '0.1.2.3', 'refused ip_not_routable'],
  ['broadcast', '255.255.255.255', 'refused ip_not_routable'],
  ['multicast', '224.0.0.251', 'refused ip_not_routable'],
  ['loopback', '127.0.0.1', 'refused ip_not_routable'],
  ['loopback, declared', '127.8.9.1', 'refused ip_not_routable', 'IPV4'],
  ['loopback, defanged', '127[.]0[.]0[.]1', 'refused ip_not_routable'],
  ['octal', '192.0.02.1', 'refused ip_ambiguous'],
  ['hexadecimal', '0xc0.0.2.1', 'refused ip_ambiguous'],
  ['short form', '127.1', 'refused ip_ambiguous'],
  ['number, declared', '2130706433', 'refused ip_ambiguous', 'IPV4'],
  ['number, not declared', '2130706433', 'refused not_an_indicator'],
  ['out of range', '256.0.2.1', 'refused ip_ambiguous'],
  ['five parts', '1.2.3.4.5', 'refused domain_invalid'],
  ['IPv6', '2001:DB8::0:1', 'IPV6 2001:db8::1'],
  ['IPv6 in full', '2001:0db8:0000:0000:0000:0000:0000:0001', 'IPV6 2001:db8::1'],
  ['IPv6 defanged', '2001[:]db8[:][:]1', 'IPV6 2001:db8::1'],
  ['IPv6 in brackets', '[2001:db8::1]', 'IPV6 2001:db8::1'],
  ['IPv6 single zero group', '2001:db8:0:1:1:1:1:1', 'IPV6 2001:db8:0:1:1:1:1:1'],
  ['IPv4-mapped', '::ffff:192.0.2.1', 'IPV4 192.0.2.1'],
  ['IPv4-mapped in hexadecimal', '::FFFF:c000:0201', 'IPV4 192.0.2.1'],
  ['IPv4-mapped, declared as IPv6', '::ffff:192.0.2.1', 'IPV4 192.0.2.1', 'IPV6'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1', 'refused ip_not_routable'],
  ['IPv6 unspecified', '::', 'refused ip_not_routable'],
  ['IPv6 loopback', '::1', 'refused ip_not_routable'],
  ['IPv6 multicast', 'ff02::1', 'refused ip_not_routable'],
  ['IPv6 unique local', 'fd00::1', 'IPV6 fd00::1'],
  ['IPv6 with a zone', 'fe80::1%eth0', 'refused not_an_indicator'],
  ['a port', '192.0.2.1:443', 'refused not_an_indicator'],
  ['a port, declared as IPv4', '192.0.2.1:443', 'refused type_mismatch', 'IPV4'],
  ['a port that is expected', '192.0.2.1:443', 'IPV4 192.0.2.1', 'IP_PORT'],
  ['a port that is expected, defanged', '192[.]0[.]2[.]1[:]443', 'IPV4 192.0.2.1', 'IP_PORT'],
  ['a port behind a bar', '192.0.2.1|443', 'IPV4 192.0.2.1', 'IP_PORT'],
  ['a port behind IPv6', '[2001:db8::1]:443', 'IPV6 2001:db8::1', 'IP_PORT'],
  ['no port where one is expected', '192.0.2.1', 'IPV4 192.0.2.1', 'IP_PORT'],
  ['IPv6 without port where one is expected', '2001:db8::1', 'IPV6 2001:db8::1', 'IP_PORT'],
  ['a port that is too high', '192.0.2.1:65536', 'refused type_mismatch', 'IP_PORT'],
])

table('ranges', [
  ['plain', '8.8.8.0/24', 'NETWORK 8.8.8.0/24'],
  ['host bits', '8.8.8.77/24', 'NETWORK 8.8.8.0/24'],
  ['defanged', '8[.]8[.]8[.]0/24', 'NETWORK 8.8.8.0/24'],
  ['declared', '8.8.8.0/24', 'NETWORK 8.8.8.0/24', 'NETWORK'],
  ['widest IPv4', '8.8.0.0/16', 'NETWORK 8.8.0.0/16'],
  ['narrowest IPv4', '8.8.8.8/31', 'NETWORK 8.8.8.8/31'],
  ['one IPv4 address', '8.8.8.8/32', 'IPV4 8.8.8.8'],
  ['one IPv4 address, declared as a range', '8.8.8.8/32', 'IPV4 8.8.8.8', 'NETWORK'],
  ['one loopback address', '127.0.0.1/32', 'refused ip_not_routable'],
  ['too wide IPv4', '8.0.0.0/15', 'refused network_too_wide'],
  ['everything', '0.0.0.0/0', 'refused network_too_wide'],
  ['documentation', '192.0.2.0/24', 'NETWORK 192.0.2.0/24'],
  ['IPv6 documentation', '2001:db8::/32', 'NETWORK 2001:db8::/32'],
  ['private 10/8', '10.1.2.0/24', 'refused network_not_routable'],
  ['private 172.16/12', '172.20.0.0/16', 'refused network_not_routable'],
  ['private 192.168/16', '192.168.0.0/16', 'refused network_not_routable'],
  ['private and too wide', '10.0.0.0/8', 'refused network_not_routable'],
  ['carrier-grade NAT', '100.64.0.0/16', 'refused network_not_routable'],
  ['link local', '169.254.0.0/16', 'refused network_not_routable'],
  ['loopback', '127.0.0.0/24', 'refused network_not_routable'],
  ['multicast', '224.0.0.0/24', 'refused network_not_routable'],
  ['IPv6', '2606:4700:0:0::1/48', 'NETWORK 2606:4700::/48'],
  ['widest IPv6', '2606:4700::/32', 'NETWORK 2606:4700::/32'],
  ['narrowest IPv6', '2606:4700::2/127', 'NETWORK 2606:4700::2/127'],
  ['one IPv6 address', '2606:4700::1/128', 'IPV6 2606:4700::1'],
  ['too wide IPv6', '2606:4700::/31', 'refused network_too_wide'],
  ['IPv6 unique local', 'fd00::/48', 'refused network_not_routable'],
  ['IPv6 link local', 'fe80::/64', 'refused network_not_routable'],
  ['IPv4-mapped', '::ffff:8.8.8.0/120', 'NETWORK 8.8.8.0/24'],
  ['netmask', '8.8.8.0/255.255.255.0', 'refused url_no_scheme'],
  ['netmask, declared', '8.8.8.0/255.255.255.0', 'refused type_mismatch', 'NETWORK'],
  ['prefix too long', '8.8.8.0/33', 'refused type_mismatch', 'NETWORK'],
  ['a range in an address column of either family', '8.8.8.0/24', 'NETWORK 8.8.8.0/24', 'IP'],
])

table('hashes', [
  ['MD5', MD5, `HASH ${MD5}`],
  ['SHA-1', SHA1, `HASH ${SHA1}`],
  ['SHA-256', SHA256, `HASH ${SHA256}`],
  ['SHA-512', SHA512, `HASH ${SHA512}`],
  ['upper case', SHA256.toUpperCase(), `HASH ${SHA256}`],
  ['prefix', `sha256:${SHA256}`, `HASH ${SHA256}`],
  ['prefix with hyphen and blank', `SHA-256: ${SHA256}`, `HASH ${SHA256}`],
  ['prefix of MD5', `md5:${MD5}`, `HASH ${MD5}`],
  ['prefix of SHA-1 with an equals sign', `sha1=${SHA1}`, `HASH ${SHA1}`],
  ['prefix of another algorithm', `sha256:${MD5}`, 'refused hash_length'],
  ['declared', ` ${MD5} `, `HASH ${MD5}`, 'HASH'],
  ['one character short', SHA256.slice(1), 'refused hash_length'],
  ['SHA-224', SHA256.slice(8), 'refused hash_length'],
  ['short, declared', 'abcdef', 'refused hash_length', 'HASH'],
  ['not hexadecimal', `${MD5.slice(1)}g`, 'refused type_mismatch', 'HASH'],
  ['MD5 of nothing', 'd41d8cd98f00b204e9800998ecf8427e', 'refused hash_meaningless'],
  ['SHA-1 of nothing', 'DA39A3EE5E6B4B0D3255BFEF95601890AFD80709', 'refused hash_meaningless'],
  ['SHA-256 of nothing', 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'refused hash_meaningless'],
  [
    'SHA-512 of nothing',
    'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
    'refused hash_meaningless',
  ],
  ['zeros', '0'.repeat(64), 'refused hash_meaningless'],
  ['one repeated letter', 'F'.repeat(32), 'refused hash_meaningless'],
])

table('e-mail addresses', [
  ['plain', 'bob@evil.com', 'EMAIL bob@evil.com'],
  ['upper case', 'Bob@EVIL.com', 'EMAIL bob@evil.com'],
  ['bracketed word', 'bob[at]evil[.]com', 'EMAIL bob@evil.com'],
  ['word in round brackets', 'bob(at)evil(dot)com', 'EMAIL bob@evil.com'],
  ['bracketed sign', 'bob[@]evil.com', 'EMAIL bob@evil.com'],
  ['blanks around the brackets', 'bob [at] evil [dot] com', 'EMAIL bob@evil.com'],
  ['mailto', 'mailto:bob@evil.com', 'EMAIL bob@evil.com'],
  ['mailto in upper case with a query', 'MAILTO:bob@evil.com?subject=x', 'EMAIL bob@evil.com'],
  ['angle brackets', '<bob@evil.com>', 'EMAIL bob@evil.com'],
  ['display name', 'Bob "the" Builder <bob@evil.com>', 'EMAIL bob@evil.com'],
  ['mailto in angle brackets', 'Bob <mailto:bob@evil.com>', 'EMAIL bob@evil.com'],
  ['plus and dots', 'bob.b+tag@evil.com', 'EMAIL bob.b+tag@evil.com'],
  ['name of a hash before the at sign', 'md5=bob@evil.com', 'EMAIL md5=bob@evil.com'],
  ['slash before the at sign', 'a/b@evil.com', 'EMAIL a/b@evil.com'],
  ['trailing dot', 'bob@evil.com.', 'EMAIL bob@evil.com'],
  ['U-label', 'bob@bücher.com', 'EMAIL bob@xn--bcher-kva.com'],
  ['declared', 'bob@evil.com', 'EMAIL bob@evil.com', 'EMAIL'],
  ['nothing before the sign', '@evil.com', 'refused email_invalid'],
  ['nothing behind the sign', 'bob@', 'refused email_invalid'],
  ['two signs', 'bob@alice@evil.com', 'refused email_invalid'],
  ['two dots in a row', 'bob..b@evil.com', 'refused email_invalid'],
  ['blank before the sign', 'bob b@evil.com', 'refused email_invalid'],
  ['single-label host', 'bob@intranet', 'refused email_invalid'],
  ['.local host', 'bob@mail.local', 'refused email_invalid'],
  ['address literal', 'bob@192.0.2.1', 'refused email_invalid'],
  ['65 characters before the sign', `${'a'.repeat(65)}@evil.com`, 'refused email_invalid'],
  ['longer than 320', `${'a'.repeat(64)}@${`${LABEL_63}.`.repeat(4)}com`, 'refused too_long'],
  ['no sign, declared', 'evil', 'refused type_mismatch', 'EMAIL'],
])

table('a declared type that the value is not', [
  ['a name is no address', 'evil.com', 'refused type_mismatch', 'IPV4'],
  ['a name is no URL', 'evil.com', 'refused type_mismatch', 'URL'],
  ['a name is no hash', 'evil.com', 'refused type_mismatch', 'HASH'],
  ['an address is no name', '192.0.2.1', 'refused type_mismatch', 'DOMAIN'],
  ['a defanged address is no name', '192[.]0[.]2[.]1', 'refused type_mismatch', 'DOMAIN'],
  ['an address is no range', '192.0.2.1', 'refused type_mismatch', 'NETWORK'],
  ['a range is no address', '192.0.2.0/24', 'refused type_mismatch', 'IPV4'],
  ['IPv4 is not IPv6', '192.0.2.1', 'refused type_mismatch', 'IPV6'],
  ['IPv6 is not IPv4', '2001:db8::1', 'refused type_mismatch', 'IPV4'],
  ['a URL is no name', 'http://evil.com/x', 'refused type_mismatch', 'DOMAIN'],
  ['a URL is no e-mail address', 'http://evil.com/x', 'refused type_mismatch', 'EMAIL'],
  ['a hash is no name', MD5, 'refused type_mismatch', 'DOMAIN'],
  ['an e-mail address is no name', 'bob@evil.com', 'refused type_mismatch', 'DOMAIN'],
  ['rubbish is no address', 'hello world', 'refused type_mismatch', 'IP'],
])

table('nothing that could be stored', [
  ['empty', '', 'refused empty'],
  ['blanks', ' \t ', 'refused empty'],
  ['invisible characters', '\u200b\ufeff', 'refused empty'],
  ['declared and empty', '', 'refused empty', 'DOMAIN'],
  ['a sentence', 'this is not an indicator', 'refused not_an_indicator'],
  ['a Windows path', 'C:\\Windows\\x', 'refused not_an_indicator'],
  ['a CVE', 'CVE-2021-44228', 'refused domain_single_label'],
  ['20 000 characters', 'a.'.repeat(10_000), 'refused too_long'],
  ['20 000 characters of URL', `http://evil.com/${'a'.repeat(20_000)}`, 'refused too_long'],
])

describe('reasons', () => {
  it('explain the mismatch by both kinds', () => {
    expect(normalizeIndicator('192.0.2.1', 'DOMAIN')).toEqual({
      ok: false,
      code: 'type_mismatch',
      reason: 'The value is an IPv4 address, but it was declared as a domain name: correct the type or leave it out.',
    })
  })

  it('never repeat the value', () => {
    const hostile = '<script>evil'
    for (const declared of [undefined, 'DOMAIN', 'URL', 'HASH', 'EMAIL', 'NETWORK', 'IP', 'IP_PORT'] as const) {
      for (const raw of [hostile, `http://${hostile}/`, `x@${hostile}`, `http://x.com:${hostile}`]) {
        const verdict = normalizeIndicator(raw, declared)
        expect(verdict.ok ? '' : verdict.reason).toMatch(/^[A-Z][^<]{10,}\.$/)
      }
    }
  })
})

it('no file ending that is refused is a top-level domain', () => {
  const known = (ending: string) => parse(`a.${ending}`).isIcann === true
  expect([...FILE_ENDINGS].filter(known)).toEqual([])
  expect(['zip', 'sh', 'com'].filter(known)).toEqual(['zip', 'sh', 'com'])
})

it('names the algorithm of a hash by its length', () => {
  expect([MD5, SHA1, SHA256, SHA512, 'abc'].map(hashAlgorithm)).toEqual(['MD5', 'SHA-1', 'SHA-256', 'SHA-512', undefined])
})
