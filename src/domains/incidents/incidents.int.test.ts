import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sourcesService } from '#domains/indicators/sources.service.ts'
import type { Role } from '#kernel/actor.ts'
import { transact } from '#platform/database/transact.ts'
import type { LiveEvent } from '#platform/events/event.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { makeSubjects } from '#test/support/incident-subjects.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { withClient } from '#test/support/with-client.ts'

let app: TestApp
const events: LiveEvent[] = []
const userIds: Partial<Record<Role, string>> = {}
beforeAll(async () => {
  app = await createTestApp()
  app.services.events.subscribe({ onEvent: (event) => void events.push(event), onResync: () => {} })
  for (const role of ['ADMIN', 'ANALYST', 'VIEWER'] as const)
    userIds[role] = (await app.services.accounts.getUserByName(role.toLowerCase())).id
})
afterAll(async () => await app.close())

const ABSENT = '00000000-0000-7000-8000-0000000000ee'
const subjects = makeSubjects(() => app)

type Incident = { id: string; version: number; status: string; [name: string]: unknown }
const call = async (method: string, path: string, body?: object, as: Role = 'ANALYST') =>
  await app.call(method, `/api/v1/incidents${path}`, as, body)

async function open(body: object = {}): Promise<Incident> {
  const answer = await call('POST', '', { title: 'An incident', ...body })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
async function change(id: string, verb: string, body: object): Promise<Incident> {
  const answer = await call('POST', `/${id}/${verb}`, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
async function timelineOf(
  id: string,
): Promise<{ seq: number; kind: string; from: string | null; to: string | null; note: string | null }[]> {
  return (await call('GET', `/${id}/timeline`)).json().items
}
const kindsOf = async (id: string) => (await timelineOf(id)).map(({ kind }) => kind)
const eventsOf = (id: string) => events.filter(({ data }) => data['incident_id'] === id)
async function auditOf(id: string): Promise<string[]> {
  const rows = await app.services.db.selectFrom('audit_events').select('action').where('target_id', '=', id).orderBy('seq').execute()
  return rows.map(({ action }) => action)
}

describe('opening', () => {
  test('stores it with what it is about, tells it, and journals it', async () => {
    const [cve, ioc, alert] = [await subjects.cve(), await subjects.ioc(), await subjects.alert()]
    const incident = await open({
      ...{ title: ' Two\n lines ', description: 'Why', severity: 'high' },
      ...{ cve_ids: [cve.toLowerCase(), cve], indicator_ids: [ioc.id], alert_ids: [alert.id] },
    })
    expect(incident).toMatchObject({
      ...{ title: 'Two lines', status: 'OPEN', severity: 'HIGH', level: 'L1', version: 1, opened_by: 'analyst', acknowledged_at: null },
      ...{ cve_count: 2, indicator_count: 1, event_count: 4, allowed_moves: ['ANALYSIS', 'CLOSED'] },
    })
    expect(await timelineOf(incident.id)).toMatchObject([
      { seq: 1, kind: 'CREATED', to: 'Two lines', note: 'Why' },
      { seq: 2, kind: 'CVE_LINKED' },
      { seq: 3, kind: 'CVE_LINKED' },
      { seq: 4, kind: 'IOC_LINKED', to: ioc.value },
    ])
    const detail = (await call('GET', `/${incident.id}`)).json()
    expect(detail.cves.map(({ id }: { id: string }) => id).sort()).toEqual([cve, alert.cve_id].sort())
    expect(detail.indicators).toMatchObject([{ value: ioc.value }])
    expect(detail.alerts).toMatchObject([{ id: alert.id, acknowledged_at: null }])
    expect(eventsOf(incident.id)).toMatchObject([{ name: 'incident.created', data: { severity: 'HIGH', actor: 'analyst' } }])
    expect(await auditOf(incident.id)).toEqual(['incident.created'])
  })

  test('acknowledges its alerts when that is asked for', async () => {
    const alert = await subjects.alert()
    await open({ alert_ids: [alert.id], acknowledge_alerts: true })
    expect((await app.services.alerts.get(alert.id)).acknowledged_by).toBe('analyst')
  })

  test('takes it in at once when somebody is named', async () => {
    const incident = await open({ assignee_id: userIds.ADMIN })
    expect(incident).toMatchObject({ assignee: 'admin', acknowledged_at: incident['created_at'] })
    expect(await kindsOf(incident.id)).toEqual(['CREATED', 'ASSIGNED'])
  })

  test.each([
    ['a CVE', 'cve_ids', 'CVE-2031-0000'],
    ['an IOC', 'indicator_ids', ABSENT],
    ['an alert', 'alert_ids', ABSENT],
  ])('is refused whole when %s is not stored', async (_, field, id) => {
    const [before] = await withClient(app.database.ownerUrl, async (run) => await run('select count(*) from incidents'))
    const answer = await call('POST', '', { title: 'x', [field]: [id] })
    expect(answer.json()).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ field, message: `${id} is not stored.` }] })
    expect((await withClient(app.database.ownerUrl, async (run) => await run('select count(*) from incidents')))[0]).toEqual(before)
  })

  test.each([
    ['an account that is not there', ABSENT],
    ['an account that may only look on', 'VIEWER'],
  ])('refuses %s as assignee', async (_, who) => {
    const answer = await call('POST', '', { title: 'x', assignee_id: userIds[who as Role] ?? who })
    expect(answer.json()).toMatchObject({ status: 422, errors: [{ field: 'assignee_id' }] })
  })

  test('stores text as it can be stored', async () => {
    const incident = await open({ description: 'half \ud83d and NUL \0' })
    expect(incident['description']).toBe('half \ufffd and NUL \ufffd')
  })
})

