import { describe, expect, test } from 'vitest'
import type { ParserSettings } from '../parser-settings.ts'
import { FeedFormatError } from './feed-row.ts'
import { inShort, readWhole } from './read-whole.test-support.ts'

const onionoo = JSON.stringify({
  version: '8.0',
  relays: [{ or_addresses: ['192.0.2.1:9001', '[2001:db8::1]:9001'] }, { or_addresses: ['192.0.2.2:443'] }, { nickname: 'none' }],
  bridges: [],
})

describe('modes and paths', () => {
  // biome-ignore format: one case per line
  const cases: { title: string; body: string; settings?: ParserSettings; want: string[] }[] = [
    { title: 'array of records',                 body: '[{"ioc":"evil.example"},{"ioc":"bad.example"}]', settings: { mode: 'array', value: 'ioc' }, want: ['evil.example', 'bad.example'] },
    { title: 'array of texts',                   body: '["evil.example", "bad.example"]', settings: { mode: 'array' }, want: ['evil.example', 'bad.example'] },
    { title: 'array of rows of cells',           body: '[["x","evil.example"],["y","bad.example"]]', settings: { mode: 'array', value: 2 }, want: ['evil.example', 'bad.example'] },
    { title: 'object values',                    body: '{"a":{"ioc":"evil.example"},"b":{"ioc":"bad.example"}}', settings: { mode: 'object_values', value: 'ioc' }, want: ['evil.example', 'bad.example'] },
    { title: 'object of lists of one',           body: '{"17":[{"ioc_value":"192.0.2.1:80","ioc_type":"ip:port"}],"18":[{"ioc_value":"evil.example","ioc_type":"domain"}]}', settings: { mode: 'object_values', value: 'ioc_value', type: 'ioc_type' }, want: ['192.0.2.1/IP', 'evil.example/DOMAIN'] },
    { title: 'one record a line',                body: '{"cidr":"192.0.2.0/24"}\r\n\r\n{"cidr":"198.51.100.0/24"}', settings: { mode: 'ndjson', value: 'cidr' }, want: ['192.0.2.0/24', '198.51.100.0/24'] },
    { title: 'one line, and a path in each',     body: '{"a":[{"v":"evil.example"},{"v":"bad.example"}]}\n', settings: { mode: 'ndjson', items: 'a.*', value: 'v' }, want: ['evil.example', 'bad.example'] },
    { title: 'a path with two stars',            body: onionoo, settings: { items: 'relays.*.or_addresses.*', strip_port: true }, want: ['192.0.2.1', '2001:db8::1', '192.0.2.2'] },
    { title: 'a path without a star',            body: '{"data":[{"v":"evil.example"}]}', settings: { items: 'data', value: 'v' }, want: ['evil.example'] },
    { title: 'a path through an object',         body: '{"x":{"other":[1],"list":["evil.example"]},"y":[2]}', settings: { items: 'x.list.*' }, want: ['evil.example'] },
    { title: 'a nested value field',             body: '[{"i":{"v":"evil.example"}}]', settings: { value: 'i.v' }, want: ['evil.example'] },
    { title: 'a list as the value field',        body: '[{"ips":["192.0.2.1","192.0.2.2"],"t":"ip"}]', settings: { value: 'ips', type: 't' }, want: ['192.0.2.1/IP', '192.0.2.2/IP'] },
    { title: 'a range out of two fields',        body: '[{"a":"192.0.2.0","n":24}]', settings: { cidr_from: ['a', 'n'] }, want: ['192.0.2.0/24'] },
    { title: 'names with escapes and dots',      body: '{"da\\u0074a":[{"ioc.value":"evil.example"}]}', settings: { items: 'data.*', value: 'ioc.value' }, want: ['evil.example'] },
    { title: 'filters and excludes',             body: '[{"v":"a.example","s":"on"},{"v":"b.example","s":"off"},{"v":"www.example","s":"on"}]', settings: { value: 'v', filter: [{ col: 's', in: ['on'] }], exclude_regex: '^www' }, want: ['a.example'] },
  ]
  test.each(cases)('$title', async ({ body, settings, want }) => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { rows, error } = await readWhole(body, 'JSON', settings, chunkBytes)
      expect(error).toBeUndefined()
      expect(inShort(rows)).toEqual(want)
    }
  })
})

