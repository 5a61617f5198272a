import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const SLOW_HEADERS = 500
const SLOW_BODIES = 500
const IDLE = 200
/** One more byte in this time, so that no rule about silence helps. */
const TRICKLE_EVERY_MS = 3000
/** Source: docs/decisions/0006: headers within 15 s, the whole request within 30 s. The margin is for a busy machine. */
const LIMITS_MS = { headers: 15_000, request: 30_000, margin: 3000 }
/** An honest client that asks all the while must never wait as long as this. */
const ANSWER_LIMIT_MS = 5000
const HEAD =
  'POST /api/v1/auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\n'

let app: TestApp
let port = 0
beforeAll(async () => {
  app = await createTestApp()
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => await app.close())

type Client = { socket: Socket; received: string; closedAfterMs: number | undefined }

function open(firstBytes: string): Client {
  const openedAtMs = performance.now()
  const client: Client = { socket: connect(port, '127.0.0.1'), received: '', closedAfterMs: undefined }
  client.socket
    .setEncoding('utf8')
    .on('data', (text: string) => {
      client.received += text
    })
    .on('error', () => {})
    .on('close', () => {
      client.closedAfterMs = performance.now() - openedAtMs
    })
  client.socket.write(firstBytes)
  return client
}

function slowest(clients: readonly Client[]): number {
  return Math.max(...clients.map(({ closedAfterMs }) => closedAfterMs ?? Number.POSITIVE_INFINITY))
}

describe('D19: slow clients are cut off and hurt nobody else', () => {
  test('500 with slow headers, 500 with slow bodies and 200 idle', async () => {
    const headers = Array.from({ length: SLOW_HEADERS }, () => open('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: '))
    const bodies = Array.from({ length: SLOW_BODIES }, () => open(HEAD))
    const idle = Array.from({ length: IDLE }, () => open('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'))
    const slow = [...headers, ...bodies]
    const trickle = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write('a')
    }, TRICKLE_EVERY_MS)

    const waits: number[] = []
    const endsAtMs = performance.now() + LIMITS_MS.request + LIMITS_MS.margin
    try {
      while (performance.now() < endsAtMs && slow.some(({ closedAfterMs }) => closedAfterMs === undefined)) {
        const startMs = performance.now()
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/users/me`, {
          headers: { authorization: `Bearer ${app.tokens.VIEWER}`, connection: 'close' },
          signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
        })
        expect(answer.status).toBe(200)
        waits.push(performance.now() - startMs)
        await sleep(50)
      }
    } finally {
      clearInterval(trickle)
    }
    expect(waits.length).toBeGreaterThan(100)
    expect(slowest(headers)).toBeLessThan(LIMITS_MS.headers + LIMITS_MS.margin)
    expect(slowest(bodies)).toBeLessThan(LIMITS_MS.request + LIMITS_MS.margin)
    // Idle ones were answered, and closed when they asked for nothing more.
    expect(idle.filter(({ received }) => received.startsWith('HTTP/1.1 200'))).toHaveLength(IDLE)
    expect(slowest(idle)).toBeLessThan(LIMITS_MS.request + LIMITS_MS.margin)
    // Whoever still listened was told why, once, as a problem.
    for (const { received } of slow) {
      expect(received).toMatch(/^HTTP\/1\.1 408 /)
      expect(received.split('\r\n\r\n')[1]).toContain('"code":"request_timeout"')
      expect(received.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    }
    expect(await openConnections()).toBeLessThan(5)
  }, 60_000)
})

async function openConnections(): Promise<number> {
  return await new Promise((resolve, reject) =>
    app.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )
}
