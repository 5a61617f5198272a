import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { createSocService } from './soc.service.ts'

/** The moment of every reading: noon of the first of a month. */
const NOW = new Date('2026-03-01T12:00:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Story = {
  severity: string
  openedAgoMs: number
  takenAfterMs?: number
  closedAfterMs?: number
  resolution?: string
  level?: string
  assignee?: string
}

let app: TestApp
const analysts = new Map<string, string>()
beforeAll(async () => {
  app = await createTestApp()
  for (const username of ['admin', 'analyst']) {
    const { rows } = await sql<{ id: string }>`select id from users where username = ${username}`.execute(app.services.db)
    analysts.set(username, rows[0]?.id ?? '')
  }
})
afterAll(async () => await app.close())

async function incident({
  severity,
  openedAgoMs,
  takenAfterMs,
  closedAfterMs,
  resolution,
  level = 'L1',
  assignee,
}: Story): Promise<string> {
  const id = newId()
  const opened = new Date(NOW.getTime() - openedAgoMs)
  const after = (ms: number | undefined) => (ms === undefined ? null : new Date(opened.getTime() + ms))
  const closed = after(closedAfterMs)
  await sql`
    insert into incidents (id, title, status, severity, level, assignee_id, resolution, summary, opened_by, created_at, acknowledged_at, closed_at, updated_at)
    values (${id}, ${`incident ${severity}`}, ${closed === null ? 'OPEN' : 'CLOSED'}, ${severity}, ${level}, ${analysts.get(assignee ?? '') ?? null},
      ${closed === null ? null : (resolution ?? 'TRUE_POSITIVE_IMPACT')}, ${closed === null ? null : 'done'}, 'test', ${opened}, ${after(takenAfterMs)}, ${closed}, ${opened})`.execute(
    app.services.db,
  )
  if (closed !== null) await event(id, 'CLOSED', closed)
  return id
}

async function event(id: string, kind: string, at: Date, to: string | null = null): Promise<void> {
  await sql`
    insert into incident_events (incident_id, seq, version, at, kind, actor_name, to_value)
    values (${id}, (select count(*) + 1 from incident_events where incident_id = ${id}), 1, ${at}, ${kind}, 'test', ${to})`.execute(
    app.services.db,
  )
}

test('an empty base has no times, no breaches and a day for each of the period', async () => {
  const metrics = await createSocService({ db: app.services.db, clock: () => NOW }).metrics(3)
  expect(metrics.take_in).toMatchObject({ n: 0, mean_ms: null, median_ms: null, p90_ms: null })
  expect(metrics.take_in.by_severity.map(({ severity, target_ms }) => [severity, target_ms])).toEqual([
    ['CRITICAL', HOUR],
    ['HIGH', 4 * HOUR],
    ['MEDIUM', 24 * HOUR],
    ['LOW', 72 * HOUR],
  ])
  expect(metrics.breaches).toEqual({ take_in: 0, resolution: 0, items: [] })
  expect(metrics.per_day.map(({ day, backlog }) => [day, backlog])).toEqual([
    ['2026-02-27', 0],
    ['2026-02-28', 0],
    ['2026-03-01', 0],
  ])
})

