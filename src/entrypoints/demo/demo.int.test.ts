import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '#platform/config/load-config.ts'
import type { Config } from '#platform/config/settings.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { buildApp } from '../api/build-app.ts'
import { createServices, type Services } from '../services.ts'
import { openDemoAnalyst } from './demo-analyst.ts'
import { DEMO_FEEDS, DEMO_VALUES } from './demo-lists.ts'
import { type DemoFigures, loadDemo } from './load-demo.ts'
import { runScenario, type ScenarioStep } from './run-scenario.ts'
import { createScenarioClient } from './scenario-client.ts'

const NOW = new Date('2026-11-21T10:30:00.000Z')
/** Enough for collections that change, scores that rise, and alerts. */
const DAYS = 4

let database: TestDatabase
let config: Config
let services: Services
let figures: DemoFigures

beforeAll(async () => {
  database = await createTestDatabase()
  config = loadConfig({ DATABASE_URL: database.appUrl, SECRET_KEY: 'k'.repeat(40), SVC_ENV_FILE: '' }, '/')
  services = await createServices(config, SILENT_LOGGING, 'test', { clock: () => NOW })
  figures = await loadDemo(config, { now: NOW, days: DAYS })
})
afterAll(async () => {
  await services.close()
  await database.drop()
})

test('an empty base has lists, values of several sources, CVEs, alerts and people afterwards', async () => {
  expect(figures).toMatchObject({ days: DAYS, feeds: 4, cves: 240, accounts: 3 })
  expect(figures.indicators).toBeGreaterThan(500)
  expect(figures.alerts).toBeGreaterThan(0)
  expect(figures).toMatchObject({ incidents: DAYS + 1, exclusions: 1 })
  expect((await services.incidentReading.page({ status: 'CLOSED' }, undefined)).total).toBeGreaterThan(1)
  expect((await services.incidentReading.page({ level: 'L2' }, undefined)).total).toBe(1)
  const { rows } = await sql<{ most: number }>`
    select max(count)::int as most from (select count(*) from indicator_sources group by indicator_id) of_each`.execute(services.db)
  expect(rows[0]?.most).toBeGreaterThan(1)
})

test('every source stands where the screen knows it for made up', () => {
  for (const { url } of DEMO_FEEDS) expect(new URL(url).hostname).toBe('lists.example.org')
})

test('every collection ended well, or with the refusals that it is to show', async () => {
  const { rows } = await sql<{ outcome: string }>`select distinct outcome from collection_runs`.execute(services.db)
  expect(rows).toEqual([{ outcome: 'SUCCEEDED' }])
})

test('nothing happened in the future, and the journal is whole', async () => {
  const { rows } = await sql<{ latest: Date; first: Date }>`select max(at) as latest, min(at) as first from audit_events`.execute(
    services.db,
  )
  expect(rows[0]?.latest.getTime()).toBeLessThanOrEqual(NOW.getTime())
  expect(rows[0]?.first).toEqual(new Date('2026-11-17T00:00:00.000Z'))
  expect((await services.journal.verify({ expected: [] })).intact).toBe(true)
})

test('a base that holds anything is left alone, with the way to an empty one', async () => {
  await expect(loadDemo(config, { now: NOW, days: DAYS })).rejects.toMatchObject({
    message: expect.stringContaining('holds indicators already'),
    next: expect.stringContaining('svc up --no-seed'),
  })
})

describe("an analyst's day", () => {
  test('goes from an open alert to a closed incident with its report, over the API', async () => {
    const app = await buildApp(services, { ...config, WEB_DIR: undefined }, SILENT_LOGGING)
    try {
      const client = createScenarioClient(await app.listen({ host: '127.0.0.1', port: 0 }))
      const analyst = await openDemoAnalyst(services.accounts)
      await client.logIn(analyst.username, analyst.password)
      const before = await services.incidentReading.page({ status: 'CLOSED' }, undefined)
      const steps: ScenarioStep[] = []
      await runScenario(client, DEMO_VALUES[0] ?? '', (step) => steps.push(step))
      expect(steps).toHaveLength(10)
      expect((await services.incidentReading.page({ status: 'CLOSED' }, undefined)).total).toBe(before.total + 1)
      // A second one has an account as well, with another password; afterwards nobody can log in with it.
      await analyst.end()
      await expect(client.logIn(analyst.username, analyst.password)).rejects.toThrow('does not let the account')
      const again = await openDemoAnalyst(services.accounts)
      expect(again.password).not.toBe(analyst.password)
      await client.logIn(again.username, again.password)
      await client.logOut()
      await again.end()
    } finally {
      await app.close()
    }
  })

  test('cannot begin where nothing answers, and says what to do', async () => {
    const client = createScenarioClient('http://127.0.0.1:9')
    await expect(runScenario(client, 'a.example.com', () => {})).rejects.toMatchObject({
      name: 'CannotRun',
      next: expect.stringContaining('svc up'),
    })
  })
})
