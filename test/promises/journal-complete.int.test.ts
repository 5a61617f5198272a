import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOGIN_LIMITS } from '#domains/accounts/login-limiter.service.ts'
import type { AuditAction, AuditOutcome } from '#domains/audit/audit.model.ts'
import { COMMAND_LINE_ACTOR, type Role } from '#kernel/actor.ts'
import { type ListServer, startListServer } from '../support/list-server.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Longest wait for a collection that goes on after its answer, milliseconds. */
const COLLECTION_MS = 20_000

let app: TestApp
let lists: ListServer
let owner: pg.Client
beforeAll(async () => {
  lists = await startListServer()
  lists.publish('good', 'one.example.com\ntwo.example.com\n')
  app = await createTestApp({ OUTBOUND_ALLOW_HOSTS: lists.host })
  owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await app.close()
  await lists.close()
})

type Answer = Awaited<ReturnType<TestApp['app']['inject']>>
type Row = {
  action: string
  outcome: string
  actor_name: string
  client_ip: string | null
  target_name: string | null
  request_id: string
  link: string
}

let count = 0
/** A name that nothing else has. */
const fresh = (word: string) => `${word}-${++count}`

async function ask(method: string, url: string, { as, body, requestId }: { as?: Role; body?: object; requestId: string }): Promise<Answer> {
  const headers: Record<string, string> = { 'x-request-id': requestId }
  if (as !== undefined) headers['authorization'] = `Bearer ${app.tokens[as]}`
  return await app.app.inject({ method: method as 'GET', url, headers, ...(body === undefined ? {} : { payload: body }) })
}

async function login(username: string, password: string, requestId: string, remoteAddress = '127.0.0.1'): Promise<Answer> {
  return await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    remoteAddress,
    headers: { 'x-request-id': requestId, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username, password }).toString(),
  })
}

async function makeFeed(name: string, list = 'good'): Promise<{ id: string; version: number }> {
  return await app.services.feeds.create(COMMAND_LINE_ACTOR, { name, url: lists.urlOf(list), format: 'CSV', feed_type: 'malware' })
}

async function rowsOf(requestId: string): Promise<Row[]> {
  const { rows } = await owner.query<Row>(
    `select action, outcome, actor_name, client_ip, target_name, request_id, lane || ':' || seq || ':' || encode(hash, 'hex') as link
     from audit_events where request_id = $1`,
    [requestId],
  )
  return rows
}

function linesOf(requestId: string, event: string): Record<string, unknown>[] {
  return app.logLines.map((text) => JSON.parse(text)).filter((line) => line.event === event && line.request_id === requestId)
}

/** What a case finds there: a feed, or an account with a session. */
type Subject = { id: string; version: number; name?: string; access?: string; refresh?: string }

/** An account of its own that has logged in. */
async function makeAccount(): Promise<Subject> {
  const name = fresh('account')
  const { id, version } = await app.services.accounts.createUser(COMMAND_LINE_ACTOR, {
    username: name,
    password: TEST_PASSWORD,
    role: 'VIEWER',
  })
  const { access_token, refresh_token } = (await login(name, TEST_PASSWORD, fresh('request-of-account'))).json()
  return { id, version, name, access: access_token, refresh: refresh_token }
}

async function post(url: string, body: object, { requestId, access }: { requestId: string; access?: string | undefined }): Promise<Answer> {
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
  }
  return await app.app.inject({ method: 'POST', url, headers, payload: body })
}

type Case = {
  title: string
  action: AuditAction
  outcome: AuditOutcome
  status: number
  /** `self`: the account that was prepared. */
  actor?: string
  /** What has to be there first. */
  prepare?: () => Promise<Subject>
  call: (requestId: string, subject: Subject) => Promise<Answer>
  /** The action goes on after the answer. */
  later?: true
}

const deny = (method: string, path: string, as: Role, body?: object): Case => ({
  title: `${method} ${path} by ${as}`,
  action: 'authz.denied',
  outcome: 'DENIED',
  status: 403,
  actor: as.toLowerCase(),
  call: async (requestId) =>
    await ask(method, path.replace('{id}', '00000000-0000-7000-8000-0000000000ee'), {
      as,
      requestId,
      ...(body === undefined ? {} : { body }),
    }),
})

