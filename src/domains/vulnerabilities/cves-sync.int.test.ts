import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServices, type Services } from '#entrypoints/services.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { MS_PER_DAY, MS_PER_HOUR } from '#kernel/clock.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { createLogging } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { type NvdFault, type PublishedCve, startVulnerabilityServer, type VulnerabilityServer } from '#test/support/vulnerability-server.ts'
import type { SyncOptions, SyncReport } from './cves-sync.service.ts'

let database: TestDatabase
let server: VulnerabilityServer
let services: Services
let now: Date
const logLines: string[] = []
const opened: Services[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  server = await startVulnerabilityServer()
  server.pageCap = 40
  now = new Date()
  server.clock = () => now
  logLines.length = 0
  services = await open()
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  await server.close()
  await database.drop()
})

async function open(env: Record<string, string> = {}): Promise<Services> {
  const config = loadConfig(
    { DATABASE_URL: database.appUrl, SECRET_KEY: 'k'.repeat(40), SVC_ENV_FILE: '', STORE_IN_PROCESS: 'true', ...server.env, ...env },
    '/',
  )
  const logging = createLogging({ level: 'debug', format: 'json', destination: { write: (line: string) => void logLines.push(line) } })
  // Nothing is waited for: test/promises/nvd-pacing.int.test.ts tries the pace.
  const each = await createServices(config, logging, 'test', { clock: () => now, nvd: { wait: async () => {}, clock: () => now } })
  opened.push(each)
  return each
}

const idOf = (number: number) => `CVE-2026-${String(10_000 + number)}`
const noZone = (at: Date) => at.toISOString().slice(0, -1)
const daysAgo = (days: number) => noZone(new Date(now.getTime() - days * MS_PER_DAY))

function publish(number: number, more: Partial<PublishedCve> = {}): string {
  const id = idOf(number)
  server.cves.set(id, { id, published: daysAgo(100), lastModified: daysAgo(1 + (number % 100)), cvss: 5, ...more })
  return id
}
function publishMany(count: number): void {
  for (let number = 0; number < count; number++) publish(number)
}
/** The record is changed now. */
function change(id: string, more: Partial<PublishedCve>): void {
  const known = server.cves.get(id)
  if (known === undefined) throw new Error(`${id} was never published.`)
  server.cves.set(id, { ...known, lastModified: noZone(now), ...more })
}
function later(hours: number): void {
  now = new Date(now.getTime() + hours * MS_PER_HOUR)
  server.epssDay = now.toISOString().slice(0, 10)
}

async function sync(options: Partial<SyncOptions> = {}, by: Services = services): Promise<SyncReport> {
  return await by.cvesSync.sync(COMMAND_LINE_ACTOR, { signal: new AbortController().signal, ...options })
}
async function storedIds(): Promise<string[]> {
  return (await services.db.selectFrom('cves').select('id').orderBy('id').execute()).map(({ id }) => id)
}
const publishedIds = () => [...server.cves.keys()].sort()
const alerts = async () => (await services.alerts.page({})).items.map((alert) => alert.cve_id).sort()
const errorsOf = ({ sources }: SyncReport) => sources.flatMap(({ error }) => (error === null ? [] : [error]))

