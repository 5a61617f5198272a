import type { IndicatorType } from './indicators.model.ts'

/** What a source may say about a value: a type, or a word that leaves the family open (`IP`), or an address with its port (`IP_PORT`). */
export type DeclaredKind = IndicatorType | 'IP' | 'IP_PORT'

/** The words of each kind, lower case with hyphens. Source: STIX 2.1 object types, MISP attribute types, and the columns of public lists. */
const WORDS: Record<DeclaredKind | 'UNSUPPORTED', string> = {
  IP: 'ip ips ip-address ip-addr ipaddress ipaddr address addr ip-src ip-dst ipv4/ipv6 ip4/ip6 host-ip src-ip dst-ip source-ip destination-ip',
  IP_PORT: 'ip:port ip-port ipport ip-src|port ip-dst|port ipv4:port ipv6:port address:port',
  IPV4: 'ipv4 ip4 ipv4-addr ipv4-address ipv4addr ip-v4',
  IPV6: 'ipv6 ip6 ipv6-addr ipv6-address ipv6addr ip-v6',
  NETWORK:
    'network networks cidr cidrs netblock net subnet range ip-range iprange ip-network prefix ipv4-cidr ipv6-cidr ipv4-net ipv6-net ipv4-range ipv6-range netset',
  DOMAIN: 'domain domains domain-name domainname hostname host-name host hosts fqdn dns dns-name subdomain c2-domain site',
  URL: 'url urls uri uris link url-address web-address full-url',
  HASH: 'hash hashes file file-hash filehash checksum digest md5 md5-hash hash-md5 filehash-md5 file-hash-md5 sha1 sha-1 sha1-hash hash-sha1 filehash-sha1 file-hash-sha1 sha256 sha-256 sha256-hash hash-sha256 filehash-sha256 file-hash-sha256 sha512 sha-512 sha512-hash hash-sha512 filehash-sha512 malware-sample-hash',
  EMAIL:
    'email emails e-mail mail email-addr email-address emailaddress e-mail-address mailbox email-src email-dst email-reply-to sender-email',
  UNSUPPORTED:
    'mutex mutant filename file-name filepath file-path path directory yara yara-rule sigma sigma-rule snort suricata pattern-in-file ja3 ja3s ja3-fingerprint-md5 ja4 jarm jarm-fingerprint hassh cve vulnerability registry registry-key registrykey regkey regkey|value windows-registry-key imphash gimphash telfhash pehash ssdeep tlsh vhash authentihash sha3-384 sha3-384-hash sha224 sha384 asn as autonomous-system user-agent useragent process process-name service-name windows-service named-pipe pipe certificate x509-certificate ssl-cert-fingerprint x509-fingerprint-sha1 x509-fingerprint-sha256 x509-fingerprint-md5 serial-number btc bitcoin bitcoin-address cryptocurrency-wallet wallet xmr eth mac mac-addr mac-address port mime-type software user-account username account phone phone-number text comment bitcoinaddress email-subject subject email-body email-message artifact network-traffic pdb campaign threat-actor filename|md5 filename|sha1 filename|sha256 domain|ip hostname|port country malware tool',
}

const KIND_BY_WORD: ReadonlyMap<string, DeclaredKind | 'UNSUPPORTED'> = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind as DeclaredKind | 'UNSUPPORTED'] as const)), // the cast: Object.entries forgets the key type
)

/** Assumption: no word that names a kind is longer; bounds the work on hostile input. */
const WORD_MAX_CHARACTERS = 40

/**
 * The kind that a source's word means, in any case, with blanks, underscores or hyphens: `ipv4-addr`, `FileHash-SHA256`, `ip:port`.
 *
 * @returns `UNSUPPORTED` for kinds that the service does not hold (mutex, file name, CVE); undefined for an unknown word
 */
export function tryParseIndicatorType(word: string): DeclaredKind | 'UNSUPPORTED' | undefined {
  if (word.length > WORD_MAX_CHARACTERS) return undefined
  const key = word
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
  return KIND_BY_WORD.get(key)
}