describe('moving', () => {
  test('goes through the six steps, closes with a summary, and opens again with a reason', async () => {
    let incident = await open()
    for (const to of ['ANALYSIS', 'CONTAINMENT', 'ERADICATION', 'RECOVERY'])
      incident = await change(incident.id, 'transition', { to, version: incident.version })
    expect(incident['acknowledged_at']).not.toBeNull()
    incident = await change(incident.id, 'transition', { to: 'closed', summary: 'Cleaned.', resolution: 'true_positive_impact' })
    expect(incident).toMatchObject({
      status: 'CLOSED',
      summary: 'Cleaned.',
      resolution: 'TRUE_POSITIVE_IMPACT',
      allowed_moves: ['ANALYSIS'],
    })
    expect(incident['closed_at']).not.toBeNull()
    incident = await change(incident.id, 'transition', { to: 'ANALYSIS', comment: 'It came back today.' })
    expect(incident).toMatchObject({ status: 'ANALYSIS', summary: null, resolution: null, closed_at: null, reopen_count: 1, version: 7 })
    const timeline = await timelineOf(incident.id)
    expect(timeline.map(({ kind }) => kind)).toEqual(['CREATED', ...Array(4).fill('STATUS_CHANGED'), 'CLOSED', 'REOPENED'])
    expect(timeline[5]).toMatchObject({ from: 'RECOVERY', to: 'CLOSED', note: 'Cleaned.', resolution: 'TRUE_POSITIVE_IMPACT' })
    expect(await auditOf(incident.id)).toEqual(['incident.created', ...Array(6).fill('incident.moved')])
    expect(eventsOf(incident.id).at(-1)).toMatchObject({
      name: 'incident.updated',
      data: { status: 'ANALYSIS', version: 7, event_count: 7 },
    })
  })

  test('what is not allowed is refused with what is', async () => {
    const { id } = await open()
    const answer = await call('POST', `/${id}/transition`, { to: 'RECOVERY' })
    expect(answer.json()).toMatchObject({ status: 409, code: 'invalid_transition', detail: expect.stringContaining('ANALYSIS or CLOSED') })
    expect(await kindsOf(id)).toEqual(['CREATED'])
  })

  test('a closed incident takes nothing but being opened again', async () => {
    const ioc = await subjects.ioc()
    const { id } = await open()
    await change(id, 'transition', { to: 'CLOSED', summary: 'Nothing.', resolution: 'FALSE_POSITIVE' })
    const attempts: [string, string, object?][] = [
      ['POST', 'comments', { comment: 'x' }],
      ['POST', 'actions', { action: 'x' }],
      ['POST', 'assign', { assignee_id: userIds.ANALYST }],
      ['POST', 'escalate', { reason: 'Long enough a reason.' }],
      ['POST', 'links', { indicator_ids: [ioc.id] }],
      ['PUT', `indicators/${ioc.id}`],
      ['DELETE', `indicators/${ioc.id}`],
      ['DELETE', 'cves/CVE-2031-0001'],
    ]
    for (const [method, path, body] of attempts)
      expect((await call(method, `/${id}/${path}`, body)).json(), path).toMatchObject({ code: 'invalid_transition' })
    expect((await call('PATCH', `/${id}`, { title: 'y' })).json()).toMatchObject({ code: 'invalid_transition' })
    expect(await kindsOf(id)).toEqual(['CREATED', 'CLOSED'])
  })
})

