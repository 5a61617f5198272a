import { describe, expect, test } from 'vitest'
import type { FeedRow } from '../feed-row.ts'
import { readFeed, readPulses } from '../read-feed.ts'

async function* bytes(text: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

async function rowsOf(document: unknown): Promise<FeedRow[]> {
  const rows: FeedRow[] = []
  for await (const batch of readFeed(bytes(JSON.stringify(document)), 'PULSE', {})) rows.push(...batch)
  return rows
}

const pulse = (indicators: unknown, more: Record<string, unknown> = {}) => ({
  id: 'p1',
  name: 'Op',
  modified: '2026-11-01T08:00:00.5',
  indicators,
  ...more,
})
const one = (indicator: Record<string, unknown>, more: Record<string, unknown> = {}) => rowsOf({ results: [pulse([indicator], more)] })

describe('an indicator of the type', () => {
  // biome-ignore format: one case per line
  test.each([
    { type: 'IPv4',            indicator: '198.51.100.7',           kind: 'IPV4' },
    { type: 'IPv4',            indicator: '198.51.100.0/24',        kind: 'NETWORK' },
    { type: 'IPv6',            indicator: '2001:db8::7',            kind: 'IPV6' },
    { type: 'CIDR',            indicator: '198.51.100.0/24',        kind: 'NETWORK' },
    { type: 'domain',          indicator: 'evil.example.com',       kind: 'DOMAIN' },
    { type: 'hostname',        indicator: 'www.evil.example.com',   kind: 'DOMAIN' },
    { type: 'URL',             indicator: 'https://evil.example/x', kind: 'URL' },
    { type: 'URI',             indicator: '/x.php',                 kind: 'URL' },
    { type: 'email',           indicator: 'a@evil.example.com',     kind: 'EMAIL' },
    { type: 'FileHash-MD5',    indicator: 'a'.repeat(32),           kind: 'HASH' },
    { type: 'FileHash-SHA1',   indicator: 'a'.repeat(40),           kind: 'HASH' },
    { type: 'filehash-sha256', indicator: 'a'.repeat(64),           kind: 'HASH' },
  ])('$type is taken as $kind ($indicator)', async ({ type, indicator, kind }) => {
    expect(await one({ type, indicator })).toMatchObject([{ raw: indicator, kind }])
  })

  test.each([
    'FileHash-PEHASH',
    'FileHash-IMPHASH',
    'FilePath',
    'Mutex',
    'CVE',
    'YARA',
    'JA3',
    'BitcoinAddress',
    'SSLCertFingerprint',
    'osquery',
    '__proto__',
  ])('%s is not held, and counted by that word', async (type) => {
    expect(await one({ type, indicator: 'x' })).toMatchObject([{ kind: 'UNSUPPORTED', unsupported: type }])
  })

  test.each([{ indicator: 'x' }, { type: 'domain' }, { type: 1, indicator: 'x' }, { type: 'domain', indicator: 7 }])(
    'none or no value is refused: %j',
    async (indicator) => {
      expect(await one(indicator)).toMatchObject([{ problem: { code: 'malformed_row' } }])
    },
  )
})

describe('what a pulse says', () => {
  test('of whom it blames comes before its tags, of which twenty are kept', async () => {
    const [row] = await one(
      { type: 'domain', indicator: 'a.example.com', role: 'command_and_control', description: 'seen\u0000 in  mail' },
      {
        adversary: ' Grey  Team ',
        malware_families: ['Loader', { id: 'x', display_name: 'Stealer' }, null, ''],
        attack_ids: ['T1059', { id: 'T1071' }],
        tags: ['phishing', 'phishing', 'TLP:RED', 'x'.repeat(65), ...Array.from({ length: 30 }, (_, n) => `t${n}`)],
      },
    )
    expect(row?.tags?.slice(0, 6)).toEqual([
      'threat-actor:Grey Team',
      'malware:Loader',
      'malware:Stealer',
      'attack-pattern:T1059',
      'attack-pattern:T1071',
      'phishing',
    ])
    expect(row?.tags).toHaveLength(20)
    expect(row?.tags).not.toContain('TLP:RED')
    expect(row?.description).toBe('Op: seen\uFFFD in mail')
  })

  test('of a role is a tag where there is room', async () => {
    expect(await one({ type: 'domain', indicator: 'a.example.com', role: 'scanner' })).toMatchObject([{ tags: ['scanner'] }])
  })

  // biome-ignore format: one case per line
  test.each([
    { tlp: 'white', want: 'CLEAR' }, { tlp: 'green', want: 'GREEN' }, { tlp: 'Amber', want: 'AMBER' }, { tlp: 'red', want: 'RED' },
    { tlp: '', want: undefined }, { tlp: null, want: undefined },
  ])('of sharing: $tlp is $want', async ({ tlp, want }) => {
    const [row] = await one({ type: 'domain', indicator: 'a.example.com' }, { tlp })
    expect(row?.tlp).toBe(want)
  })

  test('of dates is UTC: those of the indicator before those of the pulse', async () => {
    expect(
      await one({ type: 'domain', indicator: 'a.example.com', created: '2026-10-01T08:00:00', expiration: '2026-12-01T00:00:00' }),
    ).toMatchObject([{ firstSeen: new Date('2026-10-01T08:00:00Z'), validUntil: new Date('2026-12-01T00:00:00Z') }])
    expect(
      await one({ type: 'domain', indicator: 'a.example.com', expiration: null }, { created: '2026-09-01T08:00:00.123456' }),
    ).toMatchObject([{ firstSeen: new Date('2026-09-01T08:00:00.123Z') }])
  })

  test.each([0, false, '0'])('of an indicator that is_active is %j takes its value back', async (is_active) => {
    expect(await one({ type: 'domain', indicator: 'a.example.com', is_active })).toMatchObject([
      { kind: 'UNSUPPORTED', unsupported: 'inactive indicator', ended: [{ raw: 'a.example.com', kind: 'DOMAIN' }] },
    ])
  })

  test.each([1, true, undefined, null])('of an indicator that is_active is %j lets it stand', async (is_active) => {
    expect(await one({ type: 'domain', indicator: 'a.example.com', is_active })).toMatchObject([{ kind: 'DOMAIN' }])
  })
})

describe('a document', () => {
  test('may be a page or an array of pulses', async () => {
    const pulses = [pulse([{ type: 'domain', indicator: 'a.example.com' }]), pulse(null), pulse(undefined)]
    expect(await rowsOf({ count: 3, results: pulses })).toHaveLength(1)
    expect(await rowsOf(pulses)).toHaveLength(1)
    expect(await rowsOf({ results: [] })).toEqual([])
  })

  test('with entries that are no pulses refuses those alone', async () => {
    const rows = await rowsOf({ results: [7, pulse('none'), pulse([null, { type: 'domain', indicator: 'a.example.com' }])] })
    expect(rows.map(({ problem }) => problem?.code)).toEqual(['malformed_row', 'malformed_row', 'malformed_row', undefined])
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'nothing',                       text: '' },
    { title: 'a login page',                  text: '<!doctype html><html></html>' },
    { title: 'an error of the API',           text: '{"detail": "Authentication required"}' },
    { title: 'one cut short',                 text: '{"results": [{"id": "1", "indicators": [' },
    { title: 'a pulse that is broken inside', text: '{"results": [{"id": tru}]}' },
    { title: 'text behind the end',           text: '{"results": []} more' },
  ])('of $title cannot be read', async ({ text }) => {
    const read = async () => { for await (const _ of readFeed(bytes(text), 'PULSE', {})); }
    await expect(read()).rejects.toMatchObject({ code: 'feed_malformed' })
  })

  test('gives the pulses before its break', async () => {
    const rows: FeedRow[] = []
    const text = `{"results": [${JSON.stringify(pulse([{ type: 'domain', indicator: 'a.example.com' }]))}, {"id": tru}]}`
    await expect(
      (async () => {
        for await (const batch of readFeed(bytes(text), 'PULSE', {})) rows.push(...batch)
      })(),
    ).rejects.toThrow()
    expect(rows.map(({ raw }) => raw)).toEqual(['a.example.com'])
  })

  test('nested two hundred thousand levels deep is one refused row', async () => {
    const rows: FeedRow[] = []
    const text = `{"results": [${'['.repeat(200_000)}${']'.repeat(200_000)}, ${JSON.stringify(pulse([{ type: 'domain', indicator: 'a.example.com' }]))}]}`
    for await (const batch of readFeed(bytes(text), 'PULSE', {})) rows.push(...batch)
    expect(rows).toMatchObject([{ problem: { reason: expect.stringContaining('nests deeper') } }, { raw: 'a.example.com' }])
  })

  test('with a pulse of 20 000 indicators gives them all', async () => {
    const indicators = Array.from({ length: 20_000 }, (_, n) => ({
      type: 'domain',
      indicator: `n${n}.example.com`,
      description: 'x'.repeat(60),
    }))
    expect(await rowsOf({ results: [pulse(indicators)] })).toHaveLength(20_000)
  })

  test('in another encoding is read all the same', async () => {
    const text = JSON.stringify({ results: [pulse([{ type: 'domain', indicator: 'a.example.com' }])] })
    for (const body of [Buffer.from(`\uFEFF${text}`), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      const rows: FeedRow[] = []
      for await (const batch of readFeed(bytes(body), 'PULSE', {})) rows.push(...batch)
      expect(rows).toHaveLength(1)
    }
  })
})

test('pulses that are not wanted give no rows, and each is asked about once', async () => {
  const asked: unknown[] = []
  const document = {
    results: [
      pulse([{ type: 'domain', indicator: 'a.example.com' }]),
      { ...pulse([{ type: 'domain', indicator: 'b.example.com' }]), id: 7, modified: 1 },
    ],
  }
  const rows: FeedRow[] = []
  const reading = readPulses(bytes(JSON.stringify(document)), (facts) => {
    asked.push(facts)
    return facts.id === '7'
  })
  for await (const batch of reading) rows.push(...batch)
  expect(asked).toEqual([
    { id: 'p1', modified: '2026-11-01T08:00:00.5' },
    { id: '7', modified: undefined },
  ])
  expect(rows.map(({ raw }) => raw)).toEqual(['b.example.com'])
})
