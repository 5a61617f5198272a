import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startListServer } from '../support/list-server.ts'
import { runSvc, startSvc } from '../support/svc-process.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { withClient } from '../support/with-client.ts'

const OWNER = 'svc'
const APP = 'svc_app'
const PASSWORD = 'four hills over one lake'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.drop())

const environment = () => ({ DATABASE_URL: database.appUrl, SECRET_KEY: randomBytes(32).toString('hex'), PORT: '0' })

/** Sessions of a role on this database, other than the one that asks. */
async function sessionsOf(role: string): Promise<string[]> {
  return await withClient(database.ownerUrl, async (run) => {
    const rows = await run(
      'select application_name from pg_stat_activity where datname = current_database() and usename = $1 and pid <> pg_backend_pid()',
      [role],
    )
    return rows.map(({ application_name }) => String(application_name))
  })
}

describe('C8: the owner role is for migrations only', () => {
  test('API, worker and commands work without MIGRATION_DATABASE_URL, and no session is the owner', { timeout: 120_000 }, async () => {
    const env = environment()
    const lists = await startListServer()
    lists.publish('list', '192.0.2.7\n45.77.12.13\n')
    const allowed = { ...env, OUTBOUND_ALLOW_HOSTS: lists.host }
    const owners: string[] = []
    const look = async (): Promise<void> => void owners.push(...(await sessionsOf(OWNER)))

    const created = await runSvc(['users', 'create', '--username', 'admin', '--role', 'admin', '--password', PASSWORD], env)
    expect(created).toMatchObject({ code: 0 })
    const api = startSvc(['serve'], allowed)
    const worker = startSvc(['feeds', 'worker'], allowed)
    for (const { child } of [api, worker]) onTestFinished(() => void child.kill('SIGKILL'))
    const url = await api.until((stdout) => /running at (\S+)/.exec(stdout)?.[1])
    await worker.until(() => (worker.stderr().includes('worker.ready') ? true : undefined))
    await look()

    const login = await fetch(`${url}/api/v1/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'admin', password: PASSWORD }),
    })
    const { access_token } = (await login.json()) as { access_token: string }
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${access_token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      await look()
      return { status: answer.status, body: (await answer.json()) as Record<string, string> }
    }
    const feed = await ask('POST', '/feeds', { name: 'A list', url: lists.urlOf('list'), format: 'CSV' })
    expect(feed.status).toBe(201)
    expect((await ask('POST', `/feeds/${feed.body['id']}/fetch`, {})).status).toBeLessThan(300)
    expect((await ask('POST', '/indicators', { indicators: [{ value: '45.77.12.14' }] })).status).toBeLessThan(300)
    for (const path of ['/indicators', '/feeds', '/feeds/health', '/users/me', '/settings'])
      expect((await ask('GET', path)).status).toBe(200)
    for (const args of [['feeds', 'list'], ['iocs', 'list'], ['status'], ['feeds', 'fetch', 'A list'], ['seed']]) {
      const command = startSvc(args, allowed)
      for (let code: unknown; code === undefined; code = command.child.exitCode ?? undefined) await look()
      expect([0, 1], command.stderr()).toContain(await command.ended)
    }
    expect(await sessionsOf(APP)).toEqual(expect.arrayContaining(['svc api', 'svc worker']))

    for (const { child, ended } of [api, worker]) {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    await lists.close()
    expect(owners).toEqual([])
  })

  test('a command with the owner alone refuses instead of working as the owner', async () => {
    for (const args of [['feeds', 'list'], ['feeds', 'worker', '--once'], ['users', 'list'], ['serve']]) {
      const { code, stderr } = await runSvc(args, { ...environment(), DATABASE_URL: '', MIGRATION_DATABASE_URL: database.ownerUrl })
      expect({ code, named: stderr.includes('DATABASE_URL') }, stderr).toEqual({ code: 2, named: true })
    }
    expect((await runSvc(['db', 'check'], { MIGRATION_DATABASE_URL: database.ownerUrl })).code).toBe(0)
  })

  test('the application role owns nothing, may make nothing in the schema, and is nobody special', async () => {
    await withClient(database.ownerUrl, async (run) => {
      // What the role has in other databases, such as temporary tables of tests that run beside this one, is theirs.
      const owned = await run(`
        select 'relation ' || relname as what from pg_class where relowner = '${APP}'::regrole
        union all select 'function ' || proname from pg_proc where proowner = '${APP}'::regrole
        union all select 'type ' || typname from pg_type where typowner = '${APP}'::regrole
        union all select 'schema ' || nspname from pg_namespace where nspowner = '${APP}'::regrole
        union all select 'database ' || datname from pg_database where datdba = '${APP}'::regrole
        union all select 'shared dependency ' || classid::regclass from pg_shdepend left join pg_database database on database.oid = dbid
          where refobjid = '${APP}'::regrole and deptype = 'o' and (dbid = 0 or datname = current_database())`)
      expect(owned).toEqual([])
      const [rights] = await run(`
        select has_schema_privilege('${APP}', 'public', 'CREATE') as makes, has_database_privilege('${APP}', current_database(), 'CREATE') as schemas,
          rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication, pg_has_role('${APP}', '${OWNER}', 'MEMBER') as owner
        from pg_roles where rolname = '${APP}'`)
      expect(Object.values(rights ?? {}).filter((right) => right !== false)).toEqual([])
      const grantable = await run(`select table_name, privilege_type from information_schema.role_table_grants
        where grantee = '${APP}' and (is_grantable = 'YES' or privilege_type in ('TRUNCATE', 'TRIGGER', 'REFERENCES'))`)
      expect(grantable).toEqual([])
    })
  })

  // biome-ignore format: one case per line
  test.each([
    'create table intruder (a int)', 'create function intruder() returns int language sql as $$ select 1 $$', 'create schema intruder', 'drop table users',
    'alter table users add column intruder int', 'truncate users', 'create index intruder on users (id)', `alter role ${APP} superuser`, `set role ${OWNER}`,
    'create extension citext', 'delete from kysely_migration', 'alter table audit_events disable trigger all', 'set session_replication_role = replica',
  ])('the application role may not: %s', async (statement) => {
    await expect(withClient(database.appUrl, async (run) => await run(statement))).rejects.toThrow(/permission denied|must be owner|must be superuser/)
  })
})
