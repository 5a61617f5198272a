import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListServer, startListServer } from '../support/list-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { withClient } from '../support/with-client.ts'

const ADMIN = { name: 'admin', role: 'ADMIN' } as const

let lists: ListServer
let app: TestApp
beforeAll(async () => {
  lists = await startListServer()
  app = await createTestApp({ OUTBOUND_ALLOW_HOSTS: lists.host })
})
afterAll(async () => {
  await app.close()
  await lists.close()
})

const STIX = (value: string) =>
  JSON.stringify({
    type: 'bundle',
    id: 'bundle--00000000-0000-4000-8000-000000000001',
    objects: [
      {
        type: 'indicator',
        spec_version: '2.1',
        id: 'indicator--00000000-0000-4000-8000-000000000002',
        created: '2026-01-01T00:00:00.000Z',
        modified: '2026-01-01T00:00:00.000Z',
        pattern: `[domain-name:value = '${value}']`,
        pattern_type: 'stix',
        valid_from: '2026-01-01T00:00:00Z',
        indicator_types: ['malicious-activity'],
      },
    ],
  })

// biome-ignore format: one case per line
const CASES = [
  { title: 'a new list whose run cannot be opened',               format: 'CSV',  body: (value: string) => value, revoke: 'insert',         first: false, outcome: 'SUCCEEDED', lines: 1 },
  { title: 'a new list whose run cannot be finished',             format: 'CSV',  body: (value: string) => value, revoke: 'update',         first: false, outcome: 'SUCCEEDED', lines: 2 },
  { title: 'a list that has not changed, neither nor',            format: 'CSV',  body: (value: string) => value, revoke: 'insert, update', first: true,  outcome: 'UNCHANGED', lines: 2 },
  { title: 'a bundle, neither nor',                               format: 'STIX', body: STIX,                     revoke: 'insert, update', first: false, outcome: 'SUCCEEDED', lines: 2 },
  { title: 'a feed that fails, neither nor',                      format: 'CSV',  body: undefined,                revoke: 'insert, update', first: false, outcome: 'FAILED',    lines: 2 },
]

test.each(CASES)(
  '$title: the collection is kept, the log says so, the lock is free',
  async ({ title, format, body, revoke, first, outcome, lines }) => {
    const { services, logLines } = app
    const list = `list-${CASES.findIndex((one) => one.title === title)}`
    const value = `${list}.example.com`
    if (body !== undefined) lists.publish(list, body(value))
    const { id } = await services.feeds.create(ADMIN, { name: title, url: lists.urlOf(list), format })
    if (first) await services.collect.collect(ADMIN, id)
    await withClient(app.database.ownerUrl, async (run) => {
      await run(`revoke ${revoke} on collection_runs from svc_app`)
      try {
        logLines.length = 0
        expect(await services.collect.collect(ADMIN, id)).toMatchObject({ outcome })
      } finally {
        await run(`grant ${revoke} on collection_runs to svc_app`)
      }
    })
    const said = logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event }) => event === 'feed.run_not_recorded')
    expect(said).toHaveLength(lines)
    for (const line of said) expect(line).toMatchObject({ logger: 'svc.collector', feed: title, reason: expect.stringContaining('42501') })
    const { items } = await services.indicators.page({ value })
    expect(items.map(({ hit_count }) => hit_count)).toEqual(body === undefined ? [] : [first ? 2 : 1])
    expect(await services.feeds.get(ADMIN, id)).toMatchObject({ collecting: false, status: body === undefined ? 'DEGRADED' : 'HEALTHY' })
    // The lock is free: the next collection begins, and has its row again.
    expect(await services.collect.collect(ADMIN, id)).toMatchObject({ feed: title })
    expect((await services.feeds.runs(ADMIN, id, 1))[0]?.outcome).toBe(body === undefined ? 'FAILED' : 'UNCHANGED')
  },
)