describe('detection', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'one record a line, two of which parse', body: '{"type":"domain","ioc":"evil.example","reference":"https://a.example/"}\n{"type":"ip_address","ioc":"192.0.2.1","reference":"https://b.example/"}\n', want: ['evil.example/DOMAIN', '192.0.2.1/IP'], detected: { mode: 'ndjson', value: 'ioc', type: 'type' } },
    { title: 'an array',                              body: '[\n {"url": "http://evil.example/"},\n {"url": "http://bad.example/"}\n]', want: ['http://evil.example/', 'http://bad.example/'], detected: { mode: 'array', value: 'url' } },
    { title: 'an envelope',                           body: '{"query_status":"ok","data":[{"id":1,"ioc":"evil.example"}]}', want: ['evil.example'], detected: { items: 'data.*', value: 'ioc' } },
    { title: 'a map of lists',                        body: '{"17":[{"ioc_value":"evil.example"}],"18":[{"ioc_value":"bad.example"}]}', want: ['evil.example', 'bad.example'], detected: { mode: 'object_values', value: 'ioc_value' } },
    { title: 'lists by kind',                         body: '{"ips":["192.0.2.1"],"domains":["evil.example"]}', want: ['192.0.2.1', 'evil.example'], detected: { mode: 'object_values' } },
    { title: 'a list of words beside other members',  body: '{"name":"x","version":3,"list":["evil.example","bad.example"]}', want: ['evil.example', 'bad.example'], detected: { items: 'list.*' } },
    { title: 'a single record on a single line',      body: '{"ioc":"evil.example"}', want: ['evil.example'], detected: { mode: 'ndjson' } },
    { title: 'an empty array',                        body: '[]', want: [], detected: { mode: 'array' } },
  ])('$title', async ({ body, want, detected }) => {
    const { rows, summary, error } = await readWhole(body, 'JSON')
    expect(error).toBeUndefined()
    expect(inShort(rows)).toEqual(want)
    expect(summary?.detected).toMatchObject(detected)
  })
})

test('a closing metadata line is counted as without a value, not rejected', async () => {
  const { rows, summary } = await readWhole('{"cidr":"192.0.2.0/24","sblid":"SBL1"}\n{"type":"metadata","records":1}\n', 'JSON', {
    value: 'cidr',
  })
  expect(inShort(rows)).toEqual(['192.0.2.0/24'])
  expect(summary).toMatchObject({ rows: 1, withoutValue: 1 })
})

test('prototype keys are names like any other', async () => {
  const body = '[{"__proto__":{"ioc":"proto.example"},"constructor":"x","ioc":"evil.example"}]'
  const { rows } = await readWhole(body, 'JSON', { value: 'ioc' })
  expect(inShort(rows)).toEqual(['evil.example'])
  expect(inShort((await readWhole(body, 'JSON', { value: '__proto__.ioc' })).rows)).toEqual(['proto.example'])
  expect(Object.hasOwn(Object.prototype, 'ioc')).toBe(false)
  expect((await readWhole('[{"a":"evil.example"}]', 'JSON', { value: 'toString' })).error).toBeInstanceOf(FeedFormatError)
})

test('rows before a break are kept, and the break says where it is', async () => {
  const body = `[${Array.from({ length: 300 }, (_, i) => `{"ioc":"e${i}.example"}`).join(',\n')},\n{"ioc": }]`
  for (const chunkBytes of [1, 7, 65_536]) {
    const { rows, error } = await readWhole(body, 'JSON', {}, chunkBytes)
    expect(rows).toHaveLength(300)
    expect(error).toBeInstanceOf(FeedFormatError)
    expect(error).toMatchObject({ code: 'feed_malformed', line: 301 })
  }
})

test('a record in an array carries the line on which it begins', async () => {
  const { rows } = await readWhole('[\n  {\n "ioc": "a.example"},\n\n {"ioc":"b.example"}]', 'JSON')
  expect(rows.map(({ line }) => line)).toEqual([2, 5])
})

test('a field that no record has is an error that shows the fields', async () => {
  const { error } = await readWhole('[{"ioc":"evil.example","x":1}]', 'JSON', { value: 'indicator' })
  expect(String(error)).toMatch(/"indicator".*ioc, x/)
})

test('dates, tags and severity are read from fields', async () => {
  const body =
    '[{"ioc":"evil.example","first_seen":"2026-01-01 00:00:00","tags":["a","b"],"sev":"critical"},{"ioc":"bad.example","tags":null}]'
  const { rows } = await readWhole(body, 'JSON', { severity: 'sev' })
  expect(rows).toEqual([
    { line: 1, raw: 'evil.example', firstSeen: new Date('2026-01-01T00:00:00Z'), tags: ['a', 'b'], severity: 'CRITICAL' },
    { line: 1, raw: 'bad.example' },
  ])
})
