import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createLoginLimiter, type LoginLimiter } from '#domains/accounts/login-limiter.service.ts'
import { createSharedStore } from '#platform/limits/shared-store.ts'
import type { Log } from '#platform/logging/logger.ts'
import { openRedis } from '#platform/redis/redis.ts'
import { type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { createTestApp } from '../support/test-app.ts'

/** Guesses per account and address. Source: spec, "Login limiter". */
const LIMIT = 5
const ATTEMPTS = 100
const FLAPS = 20
/** A login that waits for the store waits at most 200 ms; more than this in one login means that it waited twice. */
const NO_WAIT_MS = 150
const PROBE_EVERY_MS = 250

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function startRedis(port?: number): Promise<RedisServer> {
  const redis = await startRedisServer(port === undefined ? {} : { port })
  cleanUps.push(async () => {
    redis.resume()
    await redis.stop()
  })
  return redis
}

/** A limiter as one process has it, with what it logs about the store. */
async function startProcess(url: string): Promise<{ limiter: LoginLimiter; transitions: string[] }> {
  const transitions: string[] = []
  const note = (event: string): void => {
    if (event.startsWith('limiter.')) transitions.push(event)
  }
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const redis = await openRedis(url, log)
  cleanUps.push(async () => await redis.close())
  const store = createSharedStore({ client: redis.client, log, probeEveryMs: PROBE_EVERY_MS })
  return { limiter: createLoginLimiter({ log, store }), transitions }
}

async function isAdmitted(limiter: LoginLimiter, name: string, address: string): Promise<boolean> {
  return await limiter.admit(name, address).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'login_blocked' })
      return false
    },
  )
}

async function burst(limiter: LoginLimiter, name: string, address: string, attempts = ATTEMPTS): Promise<number> {
  const admitted = await Promise.all(Array.from({ length: attempts }, async () => await isAdmitted(limiter, name, address)))
  return admitted.filter(Boolean).length
}

async function eventually(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 400; round++) {
    if (await what()) return
    await sleep(25)
  }
  throw new Error('It did not happen within 10 s.')
}

