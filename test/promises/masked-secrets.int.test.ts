import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { type Canary, findCanaries } from '../support/canaries.ts'
import { findFreePort, runSvc, startSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Strong enough for production, with characters that must be percent-encoded in an address, and its own name inside. */
function canary(name: string, special = ''): Canary {
  return { name, secret: `Zq${special}${randomBytes(9).toString('hex')}${special}Wx` }
}

const DATABASE = canary('password in DATABASE_URL')
const ENCODED = canary('percent-encoded password in DATABASE_URL', '/@#%:')
const QUERY = canary('password behind the ? of DATABASE_URL')
const OWNER = canary('password in MIGRATION_DATABASE_URL', '!$&')
const STORE = canary('password in REDIS_URL', '@/+')
const STORE_SEPARATE = canary('REDIS_PASSWORD')
const KEY = canary('SECRET_KEY', '-abcdefgh-')
const KEY_BEFORE = canary('SECRET_KEY_PREVIOUS', '-ijklmnop-')
const ADMINISTRATOR = canary('ADMIN_PASSWORD', ' "\\')
const ROLE = canary('APP_DB_PASSWORD', "'")
const FEED_KEY = canary('FEED_KEY_ONE')
const FEED_KEY_PREFIXED = canary('SVC_FEED_KEY_TWO', '&=')
const PUBLIC = canary('user and password in PUBLIC_URL')
const PUBLIC_QUERY = canary('token behind the ? of PUBLIC_URL')
const ORIGIN = canary('password in CORS_ORIGINS')
const EXEMPT = canary('password in OUTBOUND_ALLOW_HOSTS')
const CANARIES = [
  DATABASE,
  ENCODED,
  QUERY,
  OWNER,
  STORE,
  STORE_SEPARATE,
  KEY,
  KEY_BEFORE,
  ADMINISTRATOR,
  ROLE,
  FEED_KEY,
  FEED_KEY_PREFIXED,
  PUBLIC,
  PUBLIC_QUERY,
  ORIGIN,
  EXEMPT,
]
const TAXII = canary('password in TAXII_AUTH', '"')
const TAXII_TOKEN = canary('token in TAXII_AUTH')
const PULSE = canary('PULSE_API_KEY', '=')
CANARIES.push(TAXII, TAXII_TOKEN, PULSE)
const TAXII_AUTH = JSON.stringify({
  'taxii.example.org': { username: 'reader', password: TAXII.secret },
  'other.example.org': { token: TAXII_TOKEN.secret },
})
const enc = encodeURIComponent

/** Secrets of every setting that may hold one, at servers that are not there. */
function settings(port: number): Record<string, string> {
  return {
    DATABASE_URL: `postgres://svc_app:${enc(DATABASE.secret)}@127.0.0.1:${port}/svc`,
    MIGRATION_DATABASE_URL: `postgres://svc:${enc(OWNER.secret)}@127.0.0.1:${port}/svc`,
    REDIS_URL: `redis://:${enc(STORE.secret)}@127.0.0.1:${port}`,
    REDIS_PASSWORD: STORE_SEPARATE.secret,
    SECRET_KEY: KEY.secret,
    SECRET_KEY_PREVIOUS: KEY_BEFORE.secret,
    ADMIN_PASSWORD: ADMINISTRATOR.secret,
    APP_DB_PASSWORD: ROLE.secret,
    TAXII_AUTH,
    PULSE_API_KEY: PULSE.secret,
    FEED_KEY_ONE: FEED_KEY.secret,
    SVC_FEED_KEY_TWO: FEED_KEY_PREFIXED.secret,
    DATA_DIR: place.folder,
    PORT: '0',
  }
}
/** Settings that are refused, and hold a secret where none belongs. Each is to be named. */
const REFUSED: { title: string; setting: string; env: Record<string, string> }[] = [
  { title: 'a password in PUBLIC_URL', setting: 'PUBLIC_URL', env: { PUBLIC_URL: `https://soc:${PUBLIC.secret}@soc.example.org` } },
  { title: 'a token in PUBLIC_URL', setting: 'PUBLIC_URL', env: { PUBLIC_URL: `https://soc.example.org/?token=${PUBLIC_QUERY.secret}` } },
  { title: 'a password in CORS_ORIGINS', setting: 'CORS_ORIGINS', env: { CORS_ORIGINS: `https://a:${ORIGIN.secret}@b.example.org` } },
  {
    title: 'a password in OUTBOUND_ALLOW_HOSTS',
    setting: 'OUTBOUND_ALLOW_HOSTS',
    env: { OUTBOUND_ALLOW_HOSTS: `a:${EXEMPT.secret}@lists.internal` },
  },
  {
    title: 'a bare password in DATABASE_URL',
    setting: 'DATABASE_URL',
    env: { DATABASE_URL: `postgres://svc_app:${ENCODED.secret}@127.0.0.1/svc` },
  },
  {
    title: 'a password for a host',
    setting: 'DATABASE_URL',
    env: { DATABASE_URL: `postgres://svc_app:1234#${ENCODED.secret}@127.0.0.1/svc` },
  },
  {
    title: 'a password for a database',
    setting: 'DATABASE_URL',
    env: { DATABASE_URL: `postgres://svc_app:1234/${DATABASE.secret}@127.0.0.1/svc` },
  },
  {
    title: 'a bare password in MIGRATION_DATABASE_URL',
    setting: 'MIGRATION_DATABASE_URL',
    env: { MIGRATION_DATABASE_URL: `postgres://svc:a#${OWNER.secret}@127.0.0.1/svc` },
  },
  { title: 'another scheme', setting: 'DATABASE_URL', env: { DATABASE_URL: `mysql://svc:${DATABASE.secret}@127.0.0.1/svc` } },
  { title: 'an address that is a password', setting: 'DATABASE_URL', env: { DATABASE_URL: DATABASE.secret } },
  { title: 'a bare password in REDIS_URL', setting: 'REDIS_URL', env: { REDIS_URL: `redis://:a#${STORE.secret}@127.0.0.1` } },
  { title: 'a store without a scheme', setting: 'REDIS_URL', env: { REDIS_URL: `:${STORE.secret}@127.0.0.1:6379` } },
  { title: 'credentials that are no JSON', setting: 'TAXII_AUTH', env: { TAXII_AUTH: TAXII_AUTH.slice(0, -2) } },
  { title: 'credentials for an address', setting: 'TAXII_AUTH', env: { TAXII_AUTH: TAXII_AUTH.replace('other.', 'https://other.') } },
  { title: 'a secret for a number', setting: 'PORT', env: { PORT: KEY.secret } },
  { title: 'a secret for a flag', setting: 'DEBUG', env: { DEBUG: KEY_BEFORE.secret } },
  { title: 'a secret for a level', setting: 'LOG_LEVEL', env: { LOG_LEVEL: KEY_BEFORE.secret } },
]

const place = makeTempFolder('masked')
let app: TestApp
let nobody: number
beforeAll(async () => {
  app = await createTestApp()
  nobody = await findFreePort()
})
afterAll(async () => {
  await app.close()
  place.remove()
})

/** Nothing of any canary in what a program said. */
function expectClean(...said: string[]): void {
  expect(findCanaries(CANARIES, said.join('\n'))).toEqual([])
}

test('the search finds what it is for', () => {
  const [one] = CANARIES.slice(1)
  const secret = one?.secret ?? ''
  for (const text of [
    secret,
    enc(secret),
    enc(enc(secret)),
    `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`,
    JSON.stringify({ secret }),
    secret.slice(0, 12),
  ])
    expect(findCanaries(CANARIES, `before ${text} after`)).toEqual([one?.name])
})

describe('D10: the doors that show settings', () => {
  const everything = () => ({
    ...settings(nobody),
    PUBLIC_URL: `https://soc:${PUBLIC.secret}@soc.example.org/?token=${PUBLIC_QUERY.secret}`,
    CORS_ORIGINS: `https://a.example.org, https://a:${ORIGIN.secret}@b.example.org`,
    OUTBOUND_ALLOW_HOSTS: `lists.internal,user:${EXEMPT.secret}@lists.internal:8443`,
  })

  test.each([{ args: ['config'] }, { args: ['config', '--json'] }])('svc $args', async ({ args }) => {
    for (const [name, password] of [
      ['DATABASE_URL', ENCODED],
      ['DATABASE_URL', QUERY],
    ] as const) {
      const address =
        password === QUERY
          ? `postgres://svc_app@127.0.0.1/svc?password=${QUERY.secret}`
          : `postgres://svc_app:${enc(ENCODED.secret)}@127.0.0.1/svc`
      const { code, stdout, stderr } = await runSvc(args, { ...everything(), [name]: address })
      expect(code).toBe(0)
      for (const shown of ['DATABASE_URL', 'FEED_KEY_ONE', 'FEED_KEY_TWO', 'soc.example.org', 'lists.internal', 'b.example.org'])
        expect(stdout).toContain(shown)
      expectClean(stdout, stderr)
    }
  })

  test('GET /api/v1/settings, for the administrator alone', async () => {
    const config = loadConfig({ SVC_ENV_FILE: '', ...everything(), CORS_ORIGINS: '' }, '/')
    const other = await buildApp(app.services, { ...config, CORS_ORIGINS: '' }, SILENT_LOGGING)
    onTestFinished(async () => void (await other.close()))
    const ask = async (role: 'ADMIN' | 'ANALYST') =>
      await other.inject({ method: 'GET', url: '/api/v1/settings', headers: { authorization: `Bearer ${app.tokens[role]}` } })
    const answer = await ask('ADMIN')
    const { items } = answer.json() as { items: { setting: string; value: string | null; present: boolean; secret: boolean }[] }
    expectClean(answer.body, JSON.stringify(answer.headers))
    expect(items.filter(({ secret, value }) => secret && value !== null)).toEqual([])
    expect(items.find(({ setting }) => setting === 'SECRET_KEY')).toMatchObject({ value: null, present: true, secret: true })
    expect(items.find(({ setting }) => setting === 'METRICS_TOKEN' || setting === 'WEB_DIR')).toMatchObject({ value: null, present: false })
    expect(items.find(({ setting }) => setting === 'PUBLIC_URL')?.value).toContain('soc.example.org')
    expect((await ask('ANALYST')).statusCode).toBe(403)
  })

  test('svc status, with servers that are there and that are not', async () => {
    const there = { ...settings(nobody), DATABASE_URL: app.database.appUrl, MIGRATION_DATABASE_URL: '' }
    const cases = [
      { env: settings(nobody), code: 1, says: 'ECONNREFUSED' },
      { env: there, code: 0, says: 'store' },
      {
        env: { ...there, DATABASE_URL: app.database.appUrl.replace(/:[^:@]+@/, `:${enc(ENCODED.secret)}@`) },
        code: 1,
        says: 'password authentication failed',
      },
      { env: everything(), code: 1, says: 'PUBLIC_URL must not hold a user or a password' },
    ]
    for (const { env, code, says } of cases) {
      const runs = [['status'], ['status', '--json']].map(async (args) => await runSvc(args, env))
      for (const run of await Promise.all(runs)) {
        expectClean(run.stdout, run.stderr)
        expect(run).toMatchObject({ code, stdout: expect.stringContaining(says) })
      }
    }
  })
})

describe('D10: errors and log lines', () => {
  test.each([
    ['serve'],
    ['up', '--no-worker'],
    ['feeds', 'worker', '--once'],
    ['feeds', 'list'],
    ['users', 'list'],
    ['db', 'current'],
    ['db', 'upgrade'],
    ['db', 'app-role', 'svc_app', '--create'],
  ])('svc %s %s with servers that are not there', async (...args) => {
    const words = args.filter((word) => word !== undefined)
    const run = startSvc(words, { ...settings(nobody), LOG_LEVEL: 'trace' })
    // The API serves without a database, and says so when it is asked.
    if (words[0] === 'serve') {
      const url = await run.until((stdout) => /running at (\S+)/.exec(stdout)?.[1])
      const answers = await Promise.all(
        ['/health', '/ready', '/api/v1/users/me', '/api/v1/settings'].map(
          async (path) => await (await fetch(`${url}${path}`, { headers: { authorization: 'Bearer a.b.c' } })).text(),
        ),
      )
      const login = await fetch(`${url}/api/v1/auth/token`, {
        method: 'POST',
        body: new URLSearchParams({ username: 'admin', password: ADMINISTRATOR.secret }),
      })
      expectClean(...answers, await login.text())
      run.child.kill('SIGTERM')
      expect(await run.ended).toBe(0)
    } else expect([1, 2]).toContain(await run.ended)
    expect(run.stdout() + run.stderr()).not.toBe('')
    expectClean(run.stdout(), run.stderr())
  })

  test.each([
    ['--debug', 'feeds', 'list'],
    ['--debug', 'serve'],
  ])('svc %s %s with names that do not exist', async (...args) => {
    const run = startSvc(
      args.filter((word) => word !== undefined),
      {
        ...settings(nobody),
        DATABASE_URL: `postgres://svc_app:${enc(ENCODED.secret)}@no-such-host.invalid/svc`,
        REDIS_URL: `redis://:${enc(STORE.secret)}@no-such-host.invalid`,
      },
    )
    if (args.includes('serve')) {
      const url = await run.until((stdout) => /running at (\S+)/.exec(stdout)?.[1])
      expectClean(await (await fetch(`${url}/ready`)).text())
      run.child.kill('SIGTERM')
    }
    await run.ended
    expectClean(run.stdout(), run.stderr())
  })

  test.each(REFUSED)('$title is refused by name', async ({ setting, env }) => {
    const runs = [
      ['feeds', 'list'],
      ['--debug', 'serve'],
    ].map(async (args) => await runSvc(args, { ...settings(nobody), ...env }))
    for (const { code, stdout, stderr } of await Promise.all(runs)) {
      expect({ code, named: stderr.includes(setting) }, stderr).toEqual({ code: 2, named: true })
      expectClean(stdout, stderr)
    }
  })
})
