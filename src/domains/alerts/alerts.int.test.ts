import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewAlert } from '#domains/alerts/alerts.model.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { transact } from '#platform/database/transact.ts'
import type { LiveEvent } from '#platform/events/event.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'

let app: TestApp
const events: LiveEvent[] = []
beforeAll(async () => {
  app = await createTestApp()
  app.services.events.subscribe({ onEvent: (event) => void events.push(event), onResync: () => {} })
})
afterAll(async () => await app.close())

let made = 0
/** A CVE that no other test has. */
const freshCve = () => `CVE-2026-${10_000 + ++made}`
const alertOf = (cveId: string, more: Partial<NewAlert> = {}): NewAlert => ({
  cveId,
  generation: 1,
  priority: 'P0',
  score: 90,
  title: 'A title',
  ...more,
})

async function raise(...alerts: NewAlert[]): Promise<number> {
  return await transact(app.services.db, SILENT_LOGGING.for('svc.cve'), async (tx) => await app.services.alerts.raise(tx, alerts))
}
async function onlyAlertOf(cveId: string): Promise<{ id: string; state: string }> {
  const { items } = await app.services.alerts.page({ cve_id: cveId })
  const [alert] = items
  if (alert === undefined || items.length > 1) throw new Error(`There are ${items.length} alerts.`)
  return alert
}
async function raised(): Promise<string> {
  const cveId = freshCve()
  await raise(alertOf(cveId))
  return (await onlyAlertOf(cveId)).id
}
const eventsOf = (id: string) => events.filter(({ data }) => data['alert_id'] === id).map(({ name }) => name)