describe('NVD', () => {
  test('windows of at most 120 days, with a zone, page by page, and nothing is asked twice', async () => {
    services = await open({ VULNDB_INITIAL_DAYS: '300' })
    for (let number = 0; number < 200; number++) publish(number, { lastModified: daysAgo(1 + number) })
    expect(errorsOf(await sync({ only: ['NVD'] }))).toEqual([])
    expect(await storedIds()).toEqual(publishedIds())
    const windows = new Set(server.nvdRequests.map(({ params }) => `${params.get('lastModStartDate')} ${params.get('lastModEndDate')}`))
    expect(windows.size).toBe(3)
  })

  test('the next round begins 10 hours before the last one, and brings what has changed', async () => {
    publishMany(5)
    await sync({ only: ['NVD'] })
    const first = now
    server.nvdRequests.length = 0
    later(2)
    change(idOf(3), { text: 'Another text' })
    await sync({ only: ['NVD'] })
    expect(server.nvdRequests.map(({ params }) => params.get('lastModStartDate'))).toEqual([
      new Date(first.getTime() - 10 * MS_PER_HOUR).toISOString(),
    ])
    expect((await services.cves.get(idOf(3))).description).toBe('Another text')
  })

  // biome-ignore format: one case per line
  test.each<{ title: string; faults: (NvdFault | undefined)[]; sizes?: string[] }>([
    { title: 'a 403 of its firewall',            faults: [{ status: 403 }, { status: 403 }] },
    { title: 'a 404 once, to a page too large',  faults: [{ status: 404 }], sizes: ['2000', '1000'] },
    { title: 'a 503 again and again',            faults: [{ status: 503 }, { status: 503 }, { status: 503 }], sizes: ['2000', '1000', '500', '500'] },
    { title: 'a 524',                            faults: [{ status: 524 }], sizes: ['2000', '1000'] },
    { title: 'a 429 with a wait',                faults: [{ status: 429, headers: { 'retry-after': '30' } }] },
    { title: 'an answer that is cut off',        faults: ['truncate'], sizes: ['2000', '1000'] },
    { title: 'a fault in the middle of a walk',  faults: [undefined, undefined, { status: 502 }, 'truncate'] },
  ])('nothing is lost by $title', async ({ faults, sizes }) => {
    publishMany(130)
    server.beforeNvd = ({ number }) => faults[number - 1]
    expect(errorsOf(await sync({ only: ['NVD'] }))).toEqual([])
    expect(await storedIds()).toEqual(publishedIds())
    if (sizes !== undefined)
      expect(server.nvdRequests.slice(0, sizes.length).map(({ params }) => params.get('resultsPerPage'))).toEqual(sizes)
  })

  test('a fault that stays ends the round with a reason, keeps what was read, and the next one goes on behind it', async () => {
    publishMany(130)
    server.beforeNvd = ({ number }) => (number > 2 ? { status: 503 } : undefined)
    expect(errorsOf(await sync({ only: ['NVD'] }))).toEqual([expect.stringMatching(/^NVD: .*status 503/)])
    expect(await storedIds()).toHaveLength(80)
    expect((await services.cvesSync.status()).sources[0]).toMatchObject({ status: 'FAILED', progress: { read: 80, total: 130 } })
    server.beforeNvd = () => undefined
    server.nvdRequests.length = 0
    expect(errorsOf(await sync({ only: ['NVD'] }))).toEqual([])
    expect(server.nvdRequests[0]?.params.get('startIndex')).toBe('80')
    expect(await storedIds()).toEqual(publishedIds())
  })

  test('a first round that is stopped after its first window has not failed, though the rest brings nothing', async () => {
    services = await open({ VULNDB_INITIAL_DAYS: '200' })
    publish(1, { lastModified: daysAgo(190) })
    const stop = new AbortController()
    server.beforeNvd = ({ number }) => {
      if (number === 2) stop.abort(new Error('stopped'))
      return undefined
    }
    await expect(sync({ only: ['NVD'], signal: stop.signal })).rejects.toThrow()
    expect(errorsOf(await sync({ only: ['NVD'] }))).toEqual([])
    expect(await storedIds()).toEqual([idOf(1)])
  })

  test('a second 404 is believed, and a wrong key is thought of', async () => {
    publishMany(3)
    services = await open({ VULNDB_API_KEY: 'key-of-the-test' })
    server.beforeNvd = () => ({ status: 404 })
    const [error] = errorsOf(await sync({ only: ['NVD'] }))
    expect(error).toMatch(/VULNDB_API_KEY/)
    expect(error).not.toContain('key-of-the-test')
    expect(server.nvdRequests.map(({ headers }) => headers['apikey'])).toEqual(['key-of-the-test', 'key-of-the-test'])
    expect(server.nvdRequests.every(({ params }) => !params.toString().includes('key-of-the-test'))).toBe(true)
    expect(logLines.join()).not.toContain('key-of-the-test')
  })

  test('records that are changed while the window is read push others up, and none of these is missed', async () => {
    publishMany(200)
    // Records of pages that were read leave the window, since they are changed now.
    server.beforeNvd = ({ number }) => {
      if (number > 1 && number < 6) {
        now = new Date(now.getTime() + 1000)
        for (let at = 0; at < 7; at++) change(idOf((number - 2) * 7 + at), { text: 'Changed meanwhile' })
      }
      return undefined
    }
    await sync({ only: ['NVD'] })
    expect(await storedIds()).toEqual(publishedIds())
    server.beforeNvd = () => undefined
    later(1)
    await sync({ only: ['NVD'] })
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from cves where description = 'Changed meanwhile'`.execute(services.db)
    expect(rows[0]?.count).toBe(28)
  })

  test('3,000 records that were only stamped anew cost no write of a CVE', { timeout: 60_000 }, async () => {
    server.pageCap = 2000
    publishMany(3000)
    await sync({ only: ['NVD'] })
    later(1)
    for (const id of publishedIds()) change(id, {})
    const [report] = (await sync({ only: ['NVD'] })).sources
    expect(report).toMatchObject({ records: 3000, created: 0, updated: 0, error: null })
  })

  test('a first round without any record has failed', async () => {
    expect(errorsOf(await sync({ only: ['NVD'] }))).toEqual([expect.stringMatching(/no record at all/)])
    expect((await services.cvesSync.status()).sources[0]).toMatchObject({ status: 'FAILED', checkpoint: null })
    publishMany(3)
    expect(errorsOf(await sync({ only: ['NVD'] }))).toEqual([])
    expect(await storedIds()).toHaveLength(3)
  })

  test('a CVE that is withdrawn goes, and its alert is acknowledged', async () => {
    const id = publish(1, { cvss: 9.8, exploit: true })
    server.epss.set(id, 0.01)
    await sync()
    later(1)
    server.epss.set(id, 0.97)
    await sync()
    expect(await alerts()).toEqual([id])
    later(1)
    change(id, { status: 'Rejected' })
    await sync()
    expect(await storedIds()).toEqual([])
    expect((await services.alerts.page({})).items).toMatchObject([{ state: 'ACKNOWLEDGED', acknowledged_by: 'worker' }])
  })

  test('a second synchronisation at the same time is refused', async () => {
    publishMany(100)
    const { promise, resolve } = Promise.withResolvers<void>()
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
    server.beforeNvd = async () => {
      isAsked()
      await promise
      return undefined
    }
    const first = sync({ only: ['NVD'] })
    await asked
    await expect(sync({ only: ['KEV'] })).rejects.toMatchObject({ code: 'conflict' })
    resolve()
    await first
  })
})

describe('KEV', () => {
  test('CVEs that it names and NVD has not brought are fetched', async () => {
    publishMany(3)
    for (let number = 500; number < 520; number++) server.kev.push({ id: publish(number, { lastModified: daysAgo(900) }) })
    await sync({ only: ['NVD', 'KEV'] })
    expect(await storedIds()).toEqual(publishedIds())
    server.kev.push({ id: publish(530, { lastModified: daysAgo(900) }) })
    server.nvdRequests.length = 0
    await sync({ only: ['KEV'] })
    expect(server.nvdRequests.map(({ params }) => params.get('cveId'))).toEqual([idOf(530)])
    expect(await storedIds()).toEqual(publishedIds())
  })

  test('one that is cut off is refused, nothing is lost, and EPSS is asked all the same', async () => {
    publishMany(3)
    server.kev = [{ id: idOf(1) }]
    await sync()
    server.kevText = '{"catalogVersion":"2026.11.21","count":2,"vulnerabilities":[{"cveID":"CVE-2026-1'
    server.paths.length = 0
    const report = await sync()
    expect(errorsOf(report)).toEqual([expect.stringMatching(/not believed/)])
    expect((await services.cves.get(idOf(1))).kev).toBe(true)
    expect(server.paths).toContain('/epss')
  })
})

describe('EPSS', () => {
  test('few CVEs are asked for by 100', async () => {
    publishMany(150)
    for (const id of publishedIds()) server.epss.set(id, 0.5)
    await sync()
    expect(server.paths.filter((path) => path === '/epss')).toHaveLength(2)
    expect(await services.cves.get(idOf(149))).toMatchObject({ epss: 0.5, epss_day: server.epssDay })
  })

  test('a file of a former day does not keep them from being of today', async () => {
    const id = publish(1)
    server.epss.set(id, 0.5)
    const day = `#model_version:v2026.06.15,score_date:2026-01-01T00:00:00+0000\ncve,epss,percentile\n${id},0.4,0.4\n`
    const text = async function* () {
      yield day
    }
    await services.cveScores.applyEpssScores(text(), { silent: true, signal: new AbortController().signal })
    await sync({ only: ['NVD', 'EPSS'] })
    expect(await services.cves.get(id)).toMatchObject({ epss: 0.5, epss_day: server.epssDay, epss_model: 'v2026.06.15' })
    expect((await services.cvesSync.status()).epss_stale).toBe(false)
  })

  test('that none has a score is no fault', async () => {
    publishMany(3)
    expect(errorsOf(await sync({ only: ['NVD', 'EPSS'] }))).toEqual([])
  })

  test('many get the file of the day, and those that it does not name are asked for', { timeout: 60_000 }, async () => {
    server.pageCap = 2000
    publishMany(2100)
    for (let number = 0; number < 2090; number++) server.epss.set(idOf(number), 0.25)
    await sync()
    expect(server.paths.filter((path) => path.startsWith('/epss'))).toEqual(['/epss.csv', '/epss'])
    expect(await services.cves.get(idOf(2089))).toMatchObject({ epss: 0.25, epss_model: server.epssModel })
  })

  test('stale scores are told of', async () => {
    const id = publish(1)
    server.epss.set(id, 0.5)
    await sync()
    expect((await services.cvesSync.status()).epss_stale).toBe(false)
    now = new Date(now.getTime() + 72 * MS_PER_HOUR)
    await sync({ only: ['KEV'] })
    expect((await services.cvesSync.status()).epss_stale).toBe(true)
    expect(logLines.filter((line) => line.includes('cve.epss_stale'))).toHaveLength(1)
  })
})

