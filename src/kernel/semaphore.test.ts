import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

/** Work that ends when it is told to. */
function controlled() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: async () => await promise, finish: resolve }
}

test('at most the given number run at once, in order of arrival, and a failure frees its place', async () => {
  const limited = createSemaphore(2)
  const order: number[] = []
  let running = 0
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, n) => {
      await limited(async () => {
        running++
        expect(running).toBeLessThanOrEqual(2)
        order.push(n)
        await new Promise((resume) => setTimeout(resume, 1))
        running--
        if (n % 3 === 0) throw new Error('failed')
      })
    }),
  )
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(7)
})

test('a full queue refuses at once, and takes work again when it has room', async () => {
  const limited = createSemaphore(1, { maxWaiting: 1, refuse: () => new Error('full') })
  const first = controlled()
  const running = limited(first.work)
  const second = limited(async () => 'second')
  await expect(limited(async () => 'third')).rejects.toThrow('full')
  first.finish()
  await running
  expect(await second).toBe('second')
  expect(await limited(async () => 'fourth')).toBe('fourth')
})
