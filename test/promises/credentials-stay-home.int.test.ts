import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#kernel/actor.ts'
import { findCanaries } from '../support/canaries.ts'
import { type FeedProduct, openFeedProduct } from '../support/feed-product.ts'
import { type PulseServer, pulseOf, startPulseServer } from '../support/pulse-server.ts'
import { runSvc } from '../support/svc-process.ts'
import { indicatorObject, startTaxiiServer, type TaxiiServer } from '../support/taxii-server.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const ADMIN: Actor = { name: 'admin', role: 'ADMIN' }
const PULSE_KEY = { name: 'PULSE_API_KEY', secret: 'Zk4canary5pulse6key7' }
const TAXII_TOKEN = { name: 'token in TAXII_AUTH', secret: 'Qw8canary9taxii0token' }

/** A host that belongs to somebody else, and every byte that it is sent. */
type Stranger = { host: string; received: string[]; close(): Promise<void> }

async function startStranger(): Promise<Stranger> {
  const received: string[] = []
  const server = createServer((socket) => {
    received.push('')
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received.push(bytes.toString('latin1'))
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"results": []}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let database: TestDatabase
let pulses: PulseServer
let taxii: TaxiiServer
let stranger: Stranger
let product: FeedProduct
const place = makeTempFolder('svc-stay-home')

beforeAll(async () => {
  database = await createTestDatabase()
  pulses = await startPulseServer()
  taxii = await startTaxiiServer()
  stranger = await startStranger()
  product = openFeedProduct({
    databaseUrl: database.appUrl,
    // The stranger is exempt from the guard, so that nothing but the rule under test keeps us from it.
    hosts: [pulses.host, taxii.host, stranger.host],
    taxiiAuth: { [taxii.host]: { token: TAXII_TOKEN.secret } },
    pulse: { base: pulses.base, key: PULSE_KEY.secret },
  })
})
afterAll(async () => {
  await product.close()
  await Promise.all([pulses.close(), taxii.close(), stranger.close()])
  await database.drop()
  place.remove()
})

let made = 0
let name = ''
beforeEach(() => {
  name = `case-${++made}`
  stranger.received.length = 0
  pulses.configure({ key: PULSE_KEY.secret, pagePulses: 2 })
  pulses.failWhen(() => undefined)
  pulses.pulses.length = 0
  const now = Date.now()
  for (let n = 0; n < 6; n++) pulses.add(pulseOf([`p${n}.${name}.example.com`], new Date(now - 3_600_000 + n * 1000).toISOString()))
  taxii.configure({ authorization: `Bearer ${TAXII_TOKEN.secret}`, pageObjects: 2 })
  taxii.failWhen(() => undefined)
  taxii.setDiscovery({ title: 'Test server', default: '/root/', api_roots: ['/root/'] })
  const objects = taxii.objects()
  objects.length = 0
  for (let n = 0; n < 6; n++)
    objects.push({ object: indicatorObject(`t${n}.${name}.example.com`), addedMicros: (now - 3_600_000) * 1000 + n })
})
afterEach(() => {
  expect(stranger.received).toEqual([])
})

async function addFeed(format: 'PULSE' | 'TAXII', url: string): Promise<string> {
  return (await product.feeds.create(ADMIN, { name: `${name} ${format}`, url, format })).id
}

/** The place up to which a feed has been read completely; nothing before its first complete walk. */
async function placeOf(feedId: string): Promise<unknown> {
  const row = await product.db.selectFrom('collector_state').select('cursor').where('feed_id', '=', feedId).executeTakeFirst()
  const { modified_since, added_after } = (row?.cursor ?? {}) as { modified_since?: string; added_after?: string }
  return modified_since ?? added_after
}

/** What is collected once everything is in order, so that a later place can be told from the one before. */
async function collectedBefore(format: 'PULSE' | 'TAXII'): Promise<{ id: string; before: unknown }> {
  const id = await addFeed(format, format === 'PULSE' ? pulses.url : taxii.collectionUrl())
  expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 6 })
  const now = Date.now()
  for (let n = 0; n < 6; n++) {
    pulses.add(pulseOf([`new-p${n}.${name}.example.com`], new Date(now + n).toISOString()))
    taxii.objects().push({ object: indicatorObject(`new-t${n}.${name}.example.com`), addedMicros: now * 1000 + n })
  }
  const before = await placeOf(id)
  expect(before).toBeDefined()
  return { id, before }
}

const INTERRUPTED = { outcome: 'INTERRUPTED', new_count: 2 }

describe('B4: the "next" of a page of pulses', () => {
  // biome-ignore format: one case per line
  const NEXT: { title: string; next: () => string }[] = [
    { title: 'on another host',                      next: () => `http://${stranger.host}/api/v1/pulses/subscribed?page=2` },
    { title: 'on another host, without a scheme',    next: () => `//${stranger.host}/api/v1/pulses/subscribed?page=2` },
    { title: 'with our host as a user name',         next: () => `http://${pulses.host}@${stranger.host}/?page=2` },
    { title: 'written with backslashes',             next: () => `http:\\\\${stranger.host}\\?page=2` },
    { title: 'on our host under another scheme',     next: () => `https://${pulses.host}/api/v1/pulses/subscribed?page=2` },
    { title: 'on our host with somebody\'s password', next: () => `http://me:secret@${pulses.host}/api/v1/pulses/subscribed?page=2` },
  ]

  test('6 are tried', () => expect(NEXT).toHaveLength(6))

  test.each(NEXT)('$title is not followed: the run is interrupted, and the place stays', async ({ next }) => {
    const { id, before } = await collectedBefore('PULSE')
    pulses.configure({ key: PULSE_KEY.secret, pagePulses: 2, next: next() })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ ...INTERRUPTED, error: expect.stringContaining('another host') })
    expect(await placeOf(id)).toBe(before)
    // The next collection asks our own host for the same page.
    pulses.configure({ key: PULSE_KEY.secret, pagePulses: 2 })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'SUCCEEDED', new_count: 4 })
  })
})

