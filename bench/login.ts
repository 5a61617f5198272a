import { randomBytes } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import pg from 'pg'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { BENCH_ACTOR, median, openBenchBase, report, secondsOf } from './support/bench-base.ts'

// Logins over HTTP with limits, journal and token, beside bare Argon2id with the same cost and the same number at once. Beside it the least that a login
// can be, which says what the goal leaves room for on this machine: bare HTTP, one read of the account, the verification, and one row that is kept.
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
  const post = async (url: string, body: string) =>
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
  const logInAt = (url: string) => async (client: number) => {
    const body = new URLSearchParams({ username: accounts[client] ?? '', password })
    const status = await post(url, body.toString())
    if (status !== 200) throw new Error(`The login answered ${status}.`)
  }
  const logIn = logInAt(url)
  const least = await openLeastLogin()
  const logInLeast = logInAt(least.url)
  const verifyBare = async () => {
    if (!(await verify(stored, password))) throw new Error('The password was refused.')
  }

  const ours: number[] = []
  const floor: number[] = []
  const leastOf: number[] = []
  for (const work of [logIn, logInLeast]) await inParallel(work)
  for (let round = 0; round < ROUNDS; round++) {
    floor.push((1000 * (await secondsOf(async () => await inParallel(verifyBare)))) / LOGINS)
    ours.push((1000 * (await secondsOf(async () => await inParallel(logIn)))) / LOGINS)
    leastOf.push((1000 * (await secondsOf(async () => await inParallel(logInLeast)))) / LOGINS)
  }
  agent.destroy()
  await app.close()
  await least.close()
  report(`Login, ${AT_ONCE} at once`, { ours, floor, goal: Number(GOAL.toFixed(2)), unit: 'ms per login' })
  const perSecond = (times: number[]) => (1000 / median(times)).toFixed(1)
  const share = (times: number[]) => (median(floor) / median(times)).toFixed(2)
  console.log(
    `  ${perSecond(ours)} logins/s beside ${perSecond(floor)} bare verifications/s: ${share(ours)} of them; the least login reaches ${share(leastOf)}`,
  )
} finally {
  await base.close()
}

async function openLeastLogin(): Promise<{ url: string; close(): Promise<void> }> {
  await base.bare.query(
    'create table least_logins (token bytea primary key, user_id uuid not null); grant insert on least_logins to svc_app',
  )
  const pool = new pg.Pool({ connectionString: base.appUrl, max: AT_ONCE })
  async function logIn(body: string): Promise<boolean> {
    const given = new URLSearchParams(body)
    const { rows } = await pool.query({
      name: 'read',
      text: 'select id, password_hash from users where username = $1',
      values: [given.get('username')],
    })
    if (!(await verify(rows[0].password_hash, given.get('password') ?? ''))) return false
    await pool.query({
      name: 'keep',
      text: 'insert into least_logins (token, user_id) values ($1, $2)',
      values: [randomBytes(32), rows[0].id],
    })
    return true
  }
  const server = createServer((asked, answer) => {
    let body = ''
    asked.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    asked.on('end', async () => answer.writeHead((await logIn(body)) ? 200 : 401).end(randomBytes(200).toString('hex')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      await new Promise((resolve) => server.close(resolve))
      await pool.end()
    },
  }
}
