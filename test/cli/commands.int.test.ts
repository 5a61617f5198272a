import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBadServer } from '../support/bad-server.ts'
import { runSvc, startSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase
const place = makeTempFolder('svc-commands')
const svc = async (...args: string[]) =>
  await runSvc(args, { DATA_DIR: place.folder, DATABASE_URL: database.appUrl, MIGRATION_DATABASE_URL: database.ownerUrl })

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  place.remove()
})

test('without a database a command cannot run, and says what makes one', async () => {
  const { code, stderr } = await runSvc(['feeds', 'list'], { DATA_DIR: join(place.folder, 'nothing') })
  expect(code).toBe(2)
  expect(stderr).toContain('next: svc up')
})

test('an unreachable database is told in one line with what to do', async () => {
  const { code, stderr } = await runSvc(['feeds', 'list'], { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' })
  expect(code).toBe(2)
  expect(stderr).toMatch(/^error: The database cannot be reached.*\nnext: .*\n$/)
})

describe('seed', () => {
  test('registers the catalogue with its terms, as one act of the journal', async () => {
    const { code, stdout } = await svc('seed', '--json')
    expect(code).toBe(0)
    const { items } = JSON.parse(stdout)
    expect(items.length).toBeGreaterThan(5)
    for (const { name, licence, added } of items)
      expect({ name: name !== '', licence: licence !== '', added }).toEqual({ name: true, licence: true, added: true })
    const client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
    const { rows } = await client.query("select count(*)::int as acts from audit_events where action like 'feed.%'")
    await client.end()
    expect(rows[0].acts).toBe(1)
  })

  test('leaves what is there alone', async () => {
    await svc('feeds', 'disable', 'IPsum level 3')
    const { items } = JSON.parse((await svc('seed', '--json')).stdout)
    expect(items.filter(({ added }: { added: boolean }) => added)).toEqual([])
    expect(items.find(({ name }: { name: string }) => name === 'IPsum level 3').enabled).toBe(false)
  })
})

describe('feeds', () => {
  const list = join(place.folder, 'list.txt')

  test('are added, collected from a file, and told in words', async () => {
    writeFileSync(list, '# a list\n45.77.12.13\n45.77.12.14\nnot an address\n')
    expect(
      (await svc('feeds', 'add', 'My list', 'https://lists.example.com/ips.txt', '--type', 'scanner', '--parser', '{"type": "IP"}')).code,
    ).toBe(0)
    const { code, stdout } = await svc('feeds', 'fetch', 'my LIST', '--file', list)
    expect(code).toBe(0)
    expect(stdout).toContain('new 2')
    expect(stdout).toContain('rejected 1')
  })

  test('are probed from a file without a trace', async () => {
    const { code, stdout } = await svc('feeds', 'probe', 'My list', '--file', list, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ accepted_count: 2, rejected_count: 1 })
  })

  test('with a forbidden address are refused with 1', async () => {
    const { code, stderr } = await svc('feeds', 'add', 'Inner', 'https://127.0.0.1/list.txt')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: /)
  })

  test('that do not exist are refused with 1', async () => expect((await svc('feeds', 'fetch', 'nobody')).code).toBe(1))

  test('whose file cannot be read fail with 1', async () =>
    expect((await svc('feeds', 'fetch', 'My list', '--file', '/nonexistent')).code).toBe(1))

  test('are deleted with their own indicators when that is said', async () => {
    expect(JSON.parse((await svc('feeds', 'delete', 'My list', '--purge', 'orphans', '--dry-run', '--json')).stdout)).toMatchObject({
      deleted: false,
      orphans: 2,
    })
    expect(JSON.parse((await svc('feeds', 'delete', 'My list', '--purge', 'orphans', '--yes', '--json')).stdout)).toMatchObject({
      deleted: true,
      orphans: 2,
    })
    expect(JSON.parse((await svc('lookup', '45.77.12.13', '--json')).stdout).items[0].status).toBe('unknown')
  })
})

