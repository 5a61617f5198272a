import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { createServices, type Services } from '#entrypoints/services.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { createLogging } from '#platform/logging/logger.ts'
import { TEST_PASSWORD } from '../support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const USERS = 20

type Keys = { SECRET_KEY: string; SECRET_KEY_PREVIOUS?: string }
type Process = { app: HttpServer; services: Services }
type Login = { access_token: string; refresh_token: string }

const newKey = (): string => randomBytes(32).toString('hex')

let database: TestDatabase
let running: Process
/** How often a user had to give the password again. */
let forcedLogins = 0

/** One API process on the database of this test, as it is after a start with these keys. */
async function start(keys: Keys): Promise<Process> {
  const config = loadConfig(
    {
      DATABASE_URL: database.appUrl,
      STORE_IN_PROCESS: 'true',
      SVC_ENV_FILE: '',
      RATE_LIMIT_PER_USER: '0',
      RATE_LIMIT_PER_ADDRESS: '0',
      ...keys,
    },
    '/',
  )
  const logging = createLogging({ level: 'error', format: 'json', destination: { write: () => {} } })
  const services = await createServices(config, logging, 'test')
  const app = await buildApp(services, config, logging)
  await app.ready()
  return { app, services }
}

async function stop({ app, services }: Process): Promise<void> {
  await app.close()
  await services.close()
}

async function restart(keys: Keys): Promise<void> {
  await stop(running)
  running = await start(keys)
}

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await stop(running)
  await database.drop()
})

async function read(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await running.app.inject({ method: 'GET', url: '/api/v1/users/me', headers })).statusCode
}

async function refresh(login: Login): Promise<Login | undefined> {
  const answer = await running.app.inject({
    method: 'POST',
    url: '/api/v1/auth/refresh',
    payload: { refresh_token: login.refresh_token },
  })
  return answer.statusCode === 200 ? answer.json() : undefined
}

/** What every client does: ask, and when the access token is refused, renew it and ask again. Otherwise the user has to log in. */
async function use(login: Login): Promise<Login> {
  if ((await read(login.access_token)) === 200) return login
  const renewed = await refresh(login)
  if (renewed !== undefined && (await read(renewed.access_token)) === 200) return renewed
  forcedLogins += 1
  return login
}

const everybody = async (logins: readonly Login[]): Promise<Login[]> => await Promise.all(logins.map(use))
const statusOf = async (logins: readonly Login[]): Promise<number[]> =>
  await Promise.all(logins.map(async ({ access_token }) => await read(access_token)))
const all = (status: number): number[] => Array.from({ length: USERS }, () => status)
const kidOf = ({ access_token }: Login): unknown =>
  JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString()).kid as unknown

describe('A2: the signing key is changed without a forced login', () => {
  test(`${USERS} users through 3 restarts: the same key, a new one beside the old, the new one alone`, async () => {
    const [first, second] = [newKey(), newKey()]
    running = await start({ SECRET_KEY: first })
    const logins: Login[] = []
    for (let n = 0; n < USERS; n++) {
      const username = `user-${n}`
      await running.services.accounts.createUser(COMMAND_LINE_ACTOR, { username, password: TEST_PASSWORD, role: 'VIEWER' })
      logins.push(
        await running.services.sessions.login(
          { username, password: TEST_PASSWORD },
          { clientIp: `198.51.100.${n}`, requestId: 'key-change' },
        ),
      )
    }
    expect(await statusOf(logins)).toEqual(all(200))

    await restart({ SECRET_KEY: first })
    expect(await statusOf(logins), 'the same key').toEqual(all(200))

    await restart({ SECRET_KEY: second, SECRET_KEY_PREVIOUS: first })
    expect(await statusOf(logins), 'signed by the key of before').toEqual(all(200))
    const [renewing, staying] = [logins.slice(0, USERS / 2), logins.slice(USERS / 2)]
    const renewed = await Promise.all(renewing.map(async (login) => (await refresh(login)) ?? expect.fail('A renewal was refused.')))
    expect(await statusOf([...renewed, ...staying])).toEqual(all(200))
    expect(new Set(renewed.map(kidOf)), 'signed by the new key alone').toEqual(new Set([kidOf(renewed[0] ?? expect.fail())]))
    expect(renewed.map(kidOf)).not.toContain(kidOf(staying[0] ?? expect.fail()))

    await restart({ SECRET_KEY: second })
    expect(await statusOf([...renewed, ...staying]), 'of the removed key').toEqual([
      ...all(200).slice(USERS / 2),
      ...all(401).slice(USERS / 2),
    ])
    expect(await statusOf(logins), 'of the removed key, all of them').toEqual(all(401))
    const after = await everybody([...renewed, ...staying])
    expect(await statusOf(after)).toEqual(all(200))
    expect(forcedLogins).toBe(0)
  })

  test('a key that is changed without naming the one of before, and changed back, costs a renewal and no login', async () => {
    const [first, second] = [newKey(), newKey()]
    await restart({ SECRET_KEY: first })
    const login: Login = await running.services.sessions.login(
      { username: 'user-0', password: TEST_PASSWORD },
      { clientIp: '198.51.100.99', requestId: 'key-change' },
    )
    await restart({ SECRET_KEY: second })
    expect(await read(login.access_token)).toBe(401)
    const renewed = await use(login)
    await restart({ SECRET_KEY: first, SECRET_KEY_PREVIOUS: second })
    expect(await read(renewed.access_token)).toBe(200)
    await restart({ SECRET_KEY: first })
    expect(await read(renewed.access_token)).toBe(401)
    await use(renewed)
    expect(forcedLogins).toBe(0)
  })
})
