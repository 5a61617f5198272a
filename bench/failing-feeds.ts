import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCollectionSlots } from '#domains/feeds/schedule/collection-slots.ts'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { startFeedServers } from '#test/support/failing-feeds.ts'
import { startListServer } from '#test/support/list-server.ts'
import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'

// Eight good feeds alone, and beside eight that fail in eight ways and stand before them in the queue; and meanwhile the API, asked at a steady
// pace. All in one process, as in `svc up`.
const GOOD = 8
const ROWS = 5000
const PASSES = 4
const ROUNDS = 5
const ASK_EVERY_MS = 25
const GOALS = { collection: 1.2, p99: 1.5 }

type Slot = { id: string; host: string; done: () => void }

const bad = await startFeedServers()
const publishers = await Promise.all(Array.from({ length: GOOD }, startListServer))
const base = await openBenchBase({ allowHosts: [...bad.failing, ...publishers].map(({ host }) => host) })

let version = 0
function publishAnew(): void {
  version++
  for (const [n, publisher] of publishers.entries())
    publisher.publish(
      'list',
      Array.from({ length: ROWS }, (_, row) => `v${row % 10 === 0 ? version : 0}-${row}.good-${n}.example.com`).join('\n'),
    )
}

const stop = new AbortController()
const slots = createCollectionSlots<Slot>(base.services.collect.atOnce, async ({ id, done }) => {
  await base.services.collect.collect(BENCH_ACTOR, id, { signal: stop.signal }).catch(() => {})
  done()
})

/** One pass of the good feeds behind those of `before`, which are still at it or begin again. */
async function pass(good: readonly Omit<Slot, 'done'>[], before: readonly Omit<Slot, 'done'>[]): Promise<void> {
  publishAnew()
  let left = good.length
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    left--
    if (left === 0) resolve()
  }
  slots.offer([...before.map((feed) => ({ ...feed, done: () => {} })), ...good.map((feed) => ({ ...feed, done }))], stop.signal)
  await promise
}

/** Asks the API at a steady pace, whatever it answers, until told to stop. @returns the 99th percentile, milliseconds */
function askSteadily(url: string, token: string): { end(): Promise<number> } {
  const tookMs: number[] = []
  const asked: Promise<void>[] = []
  const ask = async () => {
    const startMs = performance.now()
    await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).arrayBuffer()
    tookMs.push(performance.now() - startMs)
  }
  const timer = setInterval(() => asked.push(ask()), ASK_EVERY_MS)
  return {
    async end() {
      clearInterval(timer)
      await Promise.all(asked)
      return tookMs.sort((first, second) => first - second)[Math.floor(tookMs.length * 0.99)] ?? Number.NaN
    },
  }
}

try {
  const add = async (name: string, url: string) => (await base.services.feeds.create(BENCH_ACTOR, { name, url, format: 'CSV' })).id
  const failing = await Promise.all(bad.failing.map(async ({ name, url, host }) => ({ id: await add(name, url), host })))
  const good = await Promise.all(publishers.map(async ({ host, urlOf }, n) => ({ id: await add(`good ${n}`, urlOf('list')), host })))
  const password = randomBytes(16).toString('hex')
  await base.services.accounts.createUser(BENCH_ACTOR, { username: 'reader', password, role: 'VIEWER' })
  const { access_token } = await base.services.sessions.login(
    { username: 'reader', password },
    { clientIp: '127.0.0.1', requestId: 'benchmark' },
  )
  const app = await buildApp(
    base.services,
    { ...base.config, WEB_DIR: undefined, RATE_LIMIT_PER_USER: 0, RATE_LIMIT_PER_ADDRESS: 0 },
    SILENT_LOGGING,
  )
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/indicators`

  const round = async (before: typeof failing) => {
    const asking = askSteadily(url, access_token)
    const seconds = await secondsOf(async () => {
      for (let count = 0; count < PASSES; count++) await pass(good, before)
    })
    return { seconds: seconds / PASSES, p99: await asking.end() }
  }
  await round([])
  const alone: Awaited<ReturnType<typeof round>>[] = []
  const beside: typeof alone = []
  for (let count = 0; count < ROUNDS; count++) {
    alone.push(await round([]))
    beside.push(await round(failing))
    // Those that hang are told to end with the last round only; they hold their room meanwhile, as in a worker.
    await sleep(0)
  }
  report(`${GOOD} good feeds beside ${failing.length} that fail, against alone`, {
    ours: beside.map(({ seconds }) => seconds),
    floor: alone.map(({ seconds }) => seconds),
    goal: GOALS.collection,
  })
  report('p99 of GET /api/v1/indicators meanwhile', {
    ours: beside.map(({ p99 }) => p99),
    floor: alone.map(({ p99 }) => p99),
    goal: GOALS.p99,
    unit: 'ms',
  })
  stop.abort(new Error('The benchmark is over.'))
  await slots.settle()
  await app.close()
} finally {
  await base.close()
  await bad.close()
  await Promise.all(publishers.map(async (publisher) => await publisher.close()))
}
