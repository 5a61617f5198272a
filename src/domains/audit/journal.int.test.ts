import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#kernel/actor.ts'
import { MS_PER_HOUR } from '#kernel/clock.ts'
import { transact } from '#platform/database/transact.ts'
import { changeBehindTriggers } from '#test/support/journal.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import type { AuditEntry, AuditEvent } from './audit.model.ts'
import { pageAuditEvents } from './audit.store.ts'
import type { AuditPage } from './journal.service.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

const ANA: Actor = { name: 'Ana', role: 'ADMIN', clientIp: '198.51.100.7', requestId: 'request-of-ana' }
const BEN: Actor = { name: 'ben', role: 'ANALYST', requestId: 'request-of-ben' }

async function journal(actor: Actor, entry: AuditEntry): Promise<void> {
  const { SILENT_LOGGING } = await import('#platform/logging/logger.ts')
  await transact(app.services.db, SILENT_LOGGING.for('svc.audit'), async (tx) => await app.services.audit.record(tx, actor, entry))
}

async function read(query: string): Promise<AuditPage> {
  const answer = await app.call('GET', `/api/v1/audit${query}`, 'ADMIN')
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

beforeEach(async () => {
  await changeBehindTriggers(app.database.ownerUrl, 'truncate audit_events')
  await journal(ANA, { action: 'feed.created', target: { type: 'feed', id: 'f1', name: 'One' }, details: { reliability: 'B' } })
  await journal(ANA, { action: 'feed.updated', target: { type: 'feed', id: 'f1', name: 'One' } })
  await journal(BEN, { action: 'auth.login' })
  await journal(BEN, { action: 'authz.denied', outcome: 'DENIED', target: { type: 'route', name: 'DELETE /x' } })
  await journal(ANA, { action: 'auth.login', outcome: 'FAILURE' })
})

describe('GET /audit', () => {
  test('gives the newest first, with everything that was written', async () => {
    const { items, ...rest } = await read('')
    expect(items.map(({ action }) => action)).toEqual(['auth.login', 'authz.denied', 'auth.login', 'feed.updated', 'feed.created'])
    expect(rest).toEqual({ total: 5, total_exact: true, next: null })
    expect(items[4]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      action: 'feed.created',
      outcome: 'SUCCESS',
      actor_id: null,
      actor_name: 'Ana',
      target_type: 'feed',
      target_id: 'f1',
      target_name: 'One',
      client_ip: '198.51.100.7',
      request_id: 'request-of-ana',
      details: { reliability: 'B' },
      chain: 'OK',
    })
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'an action by its beginning',       query: '?action=feed.',                              want: ['feed.updated', 'feed.created'] },
    { title: 'a whole action',                   query: '?action=auth.login',                         want: ['auth.login', 'auth.login'] },
    { title: 'a beginning of several areas',     query: '?action=auth',                               want: ['auth.login', 'authz.denied', 'auth.login'] },
    { title: 'an empty beginning',               query: '?action=',                                   want: ['auth.login', 'authz.denied', 'auth.login', 'feed.updated', 'feed.created'] },
    { title: 'a beginning that nothing has',     query: '?action=zzz',                                want: [] },
    { title: 'a beginning with % as itself',     query: '?action=%25',                                want: [] },
    { title: 'a beginning with _ as itself',     query: '?action=feed_',                              want: [] },
    { title: 'the outcome DENIED',               query: '?outcome=DENIED',                            want: ['authz.denied'] },
    { title: 'the outcome SUCCESS',              query: '?outcome=SUCCESS',                           want: ['auth.login', 'feed.updated', 'feed.created'] },
    { title: 'an actor in another case',         query: '?actor=aNA',                                 want: ['auth.login', 'feed.updated', 'feed.created'] },
    { title: 'part of a name is no name',        query: '?actor=an',                                  want: [] },
    { title: 'a request',                        query: '?request_id=request-of-ben',                 want: ['authz.denied', 'auth.login'] },
    { title: 'the last hours',                   query: '?since=1',                                   want: ['auth.login', 'authz.denied', 'auth.login', 'feed.updated', 'feed.created'] },
    { title: 'all of it together',               query: '?since=1&actor=ben&outcome=SUCCESS&action=auth.&request_id=request-of-ben', want: ['auth.login'] },
    { title: 'an action and an outcome',         query: '?action=auth&outcome=FAILURE',               want: ['auth.login'] },
  ])('filters by $title', async ({ query, want }) => {
    const page = await read(query)
    expect(page.items.map(({ action }) => action)).toEqual(want)
    expect(page).toMatchObject({ total: want.length, total_exact: true, next: null })
  })

  test('leaves out what is older than the hours asked for', async () => {
    const { id } = (await read('')).items[4] as AuditEvent
    const old = new Date(Date.now() - 3 * MS_PER_HOUR)
    await changeBehindTriggers(app.database.ownerUrl, `update audit_events set at = '${old.toISOString()}' where id = '${id}'`)
    expect((await read('?since=2')).total).toBe(4)
    expect((await read('?since=4')).total).toBe(5)
  })

  test.each([
    '?action=',
    '?action=auth',
    '?outcome=SUCCESS',
    '?actor=ana',
    '?since=1',
    '?actor=ana&outcome=SUCCESS',
    '?action=feed.&since=9',
  ])('walks page by page over every row once: %s', async (filter) => {
    for (let n = 0; n < 20; n++) await journal(n % 2 === 0 ? ANA : BEN, { action: n % 3 === 0 ? 'auth.login' : 'feed.updated' })
    const whole = (await read(`${filter}&limit=200`)).items.map(({ id }) => id)
    const walked: string[] = []
    let cursor = ''
    do {
      const page = await read(`${filter}&limit=3${cursor}`)
      expect(page.items.length).toBeLessThanOrEqual(3)
      walked.push(...page.items.map(({ id }) => id))
      cursor = page.next === null ? '' : `&cursor=${page.next}`
    } while (cursor !== '')
    expect(whole.length).toBeGreaterThan(5)
    expect(walked).toEqual(whole)
  })

  test('marks a row that was changed, and the row after one that is gone', async () => {
    const { items } = await read('')
    await changeBehindTriggers(
      app.database.ownerUrl,
      `update audit_events set actor_name = 'eve' where id = '${items[1]?.id}'`,
      `delete from audit_events where id = '${items[3]?.id}'`,
    )
    expect((await read('')).items.map(({ id, chain }) => [id, chain])).toEqual([
      [items[0]?.id, 'OK'],
      [items[1]?.id, 'BROKEN'],
      [items[2]?.id, 'BROKEN'],
      [items[4]?.id, 'OK'],
    ])
  })

  // biome-ignore format: one case per line
  test.each(['?outcome=denied', '?since=0', '?since=1.5', '?since=999999', '?limit=0', '?limit=201', '?actor=', '?actor=a%00b', '?action=a%00b', '?request_id=a%20b', '?cursor=zzz', '?page=2'])(
    'refuses %s', async (query) => expect((await app.call('GET', `/api/v1/audit${query}`, 'ADMIN')).json()).toMatchObject({ status: 422, code: 'validation_failed' }),
  )

  test('a filter that an index cannot answer alone walks a bounded stretch, and says where it stopped', async () => {
    const bulk = (count: number, outcome: string, minute: number) => `
      insert into audit_events (id, at, action, outcome, actor_name)
      select ('01970000-0000-7000-8${minute}00-' || lpad(to_hex(n), 12, '0'))::uuid, now(), 'auth.login', '${outcome}', 'crowd' from generate_series(1, ${count}) n`
    await app.services.pool.query(bulk(5, 'SUCCESS', 0))
    await app.services.pool.query(bulk(10_500, 'FAILURE', 1))
    const first = await pageAuditEvents(app.services.db, { actorName: 'crowd', outcome: 'SUCCESS' }, { after: undefined, limit: 51 })
    expect(first.rows).toEqual([])
    const second = await pageAuditEvents(app.services.db, { actorName: 'crowd', outcome: 'SUCCESS' }, { after: first.stoppedAt, limit: 51 })
    expect(second).toMatchObject({ rows: { length: 5 }, stoppedAt: undefined })
    // The list itself walks several stretches before it gives a short page.
    expect((await read('?actor=crowd&outcome=SUCCESS')).items).toHaveLength(5)
    const { total, total_exact } = await read('?actor=crowd&outcome=FAILURE')
    expect(total_exact).toBe(false)
    expect(total).toBeGreaterThan(9000)
  })
})

