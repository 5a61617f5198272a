import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { addressKey } from './address-key.ts'
import { type Counter, countInProcess } from './counter.ts'

const WINDOW_MS = 60_000
let counter: Counter
beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21) })
  counter = countInProcess({ name: 'test', points: 3, windowSeconds: WINDOW_MS / 1000 })
})
afterEach(() => void vi.useRealTimers())

async function take(key = 'a') {
  const answer = await counter.take(key)
  return answer.allowed ? answer : undefined
}

describe('a counter', () => {
  test('allows its points, then none, and says how long it lasts', async () => {
    expect([(await take())?.remaining, (await take())?.remaining, (await take())?.remaining]).toEqual([2, 1, 0])
    vi.advanceTimersByTime(20_000)
    expect(await counter.take('a')).toEqual({ allowed: false, resetMs: 40_000 })
    expect(await take('b')).toBeDefined()
  })

  test('begins anew when the window is over, however often it was asked meanwhile', async () => {
    for (let n = 0; n < 3; n++) await take()
    for (let n = 0; n < 100; n++) expect(await take()).toBeUndefined()
    vi.advanceTimersByTime(WINDOW_MS)
    expect([(await take())?.remaining, (await take())?.remaining, (await take())?.remaining, await take()]).toEqual([2, 1, 0, undefined])
  })

  test('a burst gets no more than a sequence', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, async () => await take()))
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(3)
  })

  test('what is given back can be taken again', async () => {
    const [first] = [await take(), await take(), await take()]
    expect(await take()).toBeUndefined()
    await first?.giveBack()
    expect([(await take())?.remaining, await take()]).toEqual([0, undefined])
  })

  test('the window begins with the first point that stays: one that was given back has begun none', async () => {
    await (await take())?.giveBack()
    vi.advanceTimersByTime(WINDOW_MS - 1000)
    for (let n = 0; n < 3; n++) await take()
    vi.advanceTimersByTime(2000)
    expect(await take()).toBeUndefined()
  })

  test('a point of a window that is over is not given back to the next one', async () => {
    const old = [await take(), await take(), await take()]
    vi.advanceTimersByTime(WINDOW_MS)
    await take()
    for (const point of old) await point?.giveBack()
    expect([(await take())?.remaining, (await take())?.remaining, await take()]).toEqual([1, 0, undefined])
  })

  test('giving back and being refused at once leaves the count exact', async () => {
    const held = [await take(), await take(), await take()]
    await Promise.all([
      ...held.map(async (point) => await point?.giveBack()),
      ...Array.from({ length: 20 }, async () => await counter.take('b')),
    ])
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await take()))
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(3)
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['::1', '::/64'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