describe('A9: counts are shared; without the store they go on in each process', () => {
  test('two processes admit five together, and a login that succeeds in one gives back to both', async () => {
    const redis = await startRedis()
    const [one, two] = [await startProcess(redis.url), await startProcess(redis.url)]
    const admitted = await Promise.all([burst(one.limiter, 'shared', '192.0.2.1'), burst(two.limiter, 'shared', '192.0.2.1')])
    expect(admitted[0] + admitted[1]).toBe(LIMIT)
    for (let round = 0; round < 3; round++) {
      const taken = await Promise.all(Array.from({ length: LIMIT }, async () => await one.limiter.admit('other', '192.0.2.2')))
      expect(await isAdmitted(two.limiter, 'other', '192.0.2.2')).toBe(false)
      await Promise.all(taken.map(async (admission) => await admission.success()))
    }
    expect(await burst(two.limiter, 'other', '192.0.2.2')).toBe(LIMIT)
    expect([...one.transitions, ...two.transitions]).toEqual([])
  })

  test('absent at the start: five, one line, and shared once it comes', async () => {
    const gone = await startRedisServer()
    await gone.stop()
    const { limiter, transitions } = await startProcess(gone.url)
    expect(await burst(limiter, 'absent', '192.0.2.1')).toBe(LIMIT)
    expect(transitions).toEqual(['limiter.fallback'])
    await startRedis(gone.port)
    await eventually(async () => {
      await isAdmitted(limiter, 'somebody', '192.0.2.2')
      return transitions.length > 1
    })
    expect(transitions).toEqual(['limiter.fallback', 'limiter.shared'])
    expect(await burst(limiter, 'absent', '192.0.2.1')).toBe(0)
  })

  test('killed in the middle of a burst: five, one line', async () => {
    const redis = await startRedis()
    const { limiter, transitions } = await startProcess(redis.url)
    expect(await burst(limiter, 'before', '192.0.2.9', 3)).toBe(3)
    const admitted = Array.from({ length: ATTEMPTS }, async (_, n) => {
      await sleep(n)
      if (n === 2) await redis.stop()
      return await isAdmitted(limiter, 'killed', '192.0.2.1')
    })
    expect((await Promise.all(admitted)).filter(Boolean)).toHaveLength(LIMIT)
    expect(await burst(limiter, 'before', '192.0.2.9')).toBe(LIMIT - 3)
    expect(transitions).toEqual(['limiter.fallback'])
  })

  test('gone and back 20 times, empty or hung: five in all, one line per change', async () => {
    let redis = await startRedis()
    const { limiter, transitions } = await startProcess(redis.url)
    let admitted = 0
    let others = 0
    /** Somebody else's attempt, from an address of its own: what makes the limiter ask the store. */
    const ask = async () => await isAdmitted(limiter, `other-${++others}`, `10.0.${others >> 8}.${others & 255}`)
    for (let flap = 0; flap < FLAPS; flap++) {
      if (flap % 2 === 0) redis.pause()
      else await redis.stop()
      admitted += await burst(limiter, 'flapping', '192.0.2.1')
      await ask()
      expect(transitions).toHaveLength(2 * flap + 1)
      if (flap % 2 === 0) redis.resume()
      else redis = await startRedis(redis.port)
      admitted += await burst(limiter, 'flapping', '192.0.2.1')
      await eventually(async () => {
        await ask()
        return transitions.length > 2 * flap + 1
      })
    }
    expect(admitted).toBe(LIMIT)
    expect(transitions).toEqual(Array.from({ length: FLAPS }, () => ['limiter.fallback', 'limiter.shared']).flat())
  })

  test('hung, one login after the other: one waits for the store, the others do not, and five of one pair pass', async () => {
    const redis = await startRedis()
    const { limiter, transitions } = await startProcess(redis.url)
    redis.pause()
    const waits: number[] = []
    let admitted = 0
    for (let n = 0; n < ATTEMPTS; n++) {
      const startMs = performance.now()
      if (await isAdmitted(limiter, 'hung', '192.0.2.1')) admitted++
      waits.push(performance.now() - startMs)
      await sleep(10)
    }
    expect(admitted).toBe(LIMIT)
    expect(waits.filter((waitMs) => waitMs > NO_WAIT_MS).length).toBeLessThanOrEqual(1)
    expect(transitions).toEqual(['limiter.fallback'])
  })

  test('hung from the start: the process starts, and counts alone', async () => {
    const redis = await startRedis()
    redis.pause()
    const { limiter, transitions } = await startProcess(redis.url)
    expect(await burst(limiter, 'hung', '192.0.2.1')).toBe(LIMIT)
    expect(transitions).toEqual(['limiter.fallback'])
  })

  test('over HTTP with a store that hangs: 100 logins, five verified, one line of the security log', async () => {
    const redis = await startRedis()
    const app = await createTestApp({ REDIS_URL: redis.url })
    cleanUps.push(async () => {
      redis.resume()
      await app.close()
    })
    redis.pause()
    const answers = await Promise.all(
      Array.from(
        { length: ATTEMPTS },
        async () =>
          await app.app.inject({
            method: 'POST',
            url: '/api/v1/auth/token',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            payload: 'username=viewer&password=not+the+password',
          }),
      ),
    )
    const statuses = Object.groupBy(answers, ({ statusCode }) => String(statusCode))
    expect([statuses['401']?.length, statuses['429']?.length]).toEqual([LIMIT, ATTEMPTS - LIMIT])
    const lines = app.logLines.map((line) => JSON.parse(line)).filter(({ event }) => String(event).startsWith('limiter.'))
    expect(lines).toMatchObject([{ logger: 'svc.security', event: 'limiter.fallback', level: 'warn' }])
  })
})
