import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { firstIdOf } from './first-id.ts'

test('ids of the moment itself and of later ones are not below, earlier ones are', () => {
  const at = new Date('2026-11-21T08:30:00.123Z')
  for (const late of [0, 1, 1000]) expect(v7({ msecs: at.getTime() + late }) >= firstIdOf(at)).toBe(true)
  expect(v7({ msecs: at.getTime() - 1 }) < firstIdOf(at)).toBe(true)
})

test('a moment before the epoch gives the lowest id', () => {
  expect(firstIdOf(new Date(-5))).toBe('00000000-0000-7000-8000-000000000000')
})
