import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireSafeSettings } from '#entrypoints/setting-rules.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { runSvc } from '../support/svc-process.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PROXY = '10.0.0.1'
const PROXY_2 = '10.200.3.4'
const PROXY_6 = '2001:db8:ffff::1'
const STRANGER = '203.0.113.66'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ FORWARDED_ALLOW_IPS: '127.0.0.1, 10.0.0.0/8, 2001:db8:ffff::/48', RATE_LIMIT_PER_ADDRESS: '100000' })
})
afterAll(async () => await app.close())

type Case = { title: string; peer: string; header?: string | string[]; others?: Record<string, string>; client: string }
const CASES: Case[] = [
  { title: 'no header', peer: STRANGER, client: STRANGER },
  { title: 'no header, from a proxy', peer: PROXY, client: PROXY },
  { title: 'a stranger claims another address', peer: STRANGER, header: '192.0.2.1', client: STRANGER },
  { title: 'a stranger claims loopback', peer: STRANGER, header: '127.0.0.1', client: STRANGER },
  { title: 'a stranger claims a proxy', peer: STRANGER, header: PROXY, client: STRANGER },
  { title: 'a stranger claims a chain', peer: STRANGER, header: `192.0.2.1, ${PROXY}`, client: STRANGER },
  { title: 'an address just outside the range', peer: '11.0.0.1', header: '192.0.2.1', client: '11.0.0.1' },
  { title: 'an IPv6 stranger', peer: '2001:db8:fffe::1', header: '192.0.2.1', client: '2001:db8:fffe::1' },
  { title: 'one hop', peer: PROXY, header: '192.0.2.1', client: '192.0.2.1' },
  { title: 'one hop from the first address of the range', peer: '10.0.0.0', header: '192.0.2.1', client: '192.0.2.1' },
  { title: 'one hop from the last address of the range', peer: '10.255.255.255', header: '192.0.2.1', client: '192.0.2.1' },
  { title: 'one hop, an IPv6 client', peer: PROXY, header: '2001:db8:5::9', client: '2001:db8:5::9' },
  { title: 'an IPv6 proxy', peer: PROXY_6, header: '192.0.2.1', client: '192.0.2.1' },
  { title: 'a proxy on an IPv4-mapped socket', peer: `::ffff:${PROXY}`, header: '192.0.2.1', client: '192.0.2.1' },
  { title: 'a stranger on an IPv4-mapped socket', peer: `::ffff:${STRANGER}`, header: '192.0.2.1', client: STRANGER },
  { title: 'two proxies', peer: PROXY, header: `192.0.2.1, ${PROXY_2}`, client: '192.0.2.1' },
  { title: 'two proxies of both families', peer: PROXY, header: `192.0.2.1, ${PROXY_6}`, client: '192.0.2.1' },
  { title: 'the client has put an address before its own', peer: PROXY, header: '198.51.100.1, 192.0.2.1', client: '192.0.2.1' },
  { title: 'the client has put loopback before its own', peer: PROXY, header: '127.0.0.1, 192.0.2.1', client: '192.0.2.1' },
  { title: 'the client has put a proxy before its own', peer: PROXY, header: `${PROXY_2}, 192.0.2.1`, client: '192.0.2.1' },
  { title: 'a stranger between two proxies', peer: PROXY, header: `192.0.2.1, ${STRANGER}, ${PROXY_2}`, client: STRANGER },
  { title: 'proxies all the way', peer: PROXY, header: `10.1.1.1, ${PROXY_2}`, client: '10.1.1.1' },
  { title: 'text', peer: PROXY, header: 'garbage', client: PROXY },
  { title: 'text behind a good address', peer: PROXY, header: '192.0.2.1, garbage', client: PROXY },
  { title: 'text before a good address', peer: PROXY, header: 'garbage, 192.0.2.1', client: '192.0.2.1' },
  { title: 'text between proxies', peer: PROXY, header: `192.0.2.1, garbage, ${PROXY_2}`, client: PROXY_2 },
  { title: 'the word unknown', peer: PROXY, header: 'unknown', client: PROXY },
  { title: 'a port', peer: PROXY, header: '192.0.2.1:4711', client: PROXY },
  { title: 'an IPv6 address with a port', peer: PROXY, header: '[2001:db8::1]:4711', client: PROXY },
  { title: 'brackets', peer: PROXY, header: '[2001:db8::1]', client: PROXY },
  { title: 'quotes', peer: PROXY, header: '"192.0.2.1"', client: PROXY },
  { title: 'the form of Forwarded', peer: PROXY, header: 'for=192.0.2.1', client: PROXY },
  { title: 'an octal address', peer: PROXY, header: '0300.0.2.1', client: PROXY },
  { title: 'leading zeros', peer: PROXY, header: '192.000.002.001', client: PROXY },
  { title: 'a hexadecimal address', peer: PROXY, header: '0xc0000201', client: PROXY },
  { title: 'a number', peer: PROXY, header: '3221225985', client: PROXY },
  { title: 'a short form', peer: PROXY, header: '192.1', client: PROXY },
  { title: 'an octet that is too large', peer: PROXY, header: '192.0.2.256', client: PROXY },
  { title: 'a range', peer: PROXY, header: '192.0.2.0/24', client: PROXY },
  { title: 'a zone', peer: PROXY, header: 'fe80::1%eth0', client: PROXY },
  { title: 'an empty header', peer: PROXY, header: '', client: PROXY },
  { title: 'an empty last entry', peer: PROXY, header: '192.0.2.1,', client: PROXY },
  { title: 'blanks and tabs around', peer: PROXY, header: ' \t192.0.2.1\t ', client: '192.0.2.1' },
  { title: 'an IPv4-mapped client', peer: PROXY, header: '::ffff:192.0.2.1', client: '192.0.2.1' },
  { title: 'an IPv4-mapped proxy in the chain', peer: PROXY, header: `192.0.2.1, ::ffff:${PROXY_2}`, client: '192.0.2.1' },
  { title: 'upper case and leading zeros in IPv6', peer: PROXY, header: '2001:0DB8:0005:0:0:0:0:0009', client: '2001:db8:5::9' },
  {
    title: 'other headers that name a client',
    peer: PROXY,
    others: {
      'x-real-ip': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
      'client-ip': '192.0.2.1',
      'cf-connecting-ip': '192.0.2.1',
      'true-client-ip': '192.0.2.1',
    },
    client: PROXY,
  },
  { title: 'two headers', peer: PROXY, header: ['198.51.100.1', '192.0.2.1'], client: '192.0.2.1' },
  { title: 'two headers of which the stranger sent both', peer: STRANGER, header: ['198.51.100.1', '192.0.2.1'], client: STRANGER },
]

