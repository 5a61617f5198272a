import { expect, test } from 'vitest'
import { startListServer } from '../support/list-server.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { killRounds } from './kill-rounds.ts'

test('a collector that is killed at random moments loses nothing, doubles nothing, and blocks nobody', async () => {
  const database = await createTestDatabase()
  const lists = await startListServer()
  const tally = await killRounds({ databaseUrl: database.appUrl, lists, rounds: 5, values: 3000 })
  await lists.close()
  await database.drop()
  expect(tally.faults).toEqual([])
  expect(tally.kills + tally.tooLate).toBe(5)
}, 120_000)
