import { describe, expect, test } from 'vitest'
import { toCveRecord, toMoment } from './nvd-record.ts'

const WHOLE = {
  id: 'CVE-2031-0001',
  sourceIdentifier: 'security@acme.example',
  published: '2031-01-02T03:04:05.678',
  lastModified: '2031-02-03T04:05:06.789',
  vulnStatus: 'Analyzed',
  cveTags: [{ sourceIdentifier: 'x', tags: ['disputed'] }],
  descriptions: [
    { lang: 'es', value: 'otro' },
    { lang: 'en', value: 'Acme Mail allows it.' },
  ],
  metrics: {
    cvssMetricV31: [{ source: 'nvd@nist.gov', type: 'Primary', cvssData: { vectorString: 'CVSS:3.1/AV:N', baseScore: 9.8 } }],
    ssvcV203: [{ source: 'x', ssvcData: { options: [{ exploitation: 'active' }, { automatable: 'yes' }, { technicalImpact: 'total' }] } }],
  },
  weaknesses: [
    {
      description: [
        { lang: 'en', value: 'CWE-79' },
        { lang: 'en', value: 'NVD-CWE-Other' },
      ],
    },
  ],
  references: [{ url: 'https://acme.example/a', source: 'a', tags: ['Exploit'] }],
  configurations: [{ nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: 'cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*' }] }] }],
  affected: [{ source: 'x', affectedData: [{ vendor: 'Acme', product: 'Mail' }] }],
  novelty: { of: 'next year' },
}

test('a whole record is read, with or without its wrapper', () => {
  const want = {
    kind: 'cve',
    cve: {
      id: 'CVE-2031-0001',
      status: 'Analyzed',
      published: new Date('2031-01-02T03:04:05.678Z'),
      lastModified: new Date('2031-02-03T04:05:06.789Z'),
      description: 'Acme Mail allows it.',
      tags: ['disputed'],
      cwes: ['CWE-79'],
      cvss: { score: 9.8, version: '3.1', vector: 'CVSS:3.1/AV:N', source: 'nvd@nist.gov' },
      ssvc: { exploitation: 'active', automatable: 'yes', technical_impact: 'total' },
      exploit: true,
      references: [{ url: 'https://acme.example/a', tags: ['Exploit'] }],
      configurations: [
        { operator: 'OR', nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: 'cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*' }] }] },
      ],
      affected: [{ vendor: 'Acme', product: 'Mail', defaultStatus: 'unknown', versions: [] }],
    },
  }
  expect(toCveRecord(WHOLE)).toEqual(want)
  expect(toCveRecord({ cve: WHOLE })).toEqual(want)
})

// biome-ignore format: one case per line
describe('a record', () => {
  test.each([
    { title: 'needs only an id and a moment',               raw: { id: 'CVE-2031-0001', published: '2031-01-02T03:04:05.678' },        want: { kind: 'cve', cve: { status: 'Unknown', description: '', cvss: undefined } } },
    { title: 'that is deferred is kept',                    raw: { ...WHOLE, vulnStatus: 'Deferred' },                                 want: { kind: 'cve', cve: { status: 'Deferred' } } },
    { title: 'that is rejected in any case is withdrawn',   raw: { ...WHOLE, vulnStatus: 'rejected' },                                 want: { kind: 'rejected', id: 'CVE-2031-0001' } },
    { title: 'of an unknown status is kept',                raw: { ...WHOLE, vulnStatus: 'Novel' },                                    want: { kind: 'cve', cve: { status: 'Novel' } } },
    { title: 'without an id is refused',                    raw: { published: '2031-01-02' },                                          want: { kind: 'refused', reason: 'it has no CVE identifier' } },
    { title: 'with another id is refused',                  raw: { ...WHOLE, id: 'GHSA-1' },                                           want: { kind: 'refused' } },
    { title: 'without a moment is refused',                 raw: { id: 'CVE-2031-0001' },                                              want: { kind: 'refused', id: 'CVE-2031-0001' } },
    { title: 'that is no object is refused',                raw: 'x',                                                                  want: { kind: 'refused', reason: 'it is no object' } },
    { title: 'of wrong shapes loses these alone',           raw: { ...WHOLE, metrics: 7, descriptions: {}, references: 'x', configurations: 5, weaknesses: null, cveTags: [[]] }, want: { kind: 'cve', cve: { cvss: undefined, references: [], configurations: [], cwes: [] } } },
    { title: 'with NUL and half characters is cleaned',     raw: { ...WHOLE, descriptions: [{ lang: 'en', value: 'a\0b\ud800' }] },    want: { kind: 'cve', cve: { description: 'a\ufffdb\ufffd' } } },
  ])('$title', ({ raw, want }) => expect(toCveRecord(raw)).toMatchObject(want))
})

// biome-ignore format: one case per line
test.each([
  { raw: '2031-01-02T03:04:05.678',       want: '2031-01-02T03:04:05.678Z' },
  { raw: '2031-01-02T03:04:05.678Z',      want: '2031-01-02T03:04:05.678Z' },
  { raw: '2031-01-02T03:04:05.678-05:00', want: '2031-01-02T08:04:05.678Z' },
  { raw: '2031-01-02',                    want: '2031-01-02T00:00:00.000Z' },
  { raw: '2031-13-02',                    want: undefined },
  { raw: 'yesterday',                     want: undefined },
  { raw: 7,                               want: undefined },
])('the moment $raw is $want', ({ raw, want }) => expect(toMoment(raw)?.toISOString()).toBe(want))
