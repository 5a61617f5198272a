import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { FeedFormatError, type FeedRow } from '../feed-row.ts'
import { readWhole } from '../read-whole.test-support.ts'

const AT = '2026-01-31T12:00:00.000Z'
const id = (type: string, n: number) => `${type}--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

function indicator(n: number, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: id('indicator', n),
    created: AT,
    modified: AT,
    pattern: `[domain-name:value = 'host-${n}.example.com']`,
    pattern_type: 'stix',
    valid_from: AT,
    ...fields,
  }
}

const bundle = (...objects: unknown[]) => JSON.stringify({ type: 'bundle', id: id('bundle', 1), objects })

async function read(body: string, settings: { observables?: boolean } = {}, chunkBytes?: number): Promise<FeedRow[]> {
  const { rows, error } = await readWhole(body, 'STIX', settings, chunkBytes)
  if (error !== undefined) throw error
  return rows
}

/** Rows in short: the value, `?kind` for what is not held, `!code` for what is refused, `+` before what is said again. */
function inShort(rows: readonly FeedRow[]): string[] {
  return rows.map(({ raw, kind, unsupported, problem, repeat }) => {
    if (problem !== undefined) return `!${problem.code}`
    return `${repeat === true ? '+' : ''}${kind === 'UNSUPPORTED' ? `?${unsupported}` : raw}`
  })
}

describe('a document', () => {
  const two = [indicator(1), indicator(2)]
  // biome-ignore format: one case per line
  test.each([
    { title: 'a bundle',                                    body: bundle(...two),                                                        want: ['host-1.example.com', 'host-2.example.com'] },
    { title: 'a bundle whose objects stand first',          body: JSON.stringify({ objects: two, type: 'bundle', id: 'x' }),            want: ['host-1.example.com', 'host-2.example.com'] },
    { title: 'a bundle of STIX 2.0',                        body: JSON.stringify({ type: 'bundle', spec_version: '2.0', objects: two }), want: ['host-1.example.com', 'host-2.example.com'] },
    { title: 'a TAXII envelope',                            body: JSON.stringify({ more: true, next: 'abc', objects: two }),             want: ['host-1.example.com', 'host-2.example.com'] },
    { title: 'a TAXII envelope whose objects stand first',  body: JSON.stringify({ objects: two, more: false }),                         want: ['host-1.example.com', 'host-2.example.com'] },
    { title: 'an array',                                    body: JSON.stringify(two),                                                   want: ['host-1.example.com', 'host-2.example.com'] },
    { title: 'an array in lines, behind a byte-order mark', body: `\uFEFF${JSON.stringify(two, undefined, 2)}\n`,                        want: ['host-1.example.com', 'host-2.example.com'] },
    { title: 'one object',                                  body: JSON.stringify(indicator(1)),                                          want: ['host-1.example.com'] },
    { title: 'one object that has an object of objects',    body: JSON.stringify({ type: 'observed-data', id: id('observed-data', 1), objects: { 0: { type: 'url', value: 'u' } } }), want: ['?observed-data'] },
    { title: 'an empty bundle',                             body: bundle(),                                                              want: [] },
    { title: 'a bundle without objects',                    body: JSON.stringify({ type: 'bundle', id: 'x' }),                           want: [] },
    { title: 'an empty envelope',                           body: '{}',                                                                  want: [] },
    { title: 'an envelope that says only that it ends',     body: '{"more": false}',                                                     want: [] },
    { title: 'an empty array',                              body: '[]',                                                                  want: [] },
    { title: 'an entry that is no object',                  body: JSON.stringify([indicator(1), 'x', null, []]),                         want: ['!malformed_row', '!malformed_row', '!malformed_row', 'host-1.example.com'] },
    { title: 'an object without a type',                    body: bundle(indicator(1), { id: 'x' }),                                     want: ['!malformed_row', 'host-1.example.com'] },
  ])('of this shape is read: $title', async ({ body, want }) => {
    expect(inShort(await read(body))).toEqual(want)
    // Wherever the network cuts it.
    expect(inShort(await read(body, {}, 7))).toEqual(want)
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'nothing',                      body: '',                                        message: 'empty' },
    { title: 'a page of HTML',               body: '<!doctype html><html></html>',            message: 'HTML page' },
    { title: 'a list of names',              body: 'evil.example\nbad.example\n',             message: 'not STIX' },
    { title: 'an object that is not STIX',   body: '{"data": [1, 2]}',                        message: 'neither "objects" nor "type"' },
    { title: 'an array that is not STIX',    body: '[{"ioc": "evil.example"}, 5]',            message: 'no STIX objects' },
    { title: 'an object that does not end',  body: '{"type": "bundle"',                       message: 'ends in the middle' },
  ])('is refused as a whole: $title', async ({ body, message }) => {
    const { rows, error } = await readWhole(body, 'STIX')
    expect(error).toBeInstanceOf(FeedFormatError)
    expect((error as Error).message).toContain(message)
    expect(rows.filter(({ problem }) => problem === undefined)).toEqual([])
  })

  test('that breaks off gives the objects before the break', async () => {
    const { rows, error } = await readWhole(bundle(indicator(1), indicator(2)).slice(0, -20), 'STIX')
    expect(error).toBeInstanceOf(FeedFormatError)
    expect(inShort(rows)).toEqual(['host-1.example.com'])
  })

  test('loses only the objects that are too deep or too large', async () => {
    const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`)
    const rows = await read(bundle(indicator(1, { x: deep }), indicator(2, { x: 'y'.repeat(1_100_000) }), indicator(3)))
    expect(inShort(rows)).toEqual(['!malformed_row', '!malformed_row', 'host-3.example.com'])
  })

  test('names the line of each object', async () => {
    const rows = await read(`{"objects": [\n${JSON.stringify(indicator(1))},\n\n${JSON.stringify(indicator(2))}\n]}`)
    expect(rows.map(({ line }) => line)).toEqual([2, 4])
  })
})