describe('a version that is no longer the present one', () => {
  test('is refused with the incident as it is now and what made it so', async () => {
    const { id, version } = await open()
    await change(id, 'comments', { comment: 'Does not count.' })
    await change(id, 'transition', { to: 'ANALYSIS', version })
    await change(id, 'comments', { comment: 'Said after it.' })
    const answer = await call('PATCH', `/${id}`, { version, severity: 'LOW' })
    expect(answer.json()).toMatchObject({
      ...{ status: 409, code: 'conflict', detail: expect.stringContaining('analyst changed the incident') },
      incident: { id, version: 2, status: 'ANALYSIS', severity: 'MEDIUM' },
      changes: [
        { kind: 'STATUS_CHANGED', from: 'OPEN', to: 'ANALYSIS', actor: 'analyst' },
        { kind: 'COMMENT', note: 'Said after it.' },
      ],
    })
    expect(answer.json().changes[0].at).toMatch(/^\d{4}-.*Z$/)
  })

  test('comments, actions and links leave the version as it is', async () => {
    const cve = await subjects.cve()
    const { id, version } = await open()
    await change(id, 'comments', { comment: 'x' })
    await change(id, 'actions', { action: 'Blocked the address at the proxy.' })
    await change(id, 'links', { cve_ids: [cve] })
    expect(await change(id, 'assign', { assignee_id: userIds.ANALYST, version })).toMatchObject({ version: version + 1 })
    expect(await kindsOf(id)).toEqual(['CREATED', 'COMMENT', 'ACTION_DECLARED', 'CVE_LINKED', 'ASSIGNED'])
  })
})