/** Every change of an incident, with the action that it is journalled as. */
function incidentCases(): Case[] {
  const prepare = async () => await app.services.incidents.open(COMMAND_LINE_ACTOR, { title: fresh('incident') })
  const cve = 'CVE-2031-0009'
  const storeCve = async () =>
    await owner.query(
      `insert into cves (id, status, published, last_modified, description, tags, cwes, exploit, reference_list, configurations, affected, digest,
         score, priority, words)
       values ($1, 'Analyzed', now(), now(), '', '{}', '{}', false, '[]', '[]', '[]', '', 80, 'P0', '') on conflict do nothing`,
      [cve],
    )
  const linked = async () => {
    await storeCve()
    return await app.services.incidents.open(COMMAND_LINE_ACTOR, { title: fresh('incident'), cve_ids: [cve] })
  }
  const changes: [title: string, action: AuditAction, method: string, path: string, body?: object][] = [
    ['edited', 'incident.updated', 'PATCH', '', { severity: 'HIGH' }],
    ['moved', 'incident.moved', 'POST', '/transition', { to: 'ANALYSIS' }],
    ['assigned', 'incident.assigned', 'POST', '/assign', { assignee_id: null }],
    ['escalated', 'incident.escalated', 'POST', '/escalate', { reason: 'Long enough a reason.' }],
    ['commented', 'incident.commented', 'POST', '/comments', { comment: 'x' }],
    ['told of an action', 'incident.commented', 'POST', '/actions', { action: 'x' }],
    ['linked', 'incident.linked', 'PUT', `/cves/${cve}`],
    ['unlinked', 'incident.unlinked', 'DELETE', `/cves/${cve}`],
  ]
  return [
    {
      ...{ title: 'an incident that is opened', action: 'incident.created', outcome: 'SUCCESS', status: 201, actor: 'analyst' },
      call: async (requestId) => await ask('POST', '/api/v1/incidents', { as: 'ANALYST', requestId, body: { title: fresh('incident') } }),
    },
    {
      ...{ title: 'an incident that is exported', action: 'data.export', outcome: 'SUCCESS', status: 200, actor: 'viewer', prepare },
      call: async (requestId, { id }) => await ask('GET', `/api/v1/incidents/${id}/report`, { as: 'VIEWER', requestId }),
    },
    ...changes.map(
      ([title, action, method, path, body]): Case => ({
        ...{ title: `an incident that is ${title}`, action, outcome: 'SUCCESS', status: 200, actor: 'analyst' },
        prepare: async () => {
          await storeCve()
          if (action === 'incident.unlinked') return await linked()
          const incident = await prepare()
          if (action !== 'incident.assigned') return incident
          const { id: assigneeId } = await app.services.accounts.getUserByName('analyst')
          return await app.services.incidents.assign(COMMAND_LINE_ACTOR, { id: incident.id }, assigneeId)
        },
        call: async (requestId, { id }) =>
          await ask(method, `/api/v1/incidents/${id}${path}`, { as: 'ANALYST', requestId, ...(body === undefined ? {} : { body }) }),
      }),
    ),
  ]
}

