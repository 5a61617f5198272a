import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type Role } from '#kernel/actor.ts'
import { transact } from '#platform/database/transact.ts'
import type { NewEvent } from '#platform/events/event.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { namesOf, type OpenStream, openStream } from '../support/event-stream.ts'
import { endingAt } from '../support/shorter-token.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const STREAMS = 500
const SHORT = 100
const POOL = 10
const HEARTBEAT_MS = 15_000
/** Tokens of the short streams end this long after the start, milliseconds: all streams are open by then. */
const SHORT_LIFE_MS = 20_000
const SECRET_KEY = randomBytes(32).toString('hex')
/** One event of the flood, nearly as long as events may be: all of them are far beyond what the connection of a client holds by itself. */
const FLOOD: NewEvent = { name: 'incident.updated', data: { text: 'x'.repeat(7500) }, roles: ['ANALYST'] }
const FLOOD_EVENTS = 4000
/** Events of the flood that one transaction publishes. */
const FLOOD_BATCH = 20
const MIB = 1024 * 1024

let app: TestApp
let url: string
const byRole: Record<Role, OpenStream[]> = { ADMIN: [], ANALYST: [], VIEWER: [] }
const short: OpenStream[] = []
let all: OpenStream[] = []
let reading: OpenStream
let slow: OpenStream
let stuck: OpenStream
const seen = {
  idle: 0,
  waiting: 0,
  largestWaiting: 0,
  endsAt: new Date(),
  stuckAtMs: 0,
  shortEndedAt: [] as number[],
  stuckClosedAtMs: 0,
  slowNames: [] as string[],
}

async function publish(...events: NewEvent[]): Promise<void> {
  await transact(app.services.db, SILENT_LOGGING.for('svc.worker'), async (tx) => {
    for (const event of events) await app.services.events.publish(tx, event)
  })
}

/** Opens every stream, 50 at once. */
async function openAll(): Promise<void> {
  seen.endsAt = new Date(Math.floor((Date.now() + SHORT_LIFE_MS) / 1000) * 1000)
  const openings = Array.from({ length: STREAMS }, (_, index) => async () => {
    const role = ROLES[index % ROLES.length] ?? 'VIEWER'
    const isShort = index < SHORT
    const stream = await openStream(url, isShort ? endingAt(app.tokens[role], SECRET_KEY, seen.endsAt) : app.tokens[role])
    ;(isShort ? short : byRole[role]).push(stream)
  })
  const client = async () => {
    for (let open = openings.pop(); open !== undefined; open = openings.pop()) await open()
  }
  await Promise.all(Array.from({ length: 50 }, client))
  all = [...short, ...ROLES.flatMap((role) => byRole[role])]
}

/** Fills the pool to its size, and looks how many of its connections nobody holds while every stream is open. */
async function lookAtPool(): Promise<void> {
  const { pool } = app.services
  const held = await Promise.all(Array.from({ length: POOL }, async () => await pool.connect()))
  for (const client of held) client.release()
  seen.idle = pool.idleCount
  seen.waiting = pool.waitingCount
}

async function flood(sockets: ReadonlySet<Socket>): Promise<void> {
  slow.pause()
  stuck.pause()
  seen.stuckAtMs = performance.now()
  for (let count = 0; count < FLOOD_EVENTS; count += FLOOD_BATCH) {
    await publish(...Array.from({ length: FLOOD_BATCH }, () => FLOOD))
    for (const { writableLength } of sockets) seen.largestWaiting = Math.max(seen.largestWaiting, writableLength)
  }
}

