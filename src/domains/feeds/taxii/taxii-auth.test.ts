import { describe, expect, test } from 'vitest'
import { authorizationFor, parseTaxiiAuth } from './taxii-auth.ts'

describe('the credentials of TAXII servers', () => {
  const auth = parseTaxiiAuth(
    '{"Taxii.example.org": {"username": "reader", "password": "p:w"}, "taxii.example.org:8443": {"token": "abc.def"}, "[2001:db8::1]": {"token": "six"}}',
  )

  test.each([
    {
      url: 'https://taxii.example.org/taxii2/',
      want: `Basic ${Buffer.from('reader:p:w').toString('base64')}`,
      title: 'a host in any case',
    },
    { url: 'https://taxii.example.org:9443/', want: `Basic ${Buffer.from('reader:p:w').toString('base64')}`, title: 'every port of it' },
    { url: 'https://taxii.example.org:8443/', want: 'Bearer abc.def', title: 'a port of its own before the host' },
    { url: 'https://[2001:db8::1]/', want: 'Bearer six', title: 'an address' },
    { url: 'https://other.example.org/', want: undefined, title: 'no other host' },
    { url: 'https://sub.taxii.example.org/', want: undefined, title: 'no subdomain' },
    { url: 'https://taxii.example.org.evil.example/', want: undefined, title: 'no host that begins alike' },
  ])('are for $title', ({ url, want }) => expect(authorizationFor(auth, new URL(url))).toBe(want))

  test.each([undefined, '', '  ', '{}'])('may be left out: %j', (setting) => expect(parseTaxiiAuth(setting).byHost.size).toBe(0))

  test.each([
    'not json with s3cret',
    '[]',
    '"s3cret"',
    '{"https://h.example/": {"token": "s3cret"}}',
    '{"h.example/path": {"token": "s3cret"}}',
    '{"h.example": "s3cret"}',
    '{"h.example": null}',
    '{"h.example": {"username": "s3cret"}}',
    '{"h.example": {"username": "u", "password": ""}}',
    '{"h.example": {"username": "u:s3cret", "password": "p"}}',
    '{"h.example": {"token": "s3cret\\r\\nX-Other: 1"}}',
    '{"h.example": {"token": "s3cret", "username": "u", "password": "p"}}',
  ])('are refused without being told: %s', (setting) => {
    expect(() => parseTaxiiAuth(setting)).toThrow(expect.objectContaining({ code: 'setting_invalid' }))
    expect(() => parseTaxiiAuth(setting)).not.toThrow('s3cret')
  })
})
