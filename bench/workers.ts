import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { BENCH_ACTOR, median, openBenchBase, PRODUCT_FLAGS, secondsOf } from './support/bench-base.ts'
import { emptyBase } from './support/floors.ts'

// 60 slow feeds at 60 hosts, collected by one worker and by three, with the same room in each. Beside them the bare waiting: as many requests at a
// time as the workers have room for, and nothing done with the answers. Workers are warm: each has collected as much before as one collects here.
const FEEDS = 60
const LATENCY_MS = 500
const ROWS = 100
const AT_ONCE = 4
const ROUNDS = 3
const WARM_FEEDS = 60
const GOAL = 2.7
const WORKERS = [1, 3] as const
const PROGRAM = fileURLToPath(new URL('./support/worker-once.ts', import.meta.url))

const addresses = Array.from({ length: FEEDS }, (_, n) => `127.0.1.${n + 1}`)
const servers = addresses.map((address) =>
  createServer((_request, response) => {
    const rows = Array.from({ length: ROWS }, (_, n) => `v${n}.${address.replaceAll('.', '-')}.example.com\n`).join('')
    void sleep(LATENCY_MS).then(() => response.writeHead(200, { 'content-type': 'text/plain' }).end(rows))
  }),
)
const hosts = await Promise.all(
  servers.map(async (server, n) => {
    server.listen(0, addresses[n])
    await once(server, 'listening')
    return `${addresses[n]}:${(server.address() as AddressInfo).port}`
  }),
)
const base = await openBenchBase({ allowHosts: hosts })

/** Feeds that are off, and so not due; each worker warms up with those of its own. */
const warm = await Promise.all(Array.from({ length: Math.max(...WORKERS) }, async (_, worker) => await addWarmFeeds(worker)))

async function addWarmFeeds(worker: number): Promise<string[]> {
  const ids: string[] = []
  for (let count = 0; count < WARM_FEEDS; count++) {
    const name = `warm-${worker}-${count}`
    base.lists.publish(name, Array.from({ length: ROWS }, (_, n) => `v${n}.${name}.example.com`).join('\n'))
    const url = base.lists.urlOf(name)
    ids.push((await base.services.feeds.create(BENCH_ACTOR, { name, url, format: 'CSV', is_active: false })).id)
  }
  return ids
}

async function forkWorker(warmFeeds: readonly string[]): Promise<ChildProcess> {
  const env = {
    ...process.env,
    DATABASE_URL: base.appUrl,
    SECRET_KEY: 'benchmark '.repeat(5),
    OUTBOUND_ALLOW_HOSTS: [base.lists.host, ...hosts].join(','),
    COLLECTIONS_AT_ONCE: String(AT_ONCE),
    BENCH_WARM_FEEDS: warmFeeds.join(','),
    SVC_ENV_FILE: '',
  }
  const child = fork(PROGRAM, { env, execArgv: PRODUCT_FLAGS })
  await once(child, 'message')
  return child
}

/** Every feed as if it had never been collected. */
async function forget(): Promise<void> {
  await emptyBase(base.bare)
  await base.bare.query('delete from collection_runs')
  await base.bare.query(
    "update threat_feeds set status = 'PENDING', etag = null, last_modified = null, body_digest = null, last_successful_run = null",
  )
}

/** Fresh workers each time: one that has just collected a feed does not begin it again within a minute. Their start is not measured. */
async function collectWith(count: number): Promise<number> {
  const workers = await Promise.all(Array.from({ length: count }, async (_, n) => await forkWorker(warm[n] ?? [])))
  await forget()
  const seconds = await secondsOf(async () => {
    const ends = workers.map(async (worker) => await once(worker, 'message'))
    for (const worker of workers) worker.send('go')
    await Promise.all(ends)
  })
  for (const worker of workers) worker.kill()
  const { rows } = await base.bare.query(
    "select count(*)::int as runs, count(distinct feed_id)::int as feeds from collection_runs where outcome = 'SUCCEEDED'",
  )
  if (rows[0].runs !== FEEDS || rows[0].feeds !== FEEDS)
    throw new Error(`${rows[0].runs} collections of ${rows[0].feeds} feeds instead of ${FEEDS}.`)
  return seconds
}

async function waitBare(atOnce: number): Promise<number> {
  let next = 0
  const client = async () => {
    for (let host = hosts[next++]; host !== undefined; host = hosts[next++]) await (await fetch(`http://${host}/`)).arrayBuffer()
  }
  return await secondsOf(async () => await Promise.all(Array.from({ length: atOnce }, client)))
}

try {
  for (const [n, host] of hosts.entries())
    await base.services.feeds.create(BENCH_ACTOR, { name: `slow ${n}`, url: `http://${host}/`, format: 'CSV' })
  const ours = new Map<number, number[]>(WORKERS.map((count) => [count, []]))
  const floor = new Map<number, number[]>(WORKERS.map((count) => [count, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const count of WORKERS) {
      floor.get(count)?.push(await waitBare(count * AT_ONCE))
      ours.get(count)?.push(await collectWith(count))
    }
  const [one = 0, three = 0] = WORKERS.map((count) => median(ours.get(count) ?? []))
  const [bareOne = 0, bareThree = 0] = WORKERS.map((count) => median(floor.get(count) ?? []))
  const speedUp = one / three
  console.log(
    `${FEEDS} feeds of ${LATENCY_MS / 1000} s, ${AT_ONCE} at once in each worker: 3 workers are ${speedUp.toFixed(2)} times as fast as one (goal ${GOAL}, ${speedUp >= GOAL ? 'held' : 'MISSED'}; bare waiting ${(bareOne / bareThree).toFixed(2)} times)`,
  )
  console.log(`  one worker ${one.toFixed(2)} s, bare waiting ${bareOne.toFixed(2)} s, ratio ${(one / bareOne).toFixed(2)}`)
  console.log(
    `  three workers ${three.toFixed(2)} s, bare waiting ${bareThree.toFixed(2)} s, ratio ${(three / bareThree).toFixed(2)}; rounds ${ROUNDS}`,
  )
} finally {
  await base.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
}
