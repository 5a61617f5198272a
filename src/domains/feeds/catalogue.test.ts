import { describe, expect, test } from 'vitest'
import { RELIABILITIES } from '#domains/indicators/indicators.model.ts'
import { PUBLIC_FEEDS } from './catalogue.ts'
import { FREQUENCY_MAX_SECONDS, FREQUENCY_MIN_SECONDS } from './feeds.model.ts'
import { validateParserSettings } from './parser-settings.ts'
import { inShort, readWhole } from './parsers/read-whole.test-support.ts'

const SHA256 = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f809'
const MD5 = '1a2b3c4d5e6f708192a3b4c5d6e7f809'
const SHA1 = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d'

/** Samples in the layout of each feed, written by hand. `auto`: detection alone finds the same values. */
// biome-ignore format: one sample per feed
const SAMPLES: Record<string, { body: string; want: string[]; auto: boolean }> = {
  'Spamhaus DROP (IPv4)': { body: '{"cidr":"192.0.2.0/24","sblid":"SBL1","rir":"ripencc"}\n{"cidr":"198.51.100.0/24","sblid":"SBL2","rir":"arin"}\n{"type":"metadata","timestamp":1767225600,"size":99,"records":2}\n', want: ['192.0.2.0/24/NETWORK', '198.51.100.0/24/NETWORK'], auto: true },
  'Spamhaus DROP (IPv6)': { body: '{"cidr":"2a0e:1::/32","sblid":"SBL1","rir":"ripencc"}\n{"cidr":"2a0e:2::/32","sblid":"SBL2","rir":"ripencc"}\n{"type":"metadata","records":2}\n', want: ['2a0e:1::/32/NETWORK', '2a0e:2::/32/NETWORK'], auto: true },
  'IPsum level 3': { body: '203.0.113.1\n203.0.113.2\n', want: ['203.0.113.1/IP', '203.0.113.2/IP'], auto: true },
  'Phishing.Database active domains': { body: 'login.bank-a.com\npay.bank-b.com\n', want: ['login.bank-a.com/DOMAIN', 'pay.bank-b.com/DOMAIN'], auto: true },
  'TweetFeed today': { body: `2026-01-01 01:02:03,someone,domain,evil-a.com,#phishing #scam,https://x.com/someone/status/1\r\n2026-01-01 01:02:04,someone,url,http://evil-a.com/x,#phishing,https://x.com/someone/status/2\r\n2026-01-01 01:02:05,other,ip,203.0.113.9,,https://x.com/other/status/3\r\n2026-01-01 01:02:06,other,sha256,${SHA256},#malware,https://x.com/other/status/4\r\n`, want: ['evil-a.com/DOMAIN', 'http://evil-a.com/x/URL', '203.0.113.9/IP', `${SHA256}/HASH`], auto: true },
  'URLhaus recent': { body: '################\n# abuse.ch URLhaus Database Dump (CSV - recent URLs)          #\n#\n# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter\n"2","2026-01-01 00:00:02","http://203.0.113.5:8080/a,b","online","2026-01-01 00:00:02","malware_download","elf,mozi","https://urlhaus.abuse.ch/url/2/","someone"\n"1","2026-01-01 00:00:01","http://evil-b.com/x","offline","","malware_download","None","https://urlhaus.abuse.ch/url/1/","someone"\n', want: ['http://203.0.113.5:8080/a,b/URL', 'http://evil-b.com/x/URL'], auto: true },
  'ThreatFox recent': { body: `################\n# abuse.ch ThreatFox IOC Database (CSV format)                 #\n#\n# "first_seen_utc","ioc_id","ioc_value","ioc_type","threat_type","fk_malware","malware_alias","malware_printable","last_seen_utc","confidence_level","is_compromised","reference","tags","anonymous","reporter"\n"2026-01-01 00:00:01", "1", "203.0.113.7:4444", "ip:port", "botnet_cc", "win.x", "None", "X Rat", "", "100", "False", "https://a.example-ref.com/1", "rat,x", "0", "someone"\n"2026-01-01 00:00:02", "2", "evil-c.com", "domain", "botnet_cc", "win.x", "None", "X Rat", "2026-01-02 00:00:00", "75", "False", "https://a.example-ref.com/2", "x", "0", "someone"\n"2026-01-01 00:00:03", "3", "[2a0e:1::5]:443", "ip:port", "botnet_cc", "win.x", "None", "X", "", "75", "False", "", "", "0", "someone"\n"2026-01-01 00:00:04", "4", "${SHA256}", "sha256_hash", "payload", "win.x", "None", "X", "", "75", "False", "None", "", "0", "someone"\n# Number of entries: 4\n`, want: ['203.0.113.7/IP', 'evil-c.com/DOMAIN', '2a0e:1::5/IP', `${SHA256}/HASH`], auto: true },
  'MalwareBazaar recent': { body: `################\n# MalwareBazaar recent malware samples (CSV)                   #\n#\n# "first_seen_utc","sha256_hash","md5_hash","sha1_hash","reporter","file_name"\n"2026-01-01 00:00:01", "${SHA256}", "${MD5}", "${SHA1}", "someone", "invoice.exe"\n"2026-01-01 00:00:02", "2${SHA256.slice(1)}", "2${MD5.slice(1)}", "2${SHA1.slice(1)}", "someone", "a.dll"\n`, want: [`${SHA256}/HASH`, `2${SHA256.slice(1)}/HASH`], auto: true },
  'Feodo Tracker': { body: '################\n# Feodo Tracker Botnet C2 IP Blocklist (CSV)                   #\n################\n"first_seen_utc","dst_ip","dst_port","c2_status","last_online","malware"\n"2026-01-01 00:00:01","203.0.113.10","443","offline","2026-01-02","QakBot"\n# END 1 entries\n', want: ['203.0.113.10/IP'], auto: true },
  'SSLBL addresses': { body: '################\n# abuse.ch SSLBL Botnet C2 IP Blacklist (CSV)                  #\n#\n# Firstseen,DstIP,DstPort\n2026-01-01 00:00:01,203.0.113.11,8443\n2026-01-01 00:00:02,203.0.113.12,443\n', want: ['203.0.113.11/IP', '203.0.113.12/IP'], auto: true },
  'OpenPhish community': { body: 'https://login.evil-d.com/a\nhttp://evil-e.com/b?x=1,2\n', want: ['https://login.evil-d.com/a/URL', 'http://evil-e.com/b?x=1,2/URL'], auto: true },
  'CINS Army': { body: '203.0.113.20\n203.0.113.21\n', want: ['203.0.113.20/IP', '203.0.113.21/IP'], auto: true },
  'blocklist.de': { body: '203.0.113.22\n2a0e:1::22\n', want: ['203.0.113.22/IP', '2a0e:1::22/IP'], auto: true },
  'DShield blocks': { body: '#\n#   DShield.org Recommended Block List\n#\nStart\tEnd\tNetblock\tAttacks\tName\tCountry\temail\n203.0.113.0\t203.0.113.255\t24\t4000\tSOME-NET\tXX\tabuse@some-net.com\n198.51.100.0\t198.51.100.255\t24\t3000\tOTHER-NET\tXX\tabuse@other-net.com\n', want: ['203.0.113.0/24/NETWORK', '198.51.100.0/24/NETWORK'], auto: false },
  'Tor exit addresses': { body: '203.0.113.30\n203.0.113.31\n', want: ['203.0.113.30/IP', '203.0.113.31/IP'], auto: true },
  'Tor relays (Onionoo)': { body: '{"version":"8.0","relays_published":"2026-01-01 00:00:00",\n"relays":[\n{"or_addresses":["203.0.113.32:9001","[2a0e:1::32]:9001"]},\n{"or_addresses":["203.0.113.33:443"]}\n],\n"bridges":[]}', want: ['203.0.113.32/IP', '2a0e:1::32/IP', '203.0.113.33/IP'], auto: false },
  'Emerging Threats compromised hosts': { body: '203.0.113.34\n203.0.113.35\n', want: ['203.0.113.34/IP', '203.0.113.35/IP'], auto: true },
  'FireHOL level 1': { body: '#\n# firehol_level1\n#\n0.0.0.0/8\n203.0.113.0/24\n198.51.100.7\n', want: ['0.0.0.0/8', '203.0.113.0/24', '198.51.100.7'], auto: true },
  'GreenSnow': { body: '203.0.113.36\n203.0.113.37\n', want: ['203.0.113.36/IP', '203.0.113.37/IP'], auto: true },
  'Binary Defense ban list': { body: '#\n# Binary Defense Systems Artillery Threat Intelligence Feed\n#\n\n203.0.113.38\n203.0.113.39\n', want: ['203.0.113.38/IP', '203.0.113.39/IP'], auto: true },
  'DataPlane SSH password guessing': { body: '# dataplane.org\n#\n64500         |  SOME-NET, XX                   |     203.0.113.40  |  2026-01-01 00:00:00  |  sshpwauth\n64501         |  OTHER-NET, XX                  |     203.0.113.41  |  2026-01-01 00:00:01  |  sshpwauth\n', want: ['203.0.113.40/IP', '203.0.113.41/IP'], auto: true },
  'AlienVault reputation': { body: '203.0.113.42 # Malicious Host XX,City,1.0,2.0\n203.0.113.43 # Scanning Host XX,,3.0,4.0\n', want: ['203.0.113.42/IP', '203.0.113.43/IP'], auto: true },
  'Turris greylist': { body: '# For the terms of use see the site\nAddress,Tags\n203.0.113.44,"smtp,telnet"\n203.0.113.45,http\n', want: ['203.0.113.44/IP', '203.0.113.45/IP'], auto: true },
  'CERT.PL warning list': { body: 'evil-f.com\nevil-g.com.pl\n', want: ['evil-f.com/DOMAIN', 'evil-g.com.pl/DOMAIN'], auto: true },
  'ViriBack C2 panels': { body: 'Family,URL,IP,FirstSeen\nAmadey,http://evil-h.com/panel,203.0.113.46,01-01-2026\n', want: ['http://evil-h.com/panel', '203.0.113.46'], auto: false },
}

