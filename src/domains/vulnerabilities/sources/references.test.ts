import { expect, test } from 'vitest'
import { hasPublicExploit, toReferences } from './references.ts'

test('an address that two sources repeat is one reference with the tags of both', () => {
  const url = 'https://acme.example/a'
  expect(toReferences([{ url, tags: ['Patch'] }, { url: 'https://acme.example/b' }, { url, tags: ['Exploit', 'Patch'] }])).toEqual([
    { url, tags: ['Exploit', 'Patch'] },
    { url: 'https://acme.example/b', tags: [] },
  ])
})

test.each(['javascript:alert(1)', 'data:text/html,x', ' https://a.example', 'file:///etc/passwd', `https://${'a'.repeat(3000)}`, 7, null])(
  'the address %s is no reference',
  (url) => expect(toReferences([{ url }])).toEqual([]),
)

// biome-ignore format: one case per line
test.each([
  { url: 'https://acme.example/a',                                                  tags: ['Exploit'],   want: true },
  { url: 'https://acme.example/a',                                                  tags: ['VDB Entry'], want: false },
  { url: 'https://www.exploit-db.com/exploits/50000',                               tags: [],            want: true },
  { url: 'http://packetstormsecurity.com/files/165225/x.html',                      tags: ['VDB Entry'], want: true },
  { url: 'https://packetstorm.news/files/id/190000',                                tags: [],            want: true },
  { url: 'https://www.rapid7.com/db/modules/exploit/multi/x',                       tags: [],            want: true },
  { url: 'https://github.com/someone/CVE-2031-0001',                                tags: [],            want: true },
  { url: 'https://github.com/someone/acme-poc',                                     tags: [],            want: true },
  { url: 'https://github.com/acme/mail/issues/7',                                   tags: [],            want: false },
  { url: 'https://github.com/acme/mail/security/advisories?q=exploit',              tags: [],            want: false },
  { url: 'https://www.exploit-db.com/about',                                        tags: [],            want: false },
])('$url with tags $tags is an exploit: $want', ({ url, tags, want }) => expect(hasPublicExploit([{ url, tags }])).toBe(want))
