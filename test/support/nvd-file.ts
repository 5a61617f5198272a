import { HOSTILE_TEXTS } from './hostile-text.ts'

/** Records as NVD publishes them, for pages: two that are exploited, and one whose every text is hostile. */
export const KEV_CVE = 'CVE-2026-10001'
export const PLAIN_CVE = 'CVE-2026-10002'
export const HOSTILE_CVE = 'CVE-2026-10003'

const cvss = (baseScore: number) => ({
  cvssMetricV31: [
    { source: 'nvd@nist.gov', type: 'Primary', cvssData: { baseScore, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' } },
  ],
})

function record(id: string, cve: object): object {
  const dates = { published: '2026-01-02T03:04:05.000', lastModified: '2026-02-03T04:05:06.000' }
  return { cve: { id, vulnStatus: 'Analyzed', ...dates, weaknesses: [], references: [], configurations: [], ...cve } }
}

const cpe = (product: string) => `cpe:2.3:a:example:${product}:*:*:*:*:*:*:*:*`

const RECORDS = [
  record(KEV_CVE, {
    descriptions: [{ lang: 'en', value: 'The gateway of Example lets anybody in.' }],
    metrics: cvss(9.8),
    references: [
      { url: 'https://example.org/advisory', source: 'a', tags: ['Vendor Advisory'] },
      { url: 'https://example.org/poc', source: 'a', tags: ['Exploit'] },
    ],
    configurations: [
      {
        nodes: [
          { operator: 'OR', negate: false, cpeMatch: [{ vulnerable: true, criteria: cpe('gateway'), versionEndExcluding: '2.4.1' }] },
        ],
      },
    ],
  }),
  record(PLAIN_CVE, { descriptions: [{ lang: 'en', value: 'A small leak in Example.' }], metrics: cvss(4.3) }),
  record(HOSTILE_CVE, {
    descriptions: [{ lang: 'en', value: HOSTILE_TEXTS.join('\n') }],
    metrics: cvss(9.1),
    cveTags: HOSTILE_TEXTS.map((tag) => ({ sourceIdentifier: tag, tags: [tag] })),
    references: [
      ...HOSTILE_TEXTS.map((text) => ({ url: text, source: text, tags: [text] })),
      ...HOSTILE_TEXTS.map((text, n) => ({
        url: `https://example.org/${n}?${encodeURIComponent(text)}`,
        source: text,
        tags: [text, 'Exploit'],
      })),
    ],
    affected: [
      {
        source: 'x',
        affectedData: HOSTILE_TEXTS.map((text) => ({
          vendor: text,
          product: text,
          platforms: [text],
          defaultStatus: 'unaffected',
          versions: [{ version: text, lessThan: text, status: 'affected' }],
        })),
      },
    ],
  }),
]

/** A file of NVD. */
export const NVD_FILE = JSON.stringify({
  resultsPerPage: RECORDS.length,
  startIndex: 0,
  totalResults: RECORDS.length,
  format: 'NVD_CVE',
  version: '2.0',
  timestamp: '2026-03-01T00:00:00.000',
  vulnerabilities: RECORDS,
})

const kevEntry = (cveID: string, text: string) => ({
  cveID,
  vendorProject: text,
  product: text,
  vulnerabilityName: text,
  dateAdded: '2026-02-01',
  shortDescription: text,
  requiredAction: text,
  dueDate: '2026-02-22',
  knownRansomwareCampaignUse: 'Known',
  notes: '',
})
const KEV_ENTRIES = [kevEntry(KEV_CVE, 'Apply the update of Example.'), kevEntry(HOSTILE_CVE, HOSTILE_TEXTS[0] ?? '')]

/** A catalogue of CISA. */
export const KEV_FILE = JSON.stringify({
  title: 'Catalogue',
  catalogVersion: '2026.03.01',
  dateReleased: '2026-03-01T00:00:00.000Z',
  count: KEV_ENTRIES.length,
  vulnerabilities: KEV_ENTRIES,
})