beforeAll(async () => {
  app = await createTestApp({ SECRET_KEY, STREAMS_PER_USER: '0' })
  const sockets = new Set<Socket>()
  app.app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  url = `${await app.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stream`
  await openAll()
  await lookAtPool()
  await publish(
    { name: 'feed.collected', data: { feed_id: 'f' }, adminData: { error: 'secret place' } },
    { name: 'alert.created', data: {}, roles: ['ADMIN', 'ANALYST'] },
    { name: 'alert.acknowledged', data: {}, roles: ['ADMIN'] },
    { name: 'hunt.completed', data: {} },
  )
  await Promise.all(all.map(async (stream) => await stream.until(() => namesOf(stream).includes('hunt.completed'))))

  ;[reading, slow, stuck] = byRole.ANALYST.splice(0, 3) as [OpenStream, OpenStream, OpenStream]
  for (const stream of byRole.ANALYST.splice(0)) stream.close()
  await sleep(100)
  await flood(sockets)
  await sleep(1000)
  slow.resume()
  await slow.until(() => namesOf(slow).includes('resync'))
  await publish({ name: 'hunt.completed', data: { last: true } })
  await slow.until((messages) => messages.some(({ data }) => data['last'] === true))
  seen.slowNames = namesOf(slow)

  await Promise.all(short.map(async (stream) => await stream.until(() => stream.isEnded(), SHORT_LIFE_MS + 5000)))
  // Two heartbeats of the streams that were opened last, and the cut of the one that reads nothing.
  await Promise.all(
    [...byRole.VIEWER, ...byRole.ADMIN].map(async (stream) => await stream.until(() => beatsOf(stream).length === 2, 35_000)),
  )
  await stuck.until(() => app.logLines.some((line) => line.includes('"stuck"')), 15_000)
  seen.stuckClosedAtMs = performance.now()
}, 90_000)
afterAll(async () => {
  for (const stream of all) stream.close()
  await app.close()
})

const beatsOf = ({ comments }: OpenStream) => comments.filter(({ text }) => text === 'heartbeat')

describe(`D6: ${STREAMS} streams beside a pool of ${POOL}`, () => {
  test('all of them open', () => {
    expect(all.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(STREAMS)
  })

  test('no stream holds a connection of the pool', () => {
    expect([seen.idle, seen.waiting]).toEqual([POOL, 0])
  })

  test('a heartbeat every 15 s, give or take 1 s', () => {
    for (const stream of [...byRole.VIEWER, ...byRole.ADMIN]) {
      const begun = stream.comments.find(({ text }) => text === 'connected')?.atMs ?? Number.NaN
      const times = [begun, ...beatsOf(stream).map(({ atMs }) => atMs)]
      times.slice(1).forEach((atMs, index) => {
        const pauseMs = atMs - (times[index] ?? Number.NaN)
        expect(Math.abs(pauseMs - HEARTBEAT_MS)).toBeLessThanOrEqual(1000)
      })
    }
  })

  test('`expired` at the end of the token, give or take 1 s, and nothing after it', () => {
    expect(short).toHaveLength(SHORT)
    for (const stream of short) {
      const last = stream.messages.at(-1)
      expect(last?.event).toBe('expired')
      expect(Math.abs(new Date(String(last?.data['at'])).getTime() - seen.endsAt.getTime())).toBeLessThanOrEqual(1000)
    }
  })

  test('each role gets what it may see, and the error text is for ADMIN', () => {
    const common = (streams: readonly OpenStream[]) => [
      ...new Set(
        streams.map((stream) =>
          namesOf(stream)
            .filter((name) => name !== 'incident.updated')
            .slice(0, 4)
            .join(' '),
        ),
      ),
    ]
    expect(common(byRole.ADMIN)).toEqual(['feed.collected alert.created alert.acknowledged hunt.completed'])
    expect(common([reading])).toEqual(['feed.collected alert.created hunt.completed hunt.completed'])
    expect(common(byRole.VIEWER)).toEqual(['feed.collected hunt.completed hunt.completed'])
    for (const role of ['VIEWER', 'ADMIN'] as const)
      for (const { messages } of byRole[role]) expect('error' in (messages[0]?.data ?? {})).toBe(role === 'ADMIN')
  })

  test('a client that stops reading makes nobody else wait', () => {
    expect(namesOf(reading).filter((name) => name === 'incident.updated')).toHaveLength(FLOOD_EVENTS)
    expect(namesOf(reading)).not.toContain('resync')
  })

  test('no client holds more than 1 MiB of memory', () => {
    expect(seen.largestWaiting).toBeGreaterThan(0)
    expect(seen.largestWaiting).toBeLessThanOrEqual(MIB)
  })

  test('a client that falls behind loses what waited, gets one resync, and goes on', () => {
    expect(seen.slowNames.filter((name) => name === 'resync')).toHaveLength(1)
    expect(seen.slowNames.slice(-2)).toEqual(['resync', 'hunt.completed'])
    expect(seen.slowNames.filter((name) => name === 'incident.updated').length).toBeLessThan(FLOOD_EVENTS)
  })

  test('a client that reads nothing for 30 s is cut', () => {
    const blockedMs = seen.stuckClosedAtMs - seen.stuckAtMs
    expect(blockedMs).toBeGreaterThanOrEqual(30_000)
    expect(blockedMs).toBeLessThan(50_000)
  })
})
