import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase, openPool } from '#platform/database/database.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.ts'
import { createCrossingsService } from './crossings.service.ts'
import { crossThreshold } from './score/alert-crossing.ts'

const THRESHOLD = 70
const CVES = 200
const STEPS = 60

let database: TestDatabase
let db: Db
/** Those that the last look has raised. */
let raised: { cveId: string; generation: number }[] = []
const alerts = {
  raise: async (_tx: unknown, given: readonly { cveId: string; generation: number }[]) => {
    raised = [...given]
    return given.length
  },
}
const serviceFor = (threshold: number) => createCrossingsService({ alerts, threshold })

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(openPool(database.appUrl, { maxConnections: 1, applicationName: 'test' }))
  await sql`create temp table touched (cve_id text collate "C" not null)`.execute(db)
  await begin()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const idOf = (number: number) => `CVE-2026-${10_000 + number}`

/** Writes scores as the store of CVEs would. */
async function score(scores: readonly { id: string; score: number }[]): Promise<void> {
  await sql`
    insert into cves (id, status, published, last_modified, description, tags, cwes, exploit, reference_list, configurations, affected, words, digest, score, priority)
    select id, 'Analyzed', now(), now(), 'Text', '{}', '{}', false, '[]', '[]', '[]', '', '', score, cve_priority(score, false)
    from jsonb_to_recordset(${JSON.stringify(scores)}::jsonb) as given (id text, score int)
    on conflict (id) do update set score = excluded.score, priority = excluded.priority`.execute(db)
}
async function look(threshold = THRESHOLD): Promise<string[]> {
  raised = []
  await transact(db, SILENT_LOGGING.for('svc.cve'), async (tx) => await serviceFor(threshold).raise(tx))
  return raised.map(({ cveId }) => cveId).sort()
}
async function begin(threshold = THRESHOLD): Promise<void> {
  await transact(db, SILENT_LOGGING.for('svc.cve'), async (tx) => await serviceFor(threshold).begin(tx))
}
async function noteSilently(ids: readonly string[]): Promise<void> {
  await transact(db, SILENT_LOGGING.for('svc.cve'), async (tx) => {
    await sql`truncate touched`.execute(tx.db)
    await sql`insert into touched select unnest(${ids}::text[])`.execute(tx.db)
    await serviceFor(THRESHOLD).noteSilently(tx.db, 'touched')
  })
}

/** The same walk in every run. */
function createRandom(): () => number {
  let seed = 11
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
}

test(`${CVES} scores that wander for ${STEPS} steps raise what the rule says, and base lines raise nothing`, async () => {
  const random = createRandom()
  const states = new Map<string, { armed: boolean; score: number | undefined }>()
  let total = 0
  for (let step = 0; step < STEPS; step++) {
    const isBaseline = random() < 0.2
    const scores = Array.from({ length: CVES }, (_, number) => idOf(number))
      .filter(() => random() < 0.5)
      .map((id) => ({ id, score: Math.round(55 + 30 * random()) }))
    await score(scores)
    const expected: string[] = []
    for (const { id, score: after } of scores) {
      const { armed, score: before } = states.get(id) ?? { armed: true, score: undefined }
      const crossing = crossThreshold({ armed, open: false }, { before, after, threshold: THRESHOLD, isBaseline })
      if (crossing.raise) expected.push(id)
      states.set(id, { armed: crossing.armed, score: after })
    }
    if (isBaseline) await noteSilently(scores.map(({ id }) => id))
    expect(await look()).toEqual(expected.sort())
    total += expected.length
  }
  expect(total).toBeGreaterThan(CVES)
})

describe('a look', () => {
  test('finds what was written and never looked at, once', async () => {
    await score([{ id: idOf(5000), score: 90 }])
    expect(await look()).toEqual([idOf(5000)])
    expect(await look()).toEqual([])
  })

  test('numbers the crossings of a CVE', async () => {
    const id = idOf(5001)
    const generations: (number | undefined)[] = []
    for (const value of [90, 10, 90, 64, 90]) {
      await score([{ id, score: value }])
      await look()
      const [crossing] = raised
      if (crossing !== undefined) generations.push(crossing.generation)
    }
    expect(generations).toEqual([1, 2, 3])
  })

  test('by another threshold is a base line', async () => {
    await score([{ id: idOf(5002), score: 65 }])
    await look()
    expect(await look(60)).toEqual([])
    expect(await look(60)).toEqual([])
    expect(await look()).toEqual([])
  })

  test('of a base that was scored before anybody looked finds what has crossed since, and nothing that stood above', async () => {
    const [stood, came, both] = [idOf(6000), idOf(6001), idOf(6002)]
    await look()
    await sql`delete from cve_alert_threshold`.execute(db)
    await sql`delete from cve_crossings`.execute(db)
    await score([
      { id: stood, score: 90 },
      { id: came, score: 10 },
      { id: both, score: 90 },
    ])
    await begin()
    await score([{ id: came, score: 90 }])
    expect(await look()).toEqual([came])
    await score([{ id: both, score: 10 }])
    expect(await look()).toEqual([])
    await score([{ id: both, score: 90 }])
    await begin()
    expect(await look()).toEqual([both])
  })

  test('that is the first of all is a base line even without a beginning', async () => {
    await sql`delete from cve_alert_threshold`.execute(db)
    await sql`delete from cve_crossings`.execute(db)
    expect(await look()).toEqual([])
    await score([{ id: idOf(6003), score: 90 }])
    expect(await look()).toEqual([idOf(6003)])
  })

  test('finds a CVE that was gone and came back', async () => {
    const id = idOf(5003)
    await score([{ id, score: 90 }])
    await look()
    await sql`delete from cves where id = ${id}`.execute(db)
    await look()
    await score([{ id, score: 90 }])
    expect(await look()).toEqual([id])
  })
})
