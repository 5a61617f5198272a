import { describe, expect, test } from 'vitest'
import { namedByPath, pageAddress, splitAddress, tryResolveRoot } from './taxii-address.ts'

describe('an address of TAXII', () => {
  test.each([
    { url: 'https://h.example/taxii2', path: 'https://h.example/taxii2/', filters: '' },
    { url: 'https://h.example/root/?key={MINE}#top', path: 'https://h.example/root/', filters: 'key={MINE}' },
    {
      url: 'https://h.example/o/?limit=5&match[type]=indicator&next=3&added_after=2026-01-01T00:00:00Z',
      path: 'https://h.example/o/',
      filters: 'match[type]=indicator',
    },
  ])('$url is split into its path and its own filters', ({ url, path, filters }) => expect(splitAddress(url)).toEqual({ path, filters }))

  test.each([
    { path: 'https://h.example/r/collections/x-1/', kind: 'objects', want: 'https://h.example/r/collections/x-1/objects/' },
    { path: 'https://h.example/r/collections/x-1/objects/', kind: 'objects', want: 'https://h.example/r/collections/x-1/objects/' },
    { path: 'https://h.example/r/collections/', kind: 'collections', want: 'https://h.example/r/collections/' },
    { path: 'https://h.example/collections/', kind: 'collections', want: 'https://h.example/collections/' },
    { path: 'https://h.example/taxii2/', kind: 'unknown', want: 'https://h.example/taxii2/' },
    { path: 'https://h.example/r/collections/x-1/manifest/', kind: 'unknown', want: 'https://h.example/r/collections/x-1/manifest/' },
  ])('$path names $kind', ({ path, kind, want }) => expect(namedByPath(path)).toEqual({ kind, path: want }))

  test('of a page carries the filters, and the words of the server safely', () => {
    const address = { path: 'https://h.example/o/', filters: 'match[type]=indicator' }
    expect(pageAddress(address, { limit: 1000 })).toBe('https://h.example/o/?match[type]=indicator&limit=1000')
    expect(pageAddress({ ...address, filters: '' }, { limit: 10, addedAfter: '2026-11-01T08:00:00Z', next: 'a&limit=1#{KEY}' })).toBe(
      'https://h.example/o/?added_after=2026-11-01T08%3A00%3A00Z&limit=10&next=a%26limit%3D1%23%7BKEY%7D',
    )
  })

  test.each([
    { root: '/root/', want: 'https://h.example/root/', title: 'a path' },
    { root: '/root', want: 'https://h.example/root/', title: 'a path without a slash' },
    { root: 'https://h.example/other/?x=1', want: 'https://h.example/other/', title: 'an address on the host' },
    { root: 'http://h.example/other/', want: 'https://h.example/other/', title: 'http on the host, in https' },
    { root: 'https://H.example:443/other/', want: 'https://h.example/other/', title: 'the host in other words' },
    { root: 'https://evil.example/root/', want: undefined, title: 'not another host' },
    { root: '//evil.example/root/', want: undefined, title: 'not another host without a scheme' },
    { root: 'https://h.example:8443/root/', want: undefined, title: 'not another port' },
    { root: 'https://u:p@h.example/root/', want: undefined, title: 'no credentials' },
    { root: 'javascript:alert(1)', want: undefined, title: 'no other scheme' },
    { root: 'https://', want: undefined, title: 'no rubbish' },
  ])('of a root may be $title', ({ root, want }) => expect(tryResolveRoot(root, 'https://h.example/taxii2/')).toBe(want))
})
