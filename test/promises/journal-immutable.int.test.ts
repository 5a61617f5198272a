import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createJournalService } from '#domains/audit/journal.service.ts'
import { openDatabase, openPool } from '#platform/database/database.ts'
import { withSuperuser } from '#platform/database/embedded/cluster-roles.ts'
import { migrateDown, migrateToLatest } from '#platform/database/migrations.ts'
import { attempt } from '#test/support/attempt.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const APP_ROLE = 'svc_app'
const REFUSED_BY_TRIGGER = 'is append-only'
/** No right, no such object, or not possible in this form; never a misspelt statement. */
const REFUSALS = /^(42501|42P01|0A000|42809)$/
const ROW = `insert into audit_events (id, at, action, outcome, actor_name, details) values (gen_random_uuid(), now(), 'feed.updated', 'SUCCESS', 'ana', '{"n": 1}')`

/** What would change a row, or make a change possible. As the application role each of them is refused. */
// biome-ignore format: one statement per line
const STATEMENTS: Record<string, string> = {
  UPDATE:                        `update audit_events set actor_name = 'eve'`,
  DELETE:                        'delete from audit_events',
  TRUNCATE:                      'truncate audit_events',
  'TRUNCATE of several':         'truncate users, audit_events cascade',
  MERGE:                         `merge into audit_events e using (select id from audit_events) f on e.id = f.id when matched then update set actor_name = 'eve'`,
  'MERGE that deletes':          'merge into audit_events e using (select id from audit_events) f on e.id = f.id when matched then delete',
  'ON CONFLICT DO UPDATE':       `insert into audit_events (id, at, action, outcome, actor_name) select id, at, action, outcome, actor_name from audit_events on conflict (id) do update set actor_name = 'eve'`,
  'DELETE in a WITH part':       'with gone as (delete from audit_events returning id) select count(*) from gone',
  'UPDATE in a block':           `do $$ begin execute 'update audit_events set actor_name = ''eve'''; end $$`,
  'UPDATE through a view':       `create temporary view seen as select * from audit_events; update seen set actor_name = 'eve'`,
  'SELECT FOR UPDATE':           'select id from audit_events for update',
  'SELECT FOR KEY SHARE':        'select id from audit_events for key share',
  'LOCK that stops writers':     'begin; lock table audit_events in access exclusive mode',
  'LOCK SHARE':                  'begin; lock table audit_events in share mode',
  'DISABLE TRIGGER':             'alter table audit_events disable trigger all',
  'ENABLE REPLICA TRIGGER':      'alter table audit_events enable replica trigger audit_events_chain',
  'DROP TRIGGER':                'drop trigger audit_events_refuse_row_change on audit_events',
  'a trigger of one’s own':      'create trigger undo before insert on audit_events for each row execute function suppress_redundant_updates_trigger()',
  session_replication_role:      'set session_replication_role = replica',
  RULE:                          'create rule swallow as on insert to audit_events do instead nothing',
  POLICY:                        'create policy blind on audit_events using (false)',
  'ROW LEVEL SECURITY':          'alter table audit_events enable row level security',
  'SET ROLE':                    'set role svc',
  'SET SESSION AUTHORIZATION':   'set session authorization svc',
  'GRANT to oneself':            `grant update on audit_events to svc_app; update audit_events set actor_name = 'eve'`,
  'ALTER OWNER':                 'alter table audit_events owner to svc_app',
  'ALTER COLUMN':                'alter table audit_events alter column actor_name drop not null',
  'ADD COLUMN':                  'alter table audit_events add column note text',
  'DROP TABLE':                  'drop table audit_events cascade',
  'RENAME TABLE':                'alter table audit_events rename to audit_events_old',
  setval:                        `select setval('audit_events_seq_seq', 1)`,
  'replace the guard':           'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
  'replace the chain':           'create or replace function chain_audit_event() returns trigger language plpgsql as $$ begin return null; end $$',
  'drop the chain':              'drop function chain_audit_event() cascade',
  'a table that refers to it':   'create table follower (id uuid references audit_events (id) on delete cascade)',
  'change of the catalogue':     `update pg_trigger set tgenabled = 'D'`,
  'COPY out to a program':       `copy audit_events to program 'cat'`,
}