/** Everything that the API journals, with each outcome that can occur. */
const CASES: Case[] = [
  {
    title: 'a login',
    action: 'auth.login',
    outcome: 'SUCCESS',
    status: 200,
    actor: 'viewer',
    call: async (requestId) => await login('VIEWER', TEST_PASSWORD, requestId),
  },
  {
    title: 'a login with a wrong password',
    action: 'auth.login',
    outcome: 'FAILURE',
    status: 401,
    actor: 'viewer',
    call: async (requestId) => await login('viewer', 'not the password at all', requestId),
  },
  {
    title: 'a login with an unknown name',
    action: 'auth.login',
    outcome: 'FAILURE',
    status: 401,
    actor: 'nobody',
    call: async (requestId) => await login('nobody', 'not the password at all', requestId),
  },
  {
    title: 'a login that is blocked',
    action: 'auth.login',
    outcome: 'DENIED',
    status: 429,
    actor: 'mallory',
    call: async (requestId) => {
      for (let n = 0; n < LOGIN_LIMITS.pair.points; n++)
        await login('mallory', 'a guess of the password', `${requestId}-${n}`, '192.0.2.66')
      return await login('mallory', 'a guess of the password', requestId, '192.0.2.66')
    },
  },
  {
    title: 'a refresh',
    action: 'auth.refresh',
    outcome: 'SUCCESS',
    status: 200,
    actor: 'self',
    prepare: makeAccount,
    call: async (requestId, { refresh }) => await post('/api/v1/auth/refresh', { refresh_token: refresh }, { requestId }),
  },
  {
    title: 'a refresh with a token that nobody was given',
    action: 'auth.refresh',
    outcome: 'FAILURE',
    status: 401,
    actor: 'unknown',
    call: async (requestId) => await post('/api/v1/auth/refresh', { refresh_token: 'A'.repeat(43) }, { requestId }),
  },
  {
    title: 'a refresh with a token that was used',
    action: 'auth.refresh',
    outcome: 'DENIED',
    status: 401,
    actor: 'self',
    prepare: makeAccount,
    call: async (requestId, { refresh }) => {
      await post('/api/v1/auth/refresh', { refresh_token: refresh }, { requestId: `${requestId}-first` })
      return await post('/api/v1/auth/refresh', { refresh_token: refresh }, { requestId })
    },
  },
  {
    title: 'a logout',
    action: 'auth.logout',
    outcome: 'SUCCESS',
    status: 204,
    actor: 'self',
    prepare: makeAccount,
    call: async (requestId, { refresh }) => await post('/api/v1/auth/logout', { refresh_token: refresh }, { requestId }),
  },
  {
    title: 'an account that is made',
    action: 'user.created',
    outcome: 'SUCCESS',
    status: 201,
    call: async (requestId) =>
      await ask('POST', '/api/v1/users', {
        as: 'ADMIN',
        requestId,
        body: { username: fresh('made'), role: 'VIEWER', password: TEST_PASSWORD },
      }),
  },
  {
    title: 'an account that gets another role',
    action: 'user.updated',
    outcome: 'SUCCESS',
    status: 200,
    prepare: makeAccount,
    call: async (requestId, { id }) => await ask('PATCH', `/api/v1/users/${id}`, { as: 'ADMIN', requestId, body: { role: 'ANALYST' } }),
  },
  {
    title: 'an account that is disabled',
    action: 'user.disabled',
    outcome: 'SUCCESS',
    status: 200,
    prepare: makeAccount,
    call: async (requestId, { id }) => await ask('PATCH', `/api/v1/users/${id}`, { as: 'ADMIN', requestId, body: { status: 'DISABLED' } }),
  },
  {
    title: 'an account that is enabled again',
    action: 'user.enabled',
    outcome: 'SUCCESS',
    status: 200,
    prepare: async () => {
      const account = await makeAccount()
      const body = { status: 'DISABLED' }
      await ask('PATCH', `/api/v1/users/${account.id}`, { as: 'ADMIN', requestId: fresh('request-of-account'), body })
      return account
    },
    call: async (requestId, { id }) => await ask('PATCH', `/api/v1/users/${id}`, { as: 'ADMIN', requestId, body: { status: 'ACTIVE' } }),
  },
  {
    title: 'a password that an administrator sets',
    action: 'user.password_reset',
    outcome: 'SUCCESS',
    status: 200,
    prepare: makeAccount,
    call: async (requestId, { id }) => await ask('POST', `/api/v1/users/${id}/password`, { as: 'ADMIN', requestId, body: {} }),
  },
  {
    title: 'sessions that an administrator ends',
    action: 'user.sessions_revoked',
    outcome: 'SUCCESS',
    status: 200,
    prepare: makeAccount,
    call: async (requestId, { id }) => await ask('POST', `/api/v1/users/${id}/revoke-sessions`, { as: 'ADMIN', requestId }),
  },
  {
    title: 'a password that its owner changes',
    action: 'user.password_changed',
    outcome: 'SUCCESS',
    status: 204,
    actor: 'self',
    prepare: makeAccount,
    call: async (requestId, { access }) =>
      await post(
        '/api/v1/users/me/password',
        { current_password: TEST_PASSWORD, new_password: 'quite another one, and long' },
        { requestId, access },
      ),
  },
  {
    title: 'a change of password with a wrong present one',
    action: 'user.password_changed',
    outcome: 'FAILURE',
    status: 422,
    actor: 'self',
    prepare: makeAccount,
    call: async (requestId, { access }) =>
      await post(
        '/api/v1/users/me/password',
        { current_password: 'not the present one', new_password: 'quite another one, and long' },
        { requestId, access },
      ),
  },
  {
    title: 'a feed that is made',
    action: 'feed.created',
    outcome: 'SUCCESS',
    status: 201,
    call: async (requestId) =>
      await ask('POST', '/api/v1/feeds', {
        as: 'ADMIN',
        requestId,
        body: { name: fresh('made'), url: lists.urlOf('good'), format: 'CSV' },
      }),
  },
  {
    title: 'a feed that is changed',
    action: 'feed.updated',
    outcome: 'SUCCESS',
    status: 200,
    prepare: async () => await makeFeed(fresh('changed')),
    call: async (requestId, { id, version }) =>
      await ask('PATCH', `/api/v1/feeds/${id}`, { as: 'ADMIN', requestId, body: { version, reliability: 'A', frequency: 7200 } }),
  },
  {
    title: 'a feed that is deleted',
    action: 'feed.deleted',
    outcome: 'SUCCESS',
    status: 200,
    prepare: async () => await makeFeed(fresh('deleted')),
    call: async (requestId, { id }) => await ask('DELETE', `/api/v1/feeds/${id}`, { as: 'ADMIN', requestId }),
  },
  {
    title: 'a feed that is tried',
    action: 'feed.probed',
    outcome: 'SUCCESS',
    status: 200,
    call: async (requestId) =>
      await ask('POST', '/api/v1/feeds/probe', { as: 'ADMIN', requestId, body: { url: lists.urlOf('good'), format: 'CSV' } }),
  },
  {
    title: 'a feed that is tried and does not answer',
    action: 'feed.probed',
    outcome: 'FAILURE',
    status: 502,
    call: async (requestId) =>
      await ask('POST', '/api/v1/feeds/probe', { as: 'ADMIN', requestId, body: { url: lists.urlOf('absent'), format: 'CSV' } }),
  },
  {
    title: 'a collection',
    action: 'feed.collected',
    outcome: 'SUCCESS',
    status: 202,
    later: true,
    prepare: async () => await makeFeed(fresh('collected')),
    call: async (requestId, { id }) => await ask('POST', `/api/v1/feeds/${id}/fetch`, { as: 'ADMIN', requestId, body: {} }),
  },
  {
    title: 'a collection that fails',
    action: 'feed.collected',
    outcome: 'FAILURE',
    status: 202,
    later: true,
    prepare: async () => await makeFeed(fresh('failing'), 'absent'),
    call: async (requestId, { id }) => await ask('POST', `/api/v1/feeds/${id}/fetch`, { as: 'ADMIN', requestId, body: {} }),
  },
  {
    title: 'a submission',
    action: 'indicators.submitted',
    outcome: 'SUCCESS',
    status: 200,
    actor: 'analyst',
    call: async (requestId) =>
      await ask('POST', '/api/v1/indicators', {
        as: 'ANALYST',
        requestId,
        body: { indicators: [{ value: `${fresh('submitted')}.example.com` }] },
      }),
  },
  {
    title: 'the quality of the feeds, worked out',
    action: 'feed.quality_computed',
    outcome: 'SUCCESS',
    status: 202,
    later: true,
    call: async (requestId) => await ask('POST', '/api/v1/feeds/quality', { as: 'ADMIN', requestId }),
  },
  {
    title: 'a warning list, imported',
    action: 'warning_list.imported',
    outcome: 'SUCCESS',
    status: 200,
    call: async (requestId) =>
      await ask('POST', '/api/v1/warning-lists', {
        as: 'ADMIN',
        requestId,
        body: { name: fresh('list'), type: 'string', list: ['198.51.100.7'] },
      }),
  },
  {
    title: 'a warning list, removed',
    action: 'warning_list.removed',
    outcome: 'SUCCESS',
    status: 200,
    prepare: async () => {
      const { list } = await app.services.warningLists.import(COMMAND_LINE_ACTOR, {
        name: fresh('list'),
        type: 'string',
        list: ['a.example.com'],
      })
      return { id: list.id, version: 0 }
    },
    call: async (requestId, { id }) => await ask('DELETE', `/api/v1/warning-lists/${id}`, { as: 'ADMIN', requestId }),
  },
  ...incidentCases(),
  deny('POST', '/api/v1/incidents', 'VIEWER', { title: 'x' }),
  deny('POST', '/api/v1/incidents/{id}/escalate', 'VIEWER', { reason: 'Long enough a reason.' }),
  {
    title: 'a value, excluded',
    action: 'exclusion.created',
    outcome: 'SUCCESS',
    status: 200,
    call: async (requestId) =>
      await ask('POST', '/api/v1/exclusions', {
        as: 'ADMIN',
        requestId,
        body: { value: `${fresh('value')}.example.com`, reason: 'harmless' },
      }),
  },
  {
    title: 'an exclusion, removed',
    action: 'exclusion.removed',
    outcome: 'SUCCESS',
    status: 200,
    prepare: async () => {
      const { exclusion } = await app.services.exclusions.exclude(COMMAND_LINE_ACTOR, {
        value: `${fresh('value')}.example.com`,
        reason: 'harmless',
      })
      return { id: exclusion?.id ?? '', version: 0 }
    },
    call: async (requestId, { id }) => await ask('DELETE', `/api/v1/exclusions/${id}`, { as: 'ADMIN', requestId }),
  },
  {
    title: 'a warning list, excluded',
    action: 'exclusion.list_imported',
    outcome: 'SUCCESS',
    status: 200,
    prepare: async () => {
      const list = { name: fresh('list'), type: 'string', list: [`${fresh('value')}.example.com`] }
      return { id: (await app.services.warningLists.import(COMMAND_LINE_ACTOR, list)).list.id, version: 0 }
    },
    call: async (requestId, { id }) =>
      await ask('POST', '/api/v1/exclusions/lists', { as: 'ADMIN', requestId, body: { list_id: id, reason: 'harmless' } }),
  },
  deny('POST', '/api/v1/feeds/quality', 'ANALYST'),
  deny('POST', '/api/v1/exclusions', 'VIEWER', { value: 'x.example.com', reason: 'harmless' }),
  deny('POST', '/api/v1/warning-lists', 'ANALYST', { name: 'x', type: 'string', list: ['198.51.100.7'] }),
  deny('DELETE', '/api/v1/warning-lists/{id}', 'VIEWER'),
  deny('POST', '/api/v1/feeds', 'ANALYST', { name: 'x', url: 'https://lists.example.org/', format: 'CSV' }),
  deny('PATCH', '/api/v1/feeds/{id}', 'ANALYST', { version: 1 }),
  deny('DELETE', '/api/v1/feeds/{id}', 'VIEWER'),
  deny('POST', '/api/v1/feeds/probe', 'VIEWER', { url: 'https://lists.example.org/', format: 'CSV' }),
  deny('POST', '/api/v1/feeds/{id}/fetch', 'ANALYST', {}),
  deny('POST', '/api/v1/indicators', 'VIEWER', { indicators: [{ value: '198.51.100.7' }] }),
  deny('POST', '/api/v1/users', 'ANALYST', { username: 'x', role: 'ADMIN' }),
  deny('PATCH', '/api/v1/users/{id}', 'ANALYST', { role: 'ADMIN' }),
  deny('POST', '/api/v1/users/{id}/password', 'VIEWER', {}),
  deny('GET', '/api/v1/audit', 'ANALYST'),
  deny('GET', '/api/v1/audit/requests/{id}', 'VIEWER'),
]
const NOTHING: Subject = { id: '', version: 0 }

