import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { newId } from '#kernel/ids.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR, openBenchBase, report, secondsOf } from './support/bench-base.ts'

// Live events, from the transaction to every client, beside a bare node:http server that writes the same bytes to as many answers.
const CLIENTS = 2000
const EVENTS = 20
const ROUNDS = 7
const GOAL = 1.3
const CLIENT_PROGRAM = fileURLToPath(new URL('./support/stream-clients.ts', import.meta.url))
const DATA = {
  feed_id: newId(),
  run_id: newId(),
  outcome: 'SUCCEEDED',
  new_count: 12,
  updated_count: 3400,
  gone_count: 5,
  rejected_count: 0,
}

/** One event as it leaves, without the frame that HTTP puts around it. */
const BYTES = Buffer.from(
  `id: ${newId()}\nevent: feed.collected\ndata: ${JSON.stringify({ id: newId(), at: new Date().toISOString(), ...DATA })}\n\n`,
)
/** With the length before it and the line ends around it. Source: RFC 9112, 7.1, chunked coding. */
const CHUNK_BYTES = BYTES.length + BYTES.length.toString(16).length + 4

const base = await openBenchBase()
const readers = { ours: fork(CLIENT_PROGRAM), floor: fork(CLIENT_PROGRAM) }
type Side = keyof typeof readers

async function ask(side: Side, order: object, answer: string): Promise<Record<string, unknown>> {
  readers[side].send(order)
  return await hear(side, answer)
}

async function hear(side: Side, answer: string): Promise<Record<string, unknown>> {
  const [message] = (await once(readers[side], 'message')) as [Record<string, unknown>]
  if (!(answer in message)) throw new Error(`The clients answered ${JSON.stringify(message)}.`)
  return message
}

const bareAnswers = new Set<ServerResponse>()
const bare = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': connected\n\n')
  bareAnswers.add(response)
})

try {
  const password = randomBytes(16).toString('hex')
  await base.services.accounts.createUser(BENCH_ACTOR, { username: 'reader', password, role: 'VIEWER' })
  const { access_token: token } = await base.services.sessions.login(
    { username: 'reader', password },
    { clientIp: '127.0.0.1', requestId: 'benchmark' },
  )
  const app = await buildApp(
    base.services,
    { ...base.config, WEB_DIR: undefined, STREAMS_PER_USER: 0, RATE_LIMIT_PER_USER: 0, RATE_LIMIT_PER_ADDRESS: 0 },
    SILENT_LOGGING,
  )
  const oursPort = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  bare.listen(0, '127.0.0.1')
  await once(bare, 'listening')
  const address = bare.address()
  const floorPort = typeof address === 'object' && address !== null ? address.port : 0
  await ask('ours', { open: { port: oursPort, path: '/api/v1/stream', token, clients: CLIENTS } }, 'opened')
  await ask('floor', { open: { port: floorPort, path: '/', token: '-', clients: CLIENTS } }, 'opened')
  // The greetings are through.
  await sleep(1000)
  const memoryBytes = process.memoryUsage.rss()

  const publish = async () => {
    for (let count = 0; count < EVENTS; count++)
      await transact(base.services.db, SILENT_LOGGING.for('svc.worker'), async (tx) => {
        await base.services.events.publish(tx, { name: 'feed.collected', data: DATA, adminData: { error: null } })
      })
  }
  const writeBare = async () => {
    for (let count = 0; count < EVENTS; count++) {
      for (const response of bareAnswers) response.write(BYTES)
      await nextTurn()
    }
  }
  const round = async (side: Side, send: () => Promise<void>) => {
    await ask(side, { expect: EVENTS * CHUNK_BYTES }, 'ready')
    return await secondsOf(async () => {
      const delivered = hear(side, 'delivered')
      await send()
      if ((await delivered)['delivered'] !== CLIENTS) throw new Error('A client got less than all events.')
    })
  }

  const ours: number[] = []
  const floor: number[] = []
  await round('floor', writeBare)
  await round('ours', publish)
  for (let count = 0; count < ROUNDS; count++) {
    floor.push(await round('floor', writeBare))
    ours.push(await round('ours', publish))
  }
  report(`${EVENTS} events to ${CLIENTS} clients, all delivered`, { ours, floor, goal: GOAL })
  console.log(`memory of the process with ${2 * CLIENTS} open answers: ${Math.round(memoryBytes / 1024 / 1024)} MB`)
  await Promise.all([ask('ours', { close: true }, 'closed'), ask('floor', { close: true }, 'closed')])
  await app.close()
} finally {
  for (const child of Object.values(readers)) child.kill()
  bare.closeAllConnections()
  bare.close()
  await base.close()
}
