import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../support/test-app.ts'

const COUNTS = { unknown: 500, wrong: 500, disabled: 200 }
/** A round can be spoilt by whatever else the machine does; a difference that is real spoils all of them. */
const ROUNDS = 3
const LIMITS = { differenceMs: 5, differenceShare: 0.1, leastP: 0.01 }
/** Failures of one account before it is blocked are 50. */
const FAILURES_PER_ACCOUNT = 45
const ACTOR = { name: 'test', role: 'ADMIN' } as const

let app: TestApp
let addresses = 0
const holders: string[] = []
const disabled: string[] = []
beforeAll(async () => {
  app = await createTestApp()
  const make = async (names: string[], prefix: string, failures: number): Promise<void> => {
    for (let n = 0; n < Math.ceil((failures * ROUNDS) / FAILURES_PER_ACCOUNT); n++) {
      const username = `${prefix}-${n}`
      await app.services.accounts.createUser(ACTOR, { username, password: TEST_PASSWORD, role: 'VIEWER' })
      names.push(username)
    }
  }
  await make(holders, 'holder', COUNTS.wrong)
  await make(disabled, 'disabled', COUNTS.disabled)
  for (const username of ['q', 'twelve-chars'])
    await app.services.accounts.createUser(ACTOR, { username, password: TEST_PASSWORD, role: 'VIEWER' })
  await app.services.accounts.createUser(ACTOR, { username: 'gone', password: TEST_PASSWORD, role: 'VIEWER' })
  await app.services.db
    .updateTable('users')
    .set({ status: 'DISABLED' })
    .where('username', 'in', [...disabled, 'gone'])
    .execute()
})
afterAll(async () => await app.close())

/** Each attempt comes from an address of its own, so that none is blocked. */
async function login(username: string, password: string) {
  addresses += 1
  return await app.app.inject({
    method: 'POST',
    url: '/api/v1/auth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
    },
    payload: new URLSearchParams({ username, password }).toString(),
  })
}

type Answer = Awaited<ReturnType<typeof login>>
/** What an attacker can see apart from the time. */
function visible(answer: Answer): unknown {
  const { date: _date, 'x-request-id': _id, ...headers } = answer.headers
  return { status: answer.statusCode, headers, body: { ...answer.json(), request_id: '' } }
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2
}

/** Two-sided p of the Mann-Whitney test, by its normal approximation; times do not tie. */
function mannWhitneyP(one: number[], other: number[]): number {
  const ranked = [...one.map((value) => ({ value, first: true })), ...other.map((value) => ({ value, first: false }))].toSorted(
    (a, b) => a.value - b.value,
  )
  let rankSum = 0
  for (const [index, { first }] of ranked.entries()) if (first) rankSum += index + 1
  const u = rankSum - (one.length * (one.length + 1)) / 2
  const mean = (one.length * other.length) / 2
  const deviation = Math.sqrt((one.length * other.length * (one.length + other.length + 1)) / 12)
  return 2 * (1 - normalCdf(Math.abs(u - mean) / deviation))
}

/** Source: Abramowitz and Stegun, 26.2.17; error below 1e-7. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}

type Group = keyof typeof COUNTS
type Comparison = { pair: string; differenceMs: number; differenceShare: number; p: number }

/** All three kinds in turn, spread evenly, one at a time. */
async function measure(round: number): Promise<{ times: Record<Group, number[]>; answers: Answer[] }> {
  const times: Record<Group, number[]> = { unknown: [], wrong: [], disabled: [] }
  const answers: Answer[] = []
  const plan = (Object.keys(COUNTS) as Group[])
    .flatMap((group, offset) =>
      Array.from({ length: COUNTS[group] }, (_, n) => ({ group, n, at: (n + 0.5 + offset * 0.1) / COUNTS[group] })),
    )
    .toSorted((one, other) => one.at - other.at)
  for (const { group, n } of plan) {
    const turn = round * COUNTS[group] + n
    const accounts = group === 'wrong' ? holders : disabled
    const name = group === 'unknown' ? `nobody-${turn}` : (accounts[turn % accounts.length] ?? '')
    const password = group === 'disabled' ? TEST_PASSWORD : 'not the password at all'
    const startMs = performance.now()
    const answer = await login(name, password)
    times[group].push(performance.now() - startMs)
    answers.push(answer)
  }
  return { times, answers }
}