let database: TestDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  owner = await connect(database.ownerUrl)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** Everything of the table that may not change: its rows, its triggers, rules and rights. */
async function fingerprint(client = owner): Promise<unknown> {
  const { rows } = await client.query(`select
    (select md5(string_agg(event::text, '|' order by id)) from audit_events event) as content, (select count(*)::int from audit_events) as count,
    (select string_agg(pg_get_triggerdef(oid) || tgenabled::text, '|' order by oid) from pg_trigger where tgrelid = 'audit_events'::regclass) as triggers,
    (select string_agg(prosrc, '|' order by proname) from pg_proc where pronamespace = 'public'::regnamespace) as functions,
    (select count(*)::int from pg_rules where tablename = 'audit_events') as rules,
    (select concat_ws(' ', relowner::regrole, relacl, relrowsecurity) from pg_class where oid = 'audit_events'::regclass) as rights`)
  return rows[0]
}

async function tryAll(): Promise<void> {
  for (const [title, statement] of Object.entries(STATEMENTS)) {
    const before = await fingerprint()
    const refusal = await attempt(database.appUrl, statement)
    expect(refusal?.code, `${title} must be refused`).toMatch(REFUSALS)
    expect(await fingerprint(), `${title} must leave everything as it was`).toEqual(before)
  }
}

async function isIntact(): Promise<{ intact: boolean; rows: number }> {
  const db = openDatabase(openPool(database.appUrl, { maxConnections: 1, applicationName: 'test' }))
  try {
    const { intact, rows } = await createJournalService({ db, clock: () => new Date() }).verify({ expected: [] })
    return { intact, rows }
  } finally {
    await db.destroy()
  }
}

describe('C6: the application role reads and adds, and can do nothing else', () => {
  beforeAll(async () => {
    for (let row = 0; row < 3; row++) await owner.query(ROW)
  })

  test.each(Object.entries(STATEMENTS))('%s is refused and leaves everything as it was', async (_, statement) => {
    const before = await fingerprint()
    const refusal = await attempt(database.appUrl, statement)
    expect(refusal?.code).toMatch(REFUSALS)
    expect(await fingerprint()).toEqual(before)
  })

  test('SELECT and INSERT succeed', async () => {
    expect(await attempt(database.appUrl, 'select * from audit_events')).toBeUndefined()
    expect(await attempt(database.appUrl, ROW)).toBeUndefined()
    expect(await attempt(database.appUrl, `copy (select id from audit_events) to stdout`)).toBeUndefined()
    expect(await isIntact()).toEqual({ intact: true, rows: 4 })
  })
})

describe('C6: the triggers refuse the owner and the superuser too', () => {
  const WORDS = [
    'UPDATE',
    'DELETE',
    'TRUNCATE',
    'TRUNCATE of several',
    'MERGE',
    'MERGE that deletes',
    'ON CONFLICT DO UPDATE',
    'DELETE in a WITH part',
    'UPDATE in a block',
    'UPDATE through a view',
  ]

  test.each(WORDS)('%s by the owner', async (word) => {
    const before = await fingerprint()
    expect((await attempt(database.ownerUrl, STATEMENTS[word] ?? ''))?.message).toContain(REFUSED_BY_TRIGGER)
    expect(await fingerprint()).toEqual(before)
  })

  test.each(WORDS)('%s by the superuser in replication mode', async (word) => {
    const { port, superuserPassword } = inject('postgres')
    await withSuperuser({ port, password: superuserPassword }, database.name, async (client) => {
      await client.query('set session_replication_role = replica')
      await expect(client.query(STATEMENTS[word] ?? '')).rejects.toThrow(REFUSED_BY_TRIGGER)
    })
  })
})