describe('alerts', () => {
  /** CVSS 39 and exploit 10: with KEV 69, with EPSS .97 (20 + 9) 78. */
  const risky = { cvss: 9.8, exploit: true }

  test('the first round tells nobody; what crosses afterwards is told once', async () => {
    const [high, low] = [publish(1, risky), publish(2, risky)]
    server.epss.set(high, 0.97)
    server.epss.set(low, 0.01)
    expect((await sync()).alerts).toBe(0)
    later(1)
    server.epss.set(low, 0.97)
    expect((await sync()).alerts).toBe(1)
    expect((await sync()).alerts).toBe(0)
    expect(await alerts()).toEqual([low])
  })

  test('a score that came with several sources is one alert with the last score', async () => {
    const id = publish(1, { cvss: 4 })
    server.epss.set(id, 0.01)
    // A catalogue without entries is not believed.
    server.kev = [{ id: publish(9) }]
    await sync()
    later(1)
    change(id, risky)
    server.kev.push({ id, ransomware: true })
    server.epss.set(id, 0.97)
    expect((await sync()).alerts).toBe(1)
    expect((await services.alerts.page({})).items).toMatchObject([{ cve_id: id, priority: 'P0', score: 100, title: `Name of ${id}` }])
  })

  test('it comes again only after a fall well below the threshold, and after an acknowledgement', async () => {
    const id = publish(1, risky)
    const scored = async (probability: number) => {
      later(1)
      server.epss.set(id, probability)
      return (await sync()).alerts
    }
    await scored(0.01)
    expect(await scored(0.97)).toBe(1)
    const [alert] = (await services.alerts.page({})).items
    await services.alerts.acknowledge(COMMAND_LINE_ACTOR, alert?.id ?? '')
    // 39 + 10 + 18 = 67: not more than 5 below.
    expect(await scored(0.8)).toBe(0)
    expect(await scored(0.97)).toBe(0)
    expect(await scored(0.01)).toBe(0)
    expect(await scored(0.97)).toBe(1)
  })

  test('another threshold, a rescore and another EPSS model tell nobody', async () => {
    const ids = Array.from({ length: 150 }, (_, number) => publish(number, risky))
    for (const id of ids) server.epss.set(id, 0.01)
    await sync()
    later(1)
    // Without the name of a model: nearly all have moved.
    for (const id of ids) server.epss.set(id, 0.97)
    expect((await sync()).alerts).toBe(0)
    expect(logLines.some((line) => line.includes('cve.epss_model_changed'))).toBe(true)
    services = await open({ RISK_ALERT_THRESHOLD: '40' })
    publish(200, { cvss: 9.8, exploit: true })
    expect((await sync()).alerts).toBe(0)
    await services.cveScores.rescoreAll(COMMAND_LINE_ACTOR)
    expect((await sync()).alerts).toBe(0)
  })
})

test('a round is due after its interval, and at once when it was cut off', async () => {
  publishMany(3)
  expect(await services.cvesSync.isDue()).toBe(true)
  const stop = new AbortController()
  server.beforeNvd = () => {
    stop.abort(new Error('stopped'))
    return { status: 503 }
  }
  await expect(sync({ signal: stop.signal })).rejects.toThrow()
  expect(await services.cvesSync.isDue()).toBe(true)
  server.beforeNvd = () => undefined
  await sync()
  expect(await services.cvesSync.isDue()).toBe(false)
  later(2)
  expect(await services.cvesSync.isDue()).toBe(true)
  expect(await (await open({ CVE_SYNC_INTERVAL_SECONDS: '0' })).cvesSync.isDue()).toBe(false)
})

test('a round is journalled', async () => {
  publishMany(3)
  await sync({ only: ['NVD'] })
  const row = await services.db
    .selectFrom('audit_events')
    .select(['outcome', 'details'])
    .where('action', '=', 'cves.synced')
    .executeTakeFirst()
  expect(row).toMatchObject({ outcome: 'SUCCESS', details: { created: 3, alerts: 0 } })
})