function compare(times: Record<Group, number[]>): Comparison[] {
  const pairs: [Group, Group][] = [
    ['unknown', 'wrong'],
    ['unknown', 'disabled'],
    ['wrong', 'disabled'],
  ]
  return pairs.map(([one, other]) => {
    const [first, second] = [median(times[one]), median(times[other])]
    const differenceMs = Math.abs(first - second)
    return {
      pair: `${one}, ${other}`,
      differenceMs,
      differenceShare: differenceMs / Math.min(first, second),
      p: mannWhitneyP(times[one], times[other]),
    }
  })
}

function isAlike({ differenceMs, differenceShare, p }: Comparison): boolean {
  return differenceMs < LIMITS.differenceMs && differenceShare < LIMITS.differenceShare && p > LIMITS.leastP
}

describe('A6: an unknown name, a wrong password and a disabled account answer alike', () => {
  test('in the same words and the same time', async () => {
    for (let n = 0; n < 10; n++) await login('warm-up', 'not the password at all')
    const rounds: Comparison[][] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { times, answers } = await measure(round)
      const seen = new Set(answers.map((answer) => JSON.stringify(visible(answer))))
      expect([...seen]).toHaveLength(1)
      expect(answers[0]?.statusCode).toBe(401)
      rounds.push(compare(times))
      if (rounds.at(-1)?.every(isAlike)) break
    }
    // The best round decides; every round is shown when none was good.
    expect(rounds.some((comparisons) => comparisons.every(isAlike)) ? [] : rounds).toEqual([])
  }, 600_000)

  test('the comparison finds a difference that is there', () => {
    const times = Array.from({ length: 80 }, (_, n) => 58 + ((n * 37) % 80) / 20)
    expect(
      mannWhitneyP(
        times,
        times.map((time) => time + 0.001),
      ),
    ).toBeGreaterThan(0.8)
    expect(
      mannWhitneyP(
        times,
        times.map((time) => time + 2),
      ),
    ).toBeLessThan(0.001)
    expect(isAlike({ pair: '', differenceMs: 0.2, differenceShare: 0.003, p: 0.5 })).toBe(true)
  })

  const known = 'twelve-chars'
  test.each([
    { title: 'a password of one character', password: 'a', status: 401 },
    { title: 'a password of 12', password: 'a'.repeat(12), status: 401 },
    { title: 'a password of 128', password: 'b'.repeat(128), status: 401 },
    { title: 'a password of 1024', password: 'c'.repeat(1024), status: 401 },
    { title: 'a password in Unicode', password: 'пароль-密码-🔑-e\u0301', status: 401 },
    { title: 'a password with NUL', password: 'a\u0000b', status: 401 },
    { title: 'a password that is too long', password: 'd'.repeat(1025), status: 422 },
    { title: 'a password of 1 MB', password: 'e'.repeat(1_000_000), status: 413 },
  ])('$title is answered $status for a known, a disabled and an unknown account', async ({ password, status }) => {
    const answers = [await login(known, password), await login('gone', password), await login('nobody', password)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status, status])
    expect(visible(answers[1] as Answer)).toEqual(visible(answers[0] as Answer))
    expect(visible(answers[2] as Answer)).toEqual(visible(answers[0] as Answer))
  })

  test.each([
    { title: 'names of one character', names: ['q', 'z'], status: 401 },
    { title: 'names of 12', names: [known, 'nobodyknows-'], status: 401 },
    { title: 'names of 128', names: ['a'.repeat(128), 'b'.repeat(128)], status: 422 },
    { title: 'names of 1 MB', names: ['a'.repeat(1_000_000), 'b'.repeat(1_000_000)], status: 413 },
    { title: 'a known name and one in Unicode', names: [known, 'аналитик-分析'], status: 401 },
    { title: 'a known name and one with a combining mark', names: [known, 'ame\u0301lie'], status: 401 },
  ])('$title are answered $status', async ({ names, status }) => {
    const answers = await Promise.all(names.map(async (name) => await login(name, 'not the password at all')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => status))
    expect(visible(answers[1] as Answer)).toEqual(visible(answers[0] as Answer))
  })
})
