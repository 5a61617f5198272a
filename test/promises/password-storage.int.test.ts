import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram } from '#entrypoints/cli/program.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

/** The weakest cost that a stored hash may have. Source: OWASP Password Storage Cheat Sheet. */
const COST = { memoryKib: 19_456, passes: 2 }
const HASH = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/

let app: TestApp
let places = 0
/** Everything that any door has answered. */
const answers: string[] = []

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

type Outcome = { status: number; code?: unknown }

async function call(method: string, url: string, token: string, body: object): Promise<Outcome> {
  const answer = await app.app.inject({ method: method as 'POST', url, headers: { authorization: `Bearer ${token}` }, payload: body })
  answers.push(answer.body)
  return { status: answer.statusCode, ...(answer.statusCode < 400 ? {} : { code: answer.json().code }) }
}

/** `svc users …` with the services of this process; a refusal is told by its status at the API. */
async function onCommandLine(...args: string[]): Promise<Outcome> {
  const keep = (text: unknown): void => void answers.push(typeof text === 'string' ? text : JSON.stringify(text))
  const out = { note: keep, line: keep, json: keep, table() {}, progress() {}, mark() {}, error: keep, exitCode: 0 }
  const context = { out, services: async () => app.services, signal: () => new AbortController().signal }
  try {
    await buildProgram(context as unknown as Parameters<typeof buildProgram>[0]).parseAsync(['users', ...args, '--json'], { from: 'user' })
    return { status: 200 }
  } catch (error) {
    if (error instanceof DomainError) return { status: 422, code: error.code }
    throw error
  }
}

async function newUser(username: string): Promise<string> {
  return (await app.services.accounts.createUser(COMMAND_LINE_ACTOR, { username, password: TEST_PASSWORD, role: 'VIEWER' })).id
}

/** The places where a password is chosen. Each makes the account that it needs. */
const DOORS: Record<string, (username: string, password: string) => Promise<Outcome>> = {
  create: async (username, password) => await call('POST', '/api/v1/users', app.tokens.ADMIN, { username, role: 'VIEWER', password }),
  reset: async (username, password) =>
    await call('POST', `/api/v1/users/${await newUser(username)}/password`, app.tokens.ADMIN, { password }),
  'own change': async (username, password) => {
    await newUser(username)
    const { access_token } = await app.services.sessions.login(
      { username, password: TEST_PASSWORD },
      { clientIp: `2001:db8:${(places++).toString(16)}::1`, requestId: 'password-storage' },
    )
    return await call('POST', '/api/v1/users/me/password', access_token, { current_password: TEST_PASSWORD, new_password: password })
  },
  'create on the command line': async (username, password) =>
    await onCommandLine('create', '--username', username, '--role', 'viewer', '--password', password),
  'set-password on the command line': async (username, password) => {
    await newUser(username)
    return await onCommandLine('set-password', username, '--password', password)
  },
}

/** Of any length, and nothing that repeats. */
function ofLength(length: number): string {
  return Array.from({ length }, (_, n) => String.fromCharCode(33 + ((n * n * 31 + n * 17 + 7) % 90))).join('')
}

const PASSWORDS: { title: string; password: string; taken: boolean }[] = [
  { title: '11 characters', password: ofLength(11), taken: false },
  { title: '12 characters', password: ofLength(12), taken: true },
  { title: '64 characters', password: ofLength(64), taken: true },
  { title: '128 characters', password: ofLength(128), taken: true },
  { title: '1024 characters', password: ofLength(1024), taken: true },
  { title: '1025 characters', password: ofLength(1025), taken: false },
  { title: 'blanks inside and at both ends', password: '  seven herons under a bridge  ', taken: true },
  { title: 'pictures', password: '🦊🦉🐙🦑🦀🐡🐬🐳🦈🐊🐢🐍', taken: true },
  { title: 'a NUL inside', password: 'seven herons\0under a bridge', taken: false },
]

/** Each from an address of its own, so that the limiter stays out of it. */
async function logsIn(username: string, password: string): Promise<boolean> {
  const answer = await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `2001:db8:${(places++).toString(16)}::1`,
    },
    payload: new URLSearchParams({ username, password }).toString(),
  })
  answers.push(answer.body)
  expect([200, 401, 422]).toContain(answer.statusCode)
  return answer.statusCode === 200
}

async function hashOf(username: string): Promise<string | undefined> {
  const { rows } = await sql<{ password_hash: string }>`select password_hash from users where username = ${username}`.execute(
    app.services.db,
  )
  return rows[0]?.password_hash
}

const CASES = Object.keys(DOORS).flatMap((door, at) => PASSWORDS.map((password, n) => ({ door, ...password, username: `p-${at}-${n}` })))

describe('A10: passwords are hashed with Argon2id, whole', () => {
  test.each(CASES.filter(({ taken }) => taken))('$title at "$door" are taken, hashed at full cost and never cut', async (one) => {
    const { door, password, username } = one
    expect([200, 201, 204]).toContain((await DOORS[door]?.(username, password))?.status)
    const [, memory, passes] = HASH.exec((await hashOf(username)) ?? '') ?? expect.fail('No Argon2id hash is stored.')
    expect(Number(memory)).toBeGreaterThanOrEqual(COST.memoryKib)
    expect(Number(passes)).toBeGreaterThanOrEqual(COST.passes)
    expect(await logsIn(username, password)).toBe(true)
    const without = [...password].slice(0, -1).join('')
    for (const other of [`${password}x`, without, `${password}\0`, `${password}\0x`, password.trim()])
      expect(await logsIn(username, other), JSON.stringify(other)).toBe(other === password)
  })

  test.each(CASES.filter(({ taken }) => !taken))('$title at "$door" are refused, and nothing is stored', async (one) => {
    const { door, password, username } = one
    expect(await DOORS[door]?.(username, password)).toEqual({ status: 422, code: 'password_policy' })
    const stored = await hashOf(username)
    expect(stored === undefined).toBe(door.startsWith('create'))
    // The password of before is still the one.
    if (stored !== undefined) expect(await logsIn(username, TEST_PASSWORD)).toBe(true)
  })

  test('no answer of any of them, no list and no log line holds a hash', async () => {
    answers.push((await app.call('GET', '/api/v1/users?limit=200', 'ADMIN')).body, (await app.call('GET', '/api/v1/audit', 'ADMIN')).body)
    expect(answers.length).toBeGreaterThan(CASES.length)
    const told = [...answers, ...app.logLines]
    const { rows } = await sql<{ password_hash: string }>`select password_hash from users`.execute(app.services.db)
    expect(rows.length).toBeGreaterThan(20)
    const parts = ['argon2', 'password_hash', ...rows.map(({ password_hash }) => password_hash.split('$').at(-1) ?? '')]
    expect(parts.filter((part) => part !== '' && told.some((text) => text.includes(part)))).toEqual([])
  })
})
