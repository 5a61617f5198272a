import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { startSvc } from '../support/svc-process.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** Longest time to a refusal, milliseconds. Source: docs/promises.md, A11. */
const REFUSAL_LIMIT_MS = 5000
/** A start that has not ended after this hangs, milliseconds: six times the limit, for a machine that is busy with other tests. */
const HANGS_MS = 30_000
const AT_ONCE = 3
const KEY = randomBytes(32).toString('hex')
const PASSWORD = randomBytes(12).toString('hex')

type Environment = Record<string, string>
type Bad = { title: string; setting: string; env: Environment; never?: string }

const place = makeTempFolder('production')
let database: TestDatabase
let redis: RedisServer
let sound: Environment
beforeAll(async () => {
  database = await createTestDatabase()
  redis = await startRedisServer({ password: PASSWORD })
  sound = {
    ENVIRONMENT: 'production',
    SECRET_KEY: KEY,
    DATABASE_URL: database.appUrl,
    REDIS_URL: redis.url,
    DATA_DIR: place.folder,
    PORT: '0',
  }
})
afterAll(async () => {
  await Promise.all([database.drop(), redis.stop()])
  place.remove()
})

const NAMED = 'postgres://svc_app:{}@127.0.0.1:5432/svc'
const withPassword = (password: string) => NAMED.replace('{}', password)

// biome-ignore format: one case per line
const BAD: Bad[] = [
  { title: 'no signing key',                                setting: 'SECRET_KEY',             env: { SECRET_KEY: '' } },
  { title: 'a signing key of 31 characters',                setting: 'SECRET_KEY',             env: { SECRET_KEY: KEY.slice(0, 31) },                                     never: KEY.slice(0, 31) },
  { title: 'a placeholder as signing key',                  setting: 'SECRET_KEY',             env: { SECRET_KEY: 'changeme-changeme-changeme-changeme' },                never: 'changeme' },
  { title: 'a development signing key',                     setting: 'SECRET_KEY',             env: { SVC_SECRET_KEY: `dev-${KEY}` },                                     never: KEY },
  { title: 'a signing key of one character',                setting: 'SECRET_KEY',             env: { SECRET_KEY: 'k'.repeat(64) },                                       never: 'kkkk' },
  { title: 'a placeholder as previous signing key',         setting: 'SECRET_KEY_PREVIOUS',    env: { SECRET_KEY_PREVIOUS: `my-secret-${KEY}` },                          never: KEY },
  { title: 'DEBUG=true',                                    setting: 'DEBUG',                  env: { DEBUG: 'true' } },
  { title: 'DEBUG=1',                                       setting: 'DEBUG',                  env: { SVC_DEBUG: '1' } },
  { title: 'DEBUG=YES',                                     setting: 'DEBUG',                  env: { DEBUG: ' YES ' } },
  { title: 'DEBUG=on',                                      setting: 'DEBUG',                  env: { DEBUG: 'on' } },
  { title: 'no database',                                   setting: 'DATABASE_URL',           env: { DATABASE_URL: '' } },
  { title: 'a database without a password',                 setting: 'DATABASE_URL',           env: { DATABASE_URL: 'postgres://svc_app@127.0.0.1:5432/svc' } },
  { title: 'the database password of every tutorial',       setting: 'DATABASE_URL',           env: { DATABASE_URL: withPassword('Postgres123') },                        never: 'Postgres123' },
  { title: 'a percent-encoded development password',        setting: 'DATABASE_URL',           env: { DATABASE_URL: withPassword('%63hange%2Dme%21') },                   never: 'hange' },
  { title: 'the user name as database password',            setting: 'DATABASE_URL',           env: { DATABASE_URL: withPassword('SVC_APP') },                            never: 'SVC_APP' },
  { title: 'a development password behind the ?',           setting: 'DATABASE_URL',           env: { DATABASE_URL: 'postgres://svc_app@127.0.0.1/svc?password=hunter' }, never: 'hunter' },
  { title: 'a development password of the owner',           setting: 'MIGRATION_DATABASE_URL', env: { MIGRATION_DATABASE_URL: withPassword('letmein1') },                 never: 'letmein' },
  { title: 'a store without a password',                    setting: 'REDIS_URL',              env: { REDIS_URL: 'redis://127.0.0.1:6379' } },
  { title: 'a development password of the store',           setting: 'REDIS_URL',              env: { REDIS_URL: 'redis://:foobared@127.0.0.1:6379' },                    never: 'foobared' },
  { title: 'a separate development password of the store',  setting: 'REDIS_URL',              env: { REDIS_URL: 'redis://127.0.0.1:6379', REDIS_PASSWORD: 'r3dis-p4ss' }, never: 'r3dis-p4ss' },
  { title: 'no store and no word about it',                 setting: 'REDIS_URL',              env: { REDIS_URL: '' } },
  { title: 'every origin',                                  setting: 'CORS_ORIGINS',           env: { CORS_ORIGINS: '*' } },
  { title: 'every origin in a list',                        setting: 'CORS_ORIGINS',           env: { CORS_ORIGINS: 'https://portal.example.org ,  * ' } },
  { title: 'a wildcard origin',                             setting: 'CORS_ORIGINS',           env: { CORS_ORIGINS: 'https://*.example.org' } },
  { title: 'an origin that is none',                        setting: 'CORS_ORIGINS',           env: { CORS_ORIGINS: 'null' } },
  { title: 'a development token for the metrics',           setting: 'METRICS_TOKEN',          env: { METRICS_TOKEN: 'changeme1' },                                       never: 'changeme1' },
  { title: 'exempt hosts without the second word',          setting: 'OUTBOUND_ALLOW_HOSTS',   env: { OUTBOUND_ALLOW_HOSTS: 'lists.internal' } },
  { title: 'an administrator password that is too short',   setting: 'ADMIN_PASSWORD',         env: { ADMIN_PASSWORD: 'Kx7-tooshort' .slice(0, 11) },                     never: 'tooshor' },
  { title: 'an environment that does not exist',            setting: 'ENVIRONMENT',            env: { ENVIRONMENT: 'prod' } },
  { title: 'a proxy list of everybody',                     setting: 'FORWARDED_ALLOW_IPS',    env: { FORWARDED_ALLOW_IPS: '*' } },
  { title: 'a database address with a bare # inside',       setting: 'DATABASE_URL',           env: { DATABASE_URL: 'postgres://svc_app:55#Qz81mm@127.0.0.1/svc' },       never: 'Qz81mm' },
]

