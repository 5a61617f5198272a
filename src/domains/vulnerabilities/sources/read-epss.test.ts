import { expect, test } from 'vitest'
import { EpssReader, type EpssRow } from './read-epss.ts'

function read(text: string, size = text.length) {
  const rows: EpssRow[] = []
  const reader = new EpssReader((row) => rows.push(row))
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
  reader.end()
  return { rows, header: reader.header, refused: reader.refused }
}

const CSV =
  '#model_version:v2031.01.01,score_date:2031-02-03T00:00:00+0000\ncve,epss,percentile\nCVE-2031-0001,0.97224,1.00000\r\nCVE-2031-0002,0,0.1\n'
const ROWS = [
  { cveId: 'CVE-2031-0001', probability: 0.97224, percentile: 1 },
  { cveId: 'CVE-2031-0002', probability: 0, percentile: 0.1 },
]

test('the daily file is read, however it is cut', () => {
  for (const size of [CSV.length, 1, 5, 64])
    expect(read(CSV, size)).toEqual({ rows: ROWS, header: { model: 'v2031.01.01', day: '2031-02-03' }, refused: 0 })
})

test('a file without its comment line says neither model nor day', () => {
  expect(read('cve,epss,percentile\nCVE-2031-0001,0.5,0.5')).toMatchObject({ header: { model: undefined, day: undefined }, refused: 0 })
})

test('an answer of the API writes its numbers as texts', () => {
  const data = [
    { cve: 'CVE-2031-0001', epss: '0.972240000', percentile: '1.000000000', date: '2031-02-03' },
    { cve: 'CVE-2031-0002', epss: '0', percentile: '0.1', date: '2031-02-03' },
  ]
  const text = JSON.stringify({ status: 'OK', total: 2, data })
  for (const size of [text.length, 3])
    expect(read(text, size)).toEqual({ rows: ROWS, header: { model: undefined, day: '2031-02-03' }, refused: 0 })
})

// biome-ignore format: one case per line
test.each([
  { title: 'a share above 1',       line: 'CVE-2031-0003,1.2,0.5' },
  { title: 'a negative share',      line: 'CVE-2031-0003,-0.2,0.5' },
  { title: 'a word',                line: 'CVE-2031-0003,NaN,0.5' },
  { title: 'a hexadecimal',         line: 'CVE-2031-0003,0x1,0.5' },
  { title: 'a missing percentile',  line: 'CVE-2031-0003,0.5' },
  { title: 'an empty percentile',   line: 'CVE-2031-0003,0.5,' },
  { title: 'another identifier',    line: 'GHSA-1,0.5,0.5' },
])('$title costs its line alone', ({ line }) => expect(read(`${CSV}${line}\n`)).toMatchObject({ rows: ROWS, refused: 1 }))

// biome-ignore format: one case per line
test.each([
  { title: 'an empty file',             text: '',                                 says: 'no EPSS score' },
  { title: 'another text',              text: '<html>\n</html>',                  says: 'no EPSS score' },
  { title: 'a line without an end',     text: 'a'.repeat(5000),                   says: 'never ends' },
  { title: 'an answer that is cut off', text: '{"data":[{"cve":"CVE-2031-0001","epss":"0.1","percentile":"0.1"}', says: 'ends in the middle' },
])('$title is refused', ({ text, says }) => expect(() => read(text)).toThrow(says))