async function until<Value>(find: () => Promise<Value | undefined>): Promise<Value> {
  for (const end = Date.now() + COLLECTION_MS; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error('It did not happen in time.')
}

describe('C9: every action gives exactly one row, with the request id of the answer, the access line and the log line', () => {
  test.each(CASES)('$title: $action $outcome', async ({ action, outcome, status, actor = 'admin', prepare, call, later }) => {
    const subject = (await prepare?.()) ?? NOTHING
    const requestId = fresh('request-of-a-test')
    const answer = await call(requestId, subject)
    expect(answer.statusCode, answer.body).toBe(status)
    expect(answer.headers['x-request-id']).toBe(requestId)
    if (later) await until(async () => ((await rowsOf(requestId)).length > 0 ? true : undefined))
    const rows = await rowsOf(requestId)
    const name = actor === 'self' ? subject.name : actor
    expect(rows).toMatchObject([{ action, outcome, actor_name: name }])
    expect(rows[0]?.client_ip).toMatch(/^(127\.0\.0\.1|192\.0\.2\.66)$/)
    expect(linesOf(requestId, 'http.request')).toMatchObject([{ status, client: rows[0]?.client_ip }])
    const logged = later
      ? await until(async () => (linesOf(requestId, 'audit').length > 0 ? linesOf(requestId, 'audit') : undefined))
      : linesOf(requestId, 'audit')
    expect(logged).toMatchObject([{ logger: 'svc.audit', action, outcome, actor: name, ip: rows[0]?.client_ip, chain: rows[0]?.link }])
  })

  test('without an id of the client’s own, the generated one is in all four places', async () => {
    const answer = await app.call('POST', '/api/v1/indicators', 'ANALYST', { indicators: [{ value: '198.51.100.8' }] })
    const requestId = String(answer.headers['x-request-id'])
    expect(await rowsOf(requestId)).toHaveLength(1)
    expect(linesOf(requestId, 'audit')).toHaveLength(1)
    expect(linesOf(requestId, 'http.request')).toHaveLength(1)
  })

  test('what has no request is journalled too: the first feeds, and an account made on the command line', async () => {
    const { createSeedService } = await import('#domains/feeds/seed.service.ts')
    const { sourcesService } = await import('#domains/indicators/sources.service.ts')
    const { SILENT_LOGGING } = await import('#platform/logging/logger.ts')
    const seeding = {
      db: app.services.db,
      audit: app.services.audit,
      log: SILENT_LOGGING.for('svc.collector'),
      clock: () => new Date(),
      sources: sourcesService,
    }
    await createSeedService(seeding).seed(COMMAND_LINE_ACTOR)
    await app.services.accounts.createUser(COMMAND_LINE_ACTOR, { username: 'made-by-hand', password: TEST_PASSWORD, role: 'VIEWER' })
    const { rows } = await owner.query(
      `select action, outcome, count(*)::int from audit_events where actor_name = 'command line' and (action = 'feed.seeded' or target_name = 'made-by-hand') group by 1, 2 order by 1`,
    )
    expect(rows).toEqual([
      { action: 'feed.seeded', outcome: 'SUCCESS', count: 1 },
      { action: 'user.created', outcome: 'SUCCESS', count: 1 },
    ])
  })

  test('every action that the source can write is in this table, or named by a test of its own', () => {
    const textsOf = (folder: string, wanted: (path: string) => boolean) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter(wanted)
        .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))
    const isTest = (path: string) => path.endsWith('.test.ts')
    const written = new Set(
      textsOf('src', (path) => path.endsWith('.ts') && !isTest(path)).flatMap((text) =>
        [...text.matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action),
      ),
    )
    const tests = [...textsOf('src', isTest), ...textsOf('test', isTest)].join('\n')
    expect(written.size).toBeGreaterThan(8)
    expect([...written].filter((action) => !tests.includes(`'${action}'`))).toEqual([])
  })
})