describe('raising', () => {
  test('an alert is stored, and told after the commit', async () => {
    const cveId = freshCve()
    expect(await raise(alertOf(cveId, { title: ' two\nlines ' }))).toBe(1)
    const alert = await onlyAlertOf(cveId)
    expect(alert).toMatchObject({ state: 'OPEN', priority: 'P0', score: 90, title: 'two lines', notification: 'NONE', attempts: 0 })
    expect(eventsOf(alert.id)).toEqual(['alert.created'])
  })

  test('nothing is told of a transaction that is taken back', async () => {
    const before = events.length
    const cveId = freshCve()
    await expect(
      transact(app.services.db, SILENT_LOGGING.for('svc.cve'), async (tx) => {
        await app.services.alerts.raise(tx, [alertOf(cveId)])
        throw new Error('taken back')
      }),
    ).rejects.toThrow('taken back')
    expect((await app.services.alerts.page({ cve_id: cveId })).items).toEqual([])
    expect(events).toHaveLength(before)
  })

  test('a CVE has one open alert, and a crossing is told once', async () => {
    const cveId = freshCve()
    expect(await raise(alertOf(cveId))).toBe(1)
    expect(await raise(alertOf(cveId), alertOf(cveId, { generation: 2 }))).toBe(0)
    await app.services.alerts.acknowledge(COMMAND_LINE_ACTOR, (await onlyAlertOf(cveId)).id)
    expect(await raise(alertOf(cveId))).toBe(0)
    expect(await raise(alertOf(cveId, { generation: 2 }))).toBe(1)
  })

  test('two who raise the same crossing at once raise one alert', async () => {
    const cveId = freshCve()
    const counts = await Promise.all(Array.from({ length: 5 }, async () => await raise(alertOf(cveId))))
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
  })

  test('a long title is cut', async () => {
    const cveId = freshCve()
    await raise(alertOf(cveId, { title: 'long '.repeat(100) }))
    expect(JSON.stringify(await onlyAlertOf(cveId))).toMatch(/long…"/)
  })

  test('the alerts of withdrawn CVEs are acknowledged in the name of the service', async () => {
    const cveId = freshCve()
    await raise(alertOf(cveId))
    const withdraw = async () =>
      await transact(app.services.db, SILENT_LOGGING.for('svc.cve'), async (tx) => await app.services.alerts.withdraw(tx, [cveId]))
    expect(await withdraw()).toBe(1)
    expect(await onlyAlertOf(cveId)).toMatchObject({ state: 'ACKNOWLEDGED', acknowledged_by: 'worker' })
    expect(await withdraw()).toBe(0)
  })
})

describe('acknowledging over the API', () => {
  test('it is stored with who, journalled and told', async () => {
    const id = await raised()
    const answer = await app.call('POST', `/api/v1/alerts/${id}/ack`, 'ANALYST')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ id, state: 'ACKNOWLEDGED', acknowledged_by: 'analyst' })
    expect(eventsOf(id)).toEqual(['alert.created', 'alert.acknowledged'])
    const row = await app.services.db
      .selectFrom('audit_events')
      .select(['action', 'actor_name'])
      .where('target_id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ action: 'alert.acknowledged', actor_name: 'analyst' })
  })

  test('who comes second is told who was first', async () => {
    const id = await raised()
    await app.call('POST', `/api/v1/alerts/${id}/ack`, 'ANALYST')
    const answer = await app.call('POST', `/api/v1/alerts/${id}/ack`, 'ADMIN')
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'conflict', detail: expect.stringContaining('by analyst') })
  })

  test('of ten at once one succeeds', async () => {
    const id = await raised()
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await app.call('POST', `/api/v1/alerts/${id}/ack`, 'ANALYST')))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  })

  test('several at once: the open ones change, the others are counted', async () => {
    const [open, other, done] = [await raised(), await raised(), await raised()]
    await app.call('POST', `/api/v1/alerts/${done}/ack`, 'ANALYST')
    const unknown = '00000000-0000-7000-8000-0000000000ee'
    const answer = await app.call('POST', '/api/v1/alerts/ack', 'ANALYST', { ids: [open, other, open, done, unknown] })
    expect(answer.json()).toMatchObject({ acknowledged: [{ state: 'ACKNOWLEDGED' }, { state: 'ACKNOWLEDGED' }], unchanged: 2 })
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'an id that is none',    method: 'POST', path: '/alerts/x/ack', body: undefined,             status: 422 },
    { title: 'no ids',                method: 'POST', path: '/alerts/ack',   body: { ids: [] },           status: 422 },
    { title: 'an unknown member',     method: 'POST', path: '/alerts/ack',   body: { ids: [], all: 1 },   status: 422 },
    { title: 'an unknown alert',      method: 'GET',  path: '/alerts/00000000-0000-7000-8000-0000000000ee', body: undefined, status: 404 },
    { title: 'a cursor that is none', method: 'GET',  path: '/alerts?cursor=x', body: undefined,          status: 422 },
    { title: 'a priority that is none', method: 'GET', path: '/alerts?priority=P9', body: undefined,      status: 422 },
    { title: 'a replay without a webhook', method: 'POST', path: '/alerts/ID/deliveries', body: undefined, status: 409 },
  ])('$title is refused with $status', async ({ method, path, body, status }) => {
    const answer = await app.call(method, `/api/v1${path.replace('ID', await raised())}`, 'ADMIN', body)
    expect(answer.statusCode).toBe(status)
  })
})

describe('what is known of the CVE', () => {
  test('stands in each row, as it is today', async () => {
    const [known, gone] = [freshCve(), freshCve()]
    const { db } = app.services
    await sql`
      insert into cves (id, status, published, last_modified, description, tags, cwes, exploit, reference_list, configurations, affected, words, digest, score, priority)
      values (${known}, 'Analyzed', now(), now(), 'Text', '{}', '{}', true, '[]', '[]', '[]', '', '', 90, 'P0')`.execute(db)
    await sql`
      insert into kev_entries (cve_id, vendor_project, product, name, date_added, due_date, required_action, ransomware)
      values (${known}, '', '', '', '2026-01-01', '2026-01-22', '', true), (${gone}, '', '', '', '2026-01-01', null, '', false)`.execute(db)
    await sql`insert into epss_scores values (${known}, 0.5, 0.98)`.execute(db)
    await raise(alertOf(known), alertOf(gone))
    const rowOf = async (cveId: string) => (await app.call('GET', `/api/v1/alerts?cve_id=${cveId}`, 'VIEWER')).json().items[0]
    const facts = { kev: true, ransomware: true, kev_due_date: '2026-01-22', exploit: true, epss: 0.5, epss_percentile: 0.98 }
    expect(await rowOf(known)).toMatchObject(facts)
    expect(await rowOf(gone)).toMatchObject({ kev: false, ransomware: false, kev_due_date: null, exploit: false, epss: null })
    const { id } = await onlyAlertOf(known)
    expect((await app.call('POST', `/api/v1/alerts/${id}/ack`, 'ANALYST')).json()).toMatchObject({ state: 'ACKNOWLEDGED', ...facts })
  })
})

