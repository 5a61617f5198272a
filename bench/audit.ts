import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openBenchBase, report, secondsOf } from './support/bench-base.ts'

// A small change and its journal row in one transaction, with the chain's trigger beside the same without it. The statements are bare, so that nothing but
// the chain differs; each writer changes a row of its own, as different users do. The journal grows alike on both sides.
const WRITERS = 10
const WRITES = 2000
const WRITES_ALONE = 500
const ROUNDS = 7
/** Throughput with the chain is at least 0.8 of that without: 1 / 0.8 of the time. */
const GOAL = 1.25

const base = await openBenchBase()
const pool = new pg.Pool({ connectionString: base.appUrl, max: WRITERS })
try {
  await base.bare.query(`
    insert into users (id, username, password_hash, role, created_at, updated_at)
    select gen_random_uuid(), 'writer' || n, 'x', 'VIEWER', now(), now() from generate_series(0, ${WRITERS - 1}) n`)
  await base.bare.query(
    'alter table audit_events alter column lane drop not null, alter column seq drop not null, alter column hash drop not null',
  )

  const write = async (client: pg.PoolClient, writer: number) => {
    await client.query('begin')
    await client.query('update users set last_login_at = now() where username = $1', [`writer${writer}`])
    await client.query(
      `insert into audit_events (id, at, action, outcome, actor_id, actor_name, target_type, target_id, target_name, client_ip, request_id, details)
       values ($1, now(), 'feed.updated', 'SUCCESS', $1, 'an administrator', 'feed', $2, 'a list of domains', '198.51.100.7', $2, $3)`,
      [randomUUID(), randomUUID(), '{"fields": "frequency, reliability"}'],
    )
    await client.query('commit')
  }
  /** Milliseconds a write, and the writes a second that this makes. */
  const measure = async (writers: number, writes: number) => {
    let left = writes
    const seconds = await secondsOf(async () => {
      await Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          const client = await pool.connect()
          while (left-- > 0) await write(client, writer)
          client.release()
        }),
      )
    })
    return (1000 * seconds) / writes
  }
  const withChain = async () => await base.bare.query('alter table audit_events enable always trigger audit_events_chain')
  const withoutChain = async () => await base.bare.query('alter table audit_events disable trigger audit_events_chain')

  for (const [title, writers, writes] of [
    [`${WRITERS} writers at once`, WRITERS, WRITES],
    ['one writer at a time', 1, WRITES_ALONE],
  ] as const) {
    const ours: number[] = []
    const floor: number[] = []
    await measure(writers, writes)
    for (let round = 0; round < ROUNDS; round++) {
      const sides = [
        async () => {
          await withoutChain()
          floor.push(await measure(writers, writes))
        },
        async () => {
          await withChain()
          ours.push(await measure(writers, writes))
        },
      ]
      // The side that comes second finds a larger journal and a warmer cache: they take turns.
      for (const side of round % 2 === 0 ? sides : sides.reverse()) await side()
    }
    report(`audited writes, ${title}`, { ours, floor, goal: GOAL, unit: 'ms per write' })
  }

  const { rows } = await base.bare.query(
    'select count(*)::int as rows, count(distinct lane)::int as lanes from audit_events where lane is not null',
  )
  const seconds = await secondsOf(async () => {
    const { lanes } = await base.services.journal.verify({ expected: [] })
    if (lanes.some(({ lane, broken }) => lane !== null && broken > 0)) throw new Error('The chain is broken.')
  })
  console.log(`svc audit verify: ${Math.round(rows[0].rows / seconds)} rows a second (${rows[0].rows} rows in ${rows[0].lanes} lanes)`)
} finally {
  await pool.end()
  await base.close()
}