describe('an indicator', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'that is revoked',                  fields: { revoked: true },                                  want: ['?revoked indicator'] },
    { title: 'without a pattern type (2.0)',     fields: { pattern_type: undefined, spec_version: undefined }, want: ['host-1.example.com'] },
    { title: 'with a pattern of another kind',   fields: { pattern_type: 'yara', pattern: 'rule x {}' },     want: ['?yara pattern'] },
    { title: 'without a pattern',                fields: { pattern: undefined },                             want: ['!malformed_row'] },
    { title: 'whose pattern cannot be read',     fields: { pattern: '[file:name = ]' },                      want: ['!pattern_invalid'] },
    { title: 'whose pattern is too deep',        fields: { pattern: '('.repeat(1000) },                      want: ['!pattern_too_large'] },
    { title: 'whose pattern names no value',     fields: { pattern: "[url:value LIKE 'a%']" },               want: ['!pattern_not_a_value'] },
    { title: 'about something that is not held', fields: { pattern: "[process:name = 'p']" },                want: ['?process:name'] },
    { title: 'with two values',                  fields: { pattern: "[url:value IN ('u', 'v')]" },           want: ['u', 'v'] },
    { title: 'without an id',                    fields: { id: undefined },                                  want: ['host-1.example.com'] },
    { title: 'with fields of wrong types',       fields: { labels: 5, confidence: 'high', valid_from: {}, valid_until: [], description: 7, object_marking_refs: 'x', granular_markings: [5] }, want: ['host-1.example.com'] },
  ])('$title', async ({ fields, want }) => expect(inShort(await read(bundle(indicator(1, fields))))).toEqual(want))

  test('says what it knows of its value', async () => {
    const [row] = await read(
      bundle(
        indicator(1, {
          name: 'A name',
          description: '  A host\u0000 of \ud800 a botnet ',
          indicator_types: ['malicious-activity'],
          labels: ['botnet', 'two  words', 'severity:high', 'x'.repeat(65)],
          confidence: 85,
          valid_from: '2026-01-02T03:04:05.678901Z',
          valid_until: '2026-03-01T00:00:00Z',
        }),
      ),
    )
    expect(row).toEqual({
      line: 1,
      raw: 'host-1.example.com',
      kind: 'DOMAIN',
      severity: 'HIGH',
      firstSeen: new Date('2026-01-02T03:04:05.678Z'),
      validUntil: new Date('2026-03-01T00:00:00Z'),
      tags: ['malicious-activity', 'botnet', 'two words', 'confidence:85'],
      description: 'A host\uFFFD of \uFFFD a botnet',
    })
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'its beginning of validity', fields: {},                                          want: AT },
    { title: 'its creation without one',  fields: { valid_from: undefined, created: '2025-05-05T00:00:00Z' }, want: '2025-05-05T00:00:00.000Z' },
    { title: 'its change without either', fields: { valid_from: undefined, created: undefined }, want: AT },
  ])('was first seen at $title', async ({ fields, want }) => {
    const [row] = await read(bundle(indicator(1, fields)))
    expect(row?.firstSeen?.toISOString()).toBe(want)
  })

  test('of which a document holds several versions counts as the newest one', async () => {
    const older = indicator(1, { modified: '2025-01-01T00:00:00Z', pattern: "[domain-name:value = 'old.example.com']" })
    const newest = indicator(1, { modified: '2026-02-01T00:00:00Z', revoked: true })
    for (const objects of [
      [older, indicator(1), newest],
      [newest, indicator(1), older],
      [indicator(1), newest, older],
    ])
      expect(inShort(await read(bundle(...objects)))).toEqual(['?revoked indicator'])
    expect(inShort(await read(bundle(older, indicator(1))))).toEqual(['host-1.example.com'])
  })

  test('that shares its id and moment with others loses nothing', async () => {
    const rows = await read(bundle(indicator(1), indicator(1, { pattern: "[url:value = 'u']" })))
    expect(inShort(rows)).toEqual(['host-1.example.com', 'u'])
  })
})