describe('the list', () => {
  test('is walked newest first, each alert once, and filtered', async () => {
    const cves = Array.from({ length: 60 }, freshCve)
    for (const [at, cveId] of cves.entries()) await raise(alertOf(cveId, { priority: at % 2 === 0 ? 'P2' : 'P3' }))
    const walked: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await app.call('GET', `/api/v1/alerts?priority=p2,P3&state=open${cursor === '' ? '' : `&cursor=${cursor}`}`, 'VIEWER')
      const page: { items: { cve_id: string }[]; next: string | null; total: number } = answer.json()
      expect(page.total).toBe(60)
      walked.push(...page.items.map((alert) => alert.cve_id))
      cursor = page.next
    }
    expect(walked).toEqual(cves.reverse())
  })

  test('is walked by urgency, and goes on where it was when alerts are acknowledged meanwhile', async () => {
    const all = async (cursor?: string) =>
      await app.services.alerts.page({ state: 'OPEN', sort: 'urgency', priority: 'p2,p3', ...(cursor === undefined ? {} : { cursor }) })
    const acknowledgeFirst = async () => {
      const { items, next } = await all()
      await app.services.alerts.acknowledgeAll(
        COMMAND_LINE_ACTOR,
        items.map(({ id }) => id),
      )
      return { cves: items.map(({ cve_id }) => cve_id), next }
    }
    while ((await acknowledgeFirst()).cves.length > 0);
    const cves = Array.from({ length: 60 }, freshCve)
    for (const [at, cveId] of cves.entries()) await raise(alertOf(cveId, { priority: at % 2 === 0 ? 'P3' : 'P2' }))
    const wanted = [...cves.filter((_, at) => at % 2 === 1), ...cves.filter((_, at) => at % 2 === 0)]
    const first = await acknowledgeFirst()
    expect(first.cves).toEqual(wanted.slice(0, 50))
    expect((await all(first.next ?? '')).items.map(({ cve_id }) => cve_id)).toEqual(wanted.slice(50))
  })

  test.each([undefined, 'ACKNOWLEDGED'])('has no order of urgency where alerts are not open (state %s)', async (state) => {
    const answer = await app.call('GET', `/api/v1/alerts?sort=urgency${state === undefined ? '' : `&state=${state}`}`, 'VIEWER')
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('state=OPEN')
  })

  test('is filtered by what is known of the CVE today, and by age', async () => {
    const [known, unknown] = [freshCve(), freshCve()]
    await raise(alertOf(known), alertOf(unknown))
    await sql`
      insert into kev_entries (cve_id, vendor_project, product, name, date_added, required_action, ransomware)
      values (${known}, '', '', '', '2026-01-01', '', false)`.execute(app.services.db)
    await sql`update alerts set created_at = created_at - interval '3 hours' where cve_id = ${unknown}`.execute(app.services.db)
    const listed = async (filter: string) => {
      const { items } = (await app.call('GET', `/api/v1/alerts?${filter}`, 'VIEWER')).json<{ items: { cve_id: string }[] }>()
      return items.map(({ cve_id }) => cve_id).filter((cveId) => [known, unknown].includes(cveId))
    }
    expect(await listed('kev=true')).toEqual([known])
    expect(await listed('kev=false')).toEqual([unknown])
    expect(await listed('min_age_hours=3')).toEqual([unknown])
    expect(await listed('min_age_hours=4')).toEqual([])
  })

  test('open alerts are counted by priority', async () => {
    const count = async () => (await app.services.alerts.countOpen()).find(({ priority }) => priority === 'P1')?.count ?? 0
    const before = await count()
    await raise(alertOf(freshCve(), { priority: 'P1' }))
    expect(await count()).toBe(before + 1)
  })
})
