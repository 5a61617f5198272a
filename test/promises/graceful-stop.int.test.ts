import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServices } from '#entrypoints/services.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type BadServer, head, startBadServer, trickle } from '../support/bad-server.ts'
import { type SvcProcess, startSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** Source: spec, "Limits": a stop takes at most 10 s. */
const STOP_LIMIT_MS = 10_000
/** Rounds with API and worker in one process, and rounds with a process for each. */
const TOGETHER = 14
const APART = 6
const AT_ONCE = 4
/** For a start on a busy machine, milliseconds. */
const PATIENCE_MS = 60_000
const REQUESTS = 5
const ADMIN = { name: 'admin', role: 'ADMIN' } as const
const PASSWORD = 'a password for tests alone'

const place = makeTempFolder('stop')
let publisher: BadServer
beforeAll(async () => {
  // A list that never ends: whoever collects it is in the middle of it.
  publisher = await startBadServer((socket) => {
    socket.write(head(200, { 'Transfer-Encoding': 'chunked' }))
    trickle(socket, '15\r\nendless.example.com\r\n\r\n', 100)
  })
})
afterAll(async () => {
  await publisher.close()
  place.remove()
})

type Answer = { text: string; ended: Promise<unknown> }

/** A request whose head and half of its body are there: the server is working on it. */
async function beginRequest(port: number, token: string): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify({ values: ['198.51.100.7', 'evil[.]example[.]com'] })
  const { socket, answer } = await open(port)
  socket.write(
    `POST /api/v1/indicators/lookup HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  return {
    async finish() {
      socket.write(body.slice(10))
      await answer.ended
      return answer.text
    },
  }
}

async function openStream(port: number, token: string): Promise<Answer> {
  const { socket, answer } = await open(port)
  socket.write(`GET /api/v1/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await expect.poll(() => answer.text, { timeout: PATIENCE_MS }).toContain('text/event-stream')
  return answer
}

async function open(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answer: Answer = { text: '', ended: once(socket, 'close') }
  socket.on('error', () => {})
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer.text += chunk
  })
  return { socket, answer }
}

const portOf = (stdout: string) => /running at http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout)?.[1]

/** What went wrong in one round: nothing, if the stop was a good one. */
async function stopOne(round: number): Promise<string[]> {
  const database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.appUrl,
    SECRET_KEY: 'stop '.repeat(10),
    OUTBOUND_ALLOW_HOSTS: publisher.host,
    DATA_DIR: `${place.folder}/${round}`,
    PORT: '0',
  }
  const services = await createServices(loadConfig({ ...env, SVC_ENV_FILE: '' }, '/'), SILENT_LOGGING, 'test')
  const processes: SvcProcess[] = []
  const faults: string[] = []
  const note = (isGood: boolean, what: string) => void (isGood || faults.push(`round ${round}: ${what}`))
  try {
    const { id: feedId } = await services.feeds.create(ADMIN, { name: 'endless', url: `${publisher.origin}/list`, format: 'CSV' })
    await services.accounts.createUser(ADMIN, { username: 'reader', password: PASSWORD, role: 'ANALYST' })
    const { access_token: token } = await services.sessions.login(
      { username: 'reader', password: PASSWORD },
      { clientIp: '127.0.0.1', requestId: 'test' },
    )
    const api = startSvc(round < TOGETHER ? ['up', '--no-seed'] : ['serve'], env)
    processes.push(api, ...(round < TOGETHER ? [] : [startSvc(['feeds', 'worker'], env)]))
    const port = Number(await api.until(portOf))
    await expect.poll(async () => (await services.feeds.runs(ADMIN, feedId, 1))[0]?.outcome, { timeout: PATIENCE_MS }).toBe('RUNNING')
    const stream = await openStream(port, token)
    const requests = await Promise.all(Array.from({ length: REQUESTS }, async () => await beginRequest(port, token)))
    // Answered after the heads of the others were sent: the server has them.
    await fetch(`http://127.0.0.1:${port}/health`)
    const atMs = performance.now()
    for (const { child } of processes) child.kill('SIGTERM')
    await expect.poll(async () => await isOpen(port), { timeout: STOP_LIMIT_MS, interval: 20 }).toBe(false)
    for (const text of await Promise.all(requests.map(async (request) => await request.finish())))
      note(text.startsWith('HTTP/1.1 200 '), `a request in flight got "${text.slice(0, 80)}"`)
    const codes = await Promise.all(processes.map(async ({ ended }) => await ended))
    note(
      codes.every((code) => code === 0),
      `exit codes ${codes}`,
    )
    note(performance.now() - atMs <= STOP_LIMIT_MS, `the stop took ${Math.round(performance.now() - atMs)} ms`)
    await stream.ended
    const [run] = await services.feeds.runs(ADMIN, feedId, 1)
    note(run?.outcome === 'INTERRUPTED' && run.duration_ms !== null, `the run row says ${run?.outcome}`)
    const lock = await services.locks.withLock(`feed:${feedId}`, async () => {})
    note(!lock.held && !(await services.feeds.get(ADMIN, feedId)).collecting, 'the feed is still held')
  } finally {
    for (const { child } of processes) child.kill('SIGKILL')
    await services.close()
    await database.drop()
  }
  return faults
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await new Promise((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  }).then((answer) => {
    socket.destroy()
    return answer as boolean
  })
}

test(`SIGTERM under load and in the middle of a feed: ${TOGETHER} times together, ${APART} times apart`, async () => {
  const faults: string[] = []
  let next = 0
  const tester = async () => {
    while (next < TOGETHER + APART) faults.push(...(await stopOne(next++)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, tester))
  expect(faults).toEqual([])
}, 240_000)
