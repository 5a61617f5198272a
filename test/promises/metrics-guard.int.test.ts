import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const TOKEN = randomBytes(24).toString('hex')
const PROXY = '10.0.0.1'
const STRANGER = '203.0.113.66'
/** Of a database: anybody may name a feed. */
const HOSTILE_NAMES = [
  'a"b',
  'a\\b',
  'a\nb',
  '"} 1\nsvc_database_up 0\n#',
  '{feed="x"}',
  'a\\',
  '# HELP svc_x y',
  '🦠 Übel',
  '\\n',
  "'; --",
]
const FEEDS = 1000
const PATHS = 1000

let app: TestApp
let tokenless: TestApp
beforeAll(async () => {
  ;[app, tokenless] = await Promise.all([
    createTestApp({ METRICS_TOKEN: TOKEN, FORWARDED_ALLOW_IPS: `127.0.0.1, ${PROXY}` }),
    createTestApp(),
  ])
})
afterAll(async () => {
  await Promise.all([app.close(), tokenless.close()])
})

type Case = { title: string; peer: string; headers?: Record<string, string>; on?: 'tokenless'; want: 200 | 401 }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

// biome-ignore format: one case per line
const CASES: Case[] = [
  { title: 'the token, from outside',                               peer: STRANGER,        headers: bearer(TOKEN),                                                    want: 200 },
  { title: 'the token through a proxy',                             peer: PROXY,           headers: { ...bearer(TOKEN), 'x-forwarded-for': STRANGER },                 want: 200 },
  { title: 'no token, from outside',                                peer: STRANGER,                                                                                   want: 401 },
  { title: 'no token, from outside on an IPv4-mapped socket',       peer: `::ffff:${STRANGER}`,                                                                       want: 401 },
  { title: 'no token, from outside over IPv6',                      peer: '2606:4700::1111',                                                                          want: 401 },
  { title: 'no token, from this machine',                           peer: '127.0.0.1',                                                                                want: 200 },
  { title: 'no token, from this machine over IPv6',                 peer: '::1',                                                                                      want: 200 },
  { title: 'no token, from a private network',                      peer: '192.168.7.9',                                                                              want: 200 },
  { title: 'no token, from a private network of IPv6',              peer: 'fd12:3456::1',                                                                             want: 200 },
  { title: 'no token, an outside client through a proxy',           peer: PROXY,           headers: { 'x-forwarded-for': STRANGER },                                  want: 401 },
  { title: 'no token, an outside client that claims to be inside',  peer: PROXY,           headers: { 'x-forwarded-for': `127.0.0.1, ${STRANGER}` },                  want: 401 },
  { title: 'no token, an inside client through a proxy',            peer: PROXY,           headers: { 'x-forwarded-for': '192.168.7.9' },                             want: 200 },
  { title: 'no token, through an inside proxy that is not trusted', peer: '192.168.7.9',   headers: { 'x-forwarded-for': STRANGER },                                  want: 401 },
  { title: 'no token, through a proxy that says Forwarded',         peer: '192.168.7.9',   headers: { forwarded: `for=${STRANGER}` },                                 want: 401 },
  { title: 'no token, through a proxy that says X-Real-IP',         peer: '192.168.7.9',   headers: { 'x-real-ip': STRANGER },                                        want: 401 },
  { title: 'no token, through a proxy that says Via',               peer: '127.0.0.1',     headers: { via: '1.1 proxy' },                                             want: 401 },
  { title: 'no token, a trusted proxy that passes on rubbish',      peer: PROXY,           headers: { 'x-forwarded-for': 'garbage' },                                 want: 401 },
  { title: 'an outside client that claims to be this machine',      peer: STRANGER,        headers: { 'x-forwarded-for': '127.0.0.1' },                               want: 401 },
  { title: 'a wrong token, from outside',                           peer: STRANGER,        headers: bearer(`${TOKEN}x`),                                              want: 401 },
  { title: 'a wrong token, from inside',                            peer: '127.0.0.1',     headers: bearer(TOKEN.slice(1)),                                           want: 401 },
  { title: 'an empty token',                                        peer: STRANGER,        headers: { authorization: 'Bearer ' },                                     want: 401 },
  { title: 'the token in another scheme',                           peer: STRANGER,        headers: { authorization: `Basic ${TOKEN}` },                              want: 401 },
  { title: 'an empty token where none is set',                      peer: STRANGER,        headers: { authorization: 'Bearer ' }, on: 'tokenless',                     want: 401 },
  { title: 'the word undefined where none is set',                  peer: STRANGER,        headers: bearer('undefined'), on: 'tokenless',                              want: 401 },
  { title: 'no token where none is set, from outside',              peer: STRANGER,        on: 'tokenless',                                                           want: 401 },
  { title: 'no token where none is set, from inside',               peer: '172.18.0.3',    on: 'tokenless',                                                           want: 200 },
]

