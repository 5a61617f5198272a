import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runSvc } from '../support/svc-process.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/svc', import.meta.url))
const NEW_PASSWORD = 'seven herons under one bridge'

/** The API beside the commands, on the same database: what they change counts there at once. */
let app: TestApp
let places = 0

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

const env = (): Record<string, string> => ({ DATABASE_URL: app.database.appUrl })
const users = async (...args: string[]) => await runSvc(['users', ...args], env())

/** The same with text on standard input. */
async function usersReading(input: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [PROGRAM, 'users', ...args], {
    env: { PATH: process.env['PATH'] ?? '', SVC_ENV_FILE: '', ...env() },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const told = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      told[stream] += chunk
    })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code: Number(code), ...told }
}

async function logIn(username: string, password: string) {
  return await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': `2001:db8:${(++places).toString(16)}::1` },
    payload: new URLSearchParams({ username, password }).toString(),
  })
}

async function reads(token: string, url = '/api/v1/users/me'): Promise<number> {
  return (await app.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } })).statusCode
}

async function lastRow(action: string): Promise<unknown> {
  return await app.services.db
    .selectFrom('audit_events')
    .select(['actor_name', 'target_name', 'outcome'])
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

describe('users create', () => {
  test('takes the password from the first line of standard input, and shows none', async () => {
    const { code, stdout, stderr } = await usersReading(
      `${NEW_PASSWORD}\nanother line\n`,
      'create',
      '--username',
      'ana',
      '--role',
      'analyst',
      '--password-stdin',
    )
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'ana (ANALYST) is created.\n' })
    expect((await logIn('ana', NEW_PASSWORD)).statusCode).toBe(200)
    expect(await lastRow('user.created')).toMatchObject({ target_name: 'ana', outcome: 'SUCCESS' })
  })

  test('warns of a password on the command line', async () => {
    const { code, stderr } = await users('create', '--username', 'bo', '--role', 'viewer', '--password', NEW_PASSWORD)
    expect(code).toBe(0)
    expect(stderr).toContain('can be seen in the list of processes')
  })

  test('answers as JSON', async () => {
    const { code, stdout } = await users('create', '--username', 'cy', '--role', 'VIEWER', '--email', 'cy@example.org', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      username: 'cy',
      role: 'VIEWER',
      email: 'cy@example.org',
      generated_password: expect.stringMatching(/^\w{20}$/),
    })
    expect(stdout).not.toContain('argon2')
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'a taken name',        args: ['--username', 'ANA', '--role', 'viewer'],                          code: 1,  says: 'There is already a user named ANA.' },
    { title: 'a name with a blank', args: ['--username', 'a b', '--role', 'viewer'],                          code: 1,  says: 'Use 1 to 64 letters' },
    { title: 'a common password',   args: ['--username', 'di', '--role', 'viewer', '--password', 'password1234'], code: 1, says: 'among the first that attackers try' },
    { title: 'no such role',        args: ['--username', 'di', '--role', 'owner'],                            code: 64, says: 'ADMIN, ANALYST, VIEWER' },
    { title: 'no role',             args: ['--username', 'di'],                                               code: 64, says: '--role' },
  ])('refuses $title with $code', async ({ args, code, says }) => {
    const answer = await users('create', ...args)
    expect(answer).toMatchObject({ code, stdout: '' })
    expect(answer.stderr).toContain(says)
  })

  test('refuses an empty standard input, instead of generating a password', async () => {
    const { code, stdout, stderr } = await usersReading('', 'create', '--username', 'di', '--role', 'viewer', '--password-stdin')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('at least 12 characters')
  })
})

test('users list shows every account by name with its open sessions, and no hash', async () => {
  await logIn('viewer', TEST_PASSWORD)
  const { code, stdout } = await users('list', '--json')
  expect(code).toBe(0)
  const { items } = JSON.parse(stdout)
  const names = items.map(({ username }: { username: string }) => username)
  expect(names).toEqual(names.toSorted())
  expect(names).toEqual(expect.arrayContaining(['admin', 'analyst', 'viewer']))
  expect(items.find(({ username }: { username: string }) => username === 'viewer')).toMatchObject({
    role: 'VIEWER',
    status: 'ACTIVE',
    active_sessions: 2,
  })
  expect(stdout).not.toMatch(/argon2|password/)
  expect((await users('list')).stdout).toMatch(/^username\trole\tstatus\temail\tlast_login\tsessions\tid\n/)
})