describe.each(PUBLIC_FEEDS)('$name', ({ name, url, format, parser, ...feed }) => {
  const sample = SAMPLES[name]

  test('reads a sample in its layout', async () => {
    const { rows, error } = await readWhole(sample?.body ?? '', format, parser)
    expect(error).toBeUndefined()
    expect(inShort(rows)).toEqual(sample?.want)
  })

  test('has settings that registration accepts as they are', () => expect(validateParserSettings(parser)).toEqual(parser))

  test('is at a plain HTTPS address without a key', () => {
    const { protocol, username, hostname } = new URL(url)
    expect({ protocol, username, dotted: hostname.includes('.'), key: url.includes('{') }).toEqual({
      protocol: 'https:',
      username: '',
      dotted: true,
      key: false,
    })
  })

  test('says its terms, and why when it is off', () => {
    expect(feed.licence).not.toBe('')
    expect(RELIABILITIES).toContain(feed.reliability)
    expect(feed.frequency).toBeGreaterThanOrEqual(FREQUENCY_MIN_SECONDS)
    expect(feed.frequency).toBeLessThanOrEqual(FREQUENCY_MAX_SECONDS)
    if (/non-commercial|NC-SA|not verified/i.test(feed.licence)) expect(feed.enabled).toBe(false)
    if (!feed.enabled) expect(feed.note).toMatch(/^Off by default/)
  })
})