describe('attribution', () => {
  const indicates = (from: number, target: string) => ({
    type: 'relationship',
    id: id('relationship', from),
    relationship_type: 'indicates',
    source_ref: id('indicator', from),
    target_ref: target,
  })
  const malware = { type: 'malware', id: id('malware', 1), name: 'Bad  Bot', is_family: true }
  const tagsOf = (rows: FeedRow[]) => rows.filter(({ kind }) => kind === 'DOMAIN').map(({ tags }) => tags)

  // biome-ignore format: one case per line
  test.each([
    { title: 'behind the indicators', objects: [indicator(1), indicates(1, malware.id), malware] },
    { title: 'before the indicators', objects: [malware, indicates(1, malware.id), indicator(1)] },
    { title: 'around the indicators', objects: [indicates(1, malware.id), indicator(1), malware] },
  ])('is found where names and relationships stand $title', async ({ objects }) =>
    expect(tagsOf(await read(bundle(...objects)))).toEqual([['malware:Bad Bot']]))

  test('names malware, tools, campaigns, intrusion sets and actors, beside the tags of the indicator itself', async () => {
    const kinds = ['malware', 'tool', 'campaign', 'intrusion-set', 'threat-actor', 'attack-pattern']
    const rows = await read(
      bundle(
        indicator(1, { labels: ['botnet'] }),
        ...kinds.map((type) => ({ type, id: id(type, 1), name: 'N' })),
        ...kinds.map((type) => indicates(1, id(type, 1))),
      ),
    )
    expect(tagsOf(rows)).toEqual([['botnet', 'malware:N', 'tool:N', 'campaign:N', 'intrusion-set:N', 'threat-actor:N']])
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'of another kind',           objects: [malware, { ...indicates(1, malware.id), relationship_type: 'related-to' }] },
    { title: 'that is revoked',           objects: [malware, { ...indicates(1, malware.id), revoked: true }] },
    { title: 'to what is revoked',        objects: [{ ...malware, revoked: true }, indicates(1, malware.id)] },
    { title: 'to what is not there',      objects: [indicates(1, malware.id)] },
    { title: 'of another indicator',      objects: [malware, indicates(2, malware.id)] },
  ])('does not follow from a relationship $title', async ({ objects }) =>
    expect(tagsOf(await read(bundle(indicator(1), ...objects)))).toEqual([undefined]))
})

