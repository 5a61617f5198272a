import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => await app.close())

const BURST = 50
/** Guesses per account and address. Source: spec, "Login limiter". */
const LIMIT = 5
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }

type Door = {
  door: string
  method: 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  encode(name: string, password: string): string
}
const asForm = (username: string, password: string) => new URLSearchParams({ username, password }).toString()
const DOORS: Door[] = [
  { door: 'the form', method: 'POST', url: '/api/v1/auth/token', headers: FORM, encode: asForm },
  {
    door: 'JSON',
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: JSON_BODY,
    encode: (username, password) => JSON.stringify({ username, password }),
  },
  { door: 'PUT', method: 'PUT', url: '/api/v1/auth/token', headers: FORM, encode: asForm },
  { door: 'a trailing slash', method: 'POST', url: '/api/v1/auth/token/', headers: FORM, encode: asForm },
]

/** Spellings of one name that a matching rule somewhere might take for it. */
const VARIANTS = (name: string): string[] => [
  name,
  name.toUpperCase(),
  ` ${name}`,
  `${name}\t `,
  `${name.slice(0, 3)} ${name.slice(3)}`,
  `${name}.`,
  `${name}..`,
  `${name}\u0000`,
  `${name.slice(0, 3)}\u200b${name.slice(3)}`,
  [...name].map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(0xff41 + letter.charCodeAt(0) - 97) : letter)).join(''),
  `\u202e${name}`,
  `${name.slice(0, 2)}\u00ad${name.slice(2)}\ufeff`,
]

/** One attempt from an address that the trusted proxy of the tests (the injecting peer) names. */
async function guess(name: string, from: string, { method, url, headers, encode }: Door, password = 'not the password at all') {
  return await app.app.inject({
    method,
    url,
    headers: { ...headers, 'x-forwarded-for': from },
    payload: encode(name, password),
  })
}

/** Passwords that were verified and wrong, as the journal tells. */
async function verifiedFrom(address: string): Promise<number> {
  const { count } = await app.services.db
    .selectFrom('audit_events')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('action', '=', 'auth.login')
    .where('outcome', '=', 'FAILURE')
    .where('client_ip', '=', address)
    .executeTakeFirstOrThrow()
  return Number(count)
}

describe('A7: at most 5 guesses per account and address are verified', () => {
  test.each(DOORS)('through $door: 12 spellings at once, 50 each', async (door) => {
    const from = `198.51.100.${1 + DOORS.indexOf(door)}`
    const answers = (
      await Promise.all(
        VARIANTS('viewer').map(async (name) => await Promise.all(Array.from({ length: BURST }, () => guess(name, from, door)))),
      )
    ).flat()
    expect(answers).toHaveLength(12 * BURST)
    expect(await verifiedFrom(from)).toBeLessThanOrEqual(LIMIT)
    const statuses = new Set(answers.map(({ statusCode }) => statusCode))
    expect([...statuses].filter((status) => ![401, 404, 405, 415, 422, 429].includes(status))).toEqual([])
    if (door.door === 'the form' || door.door === 'JSON') {
      expect(statuses).toContain(429)
      expect(await verifiedFrom(from)).toBe(LIMIT)
    }
  })

  test('each spelling alone is an unknown name or refused input, never an error', async () => {
    const [form] = DOORS as [Door]
    const statuses = []
    for (const [index, name] of VARIANTS('admin').entries()) {
      statuses.push((await guess(name, `198.51.100.${20 + index}`, form)).statusCode)
    }
    expect(statuses.filter((status) => status !== 401 && status !== 422)).toEqual([])
  })

  test('one after the other: 5 are verified, the sixth waits, with the right password too', async () => {
    const from = '198.51.100.10'
    const [form] = DOORS as [Door]
    const statuses: number[] = []
    for (let attempt = 0; attempt < LIMIT; attempt++) statuses.push((await guess('analyst', from, form)).statusCode)
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    const sixth = await guess('analyst', from, form, TEST_PASSWORD)
    expect([sixth.statusCode, sixth.json().code]).toEqual([429, 'login_blocked'])
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(14 * 60)
    expect(Number(sixth.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
    expect(sixth.json().detail).toBe('Too many failed logins. Try again in 15 minutes.')
    expect(await verifiedFrom(from)).toBe(LIMIT)
  })

  test('a name that nobody has is blocked after the same count, with the same words', async () => {
    const [form] = DOORS as [Door]
    for (let attempt = 0; attempt < LIMIT; attempt++) expect((await guess('nobody', '198.51.100.11', form)).statusCode).toBe(401)
    const unknown = await guess('nobody', '198.51.100.11', form)
    const known = await guess('analyst', '198.51.100.10', form)
    expect({ ...unknown.json(), request_id: '' }).toEqual({ ...known.json(), request_id: '' })
  })

  test('a refusal is journalled as denied and logged, and uses up nothing', async () => {
    const from = '198.51.100.12'
    const [form] = DOORS as [Door]
    for (let attempt = 0; attempt < 40; attempt++) await guess('nobody-2', from, form)
    const rows = await app.services.db
      .selectFrom('audit_events')
      .select(['outcome', 'details'])
      .where('client_ip', '=', from)
      .where('outcome', '=', 'DENIED')
      .execute()
    expect(rows).toHaveLength(35)
    expect(rows[0]?.details).toEqual({ reason: 'blocked' })
    const lines = app.logLines.map((line) => JSON.parse(line)).filter(({ event, client }) => event === 'login.blocked' && client === from)
    expect(lines).toHaveLength(35)
    expect(lines[0]).toMatchObject({ logger: 'svc.security', rule: 'pair' })
    // 35 refusals have left the address its other fifteen.
    expect((await guess('nobody-3', from, form)).statusCode).toBe(401)
  })

  test('an address has 20 guesses over all accounts, and a whole IPv6 /64 is one address', async () => {
    const [form] = DOORS as [Door]
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => guess(`somebody-${n}`, `2001:db8:7:7::${(n + 1).toString(16)}`, form)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(20)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(10)
    expect((await guess('somebody-31', '2001:db8:7:8::1', form)).statusCode).toBe(401)
  })

  test('a login that succeeds gives its count back, however often', async () => {
    const [form] = DOORS as [Door]
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: LIMIT }, () => guess('admin', '198.51.100.13', form, TEST_PASSWORD)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
    }
  })
})

