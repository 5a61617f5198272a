import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { openDatabase, openPool } from '#platform/database/database.ts'
import { changeBehindTriggers } from '#test/support/journal.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { insertAuditEvent, type Link } from './audit.store.ts'
import { createJournalService, type JournalService } from './journal.service.ts'

const WRITERS = 50

let database: TestDatabase
let pool: pg.Pool
let db: ReturnType<typeof openDatabase>
let journal: JournalService
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.appUrl, { maxConnections: WRITERS, applicationName: 'test chain' })
  db = openDatabase(pool)
  journal = createJournalService({ db, clock: () => new Date() })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => await changeBehindTriggers(database.ownerUrl, 'truncate audit_events'))

async function write(on = db, fields: { actor_name?: string; target_name?: string; details?: string } = {}): Promise<Link> {
  return await insertAuditEvent(on, {
    id: newId(),
    at: new Date(),
    action: 'feed.updated',
    outcome: 'SUCCESS',
    actor_name: 'ana',
    client_ip: '198.51.100.7',
    details: '{"from": 1, "to": 2}',
    ...fields,
  })
}

async function writeMany(rows: number): Promise<Link[]> {
  const links: Link[] = []
  for (let row = 0; row < rows; row++) links.push(await write())
  return links
}

const verify = async (...expected: Link[]) => await journal.verify({ expected })
const headOf = ({ lane, seq, hash }: Link) => `${lane}:${seq}:${hash}`

describe('writing', () => {
  test('one writer at a time fills lane 0, row after row', async () => {
    const links = await writeMany(5)
    expect(links.map(({ lane, seq }) => [lane, seq])).toEqual([1, 2, 3, 4, 5].map((seq) => [0, seq]))
    expect(await verify()).toMatchObject({ intact: true, rows: 5, lanes: [{ lane: 0, rows: 5, broken: 0, first_fault: null }] })
    expect((await verify()).lanes[0]?.head).toBe(headOf(links[4] as Link))
  })

  test('several rows of one transaction, and of one statement, follow one another', async () => {
    await db.transaction().execute(async (trx) => {
      await write(trx)
      await write(trx)
    })
    await pool.query(
      `insert into audit_events (id, at, action, outcome, actor_name) select gen_random_uuid(), now(), 'feed.updated', 'SUCCESS', 'ana' from generate_series(1, 100)`,
    )
    expect(await verify()).toMatchObject({ intact: true, rows: 102, lanes: [{ lane: 0, rows: 102 }] })
  })

  test('what a caller gives for lane, seq and hash does not count', async () => {
    await writeMany(2)
    const { rows } = await pool.query(`
      insert into audit_events (id, at, action, outcome, actor_name, lane, seq, hash)
      values (gen_random_uuid(), now(), 'feed.updated', 'SUCCESS', 'ana', 7, 99, '\\x00') returning lane, seq, length(hash) as bytes`)
    expect(rows).toEqual([{ lane: 0, seq: 3, bytes: 32 }])
    expect((await verify()).intact).toBe(true)
  })

  test('50 writers with open transactions never wait for each other, and nothing forks', async () => {
    const clients = await Promise.all(Array.from({ length: WRITERS }, async () => await pool.connect()))
    try {
      // All rows are written before the first commit: one writer that waited for another would end in the statement's time limit.
      const lanes = await Promise.all(
        clients.map(async (client) => {
          await client.query('begin')
          const { rows } = await client.query(
            `insert into audit_events (id, at, action, outcome, actor_name) values (gen_random_uuid(), now(), 'feed.updated', 'SUCCESS', 'ana') returning lane`,
          )
          return rows[0].lane
        }),
      )
      expect(lanes.sort((first, second) => first - second)).toEqual(Array.from({ length: WRITERS }, (_, lane) => lane))
      await Promise.all(clients.map(async (client, n) => await client.query(n % 5 === 0 ? 'rollback' : 'commit')))
    } finally {
      for (const client of clients) client.release()
    }
    expect(await verify()).toMatchObject({ intact: true, rows: (WRITERS * 4) / 5 })
    expect((await write()).lane).toBe(0)
  })

  test('50 writers, 20 transactions each with rows, savepoints and rollbacks: the chain holds', async () => {
    let committed = 0
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let round = 0; round < 20; round++) {
          const client = await pool.connect()
          await client.query('begin')
          const row = `insert into audit_events (id, at, action, outcome, actor_name) values (gen_random_uuid(), now(), 'feed.updated', 'SUCCESS', 'writer ${writer}')`
          await client.query(`${row}; savepoint attempt; ${row}; rollback to savepoint attempt; ${row}`)
          const keep = (writer + round) % 4 !== 0
          await client.query(keep ? 'commit' : 'rollback')
          if (keep) committed += 2
          client.release()
        }
      }),
    )
    expect(await verify()).toMatchObject({ intact: true, rows: committed })
  })

  test('a transaction that sees an old picture of the journal is refused: it does not fork the chain', async () => {
    await write()
    await expect(
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (trx) => {
          await trx.selectFrom('audit_events').select('id').execute()
          await write()
          await write(trx)
        }),
    ).rejects.toThrow('audit_events_lane_seq_unique')
    expect(await verify()).toMatchObject({ intact: true, rows: 2 })
  })

  test('a table of the same name in the session does not lead the trigger astray', async () => {
    await writeMany(3)
    const client = await pool.connect()
    await client.query(
      `create temporary table audit_events (lane int, seq bigint, hash bytea); insert into audit_events values (0, 500, '\\x00')`,
    )
    const { rows } = await client.query(
      `insert into public.audit_events (id, at, action, outcome, actor_name) values (gen_random_uuid(), now(), 'feed.updated', 'SUCCESS', 'ana') returning seq`,
    )
    client.release(true)
    expect(rows[0].seq).toBe(4)
    expect((await verify()).intact).toBe(true)
  })
})