/** What is left of an address's count, so that two requests show whether they were counted as one. */
async function leftAfter(peer: string, headers: Record<string, string | string[]> = {}): Promise<{ left: number; requestId: string }> {
  const answer = await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    remoteAddress: peer,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username: `nobody-${randomUUID().slice(0, 8)}`, password: 'not a password at all' }).toString(),
  })
  const left = /;r=(\d+);/.exec(String(answer.headers['ratelimit']))?.[1]
  return { left: Number(left), requestId: String(answer.headers['x-request-id']) }
}

describe('D12: X-Forwarded-For counts only from trusted proxies', () => {
  test.each(CASES)('$title: the journal, the access line and the limit see $client', async ({ peer, header, others, client }) => {
    const before = await leftAfter(client)
    const { left, requestId } = await leftAfter(peer, { ...others, ...(header === undefined ? {} : { 'x-forwarded-for': header }) })
    const row = await app.services.db
      .selectFrom('audit_events')
      .select('client_ip')
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow()
    const line = app.logLines
      .map((text) => JSON.parse(text))
      .find(({ event, request_id }) => event === 'http.request' && request_id === requestId)
    expect({ journal: row.client_ip, line: line.client, limit: before.left - left }).toEqual({ journal: client, line: client, limit: 1 })
  })

  test('two headers on a real connection', async () => {
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    const address = app.app.server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const requestId = `two-headers-${randomUUID()}`
    await new Promise<void>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: '/health' }, (answer) => answer.resume().on('end', resolve))
      sent.on('error', reject)
      sent.setHeader('x-forwarded-for', ['198.51.100.1', '192.0.2.77'])
      sent.setHeader('x-request-id', requestId)
      sent.end()
    })
    const line = app.logLines.map((text) => JSON.parse(text)).find(({ request_id }) => request_id === requestId)
    expect(line).toMatchObject({ client: '192.0.2.77' })
  })

  test.each([
    { setting: '*', good: false },
    { setting: '127.0.0.1,*', good: false },
    { setting: 'localhost', good: false },
    { setting: 'proxy.internal', good: false },
    { setting: '0.0.0.0/0', good: false },
    { setting: '::/0', good: false },
    { setting: '10.0.0.1/8', good: false },
    { setting: '::ffff:10.0.0.0/8', good: false },
    { setting: '10.0.0.0/33', good: false },
    { setting: '127.0.0.1:8000', good: false },
    { setting: '', good: true },
    { setting: '10.0.0.0/8, fc00::/7', good: true },
    { setting: '::ffff:10.0.0.0/104', good: true },
  ])('FORWARDED_ALLOW_IPS "$setting": started: $good', ({ setting, good }) => {
    const config = loadConfig({ SVC_ENV_FILE: '', FORWARDED_ALLOW_IPS: setting }, '/')
    const start = (): void => requireSafeSettings(config, { embedded: false })
    if (good) expect(start).not.toThrow()
    else expect(start).toThrow('FORWARDED_ALLOW_IPS')
  })

  test.each([[['serve']], [['feeds', 'worker', '--once']]])(
    'svc %s does not start with a bad value, and does not repeat it',
    async (args) => {
      const { code, stdout, stderr } = await runSvc(args, {
        DATABASE_URL: app.database.appUrl,
        SECRET_KEY: 'key of the tests '.repeat(3),
        PORT: '0',
        FORWARDED_ALLOW_IPS: '::ffff:10.0.0.0/8',
      })
      expect(code).not.toBe(0)
      expect(stderr).toContain('FORWARDED_ALLOW_IPS')
      expect(stdout + stderr).not.toContain('10.0.0.0/8')
    },
  )
})
