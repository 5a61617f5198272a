import { expect, test } from 'vitest'
import { toCveRecord } from './nvd-record.ts'
import { STAGED_COLUMNS, stageRecord, stageRejected, textDigestOf } from './staged-record.ts'

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

function staged(raw: object): Record<string, string> {
  const record = toCveRecord(raw)
  if (record.kind !== 'cve') throw new Error('the record was not read')
  const values = stageRecord(record.cve, 'text').line.trimEnd().split('\t')
  return Object.fromEntries(STAGED_COLUMNS.map((column, at) => [column, values[at] ?? '']))
}

test('a record is one line of COPY, with everything that is kept of it', () => {
  const { digest, ...line } = staged(RAW)
  expect(digest).toHaveLength(43)
  expect(line).toEqual({
    id: 'CVE-2031-0001',
    last_modified: '2031-01-02T00:00:00.000Z',
    text_digest: 'text',
    status: 'Analyzed',
    published: '2031-01-01T00:00:00.000Z',
    description: 'A flaw of Acme Mail,\\tand more.\ufffd',
    tags: '{"dis\\\\"puted\\\\\\\\"}',
    cwes: '{"CWE-79"}',
    cvss: '9.8',
    cvss_version: '3.1',
    cvss_vector: 'CVSS:3.1/x',
    cvss_source: 'nvd@nist.gov',
    ssvc: '{"exploitation":"active"}',
    exploit: 'true',
    reference_list: '[{"url":"https://example.org/a","tags":["Exploit"]}]',
    configurations:
      '[{"operator":"OR","nodes":[{"operator":"OR","cpeMatch":[{"vulnerable":true,"criteria":"cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*","versionEndExcluding":"2.0"}]}]}]',
    affected:
      '[{"vendor":"Acme","product":"Mail Server","defaultStatus":"unknown","versions":[{"version":"1","status":"affected","lessThan":"2"}]}]',
    words: 'a flaw of acme mail and more',
    vendors: '{"acme","acme"}',
    products: '{"mail","mail server"}',
  })
})

test('another moment of change is the same content, and anything else is not', () => {
  const digestOf = (more: object) => staged({ ...RAW, ...more })['digest']
  expect(digestOf({ lastModified: '2031-09-09T00:00:00.000' })).toBe(digestOf({}))
  expect(digestOf({ vulnStatus: 'Modified' })).not.toBe(digestOf({}))
})

// Fails when a record is read or stored in another way than before: then raise READING, so that texts that were read before are read anew, and
// write the new fingerprints here.
test('a record amounts to what it amounted to when its text was remembered last', () => {
  expect({ digest: staged(RAW)['digest'], text: textDigestOf('text') }).toEqual({
    digest: 'oQGF1zmi2BfgzNxKUvYfFcV4f3baYAPEsEKDOaAuB_Q',
    text: 'NTeq2S2Er6lWQiHZIRK9tCmlJjPS6KZcofgKytQFl_c',
  })
})

test('a withdrawn CVE is a line with as many columns', () => {
  expect(stageRejected('CVE-2031-0001', new Date(0)).trimEnd().split('\t')).toHaveLength(STAGED_COLUMNS.length)
})
