import { randomBytes } from 'node:crypto'
import { IndicatorDetailSchema } from '#domains/indicators/indicators.schemas.ts'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { domainList } from './support/lists.ts'

// GET /api/v1/indicators/{id} with login, role check and limits, beside the same read through the same app without them.
const VALUES = 10_000
const REQUESTS = 2000
const AT_ONCE = 10
const ROUNDS = 7
const GOAL = 1.25

const base = await openBenchBase()
try {
  base.lists.publish('list', domainList(VALUES).join('\n'))
  await base.services.collect.collect(BENCH_ACTOR, await base.addFeed('list'))
  await base.bare.query('analyze indicators')
  await base.bare.query('analyze indicator_sources')
  const ids = (await base.bare.query<{ id: string }>('select id from indicators limit 1000')).rows.map(({ id }) => id)
  const password = randomBytes(16).toString('hex')
  await base.services.accounts.createUser(BENCH_ACTOR, { username: 'reader', password, role: 'VIEWER' })
  const { access_token } = await base.services.sessions.login(
    { username: 'reader', password },
    { clientIp: '127.0.0.1', requestId: 'benchmark' },
  )
  // Both limits on, and out of reach: what is measured is their work, not their answer.
  const app = await buildApp(
    base.services,
    { ...base.config, WEB_DIR: undefined, RATE_LIMIT_PER_USER: 1_000_000, RATE_LIMIT_PER_ADDRESS: 1_000_000 },
    SILENT_LOGGING,
  )
  // Outside of /api, where neither a login nor a limit is asked for.
  app.get<{ Params: { id: string } }>(
    '/bench/indicators/:id',
    { config: { access: 'public' }, schema: { response: { 200: IndicatorDetailSchema } } },
    async (request) => await base.services.indicators.get(request.params.id),
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  const load = async (path: string, headers: Record<string, string>) => {
    let left = REQUESTS
    const client = async () => {
      while (left-- > 0) {
        const answer = await fetch(`${url}${path}/${ids[left % ids.length]}`, { headers })
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
        await answer.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
  }
  const withLogin = async () => await load('/api/v1/indicators', { authorization: `Bearer ${access_token}` })
  const without = async () => await load('/bench/indicators', {})
  await withLogin()
  await without()
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    floor.push((1000 * (await secondsOf(without))) / REQUESTS)
    ours.push((1000 * (await secondsOf(withLogin))) / REQUESTS)
  }
  await app.close()
  report(`GET /api/v1/indicators/{id}, ${AT_ONCE} at once`, { ours, floor, goal: GOAL, unit: 'ms per request' })
} finally {
  await base.close()
}