describe('editing, assigning, escalating', () => {
  test('title and severity are told with what they were; nothing new is no change', async () => {
    const { id } = await open()
    const answer = await call('PATCH', `/${id}`, { title: 'Another title', severity: 'critical' })
    expect(answer.json()).toMatchObject({ title: 'Another title', severity: 'CRITICAL', version: 2 })
    expect((await call('PATCH', `/${id}`, { title: 'Another title' })).json()).toMatchObject({ version: 2, event_count: 3 })
    expect(await timelineOf(id)).toMatchObject([
      { kind: 'CREATED' },
      { kind: 'TITLE_CHANGED', from: 'An incident', to: 'Another title' },
      { kind: 'SEVERITY_CHANGED', from: 'MEDIUM', to: 'CRITICAL' },
    ])
  })

  test('the first assignment takes it in, the next ones do not move that moment', async () => {
    const { id } = await open()
    const first = await change(id, 'assign', { assignee_id: userIds.ANALYST })
    expect(first).toMatchObject({ assignee: 'analyst', acknowledged_at: expect.any(String) })
    await change(id, 'assign', { assignee_id: null })
    expect(await change(id, 'assign', { assignee_id: userIds.ADMIN })).toMatchObject({ acknowledged_at: first['acknowledged_at'] })
    expect((await timelineOf(id)).map(({ from, to }) => [from, to])).toEqual([
      [null, 'An incident'],
      [null, 'analyst'],
      ['analyst', null],
      [null, 'admin'],
    ])
  })

  test('an escalation goes up one level, takes it from whoever had it, and ends at L3', async () => {
    const { id } = await open({ assignee_id: userIds.ANALYST })
    const reason = 'Beyond what this level may do.'
    expect(await change(id, 'escalate', { reason })).toMatchObject({ level: 'L2', assignee: null })
    expect(await change(id, 'escalate', { reason, assignee_id: userIds.ADMIN })).toMatchObject({ level: 'L3', assignee: 'admin' })
    expect((await call('POST', `/${id}/escalate`, { reason })).json()).toMatchObject({ status: 409, code: 'invalid_transition' })
    expect((await call('POST', `/${id}/escalate`, { reason: 'too short' })).statusCode).toBe(422)
    expect((await kindsOf(id)).slice(2)).toEqual(['ESCALATED', 'ASSIGNED', 'ESCALATED', 'ASSIGNED'])
  })

  test('several are assigned at once; closed and unknown ones stay', async () => {
    const [one, two, closed] = [await open(), await open(), await open()]
    await change(closed.id, 'transition', { to: 'CLOSED', summary: 'x', resolution: 'DUPLICATE' })
    const answer = await call('POST', '/assign', { ids: [one.id, two.id, closed.id, ABSENT], assignee_id: userIds.ANALYST })
    expect(answer.json()).toMatchObject({ unchanged: 2 })
    expect(answer.json().assigned.map(({ id }: Incident) => id)).toEqual([one.id, two.id].sort())
  })

  test('those who may be given work are the active ones that may do it', async () => {
    const { items } = (await call('GET', '/assignees')).json()
    expect(items.map(({ username }: { username: string }) => username)).toEqual(['admin', 'analyst'])
  })
})

describe('what it is about', () => {
  test('is linked once, taken off, and the timeline keeps all of it', async () => {
    const [cve, ioc] = [await subjects.cve(), await subjects.ioc()]
    const { id } = await open()
    await call('PUT', `/${id}/cves/${cve.toLowerCase()}`)
    await call('PUT', `/${id}/cves/${cve}`)
    await call('PUT', `/${id}/indicators/${ioc.id}`)
    expect((await call('DELETE', `/${id}/cves/${cve}`)).json()).toMatchObject({ cve_count: 0, indicator_count: 1 })
    expect((await call('DELETE', `/${id}/cves/${cve}`)).statusCode).toBe(404)
    expect((await call('DELETE', `/${id}/indicators/${ioc.id}`)).statusCode).toBe(200)
    expect(await kindsOf(id)).toEqual(['CREATED', 'CVE_LINKED', 'IOC_LINKED', 'CVE_UNLINKED', 'IOC_UNLINKED'])
    expect((await timelineOf(id)).at(-1)).toMatchObject({ from: ioc.value })
  })

  test('one that is not stored costs all of one request', async () => {
    const cve = await subjects.cve()
    const { id } = await open()
    expect((await call('POST', `/${id}/links`, { cve_ids: [cve, 'CVE-2031-0000'] })).json()).toMatchObject({ code: 'validation_failed' })
    expect(await kindsOf(id)).toEqual(['CREATED'])
  })

  test('shows which others share it, open ones first', async () => {
    const [cve, ioc] = [await subjects.cve(), await subjects.ioc()]
    const closed = await open({ title: 'closed', cve_ids: [cve], indicator_ids: [ioc.id] })
    await change(closed.id, 'transition', { to: 'CLOSED', summary: 'x', resolution: 'DUPLICATE' })
    const first = await open({ title: 'first', cve_ids: [cve] })
    const found = (await call('POST', '/related', { cve_ids: [cve], indicator_ids: [ioc.id] }, 'VIEWER')).json().items
    expect(found).toMatchObject([
      { title: 'first', status: 'OPEN', shared: [cve], shared_count: 1 },
      { title: 'closed', status: 'CLOSED', shared: [cve, ioc.value], shared_count: 2 },
    ])
    expect((await call('GET', `/${first.id}/related`)).json().items).toMatchObject([{ title: 'closed', shared: [cve] }])
  })

  test('a CVE names its incidents and alerts', async () => {
    const alert = await subjects.alert()
    const { id } = await open({ alert_ids: [alert.id] })
    const cve = (await app.call('GET', `/api/v1/cves/${alert.cve_id}`, 'VIEWER')).json()
    expect(cve).toMatchObject({ incidents: [{ id, status: 'OPEN' }], alerts: [{ id: alert.id, state: 'OPEN' }] })
  })
})