const PROGRAMS = [
  { name: 'api', args: ['serve'] },
  { name: 'worker', args: ['feeds', 'worker'] },
]

/** One unsafe start: what it ended with, what it said, and how long it took. */
async function startUnsafe(args: string[], env: Environment) {
  const from = performance.now()
  const run = startSvc(args, { ...sound, ...env })
  const timer = setTimeout(() => run.child.kill('SIGKILL'), HANGS_MS)
  const code = await run.ended
  clearTimeout(timer)
  return { code, said: run.stdout() + run.stderr(), tookMs: performance.now() - from }
}

async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

describe('A11: production refuses to start unsafe', () => {
  test.each(PROGRAMS)('the $name refuses each of the 30, names the setting and no value', { timeout: 180_000 }, async ({ args }) => {
    const wrong: string[] = []
    await inTurn(BAD, async ({ title, setting, env, never }) => {
      const { code, said } = await startUnsafe(args, env)
      if (code !== 2) wrong.push(`${title}: ended with ${code}: ${said}`)
      if (!said.includes(setting)) wrong.push(`${title}: does not name ${setting}: ${said}`)
      if (never !== undefined && said.includes(never)) wrong.push(`${title}: shows the value: ${said}`)
      if (said.includes(PASSWORD) || said.includes(KEY.slice(0, 31))) wrong.push(`${title}: shows another secret: ${said}`)
    })
    expect(wrong).toEqual([])
  })

  test.each(PROGRAMS)('the $name refuses in under 5 s', { timeout: 120_000 }, async ({ args }) => {
    // The quickest of three, one after the other: the others measure what else the machine does.
    const times: number[] = []
    for (let turn = 0; turn < 3; turn++) times.push((await startUnsafe(args, { SECRET_KEY: 'changeme', DATABASE_URL: '' })).tookMs)
    expect(Math.min(...times)).toBeLessThan(REFUSAL_LIMIT_MS)
  })

  test('every command that opens the services refuses too, and names all that is wrong at once', { timeout: 120_000 }, async () => {
    const everything = {
      SECRET_KEY: 'changeme',
      DEBUG: 'true',
      DATABASE_URL: withPassword('password'),
      MIGRATION_DATABASE_URL: withPassword('password'),
      REDIS_URL: 'redis://127.0.0.1',
      CORS_ORIGINS: '*',
      OUTBOUND_ALLOW_HOSTS: 'lists.internal',
      ADMIN_PASSWORD: 'short',
    }
    const commands = [
      ['up'],
      ['up', '--embedded'],
      ['serve'],
      ['feeds', 'worker'],
      ['feeds', 'worker', '--once'],
      ['feeds', 'list'],
      ['users', 'list'],
    ]
    const wrong: string[] = []
    await inTurn([...commands, ['seed'], ['iocs', 'list'], ['lookup', '192.0.2.1'], ['feeds', 'fetch-all']], async (args) => {
      const { code, said } = await startUnsafe(args, everything)
      if (code !== 2) wrong.push(`${args.join(' ')} ended with ${code}: ${said}`)
      for (const name of Object.keys(everything)) if (!said.includes(name)) wrong.push(`${args.join(' ')} does not name ${name}: ${said}`)
    })
    expect(wrong).toEqual([])
  })

  test('the embedded database is not begun without --embedded, by no command', async () => {
    for (const args of [['up'], ['serve'], ['users', 'list']]) {
      const { code, said } = await startUnsafe(args, { DATABASE_URL: '' })
      expect({ code, named: said.includes('DATABASE_URL') }, said).toEqual({ code: 2, named: true })
    }
  })
})