describe('B4: credentials', () => {
  test('1. of pulses: a redirect to another host ends the run', async () => {
    const { id, before } = await collectedBefore('PULSE')
    pulses.failWhen((_, asked) => (asked === 2 ? { kind: 'redirect', location: `http://${stranger.host}/?page=2` } : undefined))
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ ...INTERRUPTED, error: expect.stringContaining('another host') })
    expect(await placeOf(id)).toBe(before)
  })

  test('2. of pulses: so does one behind a redirect on our own host', async () => {
    const { id, before } = await collectedBefore('PULSE')
    pulses.failWhen((request, asked) => {
      if (request.path === '/hop') return { kind: 'redirect', status: 307, location: `http://${stranger.host}/` }
      return asked === 2 ? { kind: 'redirect', status: 308, location: '/hop' } : undefined
    })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject(INTERRUPTED)
    expect(await placeOf(id)).toBe(before)
  })

  test('3. of TAXII: a redirect to another host ends the run', async () => {
    const { id, before } = await collectedBefore('TAXII')
    taxii.failWhen((_, asked) => (asked === 2 ? { kind: 'redirect', location: `http://${stranger.host}/` } : undefined))
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ ...INTERRUPTED, error: expect.stringContaining('another host') })
    expect(await placeOf(id)).toBe(before)
  })

  test('4. of TAXII: so does one to the same name on another port', async () => {
    const { id, before } = await collectedBefore('TAXII')
    const [hostname] = taxii.host.split(':')
    const [, port] = stranger.host.split(':')
    taxii.failWhen((_, asked) => (asked === 2 ? { kind: 'redirect', location: `//${hostname}:${port}/` } : undefined))
    expect(await product.collect.collect(ADMIN, id)).toMatchObject(INTERRUPTED)
    expect(await placeOf(id)).toBe(before)
  })

  test('5. of TAXII: a "next" that is an address is a word for the same host', async () => {
    const { id, before } = await collectedBefore('TAXII')
    taxii.configure({ authorization: `Bearer ${TAXII_TOKEN.secret}`, pageObjects: 2, undated: true, fixedNext: `http://${stranger.host}/` })
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'INTERRUPTED' })
    expect(await placeOf(id)).toBe(before)
  })

  test.each([
    { title: '6. of TAXII: API roots on another host are not asked', root: () => `http://${stranger.host}/root/` },
    { title: '7. of TAXII: nor is one that begins like our host', root: () => `http://${taxii.host}@${stranger.host}/root/` },
  ])('$title', async ({ root }) => {
    taxii.setDiscovery({ title: 'Elsewhere', default: root(), api_roots: [root()] })
    const id = await addFeed('TAXII', taxii.discoveryUrl)
    expect(await product.collect.collect(ADMIN, id)).toMatchObject({ outcome: 'FAILED', error: expect.stringContaining('other hosts') })
    expect(await placeOf(id)).toBeUndefined()
  })

  test('8. of both go past every proxy that the environment names', async () => {
    await addFeed('PULSE', pulses.url)
    await addFeed('TAXII', taxii.collectionUrl())
    const proxy = `http://${stranger.host}`
    const proxies = Object.fromEntries(
      ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((key) => [
        [key, proxy],
        [key.toUpperCase(), proxy],
      ]),
    )
    const env = {
      ...proxies,
      NODE_USE_ENV_PROXY: '1',
      DATA_DIR: place.folder,
      DATABASE_URL: database.appUrl,
      SECRET_KEY: 'k'.repeat(40),
      OUTBOUND_ALLOW_HOSTS: `${pulses.host},${taxii.host},${stranger.host}`,
      PULSE_BASE_URL: pulses.base,
      PULSE_API_KEY: PULSE_KEY.secret,
      TAXII_AUTH: JSON.stringify({ [taxii.host]: { token: TAXII_TOKEN.secret } }),
    }
    for (const format of ['PULSE', 'TAXII']) {
      const run = await runSvc(['feeds', 'fetch', `${name} ${format}`], env)
      expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('new 6') })
      expect(findCanaries([PULSE_KEY, TAXII_TOKEN], run.stdout + run.stderr)).toEqual([])
    }
  })

  test('stand in no run, journal, place or log line of all this', async () => {
    const { rows } = await sql<{ everything: string }>`
      select string_agg(t, ' ') as everything from (
        select audit_events::text t from audit_events union all select collection_runs::text from collection_runs
        union all select threat_feeds::text from threat_feeds union all select collector_state::text from collector_state) t`.execute(
      product.db,
    )
    const everything = `${rows[0]?.everything ?? ''}\n${product.logged.join('\n')}`
    expect(everything).toContain('another host')
    expect(findCanaries([PULSE_KEY, TAXII_TOKEN], everything)).toEqual([])
  })
})
