import { expect, it } from 'vitest'
import { splitSubjects } from './split-subjects.ts'

it.each([
  ['nothing', ' \n ', [], []],
  ['identifiers in any case, each once', 'cve-2031-0001, CVE-2031-0001', ['CVE-2031-0001'], []],
  ['values in lines', 'evil[.]example\n198.51.100.7', [], ['evil[.]example', '198.51.100.7']],
  ['both, mixed', 'CVE-2031-0001; a.example.com CVE-2031-x', ['CVE-2031-0001'], ['a.example.com', 'CVE-2031-x']],
])('takes %s', (_what, pasted, cveIds, values) => expect(splitSubjects(pasted)).toEqual({ cveIds, values }))
