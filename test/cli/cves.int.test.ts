import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEV_CVE, KEV_FILE, NVD_FILE, PLAIN_CVE } from '../support/nvd-file.ts'
import { runSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase
const place = makeTempFolder('svc-cves')
const svc = async (...args: string[]) =>
  await runSvc(args, { DATA_DIR: place.folder, DATABASE_URL: database.appUrl, ALERT_WEBHOOK_URL: 'https://hooks.example.com/x' })
const json = async (...args: string[]) => JSON.parse((await svc(...args, '--json')).stdout)

async function asOwner(statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  const result = await client.query(statement)
  await client.end()
  return result
}

beforeAll(async () => {
  database = await createTestDatabase()
  const files = { 'nvd.json': NVD_FILE, 'kev.json': KEV_FILE }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.folder, name), text)
  const { code } = await svc('cves', 'import', ...Object.keys(files).map((name) => join(place.folder, name)))
  expect(code).toBe(0)
  await asOwner(
    `insert into alerts (id, cve_id, generation, priority, score, title, created_at, notification)
     select gen_random_uuid(), id, 1, priority, score, 'Title', now(), 'FAILED' from cves where id in ('${KEV_CVE}', '${PLAIN_CVE}')`,
  )
})
afterAll(async () => {
  await database.drop()
  place.remove()
})

describe('the list', () => {
  test('is narrowed and sorted as the API would', async () => {
    const { items } = await json(
      'cves',
      'list',
      '--min-cvss',
      '4.3',
      '--no-kev',
      '--status',
      'analyzed',
      '--alert',
      'any',
      '--sort',
      '-cvss,id',
    )
    expect(items.map(({ id }: { id: string }) => id)).toEqual([PLAIN_CVE])
    const table = await svc('cves', 'list', '--product', 'Gateway', '--vendor', 'Example')
    expect(table).toMatchObject({ code: 0 })
    expect(table.stdout).toContain(KEV_CVE)
    expect(table.stdout).not.toContain(PLAIN_CVE)
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'a number out of range is a wrong use', args: ['--min-epss', '2'],     code: 64, says: 'from 0 to 1' },
    { title: 'a column that is none is refused',     args: ['--sort', '-severity'], code: 1,  says: 'severity' },
  ])('$title', async ({ args, code, says }) => {
    const done = await svc('cves', 'list', ...args)
    expect(done.code).toBe(code)
    expect(done.stderr).toContain(says)
  })
})

test('the status tells what came from files, and that there are no scores of EPSS', async () => {
  const { stdout } = await svc('status')
  expect(stdout).toMatch(/kev\s+from a file, of 2026-03-01/)
  expect(stdout).toContain('the scores are stale: there are none')
})

describe('alerts', () => {
  test('show what is known of their CVEs', async () => {
    const { items } = await json('cves', 'alerts')
    expect(items).toHaveLength(2)
    expect(items.find(({ cve_id }: { cve_id: string }) => cve_id === KEV_CVE)).toMatchObject({ kev: true, ransomware: true })
    expect((await svc('cves', 'alerts')).stdout).toContain('ransomware')
  })

  test('are told again by their CVE, once while that is under way', async () => {
    const [first, second] = [await svc('cves', 'alerts', 'replay', KEV_CVE), await svc('cves', 'alerts', 'replay', KEV_CVE)]
    expect(first).toMatchObject({ code: 0 })
    expect(first.stdout).toContain('will be told again')
    expect(second.code).toBe(1)
    expect(second.stderr).toContain('is being delivered')
    const deliveries = await svc('cves', 'alerts', 'deliveries', KEV_CVE)
    expect(deliveries).toMatchObject({ code: 0 })
    expect(deliveries.stderr).toContain('webhook: PENDING')
    expect(await json('cves', 'alerts', 'deliveries', KEV_CVE)).toEqual({ items: [] })
  })

  test('are acknowledged by id or CVE, all or none', async () => {
    const [id] = (await asOwner(`select id from alerts where cve_id = '${PLAIN_CVE}'`)).rows.map((row) => row.id)
    const none = await svc('cves', 'alerts', 'ack', KEV_CVE, 'CVE-2026-99999')
    expect(none.code).toBe(1)
    expect((await json('cves', 'alerts')).total).toBe(2)
    const both = await svc('cves', 'alerts', 'ack', KEV_CVE.toLowerCase(), id)
    expect(both).toMatchObject({ code: 0 })
    expect(both.stdout).toContain(`${KEV_CVE} acknowledged`)
    expect((await svc('cves', 'alerts')).stderr).toContain('No alert waits.')
    const again = await svc('cves', 'alerts', 'ack', KEV_CVE)
    expect(again).toMatchObject({ code: 0, stdout: '' })
    expect(again.stderr).toContain('was acknowledged before, by command line')
  })

  test('of something that is neither an id nor a CVE are refused', async () => {
    const done = await svc('cves', 'alerts', 'ack', "x' or true")
    expect(done.code).toBe(1)
    expect(done.stderr).toContain('neither the id of an alert nor of a CVE')
  })
})

describe('aliases', () => {
  test('let a name stand for a product, until they are removed', async () => {
    const found = async () => (await json('cves', 'list', '--product', 'front door')).total
    expect(await found()).toBe(0)
    expect(await svc('cves', 'aliases', 'add', ' Front  Door', 'Example', 'gateway')).toMatchObject({ code: 0 })
    expect(await found()).toBe(1)
    expect((await json('cves', 'aliases')).items).toMatchObject([
      { name: 'front door', vendor: 'example', product: 'gateway', created_by: 'command line' },
    ])
    const again = await svc('cves', 'aliases', 'add', 'front door', 'example', 'gateway')
    expect(again).toMatchObject({ code: 1 })
    expect(again.stderr).toContain('stands for example gateway already')
    expect(await svc('cves', 'aliases', 'remove', 'Front Door')).toMatchObject({ code: 0 })
    expect(await found()).toBe(0)
    expect(await svc('cves', 'aliases', 'remove', 'front door')).toMatchObject({ code: 1 })
  })
})

describe('refresh-affected', () => {
  test('brings back what is missing, takes away what nobody names, and changes nothing the second time', async () => {
    await asOwner(
      `delete from cve_affected using cve_products where cve_products.id = product_id and product = 'gateway';
       update cve_products set keys = '{x}' where product = 'gateway';
       insert into cve_affected (product_id, cve_id) select id, '${PLAIN_CVE}' from cve_products where product = 'gateway'`,
    )
    expect(await json('cves', 'refresh-affected')).toEqual({ cves: 3, added: 1, removed: 1, rekeyed: 1 })
    expect((await json('cves', 'list', '--product', 'gateway')).items.map(({ id }: { id: string }) => id)).toEqual([KEV_CVE])
    const again = await svc('cves', 'refresh-affected')
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('3 CVEs: 0 products added, 0 removed; 0 products have other names')
    const { items } = await json('audit', 'list', '--action', 'cves.affected_refreshed')
    expect(items).toMatchObject([
      { action: 'cves.affected_refreshed', details: { added: 0 } },
      { action: 'cves.affected_refreshed', details: { added: 1 } },
    ])
  })
})
