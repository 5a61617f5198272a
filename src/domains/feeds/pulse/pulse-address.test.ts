import { expect, test } from 'vitest'
import { listAddress, pageAddress, parsePulseBase, requirePulseHost } from './pulse-address.ts'

const BASE = 'https://pulses.example.org'

// biome-ignore format: one case per line
test.each([
  { title: 'the bare host means the subscriptions',  url: BASE,                                                  want: `${BASE}/api/v1/pulses/subscribed?limit=20&page=2` },
  { title: 'the same with a slash',                  url: `${BASE}/`,                                            want: `${BASE}/api/v1/pulses/subscribed?limit=20&page=2` },
  { title: 'a list keeps its path',                  url: `${BASE}/api/v1/pulses/user/someone`,                  want: `${BASE}/api/v1/pulses/user/someone?limit=20&page=2` },
  { title: 'filters stay, the walk\'s own go',       url: `${BASE}/list?q=a%20b&page=9&limit=1&modified_since=x#f`, want: `${BASE}/list?q=a%20b&limit=20&page=2` },
  { title: 'a placeholder stays unfilled',           url: `${BASE}/list?k={NAME}`,                               want: `${BASE}/list?k={NAME}&limit=20&page=2` },
])('$title', ({ url, want }) => {
  expect(pageAddress(listAddress(url), { page: 2, limit: 20 })).toBe(want)
})

test('the moment that is asked after is written without a zone, as the provider writes its own', () => {
  expect(pageAddress(listAddress(BASE), { page: 1, limit: 20, modifiedSince: '2026-11-01T08:09:10.999Z' })).toBe(
    `${BASE}/api/v1/pulses/subscribed?limit=20&page=1&modified_since=2026-11-01T08%3A09%3A10`,
  )
})

// biome-ignore format: one case per line
test.each([
  { title: 'the provider',                url: `${BASE}/list`,                      ok: true },
  { title: 'its default port, written',   url: 'https://pulses.example.org:443/x',  ok: true },
  { title: 'another port',                url: 'https://pulses.example.org:8443/x', ok: false },
  { title: 'another scheme',              url: 'http://pulses.example.org/x',       ok: false },
  { title: 'a name below',                url: 'https://a.pulses.example.org/',     ok: false },
  { title: 'a name that begins like it',  url: 'https://pulses.example.org.test/',  ok: false },
])('$title may be a pulse feed: $ok', ({ url, ok }) => {
  const ask = () => requirePulseHost(new URL(url), parsePulseBase(BASE))
  if (ok) ask()
  else expect(ask).toThrow(expect.objectContaining({ code: 'pulse_host_required' }))
})

test.each(['', 'pulses.example.org', 'ftp://pulses.example.org', 'https://me@pulses.example.org', 'https://pulses.example.org?key=1'])(
  'PULSE_BASE_URL must not be %s',
  (setting) => expect(() => parsePulseBase(setting)).toThrow(expect.objectContaining({ code: 'setting_invalid' })),
)
