/**
 * Addresses for the register judgement, by family. Written from the special-purpose registries, RFC 3986, the WHATWG URL rules and the
 * spellings that published request-forgery guides list.
 */

/** IPv4 addresses that no list may stand on, by the reason. */
const INTERNAL_IPV4 = [
  ['loopback', '127.0.0.1'],
  ['loopback, other', '127.8.9.10'],
  ['loopback, last', '127.255.255.254'],
  ['private 10/8', '10.0.0.1'],
  ['private 10/8, last', '10.255.255.255'],
  ['private 172.16/12', '172.16.0.1'],
  ['private 172.16/12, last', '172.31.255.254'],
  ['private 192.168/16', '192.168.1.1'],
  ['link-local', '169.254.1.1'],
  ['cloud metadata', '169.254.169.254'],
  ['shared', '100.64.0.1'],
  ['shared, cloud metadata', '100.100.100.200'],
  ['this network', '0.0.0.0'],
  ['this network, other', '0.1.2.3'],
  ['multicast', '224.0.0.1'],
  ['multicast, last', '239.255.255.250'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['documentation 1', '192.0.2.1'],
  ['documentation 2', '198.51.100.7'],
  ['documentation 3', '203.0.113.9'],
  ['benchmark', '198.18.0.1'],
  ['benchmark, last', '198.19.255.254'],
  ['protocol assignments', '192.0.0.1'],
  ['cloud metadata in protocol assignments', '192.0.0.192'],
  ['6to4 relay', '192.88.99.1'],
  ['cloud platform', '168.63.129.16'],
] as const

const INTERNAL_IPV6 = [
  ['loopback', '::1'],
  ['loopback, long', '0:0:0:0:0:0:0:1'],
  ['loopback, zeros', '0000:0000:0000:0000:0000:0000:0000:0001'],
  ['unspecified', '::'],
  ['link-local', 'fe80::1'],
  ['link-local, last', 'febf::1'],
  ['site-local', 'fec0::1'],
  ['unique local fc', 'fc00::1'],
  ['unique local fd', 'fd12:3456:789a::1'],
  ['cloud metadata', 'fd00:ec2::254'],
  ['multicast', 'ff02::1'],
  ['multicast, global scope', 'ff0e::1'],
  ['documentation', '2001:db8::1'],
  ['documentation, new', '3fff::1'],
  ['discard only', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['ORCHID', '2001:10::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['benchmark', '2001:2::1'],
  ['6bone', '3ffe::1'],
  ['segment routing', '5f00::1'],
  ['outside 2000::/3', '4000::1'],
  ['AS112', '2620:4f:8000::1'],
  ['NAT64, local prefix', '64:ff9b:1::7f00:1'],
] as const

const LOCAL_NAMES = [
  'localhost', 'LOCALHOST', 'LocalHost', 'localhost.', 'a.localhost', 'a.b.localhost.', 'localhost.localdomain', 'localhost6.localdomain6', 'ip6-localhost',
  'ip6-loopback', 'intranet', 'router', 'fileserver', 'kubernetes', 'metadata', 'printer.local', 'PRINTER.LOCAL', 'printer.local.', 'metadata.google.internal',
  'db.internal', 'host.docker.internal', 'gateway.docker.internal', 'nas.home.arpa', 'nas.lan', 'nas.home', 'mail.corp', 'wiki.intranet', 'git.private',
  'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', 'redis.service.consul', '1.0.0.127.in-addr.arpa', 'expyuzz4wqqyqhjn.onion', 'site.i2p', 'name.alt', 'ws.workgroup', 'com'
] // biome-ignore format: one list, read as a whole

/** Numbers that some programs read as 127.0.0.1, 10.0.0.1, 169.254.169.254 or 192.168.0.1. */
const NUMERIC_FORMS = [
  '127.1', '127.0.1', '0', '1', '00', '0x0', '0.0', '2130706433', '02130706433', '017700000001', '0017700000001', '0x7f000001', '0X7F000001', '0x7f.1', '0x7f.0.0.1',
  '0x7f.0x0.0x0.0x1', '0177.0.0.1', '0177.0.0.01', '0177.1', '00000177.0.0.1', '127.0.0.01', '127.00.0.1', '127.000.000.001', '0127.0.0.1', '0x7f.0.1', '127.0.0.0x1',
  '127.0.0.1.', '127.1.', '0x7f000001.', '2130706433.', '10.1', '0xa000001', '0xa.0.0.1', '012.0.0.1', '167772161', '2852039166', '0xa9fea9fe', '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376', '169.254.43518', '169.16689662', '3232235521', '0xc0a80001', '192.168.1', '192.11010049', '256.256.256.256', '127.0.0.256', '999.1.1.1', '1.2.3', '1.2.3.4.5',
  '127.0.0.1.0', '4294967296', '4294967297', '18446744073709551617', '6425673729', '-1.0.0.1', '+127.0.0.1', '127.0.0.-1', '127..0.1', '.127.0.0.1', '8.8.8', '0x08080808', '010.8.8.8', '134744072', '8.8.8.8.', '1e1', '127.0.0.1e0',
  'example.0x7f', 'example.1', 'a.0x', 'foo.127',
] // biome-ignore format: one list, read as a whole

const LOOKALIKES = [
  '１２７.0.0.1', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '①②⑦.⓪.⓪.①', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '𝟙𝟚𝟟.0.0.1', '١٢٧.٠.٠.١', '১২৭.০.০.১', '१२७.०.०.१', '¹²⁷.0.0.1', '₁₂₇.0.0.1',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'ｌｏｃａｌｈｏｓｔ', 'ⓔⓧⓐⓜⓟⓛⓔ.com', 'ｅｘａｍｐｌｅ.com', 'example。com', 'example．com', 'example｡com', 'example․com', 'exa‥mple.com', 'ℯxample.com', 'example.ᶜom', 'ﬁle.example.com',
  'ſecure.example.com', 'K-lab.example.com'.replace('K', '\u212a'), '℀.example.com', 'example.com／evil.com', 'example.com？x.evil.com', 'example.com＃x.evil.com', 'user＠evil.com', 'evil.com：80', 'a％2eexample.com', 'Ⅰ.example.com', '½.example.com', 'example.com＼@evil.com',
] // biome-ignore format: one list, read as a whole

const CONTROL_POINTS = [
  0x00, 0x01, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b, 0x1f, 0x20, 0x7f, 0x85, 0xa0, 0xad, 0x200b, 0x200d, 0x200e, 0x202e, 0x2028,
  0x2060, 0x3000, 0xfeff, 0xd800,
]

const WRITTEN_WRONG = [
  ['empty', ''],
  ['a blank', ' '],
  ['a host alone', 'example.com'],
  ['a path alone', '/list.txt'],
  ['no scheme', '//example.com/list.txt'],
  ['no slashes', 'https:example.com'],
  ['one slash', 'https:/example.com/'],
  ['three slashes', 'https:///example.com/'],
  ['backslashes', 'https:\\\\example.com\\list'],
  ['one backslash', 'https:/\\example.com/'],
  ['a backslash before @', 'https://example.com\\@127.0.0.1/'],
  ['a backslash in the path', 'https://example.com/a\\b'],
  ['no host', 'https://'],
  ['no host with a path', 'https:///'],
  ['no host with a query', 'https://?a=b'],
  ['no host with a fragment', 'https://#a'],
  ['no host with a port', 'https://:443/'],
  ['a dot as host', 'https://./'],
  ['dots as host', 'https://../'],
  ['an empty label', 'https://a..example.com/'],
  ['a leading dot', 'https://.example.com/'],
  ['two trailing dots', 'https://example.com../'],
  ['a comma in the host', 'https://a,b.example.com/'],
  ['two hosts', 'https://example.com,127.0.0.1/'],
  ['a semicolon in the host', 'https://example.com;127.0.0.1/'],
  ['a quote in the host', 'https://exa"mple.com/'],
  ['an angle bracket in the host', 'https://exa<mple.com/'],
  ['a pipe in the host', 'https://exa|mple.com/'],
  ['a caret in the host', 'https://exa^mple.com/'],
  ['an asterisk in the host', 'https://*.example.com/'],
  ['a dollar in the host', 'https://$host.example.com/'],
  ['an ampersand in the host', 'https://a&@b.example.com/'],
  ['a label of 64 characters', `https://${'a'.repeat(64)}.com/`],
  ['a name of 254 characters', `https://${'a.'.repeat(126)}com/`],
  ['2049 characters', `https://example.com/${'a'.repeat(2029)}`],
  ['100 000 characters', `https://example.com/${'a'.repeat(100_000)}`],
  ['@ in a query right after the host', 'https://example.com?@127.0.0.1/'],
  ['@ in a fragment right after the host', 'https://example.com#@127.0.0.1/'],
  ['an encoded line break in the path', 'https://example.com/a%0d%0aHost:%20evil'],
  ['an encoded line feed in the query', 'https://example.com/?a=%0Ab'],
  ['an encoded NUL', 'https://example.com/a%00.csv'],
  ['an encoded delete', 'https://example.com/%7f'],
] as const

const SCHEMES = [
  'http', 'HTTP', 'ftp', 'ftps', 'sftp', 'file', 'gopher', 'dict', 'ldap', 'ldaps', 'tftp', 'ws', 'wss', 'data', 'javascript', 'jar', 'netdoc', 'blob', 'about', 'view-source', 'smb', 'ssh', 'telnet', 'imap', 'smtp', 'rtsp', 'redis', 'postgres', 'unix', 'httpss', 'https2', 'hxxps', 's3',
] // biome-ignore format: one list, read as a whole

const BAD_PORTS = [
  '0',
  '00',
  '65536',
  '99999',
  '100000',
  '4294967739',
  '-1',
  '+443',
  '0443',
  '00443',
  '0x1bb',
  '44e1',
  '443a',
  'a',
  '443:80',
  '',
  '１２',
  '80.',
  '8 0',
  '%34%34%33',
  '443@127.0.0.1',
]

const USERINFO = [
  'user@',
  'user:pass@',
  ':pass@',
  '@',
  ':@',
  'example.com@',
  'example.com:443@',
  'a%40b@',
  'user:{KEY}@',
  'a@b@',
  '%00@',
  "'@",
  'https://example.com@',
]

const ENCODED_HOSTS = [
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '%6c%6f%63%61%6c%68%6f%73%74',
  'localhost%00.example.com',
  'example.com%2f.evil.com',
  'example.com%23.evil.com',
  'example.com%3f',
  'example%2ecom',
  '%65xample.com',
  'example.com%09',
  'example.com%0a',
  'ex%C2%ADample.com',
  '127.0.0.1%2523.example.com',
  '%',
]

const PLACEHOLDER_MISUSE = [
  ['in the host', 'https://{HOST}/list'],
  ['as a label', 'https://{NAME}.example.com/list'],
  ['at the end of the host', 'https://example.com{NAME}/list'],
  ['as the scheme', '{SCHEME}://example.com/list'],
  ['inside the scheme', 'http{S}://example.com/list'],
  ['as the port', 'https://example.com:{PORT}/list'],
  ['as userinfo', 'https://{KEY}@example.com/list'],
  ['as the whole address', '{URL}'],
  ['in the fragment', 'https://example.com/list#{KEY}'],
  ['in lower case', 'https://example.com/list?key={key}'],
  ['in mixed case', 'https://example.com/list?key={Key}'],
  ['with a hyphen', 'https://example.com/list?key={MY-KEY}'],
  ['with a leading digit', 'https://example.com/list?key={1KEY}'],
  ['with a leading underscore', 'https://example.com/list?key={_KEY}'],
  ['empty', 'https://example.com/list?key={}'],
  ['never closed', 'https://example.com/list?key={KEY'],
  ['never opened', 'https://example.com/list?key=KEY}'],
  ['doubled', 'https://example.com/list?key={{KEY}}'],
  ['nested', 'https://example.com/list?key={A{B}}'],
  ['with a dollar inside', 'https://example.com/list?key={$KEY}'],
  ['with a dot', 'https://example.com/{FEED.KEY}/list'],
  ['with a letter of another script', 'https://example.com/{KÉY}/list'],
] as const

/** IPv4 inside IPv6: every form carries 127.0.0.1, 10.0.0.1, 169.254.169.254 or a public address. */
function embeddedIpv4(): [string, string][] {
  const carried = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '8.8.8.8'] as const
  return carried.flatMap((address): [string, string][] => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
    const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
    return [
      [`mapped ${address}`, `::ffff:${address}`],
      [`mapped ${address}, hex`, `::ffff:${hex}`],
      [`mapped ${address}, long and in capitals`, `0:0:0:0:0:FFFF:${hex}`],
      [`compatible ${address}`, `::${address}`],
      [`translated ${address}`, `::ffff:0:${address}`],
      [`NAT64 ${address}`, `64:ff9b::${address}`],
      [`6to4 ${address}`, `2002:${hex}::1`],
      [`ISATAP ${address}`, `2606:4700::5efe:${hex}`],
    ]
  })
}

const inUrl = (host: string): string => `https://${host}/list.txt`

/** Every address that must be refused, with the reason in words. */
export const REFUSED_URLS: readonly (readonly [title: string, url: string])[] = [
  ...INTERNAL_IPV4.flatMap(([title, address]): [string, string][] => [
    [`${title} ${address}`, inUrl(address)],
    [`${title} ${address} with a port`, inUrl(`${address}:8443`)],
  ]),
  ...[...INTERNAL_IPV6, ...embeddedIpv4()].map(([title, address]): [string, string] => [`${title} ${address}`, inUrl(`[${address}]`)]),
  ...[
    '[::1',
    '::1]',
    '::1',
    '[]',
    '[:]',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[2606:4700::1111%25eth0]',
    '[::1].example.com',
    '[::1]example.com',
    '[1.2.3.4]',
    '[localhost]',
    '[::ffff:127.1]',
    '[::ffff:0x7f.0.0.1]',
    '[1:2:3:4:5:6:7:8:9]',
    '[1::2::3]',
    '[v1.fe80]',
    '[[::1]]',
  ].map((host): [string, string] => [`brackets ${host}`, inUrl(host)]),
  ...LOCAL_NAMES.map((host): [string, string] => [`local name ${host}`, inUrl(host)]),
  ...['127.0.0.1.nip.io', '10.0.0.1.sslip.io', 'app-127-0-0-1.nip.io', 'localtest.me', 'a.lvh.me', '7f000001.c0a80001.rbndr.us'].map(
    (host): [string, string] => [`address in a name ${host}`, inUrl(host)],
  ),
  ...NUMERIC_FORMS.map((host): [string, string] => [`number ${host}`, inUrl(host)]),
  ...LOOKALIKES.map((host): [string, string] => [`lookalike ${host}`, inUrl(host)]),
  ...CONTROL_POINTS.flatMap((code): [string, string][] => {
    const character = String.fromCharCode(code)
    const name = `U+${code.toString(16).padStart(4, '0')}`
    return [
      [`${name} in the host`, `https://exa${character}mple.com/list`],
      [`${name} in the path`, `https://example.com/li${character}st`],
      [`${name} before`, `${character}https://example.com/list`],
      [`${name} in the scheme`, `ht${character}tps://example.com/list`],
    ]
  }),
  ...WRITTEN_WRONG,
  ...SCHEMES.map((scheme): [string, string] => [`scheme ${scheme}`, `${scheme}://example.com/list`]),
  ...[
    'data:text/plain,a',
    'javascript:alert(1)',
    'file:/etc/passwd',
    'mailto:a@example.com',
    'about:blank',
    'jar:https://example.com/a!/b',
    'url:https://example.com',
  ].map((url): [string, string] => [`scheme ${url}`, url]),
  ...BAD_PORTS.map((port): [string, string] => [`port ${port}`, `https://example.com:${port}/list`]),
  ...USERINFO.map((userinfo): [string, string] => [`userinfo ${userinfo}`, `https://${userinfo}example.org/list`]),
  ...ENCODED_HOSTS.map((host): [string, string] => [`encoded host ${host}`, inUrl(host)]),
  ...PLACEHOLDER_MISUSE.map(([title, url]): [string, string] => [`placeholder ${title}`, url]),
]

/** Every address that must pass, with the host that a fetch would dial. */
export const ACCEPTED_URLS: readonly (readonly [url: string, hostname: string])[] = [
  ['https://example.com', 'example.com'],
  ['https://example.com/', 'example.com'],
  ['https://example.com/list.txt', 'example.com'],
  ['HTTPS://EXAMPLE.COM/List.TXT', 'example.com'],
  ['https://example.com./list.txt', 'example.com'],
  ['https://example.com:443/list.txt', 'example.com'],
  ['https://example.com:1/list.txt', 'example.com'],
  ['https://example.com:8443/list.txt', 'example.com'],
  ['https://example.com:65535/list.txt', 'example.com'],
  ['https://a.b.c.d.e.example.com/', 'a.b.c.d.e.example.com'],
  ['https://my-list.example.co.uk/', 'my-list.example.co.uk'],
  ['https://my_list.example.com/', 'my_list.example.com'],
  ['https://3com.example/', '3com.example'],
  ['https://1.example.com/', '1.example.com'],
  ['https://127.0.0.1.example.com/', '127.0.0.1.example.com'],
  ['https://0x7f.example.com/', '0x7f.example.com'],
  ['https://localhost.example.com/', 'localhost.example.com'],
  ['https://internal.example.com/', 'internal.example.com'],
  ['https://local.example.com/', 'local.example.com'],
  ['https://notlocalhost.com/', 'notlocalhost.com'],
  ['https://mylocal.com/', 'mylocal.com'],
  ['https://homes.example/', 'homes.example'],
  ['https://lists.technology/', 'lists.technology'],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://BÜCHER.example/', 'xn--bcher-kva.example'],
  ['https://пример.рф/', 'xn--e1afmkfd.xn--p1ai'],
  ['https://例え.テスト/', 'xn--r8jz45g.xn--zckzah'],
  ['https://r3---sn-abc.example.com/', 'r3---sn-abc.example.com'],
  ['https://8.8.8.8/list.txt', '8.8.8.8'],
  ['https://1.1.1.1:8443/', '1.1.1.1'],
  ['https://11.0.0.1/', '11.0.0.1'],
  ['https://172.32.0.1/', '172.32.0.1'],
  ['https://100.128.0.1/', '100.128.0.1'],
  ['https://192.167.255.255/', '192.167.255.255'],
  ['https://223.255.255.254/', '223.255.255.254'],
  ['https://[2606:4700:4700::1111]/', '[2606:4700:4700::1111]'],
  ['https://[2606:4700:4700:0:0:0:0:1111]:8443/', '[2606:4700:4700::1111]'],
  ['https://example.com/a/b/c.csv?x=1&y=2', 'example.com'],
  ['https://example.com?x=1', 'example.com'],
  ['https://example.com/list#part', 'example.com'],
  ['https://example.com/@user/list', 'example.com'],
  ['https://example.com/list?mail=a@b.example', 'example.com'],
  ['https://example.com/a%20b/%C3%A4', 'example.com'],
  ['https://example.com/ä/ö', 'example.com'],
  ['https://example.com/a;b=1,2', 'example.com'],
  ['https://example.com/?url=http://127.0.0.1/', 'example.com'],
  ['https://example.com/{KEY}/list.csv', 'example.com'],
  ['https://example.com/list?key={ABUSE_CH_KEY}', 'example.com'],
  ['https://example.com/{A}/{B2}?c={C_3}&a={A}', 'example.com'],
  [`https://example.com/${'a'.repeat(2028)}`, 'example.com'],
]