describe('the list', () => {
  test('filters by every condition, newest first', async () => {
    const [cve, ioc] = [await subjects.cve(), await subjects.ioc()]
    const one = await open({ title: 'one', severity: 'CRITICAL', cve_ids: [cve], indicator_ids: [ioc.id], assignee_id: userIds.ANALYST })
    const two = await open({ title: 'two', severity: 'LOW', cve_ids: [cve] })
    await change(two.id, 'escalate', { reason: 'Beyond what this level may do.' })
    const titles = async (query: string) =>
      (await call('GET', `?cve_id=${cve}&${query}`)).json().items.map(({ title }: { title: string }) => title)
    expect(await titles('')).toEqual(['two', 'one'])
    expect(await titles('severity=critical,high')).toEqual(['one'])
    expect(await titles('level=L2,L3')).toEqual(['two'])
    expect(await titles('assignee=me')).toEqual(['one'])
    expect(await titles('assignee=none')).toEqual(['two'])
    expect(await titles(`assignee=${userIds.ADMIN}`)).toEqual([])
    expect(await titles(`indicator_id=${ioc.id}`)).toEqual(['one'])
    await change(one.id, 'transition', { to: 'ANALYSIS' })
    expect(await titles('status=analysis')).toEqual(['one'])
    await change(two.id, 'transition', { to: 'CLOSED', summary: 'x', resolution: 'DUPLICATE' })
    expect(await titles('open=true')).toEqual(['one'])
    expect(await titles('open=false')).toEqual(['two'])
  })

  test('knows which are late: not taken in, or not closed, in the time of their severity', async () => {
    const cve = await subjects.cve()
    const [fresh, waiting, taken, long] = [
      await open({ title: 'fresh', severity: 'HIGH', cve_ids: [cve] }),
      await open({ title: 'waiting', severity: 'HIGH', cve_ids: [cve] }),
      await open({ title: 'taken in', severity: 'HIGH', cve_ids: [cve], assignee_id: userIds.ADMIN }),
      await open({ title: 'long', severity: 'HIGH', cve_ids: [cve], assignee_id: userIds.ADMIN }),
    ]
    const backdate = async (id: string, hours: number) =>
      await withClient(app.database.ownerUrl, async (run) => {
        await run(`update incidents set created_at = now() - make_interval(hours => $2) where id = $1`, [id, hours])
      })
    for (const [{ id }, hours] of [
      [fresh, 3],
      [waiting, 5],
      [taken, 71],
      [long, 73],
    ] as const)
      await backdate(id, hours)
    const { items } = (await call('GET', `?cve_id=${cve}&overdue=true`)).json()
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['long', 'waiting'])
  })

  test('is paged without a gap', async () => {
    const cve = await subjects.cve()
    for (let n = 0; n < 51; n++) await open({ cve_ids: [cve] })
    const first = (await call('GET', `?cve_id=${cve}`)).json()
    expect(first).toMatchObject({ total: 51, total_exact: true })
    const second = (await call('GET', `?cve_id=${cve}&cursor=${first.next}`)).json()
    expect(second.next).toBeNull()
    const ids = [...first.items, ...second.items].map(({ id }: Incident) => id)
    expect(ids).toEqual(ids.toSorted().reverse())
    expect(new Set(ids).size).toBe(51)
  })

  test.each([
    ['?status=DONE', 'status'],
    ['?severity=INFO', 'severity'],
    ['?level=L4', 'level'],
    ['?assignee=ana', 'assignee'],
  ])('%s is refused at its field', async (query, field) => {
    expect((await call('GET', query)).json()).toMatchObject({ status: 422, errors: [{ field }] })
  })
})