describe('/metrics opens to the token and to the internal network alone', () => {
  test.each(CASES)('$title', async ({ peer, headers = {}, on, want }) => {
    const { app: http } = on === 'tokenless' ? tokenless : app
    const answer = await http.inject({ method: 'GET', url: '/metrics', remoteAddress: peer, headers })
    expect(answer.statusCode).toBe(want)
    if (want === 200) expect(answer.body).toContain('\nsvc_database_up 1\n')
    else expect(answer.body).not.toContain('svc_')
    if (want === 401) expect(answer.headers['www-authenticate']).toContain('Bearer')
  })

  test('an access token of the API is another key', async () => {
    const headers = bearer(app.tokens.ADMIN)
    expect((await app.app.inject({ method: 'GET', url: '/metrics', remoteAddress: STRANGER, headers })).statusCode).toBe(401)
  })
})

/** A scrape, line by line; each line must be one that Prometheus reads. */
async function scrape(): Promise<string[]> {
  const answer = await app.app.inject({ method: 'GET', url: '/metrics', headers: bearer(TOKEN) })
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = answer.body.split('\n').filter(Boolean)
  const odd = lines.filter(
    (line) =>
      !/^# (HELP|TYPE) svc_[a-z0-9_]+ ./.test(line) &&
      !/^svc_[a-z0-9_]+(\{([a-z]+="([^"\\\n]|\\[\\"n])*",?)+\})? (-?[0-9.]+(e[+-]?[0-9]+)?|NaN|[+-]Inf)$/.test(line),
  )
  expect(odd).toEqual([])
  return lines.filter((line) => !line.startsWith('#'))
}
const seriesOf = (lines: string[]) => new Set(lines.map((line) => line.slice(0, line.lastIndexOf(' '))))

test(`${PATHS} made-up addresses make one series`, async () => {
  const before = seriesOf(await scrape())
  for (let count = 0; count < PATHS; count++) {
    const url = `/${count % 2 === 0 ? 'api/v1/' : ''}${randomBytes(8).toString('hex')}${count % 3 === 0 ? '?q="}' : ''}`
    const answer = await app.app.inject({ method: count % 5 === 0 ? 'DELETE' : 'GET', url })
    expect(answer.statusCode).toBe(404)
  }
  const added = [...seriesOf(await scrape())].filter((series) => !before.has(series))
  expect(added).toEqual(['svc_http_requests_total{method="(any)",route="(unknown)",status="404"}'])
})

test('requests are counted by the template of their route', async () => {
  await app.call('GET', `/api/v1/feeds/${newId()}`, 'VIEWER')
  await app.call('GET', '/api/v1/feeds')
  const lines = await scrape()
  expect(lines).toContain('svc_http_requests_total{method="GET",route="/api/v1/feeds/:id",status="404"} 1')
  expect(lines.find((line) => line.startsWith('svc_auth_refusals_total{code="token_missing"}'))).toBeDefined()
})

test(`${FEEDS} feeds are told apart by their names, hostile ones included`, async () => {
  const { services } = app
  // Straight into the tables: the API would refuse control characters in a name, and a restored base may hold them.
  for (let count = 0; count < FEEDS; count++) {
    const name = HOSTILE_NAMES[count] ?? `feed ${count}`
    const id = newId()
    await services.db.insertInto('sources').values({ id, name, kind: 'FEED', feed_type: 'other', reliability: 'C' }).execute()
    await services.db
      .insertInto('threat_feeds')
      .values({
        id,
        url: 'https://lists.example.org/a',
        format: 'CSV',
        is_active: true,
        frequency: 3600,
        parser: '{}',
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute()
  }
  const lines = await scrape()
  const named = lines.filter((line) => line.startsWith('svc_feed_state{'))
  expect(new Set(named).size).toBe(FEEDS)
  expect(lines).toContain('svc_feed_state{feed="\\"} 1\\nsvc_database_up 0\\n#",state="PENDING"} 1')
  expect(lines).toContain(`svc_feeds_due ${FEEDS}`)
  expect(lines.filter((line) => line.startsWith('svc_database_up'))).toEqual(['svc_database_up 1'])
})

test('every series begins with svc_, and those that the specification names are there', async () => {
  const names = new Set((await scrape()).map((line) => line.split(/[{ ]/)[0]))
  for (const name of [
    'svc_http_requests_total',
    'svc_http_request_duration_seconds_bucket',
    'svc_indicators_active',
    'svc_alerts_open',
    'svc_cve_sync_success_timestamp_seconds',
    'svc_feeds',
    'svc_feed_state',
    'svc_collections_24h',
    'svc_collection_rows_24h',
    'svc_collection_duration_24h_seconds',
    'svc_feed_queue_age_seconds',
    'svc_auth_refusals_total',
    'svc_database_up',
    'svc_database_connections',
  ])
    expect(names).toContain(name)
})

test('without a database it says so, and still tells what the process knows', async () => {
  const { services } = tokenless
  await services.db.destroy()
  await sleep(0)
  const answer = await tokenless.app.inject({ method: 'GET', url: '/metrics' })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('\nsvc_database_up 0\n')
  expect(answer.body).toContain('svc_http_requests_total')
  expect(answer.body).not.toContain('svc_feeds')
})
