import { expect, test } from 'vitest'
import { kevStub } from './kev-stub.ts'

test('a CVE that only KEV names is described by its name there, and any record of NVD is newer', () => {
  expect(kevStub({ cve_id: 'CVE-2031-12345', name: 'Acme Mail, Acme mail flaw', date_added: '2031-04-05' })).toEqual({
    id: 'CVE-2031-12345',
    description: 'Acme Mail, Acme mail flaw',
    words: ['acme', 'mail', 'flaw'],
    published: '2031-04-05T00:00:00.000Z',
    last_modified: '1999-01-01T00:00:00.000Z',
  })
})

test('a day that is none costs itself alone', () => {
  expect(kevStub({ cve_id: 'CVE-2031-1234', name: '', date_added: 'soon' }).published).toBe('1999-01-01T00:00:00.000Z')
})