test.each(PUBLIC_FEEDS.filter(({ name }) => SAMPLES[name]?.auto === true))(
  '$name would be read alike without settings',
  async ({ name, format }) => {
    const { rows, error } = await readWhole(SAMPLES[name]?.body ?? '', format)
    expect(error).toBeUndefined()
    expect(rows.map(({ raw }) => raw)).toEqual(
      (SAMPLES[name]?.want ?? []).map((short) => short.replace(/\/(?:IP|DOMAIN|URL|HASH|NETWORK)$/, '')),
    )
  },
)

test('no name and no address stands twice, whatever its case', () => {
  expect(new Set(PUBLIC_FEEDS.map(({ name }) => name.toLowerCase())).size).toBe(PUBLIC_FEEDS.length)
  expect(new Set(PUBLIC_FEEDS.map(({ url }) => url)).size).toBe(PUBLIC_FEEDS.length)
})

test('tags, dates and descriptions come from the columns that the catalogue names', async () => {
  const feed = PUBLIC_FEEDS.find(({ name }) => name === 'ThreatFox recent')
  const { rows } = await readWhole(SAMPLES['ThreatFox recent']?.body ?? '', 'CSV', feed?.parser)
  expect(rows[1]).toMatchObject({
    firstSeen: new Date('2026-01-01T00:00:02Z'),
    lastSeen: new Date('2026-01-02T00:00:00Z'),
    tags: ['x'],
    description: 'X Rat',
  })
})
