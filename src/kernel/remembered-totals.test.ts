import { expect, test } from 'vitest'
import { createRememberedTotals } from './remembered-totals.ts'

const LARGE = { total: 40_000, exact: false }

test('a large total is worked out once in half a minute, for each filter apart', async () => {
  let now = 0
  let counted = 0
  const totals = createRememberedTotals(() => new Date(now))
  const count = async () => {
    counted++
    return LARGE
  }
  expect(await totals.of({ types: ['IPV4'] }, count)).toEqual(LARGE)
  now = 29_999
  await totals.of({ types: ['IPV4'] }, count)
  expect(counted).toBe(1)
  await totals.of({ types: ['DOMAIN'] }, count)
  expect(counted).toBe(2)
  now = 30_000
  await totals.of({ types: ['IPV4'] }, count)
  expect(counted).toBe(3)
})

test('an exact total is always worked out anew', async () => {
  const totals = createRememberedTotals(() => new Date(0))
  expect(await totals.of({}, async () => ({ total: 1, exact: true }))).toEqual({ total: 1, exact: true })
  expect(await totals.of({}, async () => ({ total: 2, exact: true }))).toEqual({ total: 2, exact: true })
})

test('at most 500 filters are remembered', async () => {
  const totals = createRememberedTotals(() => new Date(0))
  for (let n = 0; n <= 500; n++) await totals.of({ n }, async () => ({ total: 20_000 + n, exact: false }))
  expect((await totals.of({ n: 500 }, async () => LARGE)).total).toBe(20_500)
  expect((await totals.of({ n: 0 }, async () => LARGE)).total).toBe(40_000)
})
