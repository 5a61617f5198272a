import { describe, expect, test } from 'vitest'
import type { ReadRecord } from './cve-record.ts'
import { NvdReader } from './read-nvd.ts'

const record = (number: number, more = {}) => ({
  id: `CVE-2031-${String(number).padStart(4, '0')}`,
  published: '2031-01-02T03:04:05.678',
  ...more,
})

/** The ids that a text gives, cut into pieces of `size`, and what stopped it. */
function read(
  text: string,
  size = text.length,
): { ids: (string | undefined)[]; kinds: string[]; fault: string | undefined; reader: NvdReader } {
  const records: ReadRecord[] = []
  const reader = new NvdReader((one) => records.push(one.read()))
  let fault: string | undefined
  try {
    for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
    reader.end()
  } catch (error) {
    fault = (error as Error).message
  }
  return { ids: records.map((one) => (one.kind === 'cve' ? one.cve.id : one.id)), kinds: records.map(({ kind }) => kind), fault, reader }
}

const IDS = ['CVE-2031-0001', 'CVE-2031-0002']
const envelope = JSON.stringify({
  resultsPerPage: 2,
  startIndex: 40,
  totalResults: 42,
  format: 'NVD_CVE',
  version: '2.0',
  timestamp: '2031-03-04T05:06:07.890',
  vulnerabilities: [{ cve: record(1) }, { cve: record(2) }],
  novelty: [1],
})
const container = JSON.stringify({ timestamp: 'x', cve_count: 2, cve_items: [record(1), record(2)] }, null, 2)

// biome-ignore format: one case per line
describe('records are found', () => {
  test.each([
    { title: 'in an answer of the API',            text: envelope,                                   want: IDS },
    { title: 'in a container of bare records',     text: container,                                  want: IDS },
    { title: 'alone',                              text: JSON.stringify(record(1)),                  want: ['CVE-2031-0001'] },
    { title: 'alone in a wrapper',                 text: JSON.stringify({ cve: record(1) }),         want: ['CVE-2031-0001'] },
    { title: 'in an empty answer',                 text: '{"vulnerabilities":[],"totalResults":0}',  want: [] },
  ])('$title, however the text is cut', ({ text, want }) => {
    for (const size of [text.length, 1, 7, 100]) expect(read(text, size)).toMatchObject({ ids: want, fault: undefined })
  })
})

test('the envelope is told', () => {
  expect(read(envelope).reader.envelope()).toEqual({ totalResults: 42, startIndex: 40, timestamp: '2031-03-04T05:06:07.890' })
  expect(read(container).reader.envelope()).toEqual({ totalResults: undefined, startIndex: undefined, timestamp: undefined })
})

// biome-ignore format: one case per line
describe('a file that is none', () => {
  test.each([
    { title: 'one that ends in the middle gives what it had', text: envelope.slice(0, -10),                   ids: IDS.slice(0, 2), says: 'ends in the middle' },
    { title: 'one that ends in a record gives those before',  text: container.slice(0, container.indexOf('CVE-2031-0002') + 5), ids: IDS.slice(0, 1), says: 'ends in the middle' },
    { title: 'the removed form is refused with a sentence',   text: '{"CVE_Items":[{"cve":{"CVE_data_meta":{"ID":"CVE-2031-0001"}}}]}', ids: [], says: 'form 1.1' },
    { title: 'another document holds nothing',                text: '{"a":[1]}',                              ids: [],              says: 'holds nothing at "vulnerabilities or cve_items or CVE_Items' },
    { title: 'a text that is no JSON',                        text: '<html>',                                 ids: [],              says: 'broken at line 1' },
    { title: 'an empty file',                                 text: '',                                       ids: [],              says: 'ends in the middle' },
  ])('$title', ({ text, ids, says }) => {
    const { ids: found, fault } = read(text)
    expect(found).toEqual(ids)
    expect(fault).toContain(says)
  })
})

test('a record that cannot be read costs itself alone', () => {
  const deep = `${'['.repeat(80)}${']'.repeat(80)}`
  const text = `{"cve_items":[${JSON.stringify(record(1))},{"id":"x"},{"id":broken},{"deep":${deep}},"text",${JSON.stringify(record(2))}]}`
  expect(read(text)).toMatchObject({ kinds: ['cve', 'refused', 'refused', 'refused', 'refused', 'cve'], fault: undefined })
})

test('a record without an end is cut off, and the next one is read', () => {
  const huge = JSON.stringify(record(1, { descriptions: [{ lang: 'en', value: 'a'.repeat(5_000_000) }] }))
  expect(read(`{"cve_items":[${huge},${JSON.stringify(record(2))}]}`, 65_536)).toMatchObject({ kinds: ['refused', 'cve'] })
})