/** The same password, every third character percent-encoded. */
function encoded(address: string): string {
  const { password } = new URL(address)
  const spelled = [...password]
    .map((character, index) => (index % 3 === 0 ? `%${character.charCodeAt(0).toString(16)}` : character))
    .join('')
  return address.replace(`:${password}@`, `:${spelled}@`)
}

// biome-ignore format: one case per line
const GOOD: { title: string; env: () => Environment }[] = [
  { title: 'a random key, a database and a store with passwords',  env: () => ({}) },
  { title: 'the password of the store in REDIS_PASSWORD',          env: () => ({ REDIS_URL: `redis://127.0.0.1:${redis.port}`, REDIS_PASSWORD: PASSWORD }) },
  { title: 'no store, and a word that says so',                    env: () => ({ REDIS_URL: '', STORE_IN_PROCESS: 'true' }) },
  { title: 'percent-encoded passwords',                            env: () => ({ DATABASE_URL: encoded(database.appUrl), REDIS_URL: encoded(redis.url) }) },
  { title: 'origins, exempt hosts said twice, a previous key',     env: () => ({ CORS_ORIGINS: 'https://portal.example.org, https://soc.example.org:8443', OUTBOUND_ALLOW_HOSTS: 'lists.internal', OUTBOUND_ALLOW_INTERNAL: 'yes', SECRET_KEY: randomBytes(32).toString('base64'), SECRET_KEY_PREVIOUS: KEY }) },
  { title: 'prefixed names, in another case, and a good owner',    env: () => ({ ENVIRONMENT: '', SVC_ENVIRONMENT: 'Production', SVC_DEBUG: 'false', MIGRATION_DATABASE_URL: database.ownerUrl, ADMIN_PASSWORD: 'four hills over one lake' }) },
]

describe('A11: production starts when all is well', () => {
  test.each(GOOD)('api: $title', async ({ env }) => {
    const run = startSvc(['serve'], { ...sound, ...env() })
    onTestFinished(() => void run.child.kill('SIGKILL'))
    const url = await run.until((stdout) => /running at (\S+)/.exec(stdout)?.[1])
    const health = (await (await fetch(`${url}/health`)).json()) as object
    const ready = (await (await fetch(`${url}/ready`)).json()) as object
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect({ ...health, ...ready }).toMatchObject({
      environment: 'production',
      database: 'ok',
      store: env()['REDIS_URL'] === '' ? 'unused' : 'ok',
      status: 'ready',
    })
  })

  test.each(GOOD)('worker: $title', async ({ env }) => {
    const run = startSvc(['feeds', 'worker'], { ...sound, ...env() })
    onTestFinished(() => void run.child.kill('SIGKILL'))
    await run.until(() => (run.stderr().includes('worker.ready') ? true : undefined))
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(run.stderr()).not.toMatch(/redis\.unreachable/)
  })
})