describe('C9: a refused request changes nothing and journals no success', () => {
  test.each([
    {
      title: 'a name that is taken',
      status: 409,
      call: async (requestId: string) =>
        await ask('POST', '/api/v1/feeds', {
          as: 'ADMIN',
          requestId,
          body: { name: (await taken()).name, url: lists.urlOf('good'), format: 'CSV' },
        }),
    },
    {
      title: 'a version that is stale',
      status: 409,
      call: async (requestId: string) =>
        await ask('PATCH', `/api/v1/feeds/${(await taken()).id}`, { as: 'ADMIN', requestId, body: { version: 99, frequency: 7200 } }),
    },
    {
      title: 'a feed that is not there',
      status: 404,
      call: async (requestId: string) =>
        await ask('DELETE', '/api/v1/feeds/00000000-0000-7000-8000-0000000000ee', { as: 'ADMIN', requestId }),
    },
    {
      title: 'a body that is refused',
      status: 422,
      call: async (requestId: string) => await ask('POST', '/api/v1/indicators', { as: 'ANALYST', requestId, body: { indicators: [] } }),
    },
  ])('$title', async ({ status, call }) => {
    const requestId = fresh('refused-request')
    await taken()
    const before = await contents()
    expect((await call(requestId)).statusCode).toBe(status)
    expect(await rowsOf(requestId)).toEqual([])
    expect(await contents()).toEqual(before)
  })

  let feed: { id: string; name: string } | undefined
  async function taken(): Promise<{ id: string; name: string }> {
    const name = 'name that is taken'
    feed ??= { id: (await makeFeed(name)).id, name }
    return feed
  }
})

