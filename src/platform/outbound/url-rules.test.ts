import { expect, test, vi } from 'vitest'
import { NO_ALLOWED_HOSTS, parseAllowedHosts } from './allowed-hosts.ts'
import { createOutbound } from './outbound.ts'
import { ACCEPTED_URLS, REFUSED_URLS } from './url-cases.test-support.ts'
import { judgeUrl } from './url-rules.ts'

const strict = { allowHosts: NO_ALLOWED_HOSTS }

test('there are enough cases to mean something, each once', () => {
  expect(new Set(REFUSED_URLS.map(([, url]) => url)).size).toBe(REFUSED_URLS.length)
  expect(REFUSED_URLS.length).toBeGreaterThanOrEqual(382)
  expect(ACCEPTED_URLS.length).toBeGreaterThanOrEqual(40)
})

test.each(REFUSED_URLS)('refused: %s', (_title, url) => {
  expect(judgeUrl(url, strict)).toMatchObject({ ok: false, reason: expect.stringMatching(/^[A-Z].*\.$/) })
})

test.each(ACCEPTED_URLS)('accepted: %s', (url, hostname) => {
  const verdict = judgeUrl(url, strict)
  expect(verdict.ok ? verdict.url.hostname : verdict.reason).toBe(hostname)
})

test('no reason repeats a part of the text', () => {
  for (const [, url] of REFUSED_URLS) {
    const verdict = judgeUrl(url.replace('list', 'canary-0815'), strict)
    expect(verdict.ok ? '' : verdict.reason).not.toContain('canary-0815')
  }
})

test('a refused address asks no name server and dials nothing, at registration and at a fetch', async () => {
  const resolve = vi.fn(async () => ['93.184.215.14'])
  const dial = vi.fn(() => {
    throw new Error('dialled')
  })
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const outbound = createOutbound({ ...strict, userAgent: 'svc/test', log, resolve, dial })
  for (const [, url] of REFUSED_URLS) {
    expect(outbound.judge(url).ok).toBe(false)
    await expect(outbound.download({ url, keys: {}, maxBytes: 1 })).rejects.toMatchObject({ code: 'url_forbidden', attempts: 0 })
  }
  expect(resolve).not.toHaveBeenCalled()
  expect(dial).not.toHaveBeenCalled()
})

// biome-ignore format: one case per line
test.each([
  { title: 'http to an exempt host and port',           url: 'http://127.0.0.1:9000/a',  ok: true },
  { title: 'https to an exempt host and port',          url: 'https://127.0.0.1:9000/a', ok: true },
  { title: 'another port of the host',                  url: 'http://127.0.0.1:9001/a',  ok: false },
  { title: 'the default port of the host',              url: 'http://127.0.0.1/a',       ok: false },
  { title: 'another address of the same network',       url: 'http://127.0.0.2:9000/a',  ok: false },
  { title: 'another spelling of the address',           url: 'http://127.1:9000/a',      ok: false },
  { title: 'any port of an entry without port',         url: 'http://intranet:8080/a',   ok: true },
  { title: 'an exempt name in capitals',                url: 'http://INTRANET/a',        ok: true },
  { title: 'a subdomain of an exempt name',             url: 'http://a.intranet/a',      ok: false },
  { title: 'an exempt IPv6 address in another spelling', url: 'http://[0:0:0:0:0:0:0:1]:80/', ok: true },
  { title: 'userinfo before an exempt host',            url: 'http://a:b@intranet/a',    ok: false },
  { title: 'http to a host that is not exempt',         url: 'http://example.com/',      ok: false },
])('with exemptions: $title', ({ url, ok }) => {
  expect(judgeUrl(url, { allowHosts: parseAllowedHosts('127.0.0.1:9000, Intranet,[::1]:80') }).ok).toBe(ok)
})

test.each(['*.example.com', 'http://a', 'a/b', 'a:0', 'a:99999', 'a:b', '127.1', '0x7f.1', 'a b', '[::1', 'a@b'])(
  'the setting refuses %s',
  (entry) => {
    expect(() => parseAllowedHosts(entry)).toThrow('OUTBOUND_ALLOW_HOSTS')
  },
)

test('braces in the target of a redirect are plain characters', () => {
  expect(judgeUrl('https://example.com/{x}', { ...strict, template: false }).ok).toBe(true)
})
