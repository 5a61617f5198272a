import { expect, test } from 'vitest'
import { chooseCvss, scoreOfVector } from './choose-cvss.ts'

const V31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const V40 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
const V2 = 'AV:N/AC:L/Au:N/C:P/I:P/A:P'
const CISA = '134c704f-9b21-4f2e-91b3-4a467353bcc0'
const given = (source: string, type: string, baseScore: unknown, vectorString: unknown = V31) => ({
  source,
  type,
  cvssData: { baseScore, vectorString },
})

// biome-ignore format: one case per line
test.each([
  { title: '3.1 comes before 3.0, 4.0 and 2.0',                  metrics: { cvssMetricV2: [given('nvd@nist.gov', 'Primary', 9.9, V2)], cvssMetricV40: [given('a', 'Primary', 9.9, V40)], cvssMetricV30: [given('a', 'Primary', 9.9)], cvssMetricV31: [given('a', 'Secondary', 5.5)] }, want: { version: '3.1', score: 5.5 } },
  { title: '3.0 comes before 4.0',                               metrics: { cvssMetricV40: [given('a', 'Primary', 9.3, V40)], cvssMetricV30: [given('a', 'Primary', 6.1)] },               want: { version: '3.0', score: 6.1 } },
  { title: '2.0 counts when there is nothing else',              metrics: { cvssMetricV2: [given('nvd@nist.gov', 'Primary', 7.5, V2)] },                                                  want: { version: '2.0', score: 7.5 } },
  { title: 'NVD wins over a vendor, Secondary or not',           metrics: { cvssMetricV31: [given('vendor', 'Secondary', 5.5), given('nvd@nist.gov', 'Secondary', 10)] },                 want: { source: 'nvd@nist.gov', score: 10 } },
  { title: 'NVD wins over a Primary of a vendor',                metrics: { cvssMetricV31: [given('vendor', 'Primary', 9.4), given('nvd@nist.gov', 'Secondary', 7.5)] },                  want: { source: 'nvd@nist.gov', score: 7.5 } },
  { title: 'a Primary wins over CISA',                           metrics: { cvssMetricV31: [given(CISA, 'Secondary', 9), given('vendor', 'Primary', 5)] },                                want: { source: 'vendor', score: 5 } },
  { title: 'CISA wins over others',                              metrics: { cvssMetricV31: [given('vendor', 'Secondary', 9), given(CISA, 'Secondary', 5)] },                              want: { source: CISA, score: 5 } },
  { title: 'else the highest',                                   metrics: { cvssMetricV31: [given('a', 'Secondary', 5), given('b', 'Secondary', 6)] },                                    want: { source: 'b', score: 6 } },
  { title: 'a 4.0 score is worked out from its vector',          metrics: { cvssMetricV40: [given('a', 'Primary', 1.0, V40)] },                                                           want: { version: '4.0', score: 9.3 } },
  { title: 'a 4.0 vector with an unknown word keeps the score',  metrics: { cvssMetricV40: [given('a', 'Primary', 6.9, `${V40}/S:SAFETY`)] },                                             want: { version: '4.0', score: 6.9, vector: `${V40}/S:SAFETY` } },
  { title: 'a missing score comes from the vector',              metrics: { cvssMetricV31: [given('a', 'Primary', undefined)] },                                                          want: { version: '3.1', score: 9.8 } },
  { title: 'a score out of range is none',                       metrics: { cvssMetricV31: [given('a', 'Primary', 99, 'x')], cvssMetricV2: [given('a', 'Primary', 5, V2)] },               want: { version: '2.0', score: 5 } },
])('$title', ({ metrics, want }) => expect(chooseCvss(metrics)).toMatchObject(want))

test.each([
  undefined,
  null,
  [],
  'x',
  {},
  { cvssMetricV31: 'x' },
  { cvssMetricV31: [null, {}, { cvssData: 5 }] },
  { ssvcV203: [{ ssvcData: {} }] },
])('metrics %j give no score', (metrics) => expect(chooseCvss(metrics)).toBeUndefined())

// biome-ignore format: one case per line
test.each([
  { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', want: 10 },
  { version: '3.0', vector: 'CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', want: 7.8 },
  { version: '2.0', vector: V2,                                             want: 7.5 },
  { version: '4.0', vector: V40,                                            want: 9.3 },
  { version: '3.1', vector: 'CVSS:3.1/nonsense',                            want: undefined },
  { version: '3.1', vector: '',                                             want: undefined },
] as const)('the vector $vector of $version amounts to $want', ({ version, vector, want }) => expect(scoreOfVector(vector, version)).toBe(want))
