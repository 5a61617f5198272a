import { describe, expect, test } from 'vitest'
import type { ParserSettings } from '../parser-settings.ts'
import { FeedFormatError } from './feed-row.ts'
import { inShort, readWhole } from './read-whole.test-support.ts'

const HASH = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

type Case = { title: string; body: string; settings?: ParserSettings; want: string[] }

describe('settings', () => {
  // biome-ignore format: one case per line
  const cases: Case[] = [
    { title: 'delimiter: semicolon',                  body: 'x;evil.example\ny;bad.example\n', settings: { delimiter: ';', value: 2 }, want: ['evil.example', 'bad.example'] },
    { title: 'delimiter: tab',                        body: 'x\tevil.example\n', settings: { delimiter: '\t', value: 2 }, want: ['evil.example'] },
    { title: 'delimiter: pipe, padded',               body: '64500  |  Name  |  192.0.2.7  | now\n', settings: { delimiter: '|', value: 3 }, want: ['192.0.2.7'] },
    { title: 'delimiter: any blanks',                 body: '0.0.0.0   evil.example\n', settings: { delimiter: 'whitespace', value: 2 }, want: ['evil.example'] },
    { title: 'delimiter: none keeps commas',          body: 'http://evil.example/a,b\n', settings: { delimiter: 'none', header: 'none' }, want: ['http://evil.example/a,b'] },
    { title: 'quote: another character',              body: "'evil.example, inc',1\n", settings: { delimiter: ',', quote: "'", value: 1, header: 'none' }, want: ['evil.example, inc'] },
    { title: 'quote: none, so quotes are text',       body: '"a,evil.example\n', settings: { delimiter: ',', quote: '', value: 1, header: 'none' }, want: ['"a'] },
    { title: 'trim: off keeps blanks',                body: 'a, evil.example\n', settings: { delimiter: ',', trim: false, value: 2, header: 'none' }, want: [' evil.example'] },
    { title: 'comment: own prefixes',                 body: '%% note\n# kept\n', settings: { delimiter: 'none', comment: ['%%'], value: 1, header: 'none' }, want: ['# kept'] },
    { title: 'inline_comment: own mark',              body: 'evil.example @@ note\n', settings: { delimiter: 'none', inline_comment: ['@@'], value: 1, header: 'none' }, want: ['evil.example'] },
    { title: 'inline_comment in a CSV cuts the line', body: 'evil.example,1 # x,y\n', settings: { delimiter: ',', inline_comment: [' #'], value: 1, header: 'none' }, want: ['evil.example'] },
    { title: 'header: first',                         body: 'a,b\n1,evil.example\n', settings: { header: 'first', value: 'b' }, want: ['evil.example'] },
    { title: 'header: comment',                       body: '# note\n# "a","b"\n"1","evil.example"\n', settings: { header: 'comment', value: 'B' }, want: ['evil.example'] },
    { title: 'header: none reads every row',          body: 'domain,x\nevil.example,y\n', settings: { header: 'none', value: 1 }, want: ['domain', 'evil.example'] },
    { title: 'value: by index',                       body: '1,2,evil.example\n', settings: { value: 3 }, want: ['evil.example'] },
    { title: 'value: by name, blanks and case apart', body: 'Id,IOC Value\n1,evil.example\n', settings: { value: 'ioc_value' }, want: ['evil.example'] },
    { title: 'value: several columns, empty ones skipped', body: 'url,ip\nhttp://evil.example/,\nhttp://bad.example/,192.0.2.1\n', settings: { value: ['url', 'ip'] }, want: ['http://evil.example/', 'http://bad.example/', '192.0.2.1'] },
    { title: 'type: a constant',                      body: 'evil.example\n', settings: { type: 'domain' }, want: ['evil.example/DOMAIN'] },
    { title: 'type: a column',                        body: 'k,v\nmd5,a\ndomain,evil.example\nmutex,b.example\nweird,c.example\n,d.example\n', settings: { type: 'k', value: 'v' }, want: ['a/HASH', 'evil.example/DOMAIN', 'b.example/UNSUPPORTED', 'c.example/UNSUPPORTED', 'd.example'] },
    { title: 'type_map: own words',                   body: 'c2,192.0.2.1:80\nbad,evil.example\n', settings: { type: 1, value: 2, header: 'none', type_map: { c2: 'IP_PORT', BAD: 'DOMAIN' } }, want: ['192.0.2.1/IP', 'evil.example/DOMAIN'] },
    { title: 'cidr_from: address and prefix',         body: 'Start\tEnd\tBits\n192.0.2.0\t192.0.2.255\t24\n', settings: { delimiter: '\t', header: 'first', cidr_from: [1, 'Bits'] }, want: ['192.0.2.0/24'] },
    { title: 'strip_port: on',                        body: '192.0.2.1:80\n[2001:db8::1]:443\nhttp://evil.example:8080/\n', settings: { strip_port: true }, want: ['192.0.2.1', '2001:db8::1', 'http://evil.example:8080/'] },
    { title: 'filter: in',                            body: '192.0.2.1,online\n192.0.2.2,offline\n', settings: { value: 1, filter: [{ col: 2, in: ['ONLINE'] }] }, want: ['192.0.2.1'] },
    { title: 'filter: not in',                        body: '192.0.2.1,online\n192.0.2.2,offline\n', settings: { value: 1, filter: [{ col: 2, not_in: ['online'] }] }, want: ['192.0.2.2'] },
    { title: 'filter: pattern',                       body: '192.0.2.1,a1\n192.0.2.2,b1\n', settings: { value: 1, filter: [{ col: 2, match: '^b' }] }, want: ['192.0.2.2'] },
    { title: 'exclude_regex: leaves values out',      body: 'www.good.example\nevil.example\n', settings: { exclude_regex: '^WWW\\.' }, want: ['evil.example'] },
  ]
  test.each(cases)('$title', async ({ body, settings, want }) => {
    const { rows, error } = await readWhole(body, 'CSV', settings)
    expect(error).toBeUndefined()
    expect(inShort(rows)).toEqual(want)
  })

  test('severity, dates, tags and description are read from their columns', async () => {
    const body =
      'ioc,sev,first,last,tags,what\nevil.example,High,2026-01-01,2026-01-02 03:04:05,"#a, b;#a",some text\nbad.example,7,never,,,\n'
    const settings: ParserSettings = {
      value: 'ioc',
      severity: 'sev',
      first_seen: 'first',
      last_seen: 'last',
      tags: 'tags',
      description: 'what',
    }
    const { rows } = await readWhole(body, 'CSV', settings)
    expect(rows).toEqual([
      {
        line: 2,
        raw: 'evil.example',
        severity: 'HIGH',
        firstSeen: new Date('2026-01-01T00:00:00Z'),
        lastSeen: new Date('2026-01-02T03:04:05Z'),
        tags: ['a', 'b'],
        description: 'some text',
      },
      { line: 3, raw: 'bad.example' },
    ])
  })

  test('a severity word is one severity for the whole feed', async () => {
    const { rows } = await readWhole('evil.example\n', 'CSV', { severity: 'low' })
    expect(rows).toEqual([{ line: 1, raw: 'evil.example', severity: 'LOW' }])
  })

  test('a column that the header does not hold is an error that shows the header', async () => {
    const { error } = await readWhole('a,b\n1,evil.example\n', 'CSV', { value: 'ioc' })
    expect(error).toBeInstanceOf(FeedFormatError)
    expect(String(error)).toMatch(/no column "ioc"/)
  })

  test('at most 20 tags are kept, and no endless one', async () => {
    const tags = [...Array.from({ length: 30 }, (_, i) => `t${i}`), 'x'.repeat(100)].join(' ')
    const { rows } = await readWhole(`evil.example,${tags}\nbad.example,${'y'.repeat(100)}\n`, 'CSV', { value: 1, tags: 2, header: 'none' })
    expect(rows[0]?.tags).toHaveLength(20)
    expect(rows[1]?.tags).toBeUndefined()
  })
})