describe('A8: a third party cannot lock the holder out', () => {
  const [form] = DOORS as [Door]
  let attackers = 0

  /** Failures for an account, from as many addresses as 20 guesses each take. */
  async function attack(name: string, failures: number): Promise<number> {
    const answers = []
    for (let sent = 0; sent < failures; sent += LIMIT) {
      attackers += 1
      const from = `203.0.113.${attackers}`
      const size = Math.min(LIMIT, failures - sent)
      answers.push(...(await Promise.all(Array.from({ length: size }, () => guess(name, from, form)))))
    }
    return answers.filter(({ statusCode }) => statusCode === 401).length
  }

  test.each([5, 20, 49])('after %i failures from elsewhere the holder logs in', async (failures) => {
    const name = `holder-${failures}`
    await app.services.accounts.createUser({ name: 'test', role: 'ADMIN' }, { username: name, password: TEST_PASSWORD, role: 'VIEWER' })
    expect(await attack(name, failures)).toBe(failures)
    expect((await guess(name, '192.0.2.1', form, TEST_PASSWORD)).statusCode).toBe(200)
  })

  test('from one address not even 49 attempts count as more than 5', async () => {
    const name = 'holder-one'
    await app.services.accounts.createUser({ name: 'test', role: 'ADMIN' }, { username: name, password: TEST_PASSWORD, role: 'VIEWER' })
    const answers = await Promise.all(Array.from({ length: 49 }, () => guess(name, '203.0.113.200', form)))
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(LIMIT)
    for (let login = 0; login < 3; login++) expect((await guess(name, '192.0.2.2', form, TEST_PASSWORD)).statusCode).toBe(200)
  })

  test('after 50 failures from many addresses the account waits, for its holder too, at most an hour', async () => {
    const name = 'holder-50'
    await app.services.accounts.createUser({ name: 'test', role: 'ADMIN' }, { username: name, password: TEST_PASSWORD, role: 'VIEWER' })
    expect(await attack(name, 55)).toBe(50)
    const answer = await guess(name, '192.0.2.3', form, TEST_PASSWORD)
    expect([answer.statusCode, answer.json().code]).toEqual([429, 'login_blocked'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(59 * 60)
    expect(answer.json().detail).toBe('Too many failed logins. Try again in 60 minutes.')
  })
})