describe('users disable, enable and set-role', () => {
  test('cut off, let in again, and change what an account may do, at the next request', async () => {
    const { access_token: token } = (await logIn('analyst', TEST_PASSWORD)).json()
    expect(await users('disable', 'Analyst')).toEqual({ code: 0, stdout: '', stderr: 'analyst is disabled.\n' })
    expect(await reads(token)).toBe(401)
    expect((await logIn('analyst', TEST_PASSWORD)).statusCode).toBe(401)
    expect(await lastRow('user.disabled')).toMatchObject({ target_name: 'analyst' })
    expect(await users('enable', 'analyst')).toEqual({ code: 0, stdout: '', stderr: 'analyst is active.\n' })
    expect(await reads(token)).toBe(401)
    const { access_token: again } = (await logIn('analyst', TEST_PASSWORD)).json()
    expect(await reads(again, '/api/v1/users')).toBe(403)
    expect(await users('set-role', 'analyst', 'admin')).toEqual({ code: 0, stdout: '', stderr: 'analyst is ADMIN.\n' })
    expect(await reads(again, '/api/v1/users')).toBe(200)
    expect(JSON.parse((await users('set-role', 'analyst', 'analyst', '--json')).stdout)).toMatchObject({
      username: 'analyst',
      role: 'ANALYST',
    })
    expect((await users('set-role', 'analyst', 'owner')).code).toBe(64)
  })

  test.each([
    ['disable', 'admin'],
    ['set-role', 'admin', 'viewer'],
  ])('the last administrator stays: %s %s', async (...args) => {
    const { code, stdout, stderr } = await users(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('admin is the last active administrator. Make another one first.')
    expect(await reads(app.tokens.ADMIN, '/api/v1/users')).toBe(200)
  })
})

describe('users set-password', () => {
  test('takes one from standard input, and ends the sessions', async () => {
    const { access_token } = (await logIn('ana', NEW_PASSWORD)).json()
    const { code, stdout, stderr } = await usersReading(`${TEST_PASSWORD}\r\n`, 'set-password', 'ana', '--password-stdin')
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'The password of ana is set, and its sessions are ended.\n' })
    expect(await reads(access_token)).toBe(401)
    expect((await logIn('ana', TEST_PASSWORD)).statusCode).toBe(200)
    expect((await logIn('ana', NEW_PASSWORD)).statusCode).toBe(401)
    expect(await lastRow('user.password_reset')).toMatchObject({ target_name: 'ana' })
  })

  test('generates one otherwise, and shows it once on the data output', async () => {
    const { code, stdout, stderr } = await users('set-password', 'ana')
    expect(code).toBe(0)
    const password = /^Password {2}(\S{20})\n$/.exec(stdout)?.[1] ?? expect.fail(stdout)
    expect(stderr).not.toContain(password)
    expect(stderr).toContain('The password is shown this once.')
    expect((await logIn('ana', password)).statusCode).toBe(200)
  })

  test('helps an administrator who has lost the password, the last one too', async () => {
    const { stdout } = await usersReading(
      `${NEW_PASSWORD}
`,
      'set-password',
      'admin',
      '--password-stdin',
      '--json',
    )
    expect(JSON.parse(stdout)).toEqual({ generated_password: null })
    const { access_token } = (await logIn('admin', NEW_PASSWORD)).json()
    expect(await reads(access_token, '/api/v1/users')).toBe(200)
  })

  test('refuses one that breaks the rules, and keeps the one of before', async () => {
    const { code, stderr } = await usersReading('short\n', 'set-password', 'bo', '--password-stdin')
    expect(code).toBe(1)
    expect(stderr).toContain('Use at least 12 characters.')
    expect((await logIn('bo', NEW_PASSWORD)).statusCode).toBe(200)
  })
})

test('users revoke-sessions ends every session, says how many, and lets the account log in again', async () => {
  const { access_token } = (await logIn('bo', NEW_PASSWORD)).json()
  const { code, stdout, stderr } = await users('revoke-sessions', 'bo')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toMatch(/^\d+ sessions? (is|are) ended\.\n$/)
  expect(await reads(access_token)).toBe(401)
  expect(JSON.parse((await users('revoke-sessions', 'bo', '--json')).stdout)).toEqual({ revoked: 0 })
  expect((await logIn('bo', NEW_PASSWORD)).statusCode).toBe(200)
  expect((await users('revoke-sessions', 'bo')).stderr).toBe('1 session is ended.\n')
})

test.each([['disable'], ['enable'], ['set-role', 'viewer'], ['set-password'], ['revoke-sessions']])(
  'users %s refuses a name that nobody has with 1, and says where the names stand',
  async (verb, ...more) => {
    const { code, stdout, stderr } = await users(verb, 'nobody', ...more)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('There is no user named nobody. `svc users list` shows them.')
  },
)
