import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { withSuperuser } from '#platform/database/embedded/cluster-roles.ts'
import { migrateDown, migrateToLatest } from '#platform/database/migrations.ts'
import { attempt } from '#test/support/attempt.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** No right, no such object, not possible in this form, or something that refers to it; never a misspelt statement. */
const REFUSALS = /^(42501|42P01|0A000|42809|23503)$/

/** What would change a row of a timeline, or make a change possible. As the application role each of them is refused. */
// biome-ignore format: one statement per line
const STATEMENTS: Record<string, string> = {
  UPDATE:                       `update incident_events set note = 'x'`,
  DELETE:                       'delete from incident_events',
  TRUNCATE:                     'truncate incident_events',
  'TRUNCATE of several':        'truncate incidents cascade',
  MERGE:                        `merge into incident_events e using incidents i on e.incident_id = i.id when matched then update set note = 'x'`,
  'MERGE that deletes':         'merge into incident_events e using incidents i on e.incident_id = i.id when matched then delete',
  'ON CONFLICT DO UPDATE':      `insert into incident_events select * from incident_events on conflict (incident_id, seq) do update set note = 'x'`,
  'DELETE in a WITH part':      'with gone as (delete from incident_events returning seq) select count(*) from gone',
  'UPDATE in a block':          `do $$ begin execute 'update incident_events set note = ''x'''; end $$`,
  'UPDATE through a view':      `create temporary view seen as select * from incident_events; update seen set note = 'x'`,
  'SELECT FOR UPDATE':          'select seq from incident_events for update',
  'LOCK that stops writers':    'begin; lock table incident_events in access exclusive mode',
  'DISABLE TRIGGER':            'alter table incident_events disable trigger all',
  'DROP TRIGGER':               'drop trigger incident_events_refuse_row_change on incident_events',
  session_replication_role:     'set session_replication_role = replica',
  RULE:                         'create rule swallow as on insert to incident_events do instead nothing',
  'SET ROLE':                   'set role svc',
  'GRANT to oneself':           `grant update on incident_events to svc_app; update incident_events set note = 'x'`,
  'DROP TABLE':                 'drop table incident_events cascade',
  'a cascade from the incident': 'delete from incidents',
  'a new id for the incident':  'update incidents set id = gen_random_uuid()',
  'another foreign key':        'alter table incident_events add foreign key (incident_id) references incidents (id) on delete cascade',
}

let app: TestApp
let owner: pg.Client
beforeAll(async () => {
  app = await createTestApp()
  const { id } = await app.services.incidents.open(COMMAND_LINE_ACTOR, { title: 'Kept', assignee_id: null })
  await app.services.incidents.comment(COMMAND_LINE_ACTOR, id, 'Said once.')
  owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await app.close()
})

/** Everything of the table that may not change: its rows, its triggers and its rights. */
async function fingerprint(): Promise<unknown> {
  const { rows } = await owner.query(`select
    (select md5(string_agg(event::text, '|' order by incident_id, seq)) from incident_events event) as content,
    (select string_agg(pg_get_triggerdef(oid) || tgenabled::text, '|' order by tgname) from pg_trigger where tgrelid = 'incident_events'::regclass and not tgisinternal) as triggers,
    (select concat_ws(' ', relowner::regrole, relacl) from pg_class where oid = 'incident_events'::regclass) as rights`)
  return rows[0]
}

describe('C6: the timeline of an incident', () => {
  test.each(Object.entries(STATEMENTS))('%s is refused to the application role', async (_, statement) => {
    const before = await fingerprint()
    expect((await attempt(app.database.appUrl, statement))?.code).toMatch(REFUSALS)
    expect(await fingerprint()).toEqual(before)
  })

  test.each(['update incident_events set note = null', 'delete from incident_events', 'truncate incident_events'])(
    '%s is refused to the owner and to the superuser',
    async (statement) => {
      const before = await fingerprint()
      expect((await attempt(app.database.ownerUrl, statement))?.message).toContain('is append-only')
      const { port, superuserPassword: password } = inject('postgres')
      await withSuperuser({ port, password }, app.database.name, async (client) => {
        await expect(client.query(statement)).rejects.toThrow('is append-only')
        await expect(client.query(`set session_replication_role = replica; ${statement}`)).rejects.toThrow('is append-only')
      })
      expect(await fingerprint()).toEqual(before)
    },
  )

  test('SELECT and INSERT succeed', async () => {
    const row = `insert into incident_events (incident_id, seq, version, at, kind, actor_name) select id, 9, 1, now(), 'COMMENT', 'ana' from incidents`
    expect(await attempt(app.database.appUrl, row)).toBeUndefined()
    expect(await attempt(app.database.appUrl, 'select * from incident_events')).toBeUndefined()
  })

  test('its rights come again with the schema', async () => {
    for (let undone: string[] = []; !undone.includes('0021-incidents'); ) undone = await migrateDown(app.database.ownerUrl, 1)
    await migrateToLatest(app.database.ownerUrl, 'svc_app')
    expect((await attempt(app.database.appUrl, STATEMENTS['UPDATE'] ?? ''))?.code).toBe('42501')
  })
})
