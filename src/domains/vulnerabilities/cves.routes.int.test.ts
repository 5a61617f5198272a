import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { makeTempFolder, type TempFolder } from '#test/support/temp-folder.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'

let app: TestApp
let temp: TempFolder

beforeAll(async () => {
  app = await createTestApp()
  temp = makeTempFolder('svc-cve-routes')
  const path = join(temp.folder, 'cves.json')
  const cve = {
    id: 'CVE-2031-0001',
    published: '2031-01-01T00:00:00.000',
    lastModified: '2031-01-02T00:00:00.000',
    vulnStatus: 'Analyzed',
    descriptions: [{ lang: 'en', value: '<img src=x onerror=alert(1)> in Acme Mail' }],
    references: [
      { url: 'javascript:alert(1)' },
      { url: 'https://acme.example/a', tags: ['Exploit'] },
      { url: 'https://www.exploit-db.com/exploits/1' },
      { url: 'https://acme.example/a', tags: ['Patch'] },
      { url: 'https://acme.example/b', tags: ['Patch'] },
    ],
    configurations: [
      {
        nodes: [
          { operator: 'OR', cpeMatch: [{ vulnerable: true, criteria: 'cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*', versionEndExcluding: '2.0' }] },
        ],
      },
    ],
    affected: [
      {
        affectedData: [
          {
            vendor: 'Acme',
            product: 'Mail',
            versions: [{ version: '0', lessThan: '2.0', status: 'affected', changes: [{ at: '1', status: 'unaffected' }] }],
          },
        ],
      },
    ],
  }
  writeFileSync(path, JSON.stringify(cve))
  await app.services.cvesImport.importFile(COMMAND_LINE_ACTOR, path, {
    onlyKnown: false,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
})
afterAll(async () => {
  await app.close()
  temp.remove()
})

const headers = () => ({ authorization: `Bearer ${app.tokens.VIEWER}` })
const get = async (url: string) => await app.app.inject({ method: 'GET', url: `/api/v1${url}`, headers: headers() })

test('the list and the detail leave as they are described', async () => {
  const list = await get('/cves?q=acme')
  expect(list.statusCode).toBe(200)
  expect(list.json()).toMatchObject({
    items: [{ id: 'CVE-2031-0001', score: 10, priority: 'P3', kev: false, epss: null }],
    total: 1,
    next: null,
  })
  const detail = (await get('/cves/cve-2031-0001')).json()
  expect(detail).toMatchObject({
    description: '<img src=x onerror=alert(1)> in Acme Mail',
    references: [
      { url: 'https://acme.example/a', tags: ['Exploit', 'Patch'], exploit: true },
      { url: 'https://www.exploit-db.com/exploits/1', tags: [], exploit: true },
      { url: 'https://acme.example/b', tags: ['Patch'], exploit: false },
    ],
    configurations: [{ operator: 'OR', nodes: [{ operator: 'OR', cpeMatch: [{ vulnerable: true, versionEndExcluding: '2.0' }] }] }],
    affected: [{ vendor: 'Acme', versions: [{ lessThan: '2.0', changes: [{ at: '1', status: 'unaffected' }] }] }],
    breakdown: { exploit: 10, raw: 10, cap: 75, kev_floor: false },
    priority_history: [],
  })
})

test('a verdict is asked for', async () => {
  const ask = async (payload: object) =>
    await app.app.inject({ method: 'POST', url: '/api/v1/cves/CVE-2031-0001/verdict', headers: headers(), payload })
  const answer = await ask({ product: 'Mail', version: '1.9' })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ verdict: 'VULNERABLE', source: 'NVD', configuration: 1, range: 'below 2.0', missing: [] })
  expect((await ask({ product: 'Mail' })).json()).toMatchObject({ verdict: 'NONE', missing: ['the version'] })
  expect((await ask({ version: '1' })).statusCode).toBe(422)
  expect((await ask({ product: 'Mail', admin: true })).statusCode).toBe(422)
})

test('a name that an administrator lets stand for a product counts in verdicts from then on', async () => {
  const ask = async () => {
    const payload = { product: 'Post Office', version: '1.9' }
    return (await app.app.inject({ method: 'POST', url: '/api/v1/cves/CVE-2031-0001/verdict', headers: headers(), payload })).json().verdict
  }
  const alias = { vendor: 'acme', product: 'mail', name: 'Post Office' }
  expect(await ask()).toBe('NONE')
  expect((await app.call('POST', '/api/v1/product-aliases', 'ANALYST', alias)).statusCode).toBe(403)
  const added = await app.call('POST', '/api/v1/product-aliases', 'ADMIN', alias)
  expect(added.statusCode).toBe(201)
  expect(await ask()).toBe('VULNERABLE')
  expect((await app.call('POST', '/api/v1/product-aliases', 'ADMIN', alias)).statusCode).toBe(409)
  for (const name of ['', ' - ', 'a\0b', 'x'.repeat(201)])
    expect((await app.call('POST', '/api/v1/product-aliases', 'ADMIN', { ...alias, name })).statusCode).toBe(422)
  expect((await get('/product-aliases')).json()).toMatchObject({ items: [{ name: 'post office', created_by: 'admin' }] })
  expect((await app.call('DELETE', `/api/v1/product-aliases/${added.json().id}`, 'ADMIN')).statusCode).toBe(200)
  expect((await app.call('DELETE', `/api/v1/product-aliases/${added.json().id}`, 'ADMIN')).statusCode).toBe(404)
  const rows = await app.services.db
    .selectFrom('audit_events')
    .select(['action', 'actor_name', 'target_name'])
    .where('target_type', '=', 'product_alias')
    .orderBy('id')
    .execute()
  const by = { actor_name: 'admin', target_name: 'post office' }
  expect(rows).toEqual([
    { action: 'product_alias.added', ...by },
    { action: 'product_alias.removed', ...by },
  ])
  expect(await ask()).toBe('NONE')
})

// biome-ignore format: one case per line
test.each([
  { url: '/cves/CVE-2031-9999',   status: 404 },
  { url: '/cves/x',               status: 422 },
  { url: '/cves/CVE-2031-0001%00', status: 422 },
  { url: '/cves?priority=P9',     status: 422 },
  { url: '/cves?cursor=x',        status: 422 },
  { url: '/cves?q=a%00b',         status: 422 },
  { url: '/cves?kev=perhaps',     status: 422 },
  { url: '/cves?sort=rank',       status: 422 },
])('$url is answered with $status', async ({ url, status }) => expect((await get(url)).statusCode).toBe(status))