describe('warning lists', () => {
  test('are imported from a folder; a file that is none is refused and keeps no other from coming in', async () => {
    const folder = join(place.folder, 'lists')
    mkdirSync(join(folder, 'inner'), { recursive: true })
    writeFileSync(
      join(folder, 'inner', 'list.json'),
      JSON.stringify({ name: 'Resolvers', type: 'cidr', version: 3, list: ['192.0.2.53', 'x'] }),
    )
    writeFileSync(join(folder, 'other.json'), '{"name": "no list"}')
    writeFileSync(join(folder, 'readme.md'), 'nothing')
    const { code, stdout, stderr } = await svc('lists', 'import', folder)
    expect(code).toBe(1)
    expect(stdout).toMatch(/list\.json\tadded\tResolvers\t1\t1\t\n.*other\.json\trefused\t\t\t\tThis is no warning list/)
    expect(stderr).toContain('1 entries skipped (not_a_network), such as x')
    expect(JSON.parse((await svc('lists', 'list', '--json')).stdout)).toMatchObject({
      items: [{ name: 'Resolvers', list_version: 3, revision: 1 }],
    })
    expect((await svc('lookup', '192.0.2.53')).stdout).toContain('Resolvers')
    expect((await svc('lists', 'remove', 'resolvers')).code).toBe(0)
    expect((await svc('lists', 'remove', 'resolvers')).code).toBe(1)
    expect((await svc('lookup', '192.0.2.53')).stdout).not.toContain('Resolvers')
  })

  test('of a folder that is not there, or holds none, are exit code 2', async () => {
    expect((await svc('lists', 'import', join(place.folder, 'absent'))).code).toBe(2)
    mkdirSync(join(place.folder, 'empty'))
    expect((await svc('lists', 'import', join(place.folder, 'empty'))).code).toBe(2)
  })
})

describe('the quality of feeds', () => {
  test('is told in words, and as JSON in the shape of the API', async () => {
    expect((await svc('feeds', 'quality')).stderr).toContain('svc feeds quality --compute')
    const { code, stdout, stderr } = await svc('feeds', 'quality', '--compute')
    expect(code).toBe(0)
    expect(stdout).toContain('name\tholds\tonly_here')
    expect(stderr).toContain('worked out 20')
    const { items, overlap } = JSON.parse((await svc('feeds', 'quality', '--json')).stdout)
    expect(items.length).toBeGreaterThan(0)
    expect(overlap.shared).toHaveLength(overlap.feed_ids.length)
    expect((await svc('feeds', 'quality', 'nobody')).code).toBe(1)
  })
})

describe('users', () => {
  test('get a generated password that is shown once, on the data output', async () => {
    const { code, stdout, stderr } = await svc('users', 'create', '--username', 'ana', '--role', 'analyst')
    expect(code).toBe(0)
    const password = /^Password {2}(\S{20})\n$/.exec(stdout)?.[1] ?? expect.fail(stdout)
    expect(stderr).not.toContain(password)
    expect((await svc('users', 'list')).stdout).toContain('ana\tANALYST\tACTIVE')
  })

  test('with a short password are refused with 1', async () =>
    expect((await svc('users', 'create', '--username', 'bo', '--role', 'viewer', '--password', 'short')).code).toBe(1))
})