test('times, breaches, load and flow agree with figures by hand', async () => {
  // Taken in after 10, 20, 30 and 90 minutes: mean 37.5, median 25, p90 30 + 0.7 * 60 = 72; one of four is later than an hour.
  for (const minutes of [10, 20, 30, 90])
    await incident({ severity: 'CRITICAL', openedAgoMs: 20 * HOUR, takenAfterMs: minutes * MINUTE, closedAfterMs: 2 * HOUR })
  // Closed exactly on time, a millisecond late, and by a clock that had been set back.
  await incident({ severity: 'HIGH', openedAgoMs: 80 * HOUR, takenAfterMs: 4 * HOUR, closedAfterMs: 72 * HOUR })
  await incident({ severity: 'HIGH', openedAgoMs: 80 * HOUR, takenAfterMs: 4 * HOUR + 1, closedAfterMs: 72 * HOUR + 1 })
  await incident({ severity: 'LOW', openedAgoMs: HOUR, takenAfterMs: -5 * MINUTE, closedAfterMs: -MINUTE })
  // Apart from the times.
  await incident({ severity: 'LOW', openedAgoMs: 2 * HOUR, takenAfterMs: 0, closedAfterMs: MINUTE, resolution: 'DUPLICATE' })
  await incident({ severity: 'LOW', openedAgoMs: 2 * HOUR, takenAfterMs: 0, closedAfterMs: MINUTE, resolution: 'FALSE_POSITIVE' })
  // Open: due this very moment, a second overdue, long overdue on both clocks, and with time left.
  const dueNow = await incident({ severity: 'CRITICAL', openedAgoMs: HOUR, assignee: 'analyst' })
  const late = await incident({ severity: 'CRITICAL', openedAgoMs: HOUR + 1000 })
  const old = await incident({ severity: 'MEDIUM', openedAgoMs: 60 * 24 * HOUR, level: 'L2' })
  await incident({ severity: 'LOW', openedAgoMs: HOUR, takenAfterMs: MINUTE, assignee: 'analyst', level: 'L3' })
  await event(old, 'ESCALATED', new Date(NOW.getTime() - HOUR), 'L2')
  await event(old, 'ESCALATED', new Date(NOW.getTime() - 70 * 24 * HOUR), 'L2')

  const metrics = await createSocService({ db: app.services.db, clock: () => NOW }).metrics(30)
  const of = (figures: typeof metrics.take_in, severity: string) => figures.by_severity.find((row) => row.severity === severity)
  expect(of(metrics.take_in, 'CRITICAL')).toMatchObject({
    ...{ n: 4, mean_ms: 37.5 * MINUTE, median_ms: 25 * MINUTE, p90_ms: 72 * MINUTE },
    // The late one that was taken in, and the one that still waits; the one that is due now has kept its promise.
    ...{ breached: 2, total: 6 },
  })
  expect(of(metrics.take_in, 'HIGH')).toMatchObject({ n: 2, breached: 1, total: 2 })
  expect(of(metrics.resolution, 'HIGH')).toMatchObject({ n: 2, median_ms: 72 * HOUR + 1, breached: 1, total: 2 })
  expect(of(metrics.resolution, 'LOW')).toMatchObject({ n: 1, mean_ms: 0, breached: 0 })
  expect(metrics.resolution.n).toBe(7)
  expect([...metrics.apart].sort((one, other) => one.resolution.localeCompare(other.resolution))).toEqual([
    { resolution: 'DUPLICATE', count: 1 },
    { resolution: 'FALSE_POSITIVE', count: 1 },
  ])
  expect(metrics.breaches).toMatchObject({ take_in: 2, resolution: 1 })
  expect(metrics.breaches.items.map(({ incident_id, clock, remaining_ms }) => [incident_id, clock, remaining_ms])).toEqual([
    [old, 'TAKE_IN', (24 - 60 * 24) * HOUR],
    [old, 'RESOLUTION', (7 - 60) * 24 * HOUR],
    [late, 'TAKE_IN', -1000],
  ])
  expect(metrics.next[0]).toMatchObject({ incident_id: dueNow, clock: 'TAKE_IN', remaining_ms: 0, assignee: 'analyst' })
  expect(metrics.open).toMatchObject({ total: 4, by_level: [{ count: 2 }, { count: 1 }, { count: 1 }] })
  expect(metrics.escalations).toEqual([
    { level: 'L2', count: 1 },
    { level: 'L3', count: 0 },
  ])
  expect(metrics.load).toEqual([
    { analyst: 'analyst', l1: 1, l2: 0, l3: 1, total: 2 },
    { analyst: null, l1: 1, l2: 1, l3: 0, total: 2 },
  ])
  expect(metrics.per_day.at(-1)).toMatchObject({ day: '2026-03-01', backlog: 4 })
  expect(metrics.per_day[0]).toMatchObject({ day: '2026-01-31', opened: 0, backlog: 1 })
  expect(metrics.per_day.reduce((sum, { opened }) => sum + opened, 0)).toBe(12)
  expect(metrics.per_day.reduce((sum, { closed }) => sum + closed, 0)).toBe(9)
})

test('a VIEWER gets the same without the load by name, as JSON and as CSV', async () => {
  const ask = async (path: string, role: 'ANALYST' | 'VIEWER') => await app.call('GET', `/api/v1/dashboard/soc${path}`, role)
  expect((await ask('', 'ANALYST')).json()).toMatchObject({ days: 30, load: [{ analyst: 'analyst' }, { analyst: null }] })
  expect((await ask('?days=7', 'VIEWER')).json()).toMatchObject({ days: 7, load: [], open: { total: 4 } })
  const csv = await ask('/csv?days=7', 'VIEWER')
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(csv.body).toContain('open,L2,count,1\r\n')
  expect(csv.body).not.toMatch(/^load,/m)
  expect((await ask('?days=0', 'ANALYST')).statusCode).toBe(422)
})
