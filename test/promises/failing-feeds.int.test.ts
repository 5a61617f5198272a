import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectDueFeedsJob } from '#domains/feeds/feeds.jobs.ts'
import { systemClock } from '#kernel/clock.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type FeedServers, startFeedServers } from '../support/failing-feeds.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const ADMIN = { name: 'admin', role: 'ADMIN' } as const
/** Far below the minutes that the failing feeds take until their time limits, far above what the good ones need. Milliseconds. */
const PATIENCE_MS = 40_000

let servers: FeedServers
let app: TestApp
beforeAll(async () => {
  servers = await startFeedServers()
  app = await createTestApp({ OUTBOUND_ALLOW_HOSTS: [...servers.failing, ...servers.good].map(({ host }) => host).join(',') })
})
afterAll(async () => {
  await app.close()
  await servers.close()
})

test('eight feeds that fail in eight ways come first in the queue, and the eight good ones behind them are collected meanwhile', async () => {
  const { services } = app
  for (const { name, url } of [...servers.failing, ...servers.good]) await services.feeds.create(ADMIN, { name, url, format: 'CSV' })
  expect((await services.feeds.listDue()).slice(0, 8).map(({ name }) => name)).toEqual(servers.failing.map(({ name }) => name))

  const stop = new AbortController()
  const job = collectDueFeedsJob({ ...services, log: SILENT_LOGGING.for('svc.collector'), clock: systemClock })
  await job.run(stop.signal)
  const healthOf = async (names: readonly { name: string }[]) => {
    const health = await services.feeds.health(ADMIN)
    return names.map(({ name }) => health.find((feed) => feed.name === name)?.last_run?.outcome)
  }
  await expect
    .poll(async () => await healthOf(servers.good), { timeout: PATIENCE_MS, interval: 100 })
    .toEqual(servers.good.map(() => 'SUCCEEDED'))
  // These take longer than the test may: the good ones did not wait for them.
  const hanging = servers.failing.filter(({ name }) => ['a kilobyte a second', 'endless'].includes(name))
  expect(await healthOf(hanging)).toEqual(['RUNNING', 'RUNNING'])
  expect((await app.call('GET', '/api/v1/feeds', 'VIEWER')).statusCode).toBe(200)
  expect((await app.call('GET', '/health')).json()).toMatchObject({ database: 'connected' })

  const ending = servers.failing.filter(({ ends }) => ends)
  const outcomeOf = { reset: 'FAILED', slicer: 'SUCCEEDED', truncated: 'FAILED', 'TLS rubbish': 'FAILED' }
  await expect.poll(async () => await healthOf(ending), { timeout: PATIENCE_MS, interval: 200 }).toEqual(Object.values(outcomeOf))
  expect(ending.map(({ name }) => name)).toEqual(Object.keys(outcomeOf))

  // A stop ends those that hang, each with its row.
  stop.abort(new Error('The test is over.'))
  await job.settle?.()
  expect(await healthOf(servers.failing.filter(({ name }) => ['silence', 'a kilobyte a second', 'endless'].includes(name)))).not.toContain(
    'RUNNING',
  )
  for (const feed of await services.feeds.health(ADMIN)) expect(feed.last_run?.duration_ms).toBeGreaterThanOrEqual(0)
}, 120_000)