describe('db check', () => {
  test('is content with a fresh schema', async () => expect(await svc('db', 'check')).toMatchObject({ code: 0, stderr: '' }))

  // biome-ignore format: one case per line
  test.each([
    { title: 'a right too many on the journal',  breaks: 'grant update on audit_events to svc_app',                                    mends: 'revoke update on audit_events from svc_app',                                                  says: 'must not have UPDATE on audit_events' },
    { title: 'a right that is missing',          breaks: 'revoke insert on users from svc_app',                                       mends: 'grant insert on users to svc_app',                                                            says: 'lacks INSERT on users' },
    { title: 'a guard that is switched off',     breaks: 'alter table audit_events disable trigger audit_events_refuse_truncate',     mends: 'alter table audit_events enable always trigger audit_events_refuse_truncate',                 says: 'No trigger refuses TRUNCATE on audit_events' },
    { title: 'a chain that is switched off',     breaks: 'alter table audit_events disable trigger audit_events_chain',                mends: 'alter table audit_events enable always trigger audit_events_chain',                           says: 'No trigger fills audit_events.hash' },
    { title: 'a chain that replication skips',   breaks: 'alter table audit_events enable trigger audit_events_chain',                 mends: 'alter table audit_events enable always trigger audit_events_chain',                           says: 'No trigger fills audit_events.hash' },
    { title: 'a migration that is missing',      breaks: "delete from kysely_migration where name = '0004-feeds'",                    mends: "insert into kysely_migration select '0004-feeds', now()::text",                              says: 'svc db upgrade' },
  ])('finds $title, with 1 and what to do', async ({ breaks, mends, says }) => {
    await asOwner(breaks)
    try {
      const { code, stdout } = await svc('db', 'check')
      expect(code).toBe(1)
      expect(stdout).toContain(says)
      expect(stdout).toContain('next: ')
    } finally {
      await asOwner(mends)
    }
  })
})

test('db upgrade, downgrade and current walk the migrations of an empty database', async () => {
  const empty = await createEmptyDatabase()
  try {
    const owner = { MIGRATION_DATABASE_URL: empty.ownerUrl, DATABASE_URL: empty.appUrl }
    expect((await runSvc(['feeds', 'list'], owner)).code).toBe(2)
    expect((await runSvc(['db', 'upgrade'], owner)).stdout.trimEnd().split('\n')[0]).toBe('0001-audit')
    expect((await runSvc(['db', 'current'], owner)).stdout).toContain('(head)')
    expect((await runSvc(['db', 'downgrade'], owner)).code).toBe(2)
    expect((await runSvc(['db', 'downgrade', '--steps', '1', '--yes'], owner)).code).toBe(0)
    expect(JSON.parse((await runSvc(['db', 'current', '--json'], owner)).stdout).missing).toBe(1)
    expect((await runSvc(['db', 'init'], owner)).code).toBe(0)
    expect((await runSvc(['db', 'check'], owner)).code).toBe(0)
  } finally {
    await empty.drop()
  }
})

test('status names what is wrong with a word and a remedy, and never a password', async () => {
  const { stdout } = await svc('status')
  expect(stdout).toContain('✓ ok')
  expect(stdout).toMatch(/indicators/)
  expect((await svc('config')).stdout).not.toContain(new URL(database.appUrl).password)
})

test('the worker alone ends in order at SIGTERM', async () => {
  await svc(
    'feeds',
    'disable',
    ...JSON.parse((await svc('feeds', 'list', '--active', '--json')).stdout).items.map(({ id }: { id: string }) => id),
  )
  const worker = startSvc(['feeds', 'worker'], { DATABASE_URL: database.appUrl })
  await worker.until(() => (worker.stdout().includes('The worker is running') ? true : undefined))
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
})

test('the worker ends a running collection with a row that says so, and blames nobody', async () => {
  const silent = await startBadServer(() => {})
  const env = { DATABASE_URL: database.appUrl, OUTBOUND_ALLOW_HOSTS: silent.host }
  try {
    expect((await runSvc(['feeds', 'add', 'Silent', `${silent.origin}/list.txt`], env)).code).toBe(0)
    const worker = startSvc(['feeds', 'worker'], env)
    await worker.until(() => (silent.requests.length > 0 ? true : undefined))
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
    const { items } = JSON.parse((await runSvc(['feeds', 'runs', 'Silent', '--json'], env)).stdout)
    expect(items).toMatchObject([{ outcome: 'INTERRUPTED' }])
    expect(worker.stderr()).not.toContain('"level":"error"')
  } finally {
    await silent.close()
    await runSvc(['feeds', 'delete', 'Silent', '--yes'], env)
  }
})

test('openapi prints a document and nothing else', async () => {
  const { code, stdout, stderr } = await runSvc(['openapi'])
  expect({ code, stderr, version: JSON.parse(stdout).openapi }).toEqual({ code: 0, stderr: '', version: '3.1.0' })
})