describe('hostile text', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'quotes and SQL',               text: `'); drop table audit_events; -- "\\' $$ \\x00` },
    { title: 'line breaks and ANSI',         text: 'first\r\nsecond\u001b[31m\ttab\u0007' },
    { title: 'what looks like a row',        text: '", "SUCCESS", null, {"a": 1}]' },
    { title: 'text beyond the basic plane',  text: '𝔘𝔫𝔦 👩🏽‍💻 \u202eesrever \u0000'.replace('\u0000', '') },
    { title: 'lines that JavaScript breaks', text: '\u2028\u2029\ufeff\uffff' },
    { title: 'names of object members',      text: '__proto__' },
  ])('$title is kept as it is, and fits the chain', async ({ text }) => {
    await write(db, { actor_name: text, target_name: text, details: JSON.stringify({ [text]: text, number: 1e21, tiny: 1e-7, nothing: null }) })
    await write()
    expect(await verify()).toMatchObject({ intact: true, rows: 2 })
    const { items } = await journal.page({})
    expect(items[1]).toMatchObject({ actor_name: text, target_name: text, chain: 'OK' })
    expect(items[1]?.details[text]).toBe(text)
  })

  test('details of 64 kB fit the chain', async () => {
    for (let row = 0; row < 20; row++) await write(db, { details: JSON.stringify({ text: `${row}é"\\`.repeat(13_000) }) })
    expect(await verify()).toMatchObject({ intact: true, rows: 20 })
  })

  test('NUL cannot be stored: the row is refused', async () => {
    await expect(write(db, { actor_name: 'a\0b' })).rejects.toThrow('invalid byte sequence')
    await expect(write(db, { details: '{"a": "\\u0000"}' })).rejects.toThrow('unsupported Unicode escape')
    expect(await verify()).toMatchObject({ intact: true, rows: 0 })
  })
})

