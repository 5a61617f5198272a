import { describe, expect, it } from 'vitest'
import { reconnectWaitMs } from './reconnect-wait.ts'

describe('reconnectWaitMs', () => {
  it.each([
    { failures: 1, least: 1000, most: 2000 },
    { failures: 2, least: 2000, most: 4000 },
    { failures: 4, least: 8000, most: 16_000 },
    { failures: 5, least: 15_000, most: 30_000 },
    { failures: 5000, least: 15_000, most: 30_000 },
    { failures: 0, least: 1000, most: 2000 },
  ])('lies between $least and $most ms after $failures failures', ({ failures, least, most }) => {
    expect([0, 0.5, 1].map((random) => reconnectWaitMs(failures, random))).toEqual([least, (least + most) / 2, most])
  })
})
