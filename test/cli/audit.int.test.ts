import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeBehindTriggers } from '../support/journal.ts'
import { runSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase
const place = makeTempFolder('svc-audit')
const svc = async (...args: string[]) => await runSvc(['audit', ...args], { DATA_DIR: place.folder, DATABASE_URL: database.appUrl })

beforeAll(async () => {
  database = await createTestDatabase()
  // Ids of the present moment, as the service makes them: filters by time use their order.
  const id =
    "(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n), 3, '0') || '8000000000000000')::uuid"
  const rows = `select ${id}, now(), case n % 2 when 0 then 'auth.login' else 'feed.updated' end, 'SUCCESS', 'ana' from generate_series(1, 40) n`
  await changeBehindTriggers(
    database.ownerUrl,
    'alter table audit_events enable always trigger audit_events_chain',
    `insert into audit_events (id, at, action, outcome, actor_name) ${rows}`,
  )
})
afterAll(async () => {
  await database.drop()
  place.remove()
})

test('list gives the 30 latest actions, says how many there are, and how to read on', async () => {
  const { code, stdout, stderr } = await svc('list')
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toHaveLength(31)
  expect(stderr).toMatch(/^30 of 40\nnext page: --cursor \S+\n$/)
})

test('list filters, and gives the shape of the API', async () => {
  const page = JSON.parse(
    (await svc('list', '--action', 'auth.', '--outcome', 'success', '--since', '1', '--actor', 'ANA', '--limit', '5', '--json')).stdout,
  )
  expect(page).toMatchObject({ total: 20, total_exact: true, items: { length: 5 } })
  expect(page.items[0]).toMatchObject({ action: 'auth.login', chain: 'OK' })
  expect((await svc('list', '--request-id', 'nobody')).stderr).toContain('No action fits.')
  expect((await svc('list', '--outcome', 'perhaps')).code).toBe(64)
})

test('verify says that all is well, and its head can be expected later', async () => {
  const { code, stdout } = await svc('verify')
  expect(code).toBe(0)
  expect(stdout).toContain('40 rows are as they were written.')
  const head = /0:40:[0-9a-f]{64}/.exec(stdout)?.[0] ?? expect.fail(stdout)
  expect((await svc('verify', '--expect', head)).code).toBe(0)
  expect((await svc('verify', '--expect', '0:40:zz')).code).toBe(64)
})

test('verify names a changed row with 1, list marks it, and a tail that was cut off shows against its head', async () => {
  const { lanes } = JSON.parse((await svc('verify', '--json')).stdout)
  await changeBehindTriggers(
    database.ownerUrl,
    `update audit_events set actor_name = 'eve' where seq = 20`,
    'delete from audit_events where seq = 40',
  )
  const text = await svc('verify', '--expect', lanes[0].head)
  expect(text.code).toBe(1)
  expect(text.stdout).toContain('changed: Row 0:20')
  expect(text.stdout).toContain('missing: Row 0:40')
  expect(JSON.parse((await svc('verify', '--json')).stdout)).toMatchObject({
    intact: false,
    rows: 39,
    lanes: [{ broken: 1, first_fault: { fault: 'changed', seq: 20 } }],
  })
  const list = await svc('list', '--limit', '100')
  expect(list.stdout.match(/BROKEN/g)).toHaveLength(1)
  expect(list.stderr).toContain('Next: svc audit verify')
})