describe('C6: no foreign key reaches the journal', () => {
  test('none leads into it, and none leads out of it', async () => {
    const { rows } = await owner.query(
      `select conname from pg_constraint where contype = 'f' and 'audit_events'::regclass in (conrelid, confrelid)`,
    )
    expect(rows).toEqual([])
  })

  test('deleting what it speaks of leaves it as it was', async () => {
    await owner.query(
      `insert into users (id, username, password_hash, role, created_at, updated_at) values (gen_random_uuid(), 'ana', 'x', 'VIEWER', now(), now())`,
    )
    await owner.query(
      `insert into audit_events (id, at, action, outcome, actor_id, actor_name) select gen_random_uuid(), now(), 'auth.login', 'SUCCESS', id, username from users`,
    )
    const before = await fingerprint()
    const app = await connect(database.appUrl)
    await app.query(`update users set id = gen_random_uuid()`)
    await app.query('delete from users')
    await app.end()
    expect(await fingerprint()).toEqual(before)
  })

  // biome-ignore format: one case per line
  test.each([
    { rule: 'on delete cascade',  change: 'delete from probe' },
    { rule: 'on delete set null', change: 'delete from probe' },
    { rule: 'on update cascade',  change: 'update probe set id = gen_random_uuid()' },
  ])('even if a later migration gave it one $rule, the row triggers would stop it', async ({ rule, change }) => {
    await owner.query('create table probe (id uuid primary key); grant select, update, delete on probe to svc_app')
    await owner.query(`insert into probe select gen_random_uuid()`)
    await owner.query(`insert into audit_events (id, at, action, outcome, actor_id, actor_name) select gen_random_uuid(), now(), 'auth.login', 'SUCCESS', id, 'ana' from probe`)
    await owner.query(`alter table audit_events add constraint probe_fk foreign key (actor_id) references probe (id) ${rule} not valid`)
    try {
      const { rows: before } = await owner.query(`select md5(string_agg(event::text, '|' order by id)) as content from audit_events event`)
      expect((await attempt(database.appUrl, change))?.message).toContain(REFUSED_BY_TRIGGER)
      expect((await owner.query(`select md5(string_agg(event::text, '|' order by id)) as content from audit_events event`)).rows).toEqual(before)
    } finally {
      await owner.query('alter table audit_events drop constraint probe_fk; drop table probe')
    }
  })
})

describe('C6: migrations leave it so', () => {
  const CHAIN = '0006-audit-chain'
  const plain = async () => (await owner.query('select id, at, action, outcome, actor_name, details from audit_events order by id')).rows
  let rowsBefore: unknown[]
  beforeEach(async () => {
    rowsBefore = await plain()
    expect(rowsBefore.length).toBeGreaterThan(3)
  })

  test('another upgrade changes nothing, and every statement is refused after it', async () => {
    const before = await fingerprint()
    await migrateToLatest(database.ownerUrl, APP_ROLE)
    expect(await fingerprint()).toEqual(before)
    await tryAll()
  })

  test('without the chain the guards still stand; with it again every row is chained, and every statement is refused', async () => {
    for (let undone: string[] = []; !undone.includes(CHAIN); ) undone = await migrateDown(database.ownerUrl, 1)
    expect(await plain()).toEqual(rowsBefore)
    for (const word of ['UPDATE', 'DELETE', 'TRUNCATE']) {
      expect((await attempt(database.appUrl, STATEMENTS[word] ?? ''))?.code, word).toBe('42501')
      expect((await attempt(database.ownerUrl, STATEMENTS[word] ?? ''))?.message, word).toContain(REFUSED_BY_TRIGGER)
    }
    await owner.query(ROW)
    await migrateToLatest(database.ownerUrl, APP_ROLE)
    expect(await isIntact()).toEqual({ intact: true, rows: rowsBefore.length + 1 })
    await owner.query(ROW)
    expect(await isIntact()).toEqual({ intact: true, rows: rowsBefore.length + 2 })
    await tryAll()
  })

  test('taken back to nothing and built again, every statement is refused', async () => {
    await migrateDown(database.ownerUrl, 100)
    await migrateToLatest(database.ownerUrl, APP_ROLE)
    await owner.query(ROW)
    expect(await isIntact()).toEqual({ intact: true, rows: 1 })
    await tryAll()
  })
})