describe('tampering by the owner, with the triggers off', () => {
  const ROWS = 12
  let links: Link[]
  beforeEach(async () => {
    links = await writeMany(ROWS)
  })
  const tamper = async (...statements: string[]) => await changeBehindTriggers(database.ownerUrl, ...statements)
  const firstFault = async (...expected: Link[]) => {
    const report = await verify(...expected)
    return { intact: report.intact, ...report.lanes[0]?.first_fault }
  }

  test('untouched, it is intact', async () => {
    expect(await verify(...links)).toMatchObject({ intact: true, rows: ROWS })
  })

  test('a change of any column of a row is named, whatever the column', async () => {
    const { rows: columns } = await pool.query<{ name: string; type: string }>(
      `select attname as name, atttypid::regtype::text as type from pg_attribute where attrelid = 'audit_events'::regclass and attnum > 0 and not attisdropped`,
    )
    const another: Record<string, string> = {
      uuid: `'01970000-0000-7000-8000-000000000001'`,
      text: `'DENIED'`,
      inet: `'203.0.113.9'`,
      jsonb: `'{"from": 1, "to": 3}'`,
      bytea: `sha256('x')`,
      integer: '3',
      bigint: '77',
      'timestamp with time zone': `at + interval '1 ms'`,
      'timestamp(3) with time zone': `at + interval '1 ms'`,
    }
    expect(columns.length).toBeGreaterThan(14)
    for (const { name, type } of columns) {
      await tamper(
        'create table kept as select * from audit_events where lane = 0 and seq = 5',
        `update audit_events set ${name} = ${another[type]} where lane = 0 and seq = 5`,
      )
      const report = await verify()
      expect(report.intact, name).toBe(false)
      expect(report.lanes[0]?.first_fault, name).toMatchObject(
        name === 'lane' || name === 'seq' ? { fault: 'missing', seq: 5 } : { fault: 'changed', lane: 0, seq: 5 },
      )
      const { items } = await journal.page({})
      expect(items.filter(({ chain }) => chain === 'BROKEN').length, name).toBeGreaterThan(0)
      await tamper(
        `delete from audit_events where (lane, seq) = (0, 5) or (lane, seq) = (3, 5) or (lane, seq) = (0, 77)`,
        'insert into audit_events select * from kept',
        'drop table kept',
      )
      expect((await verify()).intact, name).toBe(true)
    }
  })

  test('a row taken out of the middle is named by its place', async () => {
    await tamper('delete from audit_events where seq = 6')
    expect(await firstFault()).toMatchObject({ intact: false, fault: 'missing', lane: 0, seq: 6 })
  })

  test('several rows taken out, and the first ones', async () => {
    await tamper('delete from audit_events where seq in (1, 2)')
    expect(await firstFault()).toMatchObject({
      intact: false,
      fault: 'missing',
      seq: 1,
      detail: expect.stringContaining('Rows 0:1 to 0:2'),
    })
  })

  test('a row taken out and the rest moved up is named at the first row that was moved', async () => {
    await tamper(
      'delete from audit_events where seq = 6',
      'update audit_events set seq = -seq where seq > 6',
      'update audit_events set seq = -seq - 1 where seq < 0',
    )
    expect(await firstFault()).toMatchObject({ intact: false, fault: 'changed', seq: 6 })
  })

  test('a tail that was cut off shows against a head that was noted', async () => {
    await tamper('delete from audit_events where seq > 9')
    expect((await verify()).intact).toBe(true)
    const report = await verify(links[ROWS - 1] as Link)
    expect(report.intact).toBe(false)
    expect(report.expected).toMatchObject([{ head: headOf(links[ROWS - 1] as Link), fault: { fault: 'missing', seq: 12 } }])
    expect((await verify(links[8] as Link)).intact).toBe(true)
  })

  test('a journal that was written anew with a right chain shows against a head that was noted', async () => {
    await tamper('truncate audit_events')
    await writeMany(ROWS)
    expect((await verify()).intact).toBe(true)
    expect((await verify(links[ROWS - 1] as Link)).expected[0]?.fault).toMatchObject({ fault: 'changed', seq: 12 })
  })

  const FORGED = `insert into audit_events (id, at, action, outcome, actor_name, lane, seq, hash)
    values ('01970000-0000-7000-8000-000000000001', now(), 'feed.updated', 'SUCCESS', 'ana'`

  test('a row put in between, with the rest moved down, is named', async () => {
    await tamper(
      'update audit_events set seq = -seq where seq >= 6',
      'update audit_events set seq = -seq + 1 where seq < 0',
      `${FORGED}, 0, 6, sha256('x'))`,
    )
    expect(await firstFault()).toMatchObject({ intact: false, fault: 'inserted', seq: 6, id: '01970000-0000-7000-8000-000000000001' })
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'after the end',         place: '0, 13', lane: 0, want: { fault: 'changed', seq: 13 } },
    { title: 'far after the end',     place: '0, 20', lane: 0, want: { fault: 'missing', seq: 13 } },
    { title: 'in a lane of its own',  place: '9, 1',  lane: 9, want: { fault: 'changed', seq: 1 } },
    { title: 'before the first row',  place: '0, 0',  lane: 0, want: { fault: 'inserted', seq: 0 } },
  ])('a row put in $title is named', async ({ place, lane, want }) => {
    await tamper(`${FORGED}, ${place}, sha256('x'))`)
    const report = await verify()
    expect(report.intact).toBe(false)
    expect(report.lanes.find((candidate) => candidate.lane === lane)?.first_fault).toMatchObject(want)
  })

  test('two rows that changed places are named at the first', async () => {
    await tamper(
      'update audit_events set seq = -seq where seq in (4, 5)',
      'update audit_events set seq = 9 + seq where seq < 0 and seq = -4',
      'update audit_events set seq = 4 where seq = -5',
    )
    expect(await firstFault()).toMatchObject({ intact: false, fault: 'inserted', seq: 4 })
  })

  test('two rows that changed their contents but not their hashes are named at the first', async () => {
    await tamper(`update audit_events set actor_name = case seq when 4 then 'five' else 'four' end where seq in (4, 5)`)
    expect(await firstFault()).toMatchObject({ intact: false, fault: 'changed', seq: 4 })
  })

  test('a changed hash is named, at its own row', async () => {
    await tamper(`update audit_events set hash = sha256(hash) where seq = 8`)
    expect(await firstFault()).toMatchObject({ intact: false, fault: 'changed', seq: 8 })
  })

  test('a row that was changed together with its hash is named at the row after it', async () => {
    await tamper(
      `update audit_events set actor_name = 'eve' where seq = 8`,
      `update audit_events set hash = audit_event_hash((select hash from audit_events where seq = 7), audit_events) where seq = 8`,
    )
    expect(await firstFault()).toMatchObject({ intact: false, fault: 'changed', seq: 9 })
  })

  test('a replaced function of the trigger does not hide a change: the check has its own arithmetic', async () => {
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    const { rows } = await owner.query(`select pg_get_functiondef('audit_event_hash'::regproc) as text`)
    await owner.query(
      `create or replace function audit_event_hash(previous bytea, event audit_events) returns bytea language sql stable as $$ select sha256('x') $$`,
    )
    try {
      await write()
      expect(await firstFault()).toMatchObject({ intact: false, fault: 'changed', seq: ROWS + 1 })
    } finally {
      await owner.query(rows[0].text)
      await owner.end()
    }
  })
})

test('a chain of several pages is walked whole, and a fault on a later page is found', async () => {
  await pool.query(
    `insert into audit_events (id, at, action, outcome, actor_name) select gen_random_uuid(), now(), 'feed.updated', 'SUCCESS', 'ana' from generate_series(1, 4500)`,
  )
  const seen: number[] = []
  expect(await journal.verify({ expected: [], onProgress: (rows) => seen.push(rows) })).toMatchObject({ intact: true, rows: 4500 })
  expect(seen).toEqual([2000, 4000, 4500])
  // The first row of a page: what is before it stands on the page before.
  await changeBehindTriggers(database.ownerUrl, 'delete from audit_events where seq = 2000')
  expect((await verify()).lanes[0]?.first_fault).toMatchObject({ fault: 'missing', seq: 2000 })
})
