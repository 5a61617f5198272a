import { expect, test } from 'vitest'
import { detectSource } from './detect-source.ts'

// biome-ignore format: one case per line
test.each([
  { title: 'the comment line of EPSS',    text: '#model_version:v1,score_date:2031-01-01\ncve,epss,percentile\n', want: 'EPSS' },
  { title: 'the columns of EPSS',         text: 'cve,epss,percentile\n',                                          want: 'EPSS' },
  { title: 'an answer of the EPSS API',   text: '{"status":"OK","data":[{"cve":"CVE-2031-0001","epss":"0.1"}]}',  want: 'EPSS' },
  { title: 'the KEV catalogue',           text: '{\n "title": "x",\n "catalogVersion": "2031.01.01",',           want: 'KEV' },
  { title: 'an answer of NVD',            text: '{"resultsPerPage":1,"vulnerabilities":[{"cve":{',                want: 'NVD' },
  { title: 'a container of records',      text: '{"cve_items":[',                                                 want: 'NVD' },
  { title: 'one record',                  text: '{"id":"CVE-2031-0001"',                                          want: 'NVD' },
])('$title is of $want', ({ text, want }) => expect(detectSource(text)).toBe(want))