/** A digest of each table but the journal. */
async function contents(): Promise<Record<string, string | null>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'audit_events'`,
  )
  const digests: Record<string, string | null> = {}
  for (const { name } of tables) {
    const { rows } = await owner.query(`select md5(string_agg(row::text, '|' order by row::text)) as digest from ${name} row`)
    digests[name] = rows[0].digest
  }
  return digests
}

describe('C9: a change whose row cannot be written does not happen', () => {
  async function withImpossible(action: string, work: () => Promise<void>): Promise<void> {
    await owner.query(`alter table audit_events add constraint impossible check (action <> '${action}') not valid`)
    try {
      await work()
    } finally {
      await owner.query('alter table audit_events drop constraint impossible')
    }
  }

  test.each(CASES.filter(({ outcome, later }) => outcome === 'SUCCESS' && later === undefined))(
    '$title',
    async ({ action, prepare, call }) => {
      const subject = (await prepare?.()) ?? NOTHING
      await withImpossible(action, async () => {
        const requestId = fresh('impossible-request')
        const before = await contents()
        const answer = await call(requestId, subject)
        expect(answer.json()).toMatchObject({ status: 500, code: 'internal_error' })
        expect(answer.body).not.toContain('access_token')
        expect(await contents()).toEqual(before)
        expect(await rowsOf(requestId)).toEqual([])
        expect(linesOf(requestId, 'audit')).toEqual([])
      })
    },
  )

  test('an account', async () => {
    await withImpossible('user.created', async () => {
      const before = await contents()
      const creation = app.services.accounts.createUser(COMMAND_LINE_ACTOR, {
        username: 'impossible',
        password: TEST_PASSWORD,
        role: 'VIEWER',
      })
      await expect(creation).rejects.toThrow('impossible')
      expect(await contents()).toEqual(before)
    })
  })

  test('the end of a collection: the run does not count and the feed is not healthy', async () => {
    const { id } = await makeFeed(fresh('uncounted'))
    await withImpossible('feed.collected', async () => {
      await expect(app.services.collect.collect(COMMAND_LINE_ACTOR, id)).rejects.toThrow('impossible')
      const { rows } = await owner.query(
        `select status, last_successful_run, run_no from threat_feeds join sources using (id) where id = $1`,
        [id],
      )
      expect(rows).toEqual([{ status: 'PENDING', last_successful_run: null, run_no: 0 }])
    })
    await app.services.collect.collect(COMMAND_LINE_ACTOR, id)
    const { rows } = await owner.query('select run_no from sources where id = $1', [id])
    expect(rows).toEqual([{ run_no: 1 }])
  })

  test.each(
    CASES.filter(({ outcome }) => outcome !== 'SUCCESS')
      .filter(({ action }) => action === 'authz.denied' || action === 'auth.login')
      .slice(0, 4),
  )('$title stays refused, and the log says that the row is missing', async ({ action, outcome, status, call }) => {
    await withImpossible(action, async () => {
      const requestId = fresh('unwritten-request')
      const missing = () => app.logLines.filter((line) => line.includes('audit.row_not_written')).length
      const before = missing()
      expect((await call(requestId, NOTHING)).statusCode).toBe(status)
      expect(await rowsOf(requestId)).toEqual([])
      expect(missing()).toBeGreaterThan(before)
      const [line, ...more] = linesOf(requestId, 'audit')
      expect(line).toMatchObject({ action, outcome })
      expect(line).not.toHaveProperty('chain')
      expect(more).toEqual([])
    })
  })
})

test('C9: after all of it the chain holds', async () => {
  expect(await app.services.journal.verify({ expected: [] })).toMatchObject({ intact: true })
})