describe('GET /audit/requests/{request_id}', () => {
  const trace = async (id: string) => (await app.call('GET', `/api/v1/audit/requests/${id}`, 'ADMIN')).json()

  test('joins the line of the request with what it did', async () => {
    const denied = await app.call('POST', '/api/v1/feeds/probe', 'VIEWER', { url: 'https://lists.example.org/' })
    const id = String(denied.headers['x-request-id'])
    expect(await trace(id)).toMatchObject({
      access: { method: 'POST', path: '/api/v1/feeds/probe', status: 403, client: '127.0.0.1', duration_ms: expect.any(Number) },
      items: [{ action: 'authz.denied', outcome: 'DENIED', actor_name: 'viewer', request_id: id, chain: 'OK' }],
    })
  })

  test('a request that did nothing has a line and no rows; one that nobody made has neither', async () => {
    const read = await app.call('GET', '/api/v1/users/me', 'VIEWER')
    expect(await trace(String(read.headers['x-request-id']))).toMatchObject({ access: { status: 200 }, items: [] })
    expect(await trace('never-seen')).toEqual({ access: null, items: [] })
  })

  test('gives the rows of a request in the order of doing, also when its line is forgotten', async () => {
    const { access, items } = await trace('request-of-ben')
    expect(access).toBeNull()
    expect(items.map(({ action }: AuditEvent) => action)).toEqual(['auth.login', 'authz.denied'])
  })
})

describe('the log line', () => {
  test('is a witness of the row: it carries the place and the hash', async () => {
    const id = (await app.call('POST', '/api/v1/indicators', 'ANALYST', { indicators: [{ value: '198.51.100.77' }] })).headers[
      'x-request-id'
    ]
    const line = app.logLines.map((text) => JSON.parse(text)).find((record) => record.event === 'audit' && record.request_id === id)
    const { rows } = await app.services.pool.query(
      `select lane || ':' || seq || ':' || encode(hash, 'hex') as link from audit_events where request_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ link: line.chain }])
    const [lane, seq, hash] = line.chain.split(':')
    expect(await app.services.journal.verify({ expected: [{ lane: Number(lane), seq: Number(seq), hash }] })).toMatchObject({
      intact: true,
    })
  })

  test('a name that the database cannot hold does not slip past the journal', async () => {
    await app.services.audit.recordRefusal(
      { name: 'a\0b\ud800', role: 'VIEWER' },
      { action: 'auth.login', outcome: 'FAILURE', details: { given: '\0' } },
    )
    const [event] = (await read('')).items
    expect(event).toMatchObject({ actor_name: 'a\ufffdb\ufffd', details: { given: '\ufffd' }, chain: 'OK' })
  })
})