test('a timeline is paged in the order of what happened', async () => {
  const { id } = await open()
  const note = JSON.stringify(Array.from({ length: 250 }, (_, n) => ({ note: `comment ${n}` })))
  await withClient(app.database.ownerUrl, async (run) => {
    await run(
      `insert into incident_events (incident_id, seq, version, at, kind, actor_name, note)
       select $1, 1 + n, 1, now(), 'COMMENT', 'ana', note
       from rows from (jsonb_to_recordset($2::jsonb) as (note text)) with ordinality as comment (note, n)`,
      [id, note],
    )
    await run('update incidents set event_count = 251 where id = $1', [id])
  })
  const first = (await call('GET', `/${id}/timeline`)).json()
  expect(first).toMatchObject({ total: 251, next: '200' })
  const second = (await call('GET', `/${id}/timeline?cursor=${first.next}`)).json()
  expect([...first.items, ...second.items].map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 251 }, (_, n) => n + 1))
})

test('a clock that steps back does not turn the timeline round', async () => {
  const { id } = await open()
  await withClient(app.database.ownerUrl, async (run) => {
    await run(`update incidents set updated_at = now() + interval '1 hour' where id = $1`, [id])
  })
  const incident = await change(id, 'comments', { comment: 'An hour before, by the clock.' })
  const [entry] = (await call('GET', `/${id}/timeline?cursor=1`)).json().items
  expect(entry.at).toBe(incident['updated_at'])
  expect(new Date(entry.at).getTime()).toBeGreaterThan(Date.now())
})

test('a report is a document, and its export is journalled', async () => {
  const ioc = await subjects.ioc()
  const { id } = await open({ indicator_ids: [ioc.id] })
  const answer = await call('GET', `/${id}/report`, undefined, 'VIEWER')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'content-disposition': `attachment; filename="incident-${id}.md"`,
  })
  expect(answer.body).toContain('# Incident: An incident')
  expect(answer.body).toContain(ioc.value.replaceAll('.', '[.]'))
  expect(await auditOf(id)).toEqual(['incident.created', 'data.export'])
})

test('what is not there is 404 at every door', async () => {
  const doors: [string, string, object?][] = [
    ['GET', ''],
    ['GET', '/timeline'],
    ['GET', '/related'],
    ['GET', '/report'],
    ['PATCH', '', { title: 'x' }],
    ['POST', '/transition', { to: 'ANALYSIS' }],
    ['POST', '/assign', { assignee_id: null }],
    ['POST', '/escalate', { reason: 'Long enough a reason.' }],
    ['POST', '/comments', { comment: 'x' }],
    ['POST', '/actions', { action: 'x' }],
    ['POST', '/links', {}],
    ['DELETE', `/indicators/${ABSENT}`],
    ['DELETE', '/cves/CVE-2031-0001'],
  ]
  for (const [method, path, body] of doors) expect((await call(method, `/${ABSENT}${path}`, body)).statusCode, path).toBe(404)
})

test('an IOC that an incident is about is not purged with its feed', async () => {
  const ioc = await subjects.ioc()
  const { id } = await open({ indicator_ids: [ioc.id] })
  const source = '00000000-0000-7000-8000-000000000001'
  const describeOrphans = async () =>
    await transact(app.services.db, SILENT_LOGGING.for('svc.worker'), async (tx) => {
      return (await sourcesService.describeOrphans(tx, source)).orphans
    })
  const kept = await describeOrphans()
  await call('DELETE', `/${id}/indicators/${ioc.id}`)
  expect(await describeOrphans()).toBe(kept + 1)
})