describe('a marking', () => {
  const RED = 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed'
  const own = { type: 'marking-definition', id: id('marking-definition', 1), name: 'TLP:AMBER', created: AT }
  // biome-ignore format: one case per line
  test.each([
    { title: 'by its id',                        objects: [indicator(1, { object_marking_refs: [RED] })],                             want: 'RED' },
    { title: 'by a definition behind it',        objects: [indicator(1, { object_marking_refs: [own.id] }), own],                     want: 'AMBER' },
    { title: 'by a definition before it',        objects: [own, indicator(1, { object_marking_refs: [own.id] })],                     want: 'AMBER' },
    { title: 'of a part of it',                  objects: [indicator(1, { granular_markings: [{ marking_ref: RED, selectors: ['pattern'] }] })], want: 'RED' },
    { title: 'by a label',                       objects: [indicator(1, { labels: ['tlp:green'] })],                                  want: 'GREEN' },
    { title: 'by several, the strictest counts', objects: [own, indicator(1, { object_marking_refs: [own.id, RED], labels: ['TLP:GREEN'] })], want: 'RED' },
    { title: 'that is not about sharing',        objects: [indicator(1, { object_marking_refs: [id('marking-definition', 9)] })],     want: undefined },
  ])('is known $title', async ({ objects, want }) => {
    const rows = await read(bundle(...objects))
    expect(rows.filter(({ kind }) => kind === 'DOMAIN').map(({ tlp }) => tlp)).toEqual([want])
  })
})

describe('observables', () => {
  const objects = [
    { type: 'ipv4-addr', id: id('ipv4-addr', 1), value: '198.51.100.7' },
    { type: 'ipv4-addr', id: id('ipv4-addr', 2), value: '198.51.100.0/24' },
    { type: 'domain-name', id: id('domain-name', 1), value: 'evil.example.com', resolves_to_refs: [id('ipv4-addr', 1)] },
    { type: 'file', id: id('file', 1), name: 'a.exe', hashes: { MD5: 'x', 'SHA-256': 'y', SSDEEP: 'z' } },
    { type: 'file', id: id('file', 2), name: 'b.exe' },
    { type: 'mutex', id: id('mutex', 1), name: 'm' },
    { type: 'observed-data', id: id('observed-data', 1), objects: { 0: { type: 'url', value: 'u' }, 1: { type: 'mutex' } } },
  ]

  test('are no values unless the feed says so', async () =>
    expect(inShort(await read(bundle(...objects)))).toEqual([
      '?ipv4-addr',
      '?ipv4-addr',
      '?domain-name',
      '?file',
      '?file',
      '?mutex',
      '?observed-data',
    ]))

  test('are values when the feed says so', async () => {
    const rows = await read(bundle(...objects), { observables: true })
    expect(inShort(rows).sort()).toEqual(['198.51.100.0/24', '198.51.100.7', '?file', '?mutex', 'evil.example.com', 'u', 'x', 'y'])
    expect(rows.find(({ raw }) => raw.includes('/24'))?.kind).toBe('NETWORK')
  })
})

describe('a large bundle', () => {
  /** Reads a generated bundle in a thread whose heap has a limit, MB; a thread that needs more ends with an error. */
  async function readWithin(heapMb: number, indicators: number): Promise<{ rows: number; repeated: number; largestBatch: number }> {
    const worker = new Worker(new URL('./large-bundle.test-support.ts', import.meta.url), {
      workerData: { indicators },
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
    })
    const [result] = await once(worker, 'message')
    await worker.terminate()
    return result as { rows: number; repeated: number; largestBatch: number }
  }

  test('of 200 000 indicators is read in bounded memory, and every tenth is named after the last of them', async () => {
    const { rows, repeated, largestBatch } = await readWithin(110, 200_000)
    expect({ rows, repeated }).toEqual({ rows: 200_000 + 20_000 + 1 + repeated, repeated: 20_000 })
    expect(largestBatch).toBeLessThan(10_000)
  }, 60_000)
})
