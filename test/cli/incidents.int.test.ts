import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { runSvc } from '../support/svc-process.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let id = ''
const svc = async (...args: string[]) => await runSvc(['incidents', ...args], { DATABASE_URL: app.database.appUrl })

beforeAll(async () => {
  app = await createTestApp()
  id = (await app.services.incidents.open(COMMAND_LINE_ACTOR, { title: 'Beacon', severity: 'HIGH' })).id
})
afterAll(async () => await app.close())

test('an incident is escalated with a reason, which the timeline keeps, and listed by its level', async () => {
  const reason = 'Three servers more answer.'
  expect(await svc('escalate', id, '--reason', reason)).toMatchObject({ code: 0, stdout: 'L2  Beacon\n' })
  const { items } = await app.services.incidentReading.timeline(id, 1)
  expect(items).toMatchObject([{ kind: 'ESCALATED', from: 'L1', to: 'L2', note: reason, actor: 'command line' }])
  const { stdout } = await svc('list', '--level', 'L2,L3', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ total: 1, items: [{ id, level: 'L2', severity: 'HIGH' }] })
})

test('what is refused says why and what to do', async () => {
  const [short, unknown, noId] = await Promise.all([
    svc('escalate', id, '--reason', 'short'),
    svc('escalate', '00000000-0000-7000-8000-0000000000ee', '--reason', 'Long enough a reason.'),
    svc('escalate', 'Beacon', '--reason', 'Long enough a reason.'),
  ])
  expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining('at least 10 characters') })
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no such incident.') })
  expect(noId).toMatchObject({ code: 1, stderr: expect.stringContaining('`svc incidents list` shows them') })
})

test('a report goes to the output as it is', async () => {
  const { code, stdout } = await svc('report', id)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^# Incident: Beacon\n/)
  expect(stdout).toContain('opened the incident')
})
