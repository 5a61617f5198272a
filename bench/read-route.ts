import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { domainList } from './support/lists.ts'

// GET /api/v1/indicators with login, roles, audit hooks, schemas and headers, beside a bare Fastify route with the same statements. The floor counts
// up to 10 000 rows at every request; the product gives an estimated total again for half a minute.
const VALUES = 100_000
const REQUESTS = 2000
const CONCURRENCY = 10
const ROUNDS = 5
const GOAL = 1.3

const base = await openBenchBase()
const pool = new pg.Pool({ connectionString: base.appUrl, max: CONCURRENCY })
const bareApp = Fastify()
try {
  base.lists.publish('list', domainList(VALUES).join('\n'))
  await base.services.collect.collect(BENCH_ACTOR, await base.addFeed('list'))
  await base.bare.query('analyze indicators')
  await base.bare.query('analyze indicator_sources')
  const password = randomBytes(16).toString('hex')
  await base.services.accounts.createUser(BENCH_ACTOR, { username: 'reader', password, role: 'VIEWER' })
  const { access_token } = await base.services.sessions.login(
    { username: 'reader', password },
    { clientIp: '127.0.0.1', requestId: 'benchmark' },
  )
  // The limit on requests is on, and out of reach: what is measured is its work, not its answer.
  const app = await buildApp(base.services, { ...base.config, WEB_DIR: undefined, RATE_LIMIT_PER_USER: 1_000_000 }, SILENT_LOGGING)
  const oursUrl = await app.listen({ host: '127.0.0.1', port: 0 })

  // The same reads as the product does for a page: the account, the rows, the exact part of the total.
  bareApp.get('/indicators', async () => {
    const account = await pool.query(
      "select id, username, role, status from users where id = (select id from users where lower(username) = 'reader')",
    )
    const { rows } = await pool.query(`
      select known.*, standing.confidence, standing.expires_at > now() as active, standing.hit_count, standing.source_count, standing.last_seen, standing.expires_at,
        coalesce((select array_agg(distinct tag order by tag) from indicator_sources said, unnest(said.tags) tag where said.indicator_id = known.id), '{}') as tags
      from (select id, type, value, severity, first_seen from indicators order by id desc limit 20000) known
      cross join lateral indicator_standing(known.id, known.type, now()) standing order by known.id desc limit 51`)
    const total = await pool.query('select count(*) from (select 1 from indicators limit 10001) walked')
    return { items: rows.slice(0, 50), total: total.rows[0].count, account: account.rowCount }
  })
  const floorUrl = await bareApp.listen({ host: '127.0.0.1', port: 0 })

  const load = async (url: string, headers: Record<string, string>) => {
    let left = REQUESTS
    const client = async () => {
      while (left-- > 0) {
        const answer = await fetch(url, { headers })
        if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`)
        await answer.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, client))
  }
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    floor.push((1000 * (await secondsOf(async () => await load(`${floorUrl}/indicators`, {})))) / REQUESTS)
    ours.push(
      (1000 * (await secondsOf(async () => await load(`${oursUrl}/api/v1/indicators`, { authorization: `Bearer ${access_token}` })))) /
        REQUESTS,
    )
  }
  await app.close()
  report(`GET /api/v1/indicators, ${CONCURRENCY} at once`, { ours, floor, goal: GOAL, unit: 'ms per request' })
} finally {
  await bareApp.close()
  await pool.end()
  await base.close()
}
