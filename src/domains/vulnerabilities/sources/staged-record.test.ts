import { expect, test } from 'vitest'
import { CopyRows } from '#kernel/copy-binary.ts'
import { toCveRecord } from './nvd-record.ts'
import { namedProducts, ROW_COLUMNS, scoreRow, stageRecord } from './staged-record.ts'

const RAW = {
  id: 'CVE-2031-0001',
  published: '2031-01-01T00:00:00.000',
  lastModified: '2031-01-02T00:00:00.000',
  vulnStatus: 'Analyzed',
  descriptions: [{ lang: 'en', value: 'A flaw of Acme Mail,\tand more.\0' }],
  cveTags: [{ tags: ['dis"puted\\'] }],
  weaknesses: [{ description: [{ value: 'CWE-79' }] }],
  metrics: {
    cvssMetricV31: [{ source: 'nvd@nist.gov', type: 'Primary', cvssData: { baseScore: 9.8, vectorString: 'CVSS:3.1/x' } }],
    ssvcV203: [{ ssvcData: { options: [{ exploitation: 'active' }] } }],
  },
  references: [{ url: 'https://example.org/a', tags: ['Exploit'] }],
  configurations: [
    {
      nodes: [
        { operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: 'cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*', versionEndExcluding: '2.0' }] },
      ],
    },
  ],
  affected: [
    { affectedData: [{ vendor: 'Acme', product: 'Mail Server', versions: [{ version: '1', lessThan: '2', status: 'affected' }] }] },
  ],
}

/** The columns of a row as bytes; undefined for null. */
function columnsOf(row: Buffer): (Buffer | undefined)[] {
  const columns: (Buffer | undefined)[] = []
  for (let at = 2; at < row.length; ) {
    const length = row.readInt32BE(at)
    at += 4
    columns.push(length < 0 ? undefined : row.subarray(at, at + length))
    at += Math.max(0, length)
  }
  return columns
}

function staged(raw: object, score?: Parameters<typeof scoreRow>[2]): Record<string, string | undefined> {
  const record = toCveRecord(raw)
  if (record.kind !== 'cve') throw new Error('the record was not read')
  const rows = new CopyRows()
  stageRecord(rows, record.cve)
  if (score !== undefined) scoreRow(rows, rows.length, score)
  const row = Buffer.from(rows.slice(0, rows.length))
  const columns = columnsOf(row)
  expect([row.readInt16BE(0), columns.length]).toEqual([ROW_COLUMNS.length, ROW_COLUMNS.length])
  return Object.fromEntries(ROW_COLUMNS.map((column, at) => [column, columns[at]?.toString('latin1')]))
}

test('a record is one row, with everything that is kept of it', () => {
  const { digest, tags, cwes, last_modified, published, cvss, words, score, ...row } = staged(RAW)
  expect(digest).toHaveLength(43)
  expect(row).toEqual({
    id: 'CVE-2031-0001',
    status: 'Analyzed',
    description: Buffer.from('A flaw of Acme Mail,\tand more.\ufffd').toString('latin1'),
    cvss_version: '3.1',
    cvss_vector: 'CVSS:3.1/x',
    cvss_source: 'nvd@nist.gov',
    ssvc: '\u0001{"exploitation":"active"}',
    exploit: '\u0001',
    reference_list: '[{"url":"https://example.org/a","tags":["Exploit"]}]',
    configurations:
      '[{"operator":"OR","nodes":[{"operator":"OR","cpeMatch":[{"vulnerable":true,"criteria":"cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*","versionEndExcluding":"2.0"}]}]}]',
    affected:
      '[{"vendor":"Acme","product":"Mail Server","defaultStatus":"unknown","versions":[{"version":"1","status":"affected","lessThan":"2"}]}]',
    priority: 'P3',
  })
  expect([tags, cwes].map((array) => array?.slice(24))).toEqual(['dis"puted\\', 'CWE-79'])
  expect(words?.slice(4)).toBe(['flaw', 'acme', 'mail', 'more'].map((word) => `${word}\0\0\0`).join(''))
  expect([last_modified, published, cvss, score].map((bytes) => bytes?.length)).toEqual([8, 8, 8, 4])
})

test('a score is put where it belongs', () => {
  const { score, priority, ...row } = staged(RAW, { score: 258, priority: 'P1' })
  expect([score, priority]).toEqual(['\0\0\u0001\u0002', 'P1'])
  expect(row).toEqual((({ score: _, priority: __, ...rest }) => rest)(staged(RAW)))
})

test('what both name is given once, as the database can hold it', () => {
  const record = toCveRecord({
    ...RAW,
    affected: [
      { vendor: 'ACME', product: 'Ma\0il', versions: [] },
      { vendor: 'Acme', product: 'mail', versions: [] },
    ],
  })
  if (record.kind !== 'cve') throw new Error('the record was not read')
  expect([...namedProducts(record.cve)]).toEqual(['acme:mail', 'acme:ma\ufffdil'])
})

test('a name that is too long for the database is left out, and the others are kept', () => {
  const record = toCveRecord({
    ...RAW,
    affected: [{ vendor: 'acme', product: 'm'.repeat(300), packageName: 'p'.repeat(200), versions: [] }],
  })
  if (record.kind !== 'cve') throw new Error('the record was not read')
  const limits = namedProducts({
    ...record.cve,
    affected: [{ vendor: 'v'.repeat(200), product: 'p'.repeat(200), defaultStatus: 'affected', versions: [] }],
  })
  expect([...namedProducts(record.cve)]).toEqual(['acme:mail', `acme:${'m'.repeat(300)}`, `acme:${'p'.repeat(200)}`])
  expect([...limits]).toEqual(['acme:mail'])
})

test('another moment of change is the same content, and anything else is not', () => {
  const digestOf = (more: object) => staged({ ...RAW, ...more })['digest']
  expect(digestOf({ lastModified: '2031-09-09T00:00:00.000' })).toBe(digestOf({}))
  expect(digestOf({ vulnStatus: 'Modified' })).not.toBe(digestOf({}))
})