describe('detection', () => {
  // biome-ignore format: one case per line
  const cases: (Case & { detected: Record<string, unknown> })[] = [
    { title: 'a plain list', body: 'evil.example\nbad.example\n', want: ['evil.example', 'bad.example'], detected: { delimiter: 'none', header: 'none', value: '1' } },
    { title: 'a plain list under a title', body: 'Feb-19\nevil.example\nbad.example\n', want: ['evil.example', 'bad.example'], detected: { header: 'first' } },
    { title: 'ranges with inline comments', body: '192.0.2.0/24 # scanner, one\n198.51.100.0/24 ; SBL1\n', want: ['192.0.2.0/24', '198.51.100.0/24'], detected: { delimiter: 'none' } },
    { title: 'address, tab, count', body: '# IP\tlists\n#\n192.0.2.1\t10\n192.0.2.2\t9\n', want: ['192.0.2.1', '192.0.2.2'], detected: { delimiter: '\t', value: 'IP', header: 'comment' } },
    { title: 'URLs that hold commas stay whole', body: 'http://evil.example/a,b\nhttp://bad.example/\nhttp://c.example/x;y\n', want: ['http://evil.example/a,b', 'http://bad.example/', 'http://c.example/x;y'], detected: { delimiter: 'none' } },
    { title: 'URL first in a CSV', body: 'http://evil.example/,phishing,2026-01-01\nhttp://bad.example/,malware,2026-01-02\n', want: ['http://evil.example/', 'http://bad.example/'], detected: { delimiter: ',', value: '1' } },
    { title: 'type and value among links', body: `2026-01-01 00:00:00,user,domain,evil.example,#a,https://social.example/1\n2026-01-01 00:00:00,user,md5,${HASH},,https://social.example/2\n2026-01-01 00:00:00,user,ip,192.0.2.1,,https://social.example/3\n`, want: ['evil.example/DOMAIN', `${HASH}/HASH`, '192.0.2.1/IP'], detected: { value: '4', type: '3', header: 'none' } },
    { title: 'a header row', body: 'type,indicator,class\ndomain,evil.example,malicious\ndomain,bad.example,malicious\n', want: ['evil.example/DOMAIN', 'bad.example/DOMAIN'], detected: { header: 'first', value: 'indicator', type: 'type' } },
    { title: 'ip:port by itself', body: '192.0.2.1:80\n192.0.2.2:8080\n[2001:db8::2]:443\n', want: ['192.0.2.1', '192.0.2.2', '2001:db8::2'], detected: { stripPort: true } },
    { title: 'ip:port by its type word', body: 'ip:port,192.0.2.1:80\nurl,http://evil.example:81/\n', want: ['192.0.2.1/IP', 'http://evil.example:81//URL'], detected: { type: '1', value: '2', stripPort: false } },
    { title: 'a hosts file', body: '127.0.0.1 evil.example\n127.0.0.1 bad.example\n', want: ['evil.example', 'bad.example'], detected: { delimiter: 'whitespace', value: '2' } },
    { title: 'semicolons with an empty first cell', body: 'a;192.0.2.1;x\n;192.0.2.2;y\nb;192.0.2.3;z\n', want: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], detected: { delimiter: ';', value: '2' } },
    { title: 'a header and no row yet', body: '# nothing today\nfirst_seen_utc,dst_ip,dst_port\n', want: [], detected: { header: 'first' } },
    { title: 'a list of refused values is still read', body: '127.0.0.1\n127.0.0.2\n', want: ['127.0.0.1', '127.0.0.2'], detected: { value: '1', sampleValid: 0 } },
    { title: 'a column about malware is no type column', body: 'evil.example,malware\nbad.example,tool\n', want: ['evil.example', 'bad.example'], detected: { value: '1' } },
    { title: 'telling names win among hashes', body: `first_seen,sha256_hash,md5_hash\n2026-01-01,${HASH}${HASH},${HASH}\n2026-01-01,${HASH.slice(1)}b${HASH},${HASH.slice(1)}c\n`, want: [`${HASH}${HASH}`, `${HASH.slice(1)}b${HASH}`], detected: { value: 'sha256_hash' } },
  ]
  test.each(cases)('$title', async ({ body, settings, want, detected }) => {
    const { rows, error, summary } = await readWhole(body, 'CSV', settings)
    expect(error).toBeUndefined()
    expect(inShort(rows)).toEqual(want)
    expect(summary?.detected).toMatchObject(detected)
  })

  test('only the first rows decide, and all rows are read', async () => {
    const body = `${'evil.example,a\n'.repeat(250)}${'x\n'.repeat(5)}`
    const { rows, summary } = await readWhole(body, 'CSV')
    expect(rows).toHaveLength(255)
    expect(summary?.detected.sampleRows).toBeLessThanOrEqual(201)
  })
})

test('the summary counts what is not given', async () => {
  const body = '# a\n\n// b\nevil.example\n   \nwww.x.example\n; c\n'
  const { summary, rows } = await readWhole(body, 'CSV', { exclude_regex: '^www' })
  expect(inShort(rows)).toEqual(['evil.example'])
  expect(summary).toMatchObject({ rows: 2, blank: 2, comments: 3, filtered: 1, withoutValue: 0 })
})

test('line numbers are those of the file', async () => {
  const { rows } = await readWhole('# a\r\n\r\nname,domain\n"x\ny",evil.example\r\nz,bad.example\n', 'CSV', { value: 'domain' })
  expect(rows.map(({ line, raw }) => [line, raw])).toEqual([
    [4, 'evil.example'],
    [6, 'bad.example'],
  ])
})
