import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSvc } from '../support/svc-process.ts'
import { COLLECTION, indicatorObject, startTaxiiServer, type TaxiiServer } from '../support/taxii-server.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase
let server: TaxiiServer
const place = makeTempFolder('svc-taxii')
const SECRET = 'canary-secret-4242'
const svc = async (...args: string[]) =>
  await runSvc(args, {
    DATA_DIR: place.folder,
    DATABASE_URL: database.appUrl,
    SECRET_KEY: 'k'.repeat(40),
    OUTBOUND_ALLOW_HOSTS: server.host,
    TAXII_AUTH: JSON.stringify({ [server.host]: { token: SECRET } }),
    TAXII_CLIENT: 'library',
  })

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startTaxiiServer()
  server.configure({ authorization: `Bearer ${SECRET}` })
  server.setDiscovery({ title: 'Test\u001b[2Jserver', api_roots: ['/root/', 'https://elsewhere.example.org/root/'] })
})
afterAll(async () => {
  await server.close()
  await database.drop()
  place.remove()
})

test('svc taxii discover shows the collections in words and as JSON, and svc feeds collects one', async () => {
  const words = await svc('taxii', 'discover', server.discoveryUrl)
  expect(words).toMatchObject({ code: 0 })
  expect(words.stdout).toContain(server.collectionUrl())
  expect(words.stderr).toContain('another host: https://elsewhere.example.org/root/')
  expect(words.stderr).not.toContain('\u001b[2J')
  const json = await svc('taxii', 'discover', server.discoveryUrl, '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({
    api_roots: [{ title: 'Root', collections: [{ id: COLLECTION, can_read: true, url: server.collectionUrl() }] }],
    not_asked: ['https://elsewhere.example.org/root/'],
  })

  server.objects().push({ object: indicatorObject('cli.example.com'), addedMicros: Date.parse('2026-11-01T00:00:00Z') * 1000 })
  expect(await svc('feeds', 'add', 'Partner', server.discoveryUrl, '--format', 'taxii')).toMatchObject({ code: 0 })
  const probed = await svc('feeds', 'probe', 'Partner')
  expect(probed.stdout).toContain('cli.example.com')
  const fetched = await svc('feeds', 'fetch', 'Partner')
  expect(fetched).toMatchObject({ code: 0 })
  expect(fetched.stdout).toContain('new 1')
})

test('svc taxii discover fails with a sentence, and with exit code 1 where nothing may be read', async () => {
  const away = await svc('taxii', 'discover', `http://${server.host}/nowhere/`)
  expect(away).toMatchObject({ code: 1 })
  expect(away.stderr).toContain('status 404')
  server.setCollections([{ id: COLLECTION, title: 'Hidden', can_read: false }])
  const hidden = await svc('taxii', 'discover', server.discoveryUrl)
  expect(hidden).toMatchObject({ code: 1 })
  expect(hidden.stderr).toContain('no collection that may be read')
  for (const { stdout, stderr } of [away, hidden]) expect(stdout + stderr).not.toContain(SECRET)
})
