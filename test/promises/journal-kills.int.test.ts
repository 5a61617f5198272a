import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Actor } from '#kernel/actor.ts'
import { withSuperuser } from '#platform/database/embedded/cluster-roles.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const ROUNDS = 30
/** Writes of one round, all at once. */
const WRITES = 12
/** Longest wait inside a transaction, between the change and its commit, milliseconds: kills fall into it. */
const DWELL_MS = 12

let app: TestApp
let owner: pg.Client
beforeAll(async () => {
  app = await createTestApp()
  owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
  // Fires after the chain's trigger, so that a killed writer holds a lane and a row that is not committed.
  await owner.query(`
    create function dwell() returns trigger language plpgsql as $$ begin perform pg_sleep(random() * ${DWELL_MS} / 1000); return new; end $$;
    create trigger audit_events_dwell before insert on audit_events for each row execute function dwell();
    grant execute on function dwell() to svc_app`)
})
afterAll(async () => {
  await owner.end()
  await app.close()
})

/** What the callers were told, by request id. */
type Told = { kind: 'created' | 'updated' | 'deleted' | 'submitted'; requestId: string; subject: string; done: boolean }

let count = 0
const caller = (): Actor & { requestId: string } => ({ name: 'writer', role: 'ADMIN', requestId: `kill-round-write-${++count}` })

async function told(kind: Told['kind'], subject: string, write: (actor: Actor) => Promise<unknown>): Promise<Told> {
  const actor = caller()
  const done = await write(actor).then(
    () => true,
    () => false,
  )
  return { kind, requestId: actor.requestId, subject, done }
}

const input = (name: string) => ({ name, url: 'https://lists.example.org/list', format: 'CSV' as const })

/** Four kinds of change, each with its row: a feed made, changed, deleted, and a value submitted. */
function writesOf(round: number, standing: { id: string; version: number }[]): (() => Promise<Told>)[] {
  return Array.from({ length: WRITES }, (_, n) => {
    const feed = standing[n]
    if (n % 4 === 0 || feed === undefined)
      return async () =>
        await told('created', `feed ${round}-${n}`, async (actor) => await app.services.feeds.create(actor, input(`feed ${round}-${n}`)))
    if (n % 4 === 1)
      return async () =>
        await told(
          'updated',
          feed.id,
          async (actor) => await app.services.feeds.change(actor, feed.id, { version: feed.version, frequency: 600 + round }),
        )
    if (n % 4 === 2)
      return async () =>
        await told('deleted', feed.id, async (actor) => await app.services.feeds.remove(actor, feed.id, { purge: false, dryRun: false }))
    const value = `round-${round}-write-${n}.example.com`
    return async () => await told('submitted', value, async (actor) => await app.services.indicators.submit(actor, [{ value }]))
  })
}

/** Ends every session of the service that is in the middle of something. @returns how many */
async function killWriters(superuser: pg.Client): Promise<number> {
  const { rows } = await superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'test' and (state <> 'idle' or wait_event = 'PgSleep')`,
    [app.database.name],
  )
  return rows.length
}

/** The feeds that stand, once the service has its connections again. */
async function standingFeeds(): Promise<{ id: string; version: number }[]> {
  const { rows } = await owner.query('select id, version from threat_feeds order by id limit 12')
  return rows
}

describe('C9: sessions of the database killed in the middle of writes', () => {
  const ledger: Told[] = []
  let killed = 0

  beforeAll(async () => {
    const { port, superuserPassword } = inject('postgres')
    await withSuperuser({ port, password: superuserPassword }, app.database.name, async (superuser) => {
      for (let round = 0; round < ROUNDS; round++) {
        const writes = writesOf(round, await standingFeeds()).map(async (write) => await write())
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * DWELL_MS))
        killed += await killWriters(superuser)
        ledger.push(...(await Promise.all(writes)))
      }
    })
  })

  test('the kills hit: some writes were lost, and some were not', () => {
    expect(killed).toBeGreaterThan(ROUNDS)
    for (const kind of ['created', 'updated', 'deleted', 'submitted'] as const) {
      const writes = ledger.filter((write) => write.kind === kind)
      expect({ kind, done: writes.some(({ done }) => done), lost: writes.some(({ done }) => !done) }).toEqual({
        kind,
        done: true,
        lost: true,
      })
    }
  })

  test('what was confirmed is there, with its row', async () => {
    const { rows } = await owner.query<{ request_id: string }>('select request_id from audit_events where request_id is not null')
    const journalled = new Set(rows.map(({ request_id }) => request_id))
    expect(ledger.filter(({ done, requestId }) => done && !journalled.has(requestId))).toEqual([])
  })

  // Each statement gives what is only on one side: a change without a row, or a row without a change.
  // biome-ignore format: one case per line
  test.each([
    { kind: 'created',   statement: `select coalesce(s.id::text, a.target_id) as id from (select id from sources where kind = 'FEED') s full join (select target_id from audit_events where action = 'feed.created') a on a.target_id = s.id::text where s.id is null or a.target_id is null` },
    { kind: 'deleted',   statement: `select coalesce(s.id::text, a.target_id) as id from (select id from sources where kind = 'FEED' and retired_at is not null) s full join (select target_id from audit_events where action = 'feed.deleted') a on a.target_id = s.id::text where s.id is null or a.target_id is null` },
    { kind: 'updated',   statement: `select f.id from threat_feeds f where f.version - 1 <> (select count(*) from audit_events where action = 'feed.updated' and target_id = f.id::text)` },
    { kind: 'deleted feeds gone', statement: `select id from threat_feeds where id::text in (select target_id from audit_events where action = 'feed.deleted')` },
  ])('never a change without its row, never a row without its change: $kind', async ({ statement }) => {
    expect((await owner.query(statement)).rows).toEqual([])
  })

  test('never a submitted value without its row, never a row without its value', async () => {
    const { rows: values } = await owner.query<{ value: string }>(`select value from indicators where value like 'round-%'`)
    const stored = new Set(values.map(({ value }) => value))
    const { rows } = await owner.query<{ request_id: string }>(`select request_id from audit_events where action = 'indicators.submitted'`)
    const journalled = new Set(rows.map(({ request_id }) => request_id))
    const submissions = ledger.filter(({ kind }) => kind === 'submitted')
    expect(submissions.length).toBeGreaterThan(ROUNDS)
    expect(submissions.filter(({ subject, requestId }) => stored.has(subject) !== journalled.has(requestId))).toEqual([])
    expect(journalled.size).toBe(stored.size)
  })

  test('one row an action at most, and the chain has neither gap nor fork', async () => {
    const { rows } = await owner.query(
      `select request_id from audit_events where request_id like 'kill-%' group by request_id having count(*) > 1`,
    )
    expect(rows).toEqual([])
    expect(await app.services.journal.verify({ expected: [] })).toMatchObject({ intact: true })
  })

  test('the service goes on: the next write is there, in lane 0', async () => {
    const actor = caller()
    await app.services.feeds.create(actor, input('after the kills'))
    const { rows } = await owner.query('select lane, action from audit_events where request_id = $1', [actor.requestId])
    expect(rows).toEqual([{ lane: 0, action: 'feed.created' }])
  })
})
