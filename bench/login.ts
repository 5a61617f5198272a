import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR, median, openBenchBase, report, secondsOf } from './support/bench-base.ts'

// Logins over HTTP with limits, journal and token, beside bare Argon2id with the same cost and the same number at once.
const LOGINS = 200
const AT_ONCE = 4
const ROUNDS = 7
/** Logins a second, as a share of the bare verifications: 0.9 at least, so 1 / 0.9 in time. */
const GOAL = 1 / 0.9
/** The cost in src/platform/crypto/password-hash.ts. 2 is Argon2id; the library's enum is types alone. */
const ARGON2ID = 2 as Algorithm
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
const base = await openBenchBase()
try {
  const password = randomBytes(16).toString('hex')
  const accounts = Array.from({ length: AT_ONCE }, (_, n) => `reader-${n}`)
  for (const username of accounts) await base.services.accounts.createUser(BENCH_ACTOR, { username, password, role: 'VIEWER' })
  // Both limits on, and out of reach: what is measured is their work, not their answer.
  const app = await buildApp(
    base.services,
    { ...base.config, WEB_DIR: undefined, RATE_LIMIT_PER_USER: 1_000_000, RATE_LIMIT_PER_ADDRESS: 1_000_000 },
    SILENT_LOGGING,
  )
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/auth/token`
  const stored = await hash(password, COST)
  // Node's own client and no `fetch`: it shares the cores with what is measured, so it must cost little.
  const post = async (body: string) =>
    await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/x-www-form-urlencoded' } }, (answer) =>
        answer.resume().on('end', () => resolve(answer.statusCode)),
      )
      sent.on('error', reject).end(body)
    })

  const inParallel = async (work: (client: number) => Promise<void>) => {
    let left = LOGINS
    const client = async (_: unknown, n: number) => {
      while (left-- > 0) await work(n)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
  }
  const logIn = async (client: number) => {
    const body = new URLSearchParams({ username: accounts[client] ?? '', password })
    const status = await post(body.toString())
    if (status !== 200) throw new Error(`The login answered ${status}.`)
  }
  const verifyBare = async () => {
    if (!(await verify(stored, password))) throw new Error('The password was refused.')
  }

  const ours: number[] = []
  const floor: number[] = []
  await inParallel(logIn)
  for (let round = 0; round < ROUNDS; round++) {
    floor.push((1000 * (await secondsOf(async () => await inParallel(verifyBare)))) / LOGINS)
    ours.push((1000 * (await secondsOf(async () => await inParallel(logIn)))) / LOGINS)
  }
  agent.destroy()
  await app.close()
  report(`Login, ${AT_ONCE} at once`, { ours, floor, goal: Number(GOAL.toFixed(2)), unit: 'ms per login' })
  const share = median(floor) / median(ours)
  console.log(
    `  ${(1000 / median(ours)).toFixed(1)} logins/s beside ${(1000 / median(floor)).toFixed(1)} bare verifications/s: ${share.toFixed(2)} of them`,
  )
} finally {
  await base.close()
}
